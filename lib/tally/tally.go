// Package tally adds up what many tasks have counted.
//
// # Lines
//
// A tally passes between stages as lines of four fields separated by tabs, the first
// three of them the key, each escaped as package stage says:
//
//	TABLE TAB ROW TAB COLUMN TAB NUMBERS
//
// NUMBERS are one whole number or several, separated by spaces. Lines of one key are
// added up number by number, in any order and any number of steps.
package tally

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"archivestream/lib/stage"
)

// A Key says what is counted.
type Key struct{ Table, Row, Column string }

// Counts are numbers by key, in memory. The zero value is ready.
type Counts struct{ of map[Key][]int64 }

// Add adds to the numbers of a key, one by one.
func (c *Counts) Add(k Key, numbers ...int64) {
	if c.of == nil {
		c.of = map[Key][]int64{}
	}
	sum := c.of[k]
	for len(sum) < len(numbers) {
		sum = append(sum, 0)
	}
	for i, n := range numbers {
		sum[i] += n
	}
	c.of[k] = sum
}

// Emit writes the lines of all keys in their order.
func (c *Counts) Emit(t *stage.Task) error {
	keys := make([]Key, 0, len(c.of))
	for k := range c.of {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column))
	})
	var line []byte
	for _, k := range keys {
		line = AppendLine(line[:0], k, c.of[k]...)
		if err := t.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// AppendLine appends the line of a key without a line feed.
func AppendLine(dst []byte, k Key, numbers ...int64) []byte {
	for _, field := range []string{k.Table, k.Row, k.Column} {
		dst = append(stage.AppendEscaped(dst, []byte(field)), '\t')
	}
	return AppendNumbers(dst, numbers...)
}

// AppendNumbers appends the last field of a line.
func AppendNumbers(dst []byte, numbers ...int64) []byte {
	for i, n := range numbers {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, n, 10)
	}
	return dst
}

// An Entry is a line taken apart: its fields as they stand there, escaped.
type Entry struct {
	Table, Row, Column []byte
	Value              []byte // the numbers, or what else a table has there
}

// Parse takes a line apart. The entry's slices point into it.
func Parse(line []byte) (Entry, error) {
	var fields [4][]byte
	parts := stage.Fields(fields[:0], line, 4)
	if len(parts) != 4 {
		return Entry{}, fmt.Errorf("not a line of a tally: %q", line)
	}
	return Entry{parts[0], parts[1], parts[2], parts[3]}, nil
}

// Numbers gives the numbers of the entry, appended to dst[:0].
func (e *Entry) Numbers(dst []int64) ([]int64, error) {
	dst = dst[:0]
	for rest := e.Value; ; {
		field, after, more := bytes.Cut(rest, []byte(" "))
		n, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return dst, fmt.Errorf("table %s: %q is no number", e.Table, field)
		}
		dst = append(dst, n)
		if !more {
			return dst, nil
		}
		rest = after
	}
}

// A Summer adds up the entries of sorted lines, of which one key is in memory at a
// time.
type Summer struct {
	Sum     func(e *Entry, sum []int64) error // gets each key once, with its numbers
	key     []byte
	entry   Entry
	sum     []int64
	scratch []int64
}

// Add takes the next entry.
func (s *Summer) Add(e *Entry) error {
	same := s.key != nil && bytes.Equal(e.Table, s.entry.Table) && bytes.Equal(e.Row, s.entry.Row) && bytes.Equal(e.Column, s.entry.Column)
	if !same {
		if err := s.Close(); err != nil {
			return err
		}
		s.key = append(append(append(s.key[:0], e.Table...), e.Row...), e.Column...)
		n, m := len(e.Table), len(e.Table)+len(e.Row)
		s.entry = Entry{Table: s.key[:n], Row: s.key[n:m], Column: s.key[m:]}
	}
	var err error
	if s.scratch, err = e.Numbers(s.scratch); err != nil {
		return err
	}
	for len(s.sum) < len(s.scratch) {
		s.sum = append(s.sum, 0)
	}
	for i, n := range s.scratch {
		s.sum[i] += n
	}
	return nil
}

// Close gives away the last key.
func (s *Summer) Close() error {
	if s.key == nil || len(s.sum) == 0 {
		return nil
	}
	err := s.Sum(&s.entry, s.sum)
	s.sum = s.sum[:0]
	return err
}

// Read takes all lines of a task, sorted by their keys, and gives away the last key.
// The entries of one table, where it is named, go to other instead.
func (s *Summer) Read(t *stage.Task, table string, other func(e *Entry) error) error {
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		e, err := Parse(line)
		if err != nil {
			return err
		}
		if other != nil && string(e.Table) == table {
			err = other(&e)
		} else {
			err = s.Add(&e)
		}
		if err != nil {
			return err
		}
	}
	return s.Close()
}

// Pass is a Sum that writes the line of the key.
func Pass(t *stage.Task) func(e *Entry, sum []int64) error {
	var numbers []byte
	return func(e *Entry, sum []int64) error {
		numbers = AppendNumbers(numbers[:0], sum...)
		return t.Emit(e.Table, e.Row, e.Column, numbers)
	}
}
