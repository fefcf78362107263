package webgraph

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"archivestream/lib/stage"
)

// A Measure is what ranks are ordered by.
type Measure string

// The measures.
const (
	PageRank Measure = "pagerank"
	Harmonic Measure = "harmonic"
)

// ParseMeasure takes the value of an option --by.
func ParseMeasure(s string) (Measure, error) {
	if m := Measure(s); m == PageRank || m == Harmonic {
		return m, nil
	}
	return "", stage.Usage("--by %s: pagerank or harmonic is wanted", s)
}

// OrderRanks is the mapper that gives vertices a key by which they are sorted from the
// highest to the lowest, equal ones by their id: KEY TAB ID TAB NAME TAB HOSTS TAB
// HARMONIC TAB PAGERANK, and with Harmonic, whose input PlaceRanks has made, the
// position by PageRank behind it. The key is two fields.
func OrderRanks(t *stage.Task, by Measure, total int64) error {
	var v vertex
	var fields [][]byte
	var line []byte
	for read, err := range t.Lines() {
		if err != nil {
			return err
		}
		if by == Harmonic {
			var position, rest []byte
			position, rest, _ = bytes.Cut(read, []byte("\t"))
			if fields = stage.Fields(fields, rest, 0); len(fields) != 5 {
				return fmt.Errorf("%d fields: %.80q", len(fields), rest)
			}
			value, err := strconv.ParseFloat(string(fields[3]), 64)
			if err != nil {
				return err
			}
			line = append(append(appendDescending(line[:0], math.Float64bits(value)), '\t'), rest...)
			line = append(append(line, '\t'), position...)
		} else {
			if fields, err = v.parse(fields, read); err != nil {
				return err
			}
			line = append(appendDescending(line[:0], v.rank), '\t')
			line = append(append(line, v.id...), '\t')
			line = append(append(line, v.name...), '\t')
			line = append(append(line, v.hosts...), '\t')
			line = append(strconv.AppendFloat(line, v.harmonic, 'g', -1, 64), '\t')
			line = strconv.AppendFloat(line, float64(v.rank)/float64(total), 'g', -1, 64)
		}
		if err := t.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// appendDescending appends a number so that larger ones sort first. Positive floating
// point numbers are ordered as their bits are.
func appendDescending(dst []byte, n uint64) []byte {
	const digits = "0123456789abcdef"
	n = ^n
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, digits[n>>shift&15])
	}
	return dst
}

// PlaceRanks is the reducer that gives positions, from 1, to what OrderRanks has made;
// there can be one task only. By PageRank it gives POSITION and the line without its
// key, by harmonic centrality it writes ranks/part-00000.txt.gz.
func PlaceRanks(t *stage.Task, by Measure, level Level) error {
	head := "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n"
	if level == DomainLevel {
		head = head[:len(head)-1] + "\t#n_hosts\n"
	}
	file := (&part{task: t, head: head}).numbered("ranks")
	var fields [][]byte
	var line []byte
	position := int64(0)
	for read, err := range t.Lines() {
		if err != nil {
			return err
		}
		position++
		line = append(strconv.AppendInt(line[:0], position, 10), '\t')
		_, rest, _ := bytes.Cut(read, []byte("\t"))
		if by == PageRank {
			if err := t.Write(append(line, rest...)); err != nil {
				return err
			}
			continue
		}
		if fields = stage.Fields(fields, rest, 0); len(fields) != 6 {
			return fmt.Errorf("%d fields: %.80q", len(fields), rest)
		}
		for i, f := range [...][]byte{fields[3], fields[5], fields[4], fields[1]} {
			if i > 0 {
				line = append(line, '\t')
			}
			line = append(line, f...)
		}
		if level == DomainLevel {
			line = append(append(line, '\t'), fields[2]...)
		}
		if _, err := file.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return file.close()
}
