package cover

import (
	"bytes"
	"fmt"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

// The kinds of lines that meet at a document when components are put together.
const (
	meetLabel    = '0' // LABEL
	meetDocument = '1' // WEIGHT TAB BYTES [TAB GROUP]...
	meetEdge     = '2' // KEY TAB SIMILARITY
)

// The fields of a line of the documents table, and how many there are at least.
const (
	fieldWeight   = 1
	fieldBytes    = 2
	fieldURL      = 3
	fieldFilename = 4
	fieldOffset   = 5
	fieldLength   = 6
	fieldGroups   = 7
	tableFields   = 7
)

// MeetDocuments is the mapper that brings the documents, their labels and the edges
// together. It tells the lines of a documents table (7 fields and more), of labels
// (ID TAB LABEL) and of edges (covered TAB covering TAB similarity) by their number
// of fields and emits KEY TAB KIND TAB ..., for an edge at the document that it covers.
func MeetDocuments(t *stage.Task) error {
	var key, other, out []byte
	var f [][]byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		f = stage.Fields(f, line, 0)
		if len(f[0]) == 0 {
			if err := t.Reject("an id is empty", line); err != nil {
				return err
			}
			continue
		}
		key = graph.AppendKey(key[:0], f[0])
		out = append(append(out[:0], key...), '\t')
		switch {
		case len(f) == 2 && len(f[1]) > 0:
			out = graph.AppendKey(append(out, meetLabel, '\t'), f[1])
		case len(f) == 3 && len(f[1]) > 0:
			other = graph.AppendKey(other[:0], f[1])
			if bytes.Equal(key, other) {
				continue // every document covers itself
			}
			out = append(append(append(out, meetEdge, '\t'), other...), '\t')
			out = append(out, f[2]...)
		case len(f) >= tableFields:
			out = append(append(append(out, meetDocument, '\t'), f[fieldWeight]...), '\t')
			out = append(out, f[fieldBytes]...)
			for _, g := range f[fieldGroups:] {
				out = append(append(out, '\t'), g...)
			}
		default:
			if err := t.Reject("neither a document nor a label nor an edge", line); err != nil {
				return err
			}
			continue
		}
		if err := t.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// JoinComponents is the reducer behind MeetDocuments, its lines sorted: it emits
// documents and edges as lines of their components. A document without a label is
// a component of its own.
func JoinComponents(t *stage.Task) error {
	j := joining{task: t}
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		j.label = append(j.label[:0], g.Key...)
		j.document = false
		for line, err := range g.Values() {
			if err != nil {
				return err
			}
			if len(line) < 3 || line[1] != '\t' {
				return fmt.Errorf("not a line of a document: %q", line)
			}
			if err := j.take(g.Key, line[0], line[2:]); err != nil {
				return err
			}
		}
	}
	return nil
}

type joining struct {
	task     *stage.Task
	label    []byte
	document bool // that the key is of has come
	last     []byte
}

func (j *joining) take(key []byte, kind byte, rest []byte) error {
	switch kind {
	case meetLabel:
		j.label = append(j.label[:0], rest...)
		return nil
	case meetDocument:
		if j.document {
			return j.task.Reject("a document of this id is there already", graph.ID(key))
		}
		j.document = true
		j.last = j.last[:0]
		j.task.Count("documents", 1)
		return j.task.Emit(j.label, []byte{kindDocument}, key, rest)
	case meetEdge:
		covering, _, _ := bytes.Cut(rest, tab)
		if bytes.Equal(covering, j.last) {
			return nil // the same pair once more
		}
		j.last = append(j.last[:0], covering...)
		if !j.document {
			return j.task.Reject("an edge of a document that is not there", graph.ID(key))
		}
		j.task.Count("edges", 1)
		return j.task.Emit(j.label, []byte{kindEdge}, key, rest)
	}
	return fmt.Errorf("a line of a document is of kind %q", kind)
}
