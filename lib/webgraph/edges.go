package webgraph

import (
	"bytes"
	"fmt"
	"strconv"

	"archivestream/lib/ranges"
	"archivestream/lib/stage"
)

// KeyEdges is the mapper that sends vertices and edges to the reducer of their range
// of ids: WORD TAB FROM TAB TO TAB N, and in front of the edges of a vertex, TO being
// empty, WORD TAB ID TAB TAB NAME TAB HOSTS. Their key is three fields.
func KeyEdges(t *stage.Task, vertices int64, parts int) error {
	words := ranges.Words(parts)
	var fields [][]byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if fields = stage.Fields(fields, line, 0); len(fields) != 4 {
			return fmt.Errorf("%d fields: %q", len(fields), line)
		}
		name, from, to, n := fields[0], fields[0], fields[2], fields[3]
		if string(fields[1]) == "0" {
			from, to = fields[2], nil
		}
		id, err := strconv.ParseInt(string(from), 10, 64)
		if err != nil || id < 0 || id >= vertices {
			return fmt.Errorf("id %q of %d vertices", from, vertices)
		}
		word := []byte(words[id*int64(parts)/vertices])
		if to == nil {
			err = t.Emit(word, from, nil, name, n)
		} else {
			err = t.Emit(word, from, to, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteEdges is the reducer that writes edges/part-NNNNN.txt.gz, with their numbers if
// weights is set, and gives a record for each vertex.
func WriteEdges(t *stage.Task, weights bool) error {
	file := (&part{task: t}).numbered("edges")
	var fields [][]byte
	var line, out []byte
	var v vertex
	for group, err := range t.Groups(2) {
		if err != nil {
			return err
		}
		_, id, _ := bytes.Cut(group.Key, []byte("\t"))
		out = out[:0]
		first := true
		for value, err := range group.Values() {
			if err != nil {
				return err
			}
			fields = stage.Fields(fields, value, 0)
			if first {
				if len(fields) != 3 || len(fields[0]) > 0 {
					return t.Unsorted(fmt.Errorf("no vertex in front of %q %q", group.Key, value))
				}
				v.begin(id, fields[1], fields[2])
				first = false
				continue
			}
			line = append(append(append(line[:0], plainID(id)...), '\t'), plainID(fields[0])...)
			if weights {
				line = append(append(line, '\t'), fields[1]...)
			}
			if _, err := file.Write(append(line, '\n')); err != nil {
				return err
			}
			if len(out) > 0 {
				out = append(out, ',')
			}
			out = append(out, plainID(fields[0])...)
			t.Count("edges", 1)
		}
		if v.out = out; len(out) == 0 {
			t.Count("without edges to others", 1)
		}
		if err := t.Write(v.append(nil)); err != nil {
			return err
		}
	}
	return file.close()
}
