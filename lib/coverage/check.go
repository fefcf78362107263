package coverage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/file"

	"archivestream/lib/documents"
	"archivestream/lib/stage"
)

// Kinds are the kinds of values that an attribute has in a collection.
type Kinds uint8

// The kinds that can be compared with their own.
const (
	Texts Kinds = 1 << iota
	Numbers
	Truths
)

// kindNames are what Kinds are called, in counters and messages.
var kindNames = []struct {
	kind   Kinds
	plural string
}{{Texts, "texts"}, {Numbers, "numbers"}, {Truths, "truth values"}}

func (k Kinds) String() string {
	var names []string
	for _, n := range kindNames {
		if k&n.kind != 0 {
			names = append(names, n.plural)
		}
	}
	return strings.Join(names, " and ")
}

// KindsOf returns the kind of a value, 0 for one that is missing.
func KindsOf(v documents.Value) Kinds {
	switch v.Kind {
	case documents.String:
		return Texts
	case documents.Integer, documents.Float:
		return Numbers
	case documents.Bool:
		return Truths
	}
	return 0
}

// Check reports an expression that no pair of documents of a collection can fulfil
// because an attribute is in none of them, or a comparison is of kinds that are never
// equal, greater or less. seen has what each of Attributes is in the documents, names the
// attributes that there are, for the message. The error shows the place.
func (r *Relation) Check(seen []Kinds, names []string) error {
	for i, path := range r.attributes {
		if seen[i] != 0 {
			continue
		}
		message := fmt.Sprintf("no document has a text, number or truth value %s", path)
		if slices.Contains(names, path.String()) {
			message = fmt.Sprintf("%s is neither a text, a number nor a truth value in any document", path)
		} else if near := stage.Nearest(path.String(), names); near != "" {
			message += fmt.Sprintf(": %s is there", near)
		}
		return r.at(r.places[i], message)
	}
	for i := range r.metadata {
		c := &r.metadata[i]
		left, right := c.left.kinds(seen), c.right.kinds(seen)
		switch {
		case left == 0 || right == 0:
			return r.at(c.place, "this calculates with what is no number in any document")
		case left&right == 0:
			return r.at(c.place, fmt.Sprintf("this compares %s with %s", left, right))
		}
	}
	return nil
}

func (r *Relation) at(place file.Location, message string) error {
	e := &file.Error{Location: place, Message: message}
	return e.Bind(file.NewSource(r.source))
}
