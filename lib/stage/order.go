package stage

import (
	"bytes"
	"fmt"
	"strings"
)

// WholeLines orders lines by all of their bytes.
const WholeLines = -1

// An Order is what the lines of a stage's input are sorted by, as LC_ALL=C sort does it.
// The zero value is any order.
type Order struct {
	Fields   int  // so many first fields, or WholeLines
	Reversed bool // the last of them downwards
}

// A sequence holds lines against their order. It takes one comparison and one copy of
// each line's key.
//
// Orders of key fields and of whole lines, and those of the engines, agree as long as no
// byte of a key is below the tab, which escaping sees to. Where one is, a key that begins
// with another one may come before or after it: both are taken.
type sequence struct {
	Order
	last  []byte
	begun bool
	lines int64
}

// follows takes a line and reports what is wrong with its place.
func (s *sequence) follows(line []byte) error {
	s.lines++
	if s.Fields == 0 {
		return nil
	}
	key := line
	if s.Fields > 0 {
		var ok bool
		if key, ok = firstFields(line, s.Fields); !ok {
			return fmt.Errorf("line %d, %.200q: expected at least %d fields, separated by tabs", s.lines, line, s.Fields)
		}
	}
	if !bytes.Equal(key, s.last) {
		if s.begun && !s.after(key) {
			return fmt.Errorf("line %d, %.200q, comes after %.200q: the lines are not sorted by %s", s.lines, key, s.last, s.Order)
		}
		s.last = append(s.last[:0], key...)
	}
	s.begun = true
	return nil
}

func (o Order) String() string {
	switch {
	case o.Fields == WholeLines:
		return "their bytes"
	case o.Fields == 1:
		return "their first field"
	case o.Reversed:
		return fmt.Sprintf("their first %d fields, the last of them downwards", o.Fields)
	}
	return fmt.Sprintf("their first %d fields", o.Fields)
}

// after reports whether a key may come after the last one.
func (s *sequence) after(key []byte) bool {
	if !s.Reversed {
		return bytes.Compare(s.last, key) < 0 || isBefore(s.last, key)
	}
	last, _ := firstFields(s.last, s.Fields-1)
	upper, _ := firstFields(key, s.Fields-1)
	if !bytes.Equal(last, upper) {
		return bytes.Compare(last, upper) < 0 || isBefore(last, upper)
	}
	// Of the field that goes downwards what is longer comes first.
	return bytes.Compare(s.last, key) > 0 || isBefore(key, s.last)
}

// isBefore compares two keys as they stand in lines, with a tab after them. Tabs at the
// end are those of engines, which end a key without value in one.
func isBefore(a, b []byte) bool {
	a, b = bytes.TrimRight(a, "\t"), bytes.TrimRight(b, "\t")
	n := min(len(a), len(b))
	if c := bytes.Compare(a[:n], b[:n]); c != 0 {
		return c < 0
	}
	return len(a) == len(b) || len(a) < len(b) && b[n] >= '\t' || len(a) > len(b) && a[n] < '\t'
}

// firstFields returns the first n fields of a line, the tabs between them included; ok
// is false where there are fewer.
func firstFields(line []byte, n int) (key []byte, ok bool) {
	end := 0
	for i := range n {
		tab := bytes.IndexByte(line[end:], '\t')
		if tab < 0 {
			return line, i == n-1
		}
		end += tab + 1
	}
	return line[:end-1], true
}

// follows holds a line of standard input against the order that the stage needs.
func (t *Task) follows(line []byte) error {
	err := t.order.follows(line)
	if err == nil {
		return nil
	}
	return t.Unsorted(fmt.Errorf("%s: %w", t.inputName(), err))
}

// Unsorted adds the hint how the stage's lines are sorted to an error that lines in
// another order mostly are the cause of.
func (t *Task) Unsorted(err error) error {
	hint := "sort it with LC_ALL=C sort"
	for _, p := range PairsOf(t.name) {
		if program(p.Reducer) == t.name {
			hint = fmt.Sprintf("in a pipe it takes %s; on hadoop-streaming -D %s", p.PipeSort(), strings.Join(quoted(p.Properties()), " -D "))
			if p.DealtBy > 0 {
				hint += " and -partitioner org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner"
			}
			break
		}
	}
	return Hint(err, hint)
}

// quoted puts arguments with blanks into quotes.
func quoted(arguments []string) []string {
	for i, a := range arguments {
		if strings.Contains(a, " ") {
			arguments[i] = "'" + a + "'"
		}
	}
	return arguments
}
