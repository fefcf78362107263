package mementomap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// Compact is the stage that compacts a map: sorted lines of standard input, or with
// files the registered domains in ranges of files, each into a side file
// map/part-NNNNN without headers.
func Compact(t *stage.Task, o CompactOptions, files bool) error {
	if !files {
		c := NewCompactor(o, func(text []byte) error {
			_, err := t.Writer().Write(text)
			return err
		})
		var header []byte
		err := addLines(t, c.Add, func(line []byte) error {
			if bytes.Equal(line, header) { // of another map
				return nil
			}
			header = append(header[:0], line...)
			return t.Write(line)
		})
		return errors.Join(err, finish(t, c, err == nil))
	}
	return eachRange(t, func(r fileRange) error {
		w, err := t.Create(fmt.Sprintf("map/part-%05d", r.number))
		if err != nil {
			return err
		}
		c := NewCompactor(o, func(text []byte) error {
			_, err := w.Write(text)
			return err
		})
		err = r.lines(t, o.Roll, c.Add)
		if err = errors.Join(err, finish(t, c, err == nil)); err != nil {
			return err
		}
		return w.Close()
	})
}

// finish ends a compaction and counts what it has done.
func finish(t *stage.Task, c *Compactor, done bool) error {
	err := c.Close()
	if err != nil || !done {
		return err
	}
	s := c.Stats()
	t.Count("keys", s.Keys)
	t.Count("lines", s.Lines)
	t.Count("exclusions", s.Exclusions)
	t.Count("captures", s.Sum.m)
	t.Count("uris", s.Sum.r)
	for kind, rolls := range map[string][]int64{"hosts": s.HostRolls, "paths": s.PathRolls} {
		for depth, n := range rolls {
			if n > 0 {
				t.Count(fmt.Sprintf("rolled up %s at depth %d", kind, depth), n)
			}
		}
	}
	return nil
}

// addLines gives the lines of standard input to a Compactor or Measure, headers to
// a function of their own.
func addLines(t *stage.Task, add, header func(line []byte) error) error {
	number := 0
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		number++
		if len(line) == 0 {
			continue
		}
		if IsHeader(line) {
			err = header(line)
		} else {
			err = add(line)
		}
		if err = told(t, line, err, "standard input", "line", int64(number)); err != nil {
			return err
		}
	}
	return nil
}

// told rejects a line that is none of a map, and tells where one is out of order or has
// a key that is to be cut.
func told(t *stage.Task, line []byte, err error, name, what string, at int64) error {
	switch {
	case err == ErrMalformed:
		return t.Reject("malformed line: "+err.Error(), line)
	case err == ErrOrder:
		return stage.Hint(fmt.Errorf("%s, %s %d: %w", name, what, at, err), "sort it with LC_ALL=C sort")
	case err == ErrQuery:
		return stage.Hint(fmt.Errorf("%s, %s %d, %.100q: %w", name, what, at, line, err), "count-captures | LC_ALL=C sort | add-counts cuts such keys and adds them up")
	}
	return err
}

// A fileRange is a part of a sorted file.
type fileRange struct {
	path     string
	from, to int64 // to is -1 for the file's end
	number   int
}

// eachRange calls a function with each range that the input names.
func eachRange(t *stage.Task, f func(fileRange) error) error {
	var fields [][]byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		fields = stage.Fields(fields, line, 0)
		if len(fields) != 4 {
			return stage.Usage("%q: PATH TAB FROM TAB TO TAB NUMBER is wanted", line)
		}
		r := fileRange{path: string(fields[0])}
		var err1, err2, err3 error
		r.from, err1 = strconv.ParseInt(string(fields[1]), 10, 64)
		r.to, err2 = strconv.ParseInt(string(fields[2]), 10, 64)
		r.number, err3 = strconv.Atoi(string(fields[3]))
		if err := errors.Join(err1, err2, err3); err != nil || r.from < 0 {
			return stage.Usage("%q: PATH TAB FROM TAB TO TAB NUMBER is wanted", line)
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// lines gives a range's lines to a function: from the first registered domain that
// begins in it, which is not that of the line that the range's begin lies in or
// before, to the end of the one at its end. Headers are left out. A compressed file
// is one range.
func (r fileRange) lines(t *stage.Task, roll map[string]bool, add func(line []byte) error) error {
	f, err := storage.Open(r.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var magic [2]byte
	f.ReadAt(magic[:], 0)
	var text io.Reader = io.NewSectionReader(f, r.from, f.Size()-r.from)
	if magic == [2]byte{0x1f, 0x8b} {
		if r.from > 0 {
			return nil
		}
		z, err := storage.OpenStream(r.path)
		if err != nil {
			return err
		}
		defer z.Close()
		text, r.to = z, -1
	}
	at := r.from
	begun := r.from == 0
	var first, last []byte // the groups at the range's begin and end
	for line, err := range lines.All(text, t.Int("max-line")) {
		if long := (*lines.TooLong)(nil); errors.As(err, &long) {
			// The one that the range's start lies in, or another range's, is not told here.
			if (at > r.from || r.from == 0) && (r.to < 0 || at <= r.to) {
				if err := t.RejectLong(fmt.Sprintf("%s from byte %d", r.path, r.from), long); err != nil {
					return err
				}
			}
			at += long.Length + 1
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.path, err)
		}
		begin := at
		at += int64(len(line)) + 1
		line = bytes.TrimSuffix(line, []byte{'\t'}) // hadoop-streaming ends a key without value in one
		if begin == r.from && r.from > 0 || len(line) == 0 || IsHeader(line) {
			continue // perhaps the end of a line
		}
		if !begun {
			g := group(line, roll)
			if first == nil {
				first = bytes.Clone(g)
			}
			if begun = !bytes.Equal(g, first); !begun {
				if r.to >= 0 && begin > r.to {
					return nil // the range begins and ends within one
				}
				continue
			}
		}
		if r.to >= 0 && begin > r.to {
			g := group(line, roll)
			if last == nil {
				last = bytes.Clone(g)
			}
			if !bytes.Equal(g, last) {
				return nil
			}
		}
		if err := told(t, line, add(line), r.path, "offset", begin); err != nil {
			return err
		}
	}
	return nil
}
