package simjoin

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"archivestream/lib/coverage"
	"archivestream/lib/documents"
	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// maxNames is how many names of attributes are remembered for a message.
const maxNames = 10000

// CheckAttributes reports an expression that no pair of documents can fulfil, by the
// names of ShingleDocuments' counters that are not zero, one a line. The files have the
// documents, ID TAB JSON; they are read only if the counters do not have each attribute.
func CheckAttributes(r *coverage.Relation, counters string, files []string) error {
	c := &checker{seen: make([]coverage.Kinds, len(r.Attributes())), names: map[string]bool{}}
	counted := strings.Split(counters, "\n")
	for i := range c.seen {
		for _, kind := range []coverage.Kinds{coverage.Texts, coverage.Numbers, coverage.Truths} {
			if slices.Contains(counted, attributeCounter(i, kind)) {
				c.seen[i] |= kind
			}
		}
	}
	if slices.Contains(c.seen, 0) {
		for _, pattern := range files {
			if err := c.readAll(r, pattern); err != nil {
				return err
			}
		}
	}
	names := make([]string, 0, len(c.names))
	for name := range c.names {
		names = append(names, name)
	}
	if err := r.Check(c.seen, names); err != nil {
		return stage.Hint(fmt.Errorf("--cover: %w", err), "attributes are the members of the documents' JSON objects")
	}
	return nil
}

// A checker knows which attributes documents have.
type checker struct {
	seen  []coverage.Kinds
	names map[string]bool // dotted
}

// readAll reads the documents of the files that a path means.
func (c *checker) readAll(r *coverage.Relation, pattern string) error {
	found, err := storage.Expand(pattern)
	if err != nil {
		return err
	}
	for _, f := range found {
		if err := c.read(r, f.Path); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

func (c *checker) read(r *coverage.Relation, name string) error {
	f, err := storage.OpenStream(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var o documents.Object
	for line, err := range lines.All(f, 0) {
		if err != nil {
			return err
		}
		_, object, _ := bytes.Cut(line, []byte{'\t'})
		if err := o.Parse(object); err != nil {
			return err
		}
		for i, path := range r.Attributes() {
			c.seen[i] |= coverage.KindsOf(o.Attribute(path))
		}
		c.note("", &o)
	}
	return nil
}

// note remembers the names of an object, and of objects in it.
func (c *checker) note(prefix string, o *documents.Object) {
	for _, m := range o.Members {
		name := prefix + string(m.Name)
		if len(c.names) < maxNames {
			c.names[name] = true
		}
		var inner documents.Object
		if m.Raw[0] == '{' && len(prefix) < 1000 && inner.Parse(m.Raw) == nil {
			c.note(name+".", &inner)
		}
	}
}
