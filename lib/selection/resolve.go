package selection

import (
	"bytes"
	"fmt"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/stage"
	"archivestream/lib/warc"
)

// moveTo gives a revisit the place of its original, of which c is what the index says.
func moveTo(revisit, original *extract.PlanLine, c *cdx.Capture) error {
	if err := original.Form.Parse(original.Line, c); err != nil {
		return err
	}
	revisit.Archive, revisit.Offset, revisit.Length = original.Archive, original.Offset, original.Length
	revisit.Original = append(append(append(revisit.Original[:0:0], c.Timestamp...), ' '), c.URL...)
	return nil
}

// A resolver is the state of one task.
type resolver struct {
	task             *stage.Task
	group, key       []byte
	anyURL, sameURL  []byte // line of a plan: the first place of each that has the payload
	revisit, place   extract.PlanLine
	listed, original cdx.Capture
	text, line       []byte
	digests          [2][]byte
}

// ResolveRevisits is the reducer that gives revisits the place of their original.
// Its input is lines of FindOriginals, sorted as a whole; it makes lines of a plan.
func ResolveRevisits(t *stage.Task) error {
	r := &resolver{task: t}
	var fields [][]byte
	for input, err := range t.Lines() {
		if err != nil {
			return err
		}
		fields = stage.Fields(fields, bytes.TrimRight(input, "\t"), 0)
		if len(fields) != 5 {
			return fmt.Errorf("not a line of find-originals: %q", input)
		}
		if r.text, err = stage.AppendUnescaped(r.text[:0], fields[4]); err != nil {
			return fmt.Errorf("not a line of find-originals: %w", err)
		}
		r.enter(fields[0], fields[1])
		switch string(fields[2]) {
		case "0":
			r.note()
			continue
		case "1":
			err = r.resolve()
		default:
			r.line = append(r.line[:0], r.text...)
		}
		if err == nil {
			err = t.Write(r.line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// enter begins another group, or another URL in it.
func (r *resolver) enter(group, key []byte) {
	if !bytes.Equal(group, r.group) {
		r.group, r.anyURL, r.sameURL = append(r.group[:0], group...), r.anyURL[:0], r.sameURL[:0]
	}
	if !bytes.Equal(key, r.key) {
		r.key, r.sameURL = append(r.key[:0], key...), r.sameURL[:0]
	}
}

// note keeps the first place of the group, and of the URL.
func (r *resolver) note() {
	switch {
	case len(r.key) > 0 && len(r.sameURL) == 0:
		r.sameURL = append(r.sameURL, r.text...)
	case len(r.key) == 0 && len(r.anyURL) == 0:
		r.anyURL = append(r.anyURL, r.text...)
	}
}

// resolve makes the line of a revisit: with the place of its original if there is one.
func (r *resolver) resolve() error {
	original := r.sameURL
	if len(original) == 0 {
		original = r.anyURL
	}
	r.line = append(r.line[:0], r.text...)
	if len(original) == 0 {
		r.task.Count(unresolved, 1)
		return nil
	}
	if err := r.revisit.Parse(r.text); err != nil {
		return err
	}
	if err := r.place.Parse(original); err != nil {
		return err
	}
	if err := r.revisit.Form.Parse(r.revisit.Line, &r.listed); err != nil {
		return err
	}
	if err := moveTo(&r.revisit, &r.place, &r.original); err != nil {
		return err
	}
	if r.contradict() {
		r.task.Count(unresolved, 1)
		r.task.Count("originals with another digest", 1)
		return nil
	}
	r.task.Count("resolved", 1)
	r.line = r.revisit.Append(r.line[:0])
	return nil
}

// contradict reports whether revisit and original have digests of one algorithm that
// differ. The digest of nothing is that of an answer without a body: it says nothing.
func (r *resolver) contradict() bool {
	if warc.IsDigestOfNothing(r.listed.Digest) {
		return false
	}
	a := warc.AppendDigestKey(r.digests[0][:0], r.listed.Digest)
	b := warc.AppendDigestKey(r.digests[1][:0], r.original.Digest)
	r.digests = [2][]byte{a, b}
	i, j := bytes.IndexByte(a, ':'), bytes.IndexByte(b, ':')
	return i > 0 && i == j && bytes.Equal(a[:i], b[:j]) && !bytes.Equal(a, b)
}
