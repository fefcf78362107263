package graph

import (
	"bytes"
	"fmt"

	"archivestream/lib/stage"
)

// KeyVertices is the mapper that makes edges of a round to themselves of lines of
// vertices.
func KeyVertices(t *stage.Task) error {
	var key []byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		id, err := cutVertex(line)
		if err != nil {
			if err := t.Reject(err.Error(), line); err != nil {
				return err
			}
			continue
		}
		key = AppendKey(key[:0], id)
		if err := t.Emit(key, key); err != nil {
			return err
		}
	}
	return nil
}

// SpreadLabels is the mapper that makes KEY TAB LABEL of the edges of the last
// round, the greatest of a component included.
func SpreadLabels(t *stage.Task) error {
	var last []byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		v, label, err := cutPair(line)
		if err != nil {
			return fmt.Errorf("%w: %q", err, line)
		}
		// The edges of one star come in a row.
		if !bytes.Equal(label, last) {
			last = append(last[:0], label...)
			if err := t.Emit(label, label); err != nil {
				return err
			}
		}
		if bytes.Equal(v, label) {
			continue
		}
		if err := t.Emit(v, label); err != nil {
			return err
		}
	}
	return nil
}

// KeepLabels is the reducer behind SpreadLabels: sorted by key and then with the
// greatest label first, it keeps that one. Its lines are labels.
func KeepLabels(t *stage.Task) error {
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		for label, err := range g.Values() {
			if err != nil {
				return err
			}
			if err := t.Emit(g.Key, nil, label); err != nil {
				return err
			}
			t.Count("vertices", 1)
			break
		}
	}
	return nil
}

// The kinds of lines that meet at a vertex when labels are checked: the label
// comes before the edges.
var (
	kindLabel = []byte{'0'}
	kindEdge  = []byte{'1'}
)

// MeetLabels is the mapper that brings the edges as they were given and the labels
// together: it emits KEY TAB 0 TAB LABEL and KEY TAB 1 TAB NEIGHBOUR.
func MeetLabels(t *stage.Task) error {
	var from, to []byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if i := bytes.IndexByte(line, '\t'); i > 0 && i+1 < len(line) && line[i+1] == '\t' {
			if err := t.Emit(line[:i], kindLabel, line[i+2:]); err != nil {
				return err
			}
			continue
		}
		a, b, err := cutEdge(line)
		if err != nil {
			continue // SpanForest has rejected it
		}
		from, to = AppendKey(from[:0], a), AppendKey(to[:0], b)
		if err := t.Emit(from, kindEdge, to); err != nil {
			return err
		}
	}
	return nil
}

// PassLabels is the reducer that passes the label of a vertex on over its edges.
// Its lines are those of MeetLabels sorted by two fields; it emits KEY TAB 0 TAB
// LABEL as it came and NEIGHBOUR TAB 1 TAB LABEL.
func PassLabels(t *stage.Task) error {
	return meet(t, func(key, label, neighbour []byte) error {
		if neighbour == nil {
			return t.Emit(key, kindLabel, label)
		}
		return t.Emit(neighbour, kindEdge, label)
	})
}

// CheckLabels is the reducer that holds the label that came over each edge against
// the vertex's own. It fails where they differ, and emits ID TAB LABEL.
func CheckLabels(t *stage.Task) error {
	return meet(t, func(key, label, passed []byte) error {
		if passed == nil {
			return t.Emit(ID(key), ID(label))
		}
		if !bytes.Equal(passed, label) {
			return fmt.Errorf("an edge leads from component %s to %s, at vertex %s", ID(passed), ID(label), ID(key))
		}
		t.Count("checked", 1)
		return nil
	})
}

// meet calls do for each label with no other value, and then for each line of the
// other kind of that key.
func meet(t *stage.Task, do func(key, label, other []byte) error) error {
	var label []byte
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		label = label[:0]
		for v, err := range g.Values() {
			if err != nil {
				return err
			}
			kind, rest, _ := bytes.Cut(v, []byte{'\t'})
			switch {
			case len(rest) == 0:
				return fmt.Errorf("not a line of a label or an edge: %q", v)
			case bytes.Equal(kind, kindLabel):
				label = append(label[:0], rest...)
				err = do(g.Key, label, nil)
			case len(label) == 0:
				return t.Unsorted(fmt.Errorf("vertex %s has no label", ID(g.Key)))
			default:
				err = do(g.Key, label, rest)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
