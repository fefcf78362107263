package simjoin

import (
	"bytes"
	"fmt"
	"strconv"

	"archivestream/lib/coverage"
	"archivestream/lib/documents"
	"archivestream/lib/stage"
)

// The join of the paper (Paudel, Anand, Berberich, LSDS-IR 2013, section 4): a full
// inverted index of shingles, all pairs of documents of each list, counted. It is kept
// as the reference; a shingle in n documents costs n²/2 lines, and its list is held in
// memory.

// ListShingles is the mapper that writes a line for each shingle of each document:
// shingle; id, number of the document's shingles, values.
func ListShingles(t *stage.Task, r *coverage.Relation, size, width int) error {
	s := newScanner(t, r, size, width)
	var line, about, value []byte
	for in, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(in) == 0 {
			continue
		}
		ok, err := s.scan(in)
		if err != nil {
			return err
		}
		if !ok || !s.joins {
			continue
		}
		about = append(append(about[:0], '\t'), s.id...)
		about = strconv.AppendInt(append(about, '\t'), int64(s.size()), 10)
		for _, v := range s.values {
			value = v.Append(value[:0])
			about = stage.AppendEscaped(append(about, '\t'), value)
		}
		for i := 0; i < len(s.set); i += width {
			line = line[:0]
			for _, w := range s.set[i : i+width] {
				line = appendHex(line, w, 16)
			}
			if err := t.Write(append(line, about...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// A listed document is one of a shingle's list.
type listed struct {
	member
	size []byte
}

// PairDocuments is the reducer that writes all pairs of each list for which the
// metadata constraints hold: two ids, the lesser one first, the numbers of their
// shingles, and in which directions the metadata allow it (1: the second may cover the
// first, 2: the other way round, 3: both).
func PairDocuments(t *stage.Task, r *coverage.Relation) error {
	var list []listed
	var fields [][]byte
	values := len(r.Attributes())
	for group, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		list = list[:0]
		for line, err := range group.Values() {
			if err != nil {
				return err
			}
			if fields = stage.Fields(fields, bytes.Clone(line), 0); len(fields) != 2+values {
				return fmt.Errorf("shingle %s: a line of %d fields", group.Key, len(fields))
			}
			d := listed{member{id: fields[0]}, fields[1]}
			for _, f := range fields[2:] {
				plain, err := stage.AppendUnescaped(nil, f)
				if err != nil {
					return err
				}
				d.values = append(d.values, documents.Decode(plain))
			}
			list = append(list, d)
		}
		if err := writePairs(t, r, list); err != nil {
			return err
		}
	}
	return nil
}

func writePairs(t *stage.Task, r *coverage.Relation, list []listed) error {
	for i := range list {
		for j := range i {
			x, y := &list[j], &list[i]
			switch c := bytes.Compare(x.id, y.id); {
			case c == 0:
				continue
			case c > 0:
				x, y = y, x
			}
			directions := 0
			if r.Holds(x.values, y.values) {
				directions = 1
			}
			if r.Holds(y.values, x.values) {
				directions |= 2
			}
			if directions == 0 {
				continue
			}
			t.Count("pairs", 1)
			if err := t.Emit(x.id, y.id, x.size, y.size, strconv.AppendInt(nil, int64(directions), 10)); err != nil {
				return err
			}
		}
	}
	return nil
}

// CountPairs is the reducer that counts how often a pair occurs, which is how many
// shingles its documents have in common, and writes the edges.
func CountPairs(t *stage.Task, r *coverage.Relation) error {
	var first [][]byte
	w := edgeWriter{task: t, relation: r}
	for group, err := range t.Groups(2) {
		if err != nil {
			return err
		}
		shared := 0
		for value, err := range group.Values() {
			if err != nil {
				return err
			}
			if shared++; shared == 1 {
				first = stage.Fields(first, bytes.Clone(value), 0)
			}
		}
		if err := w.counted(group.Key, first, shared); err != nil {
			return err
		}
	}
	t.Count("edges found", w.count)
	return nil
}

// counted writes the edges of a pair; about has the sizes and the directions.
func (w *edgeWriter) counted(key []byte, about [][]byte, shared int) error {
	if len(about) != 3 {
		return fmt.Errorf("pair %q: a line of %d fields", key, len(about))
	}
	x, errX := strconv.Atoi(string(about[0]))
	y, errY := strconv.Atoi(string(about[1]))
	directions, err := strconv.Atoi(string(about[2]))
	if errX != nil || errY != nil || err != nil {
		return fmt.Errorf("pair %q: fields that are no numbers", key)
	}
	first, second, _ := bytes.Cut(key, []byte{'\t'})
	if directions&1 != 0 && w.relation.Enough(shared, x, y) {
		if err := w.write(first, second, shared, x, y); err != nil {
			return err
		}
	}
	if directions&2 != 0 && w.relation.Enough(shared, y, x) {
		return w.write(second, first, shared, y, x)
	}
	return nil
}
