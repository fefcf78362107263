package stage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"archivestream/lib/buffers"
	"archivestream/lib/inputs"
	"archivestream/lib/lines"
	"archivestream/lib/storage"
)

// inBuffer is what one read of standard input asks for, in bytes.
const inBuffer = 256 << 10

// reduceFactor is how much longer than a line of a map task's input one between map
// and reduce can be: it has a key in front, and what it holds may be escaped.
const reduceFactor = 4

// maxLine is the length of the longest line that the task reads, in bytes.
func (t *Task) maxLine() int {
	if t.IsMap() {
		return t.Int("max-line")
	}
	return reduceFactor * t.Int("max-line")
}

// Lines returns the lines of standard input without their line feeds. A line is
// valid until the next one is asked for. One that is longer than --max-line is
// rejected. The error, if any, comes last: also that of a reducer's line that is not in
// the order of the stage's Pairs.
func (t *Task) Lines() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		l := lines.NewReader(t.in, inBuffer, t.maxLine())
		for {
			line, err := t.next(l)
			if err == nil && l.Number() == 1 {
				err = t.checkFirst(line)
			}
			if err == nil && t.foreign {
				_, err = io.Copy(io.Discard, t.in) // engines expect that it is read
				if err == nil {
					return
				}
			}
			if err == io.EOF {
				return
			}
			if err == nil {
				t.read.Add(1)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// checkFirst rejects the input as a whole where its first line shows that it is something
// else, as an archive file. Jobs look at their inputs before they start, but not at all
// files of a large folder.
func (t *Task) checkFirst(line []byte) error {
	if !t.IsMap() || t.InputStart() > 0 || t.IsMade() {
		return nil
	}
	what, foreign := inputs.ForeignLine(line)
	if !foreign {
		return nil
	}
	if !UnderEngine() { // by hand: nothing else is read
		return Hint(fmt.Errorf("%s: expected lines, found %s", t.inputName(), what), "--help says what the input must be")
	}
	t.foreign = true
	return t.Reject(fmt.Sprintf("%s: expected lines, found %s", t.inputName(), what), line[:min(len(line), foreignHead)])
}

// IsMade reports whether the input is what an earlier stage of the same job has made.
// That is never something else, whatever its first line looks like.
func (t *Task) IsMade() bool { return strings.Contains(t.InputFile(), "/_work/") }

// foreignHead is how much is told of an input that is something else, in bytes.
const foreignHead = 100

// partOfForeign reports whether the input is a part, not the first one, of a file that
// is something else, and what. It looks once, when the first line is rejected.
func (t *Task) partOfForeign() (string, bool) {
	if t.looked || !t.IsMap() || t.InputStart() == 0 || t.InputFile() == "" || t.IsMade() {
		return "", false
	}
	t.looked = true
	f, err := storage.Open(t.InputFile())
	if err != nil {
		return "", false
	}
	defer f.Close()
	s, err := inputs.Read(f, f.Size())
	if err != nil || !s.Sure() || s.Kind()&inputs.Foreign == 0 {
		return "", false
	}
	t.foreign = true
	return s.String(), true
}

// inputName is what the task's input is called in messages.
func (t *Task) inputName() string {
	switch name := t.InputFile(); {
	case name == "":
		return "standard input"
	case t.InputStart() > 0:
		return fmt.Sprintf("%s from byte %d", name, t.InputStart())
	default:
		return name
	}
}

// RejectLong rejects a line that was too long to be read; name is that of the file.
func (t *Task) RejectLong(name string, long *lines.TooLong) error {
	return t.Reject(fmt.Sprintf("%s: %v (--max-line)", name, long), long.Head)
}

// next returns the next line that is not too long.
func (t *Task) next(l *lines.Reader) ([]byte, error) {
	for {
		line, err := l.Next()
		var long *lines.TooLong
		if !errors.As(err, &long) {
			if err == nil {
				err = t.follows(line)
			}
			return line, err
		}
		t.read.Add(1)
		if err := t.RejectLong(t.inputName(), long); err != nil {
			return nil, err
		}
	}
}

// A Group is the lines of a reducer's input that share a key. Only one line is
// in memory at a time.
type Group struct {
	Key    []byte // the key fields as they stand in the line, separators included
	values func(yield func([]byte, error) bool)
}

// Values gives what stands behind the key and its tab in each line of the
// group, once, in the order of the input. A value is valid until the next one.
func (g *Group) Values() iter.Seq2[[]byte, error] { return g.values }

// Groups gives the groups of lines of standard input whose first keyFields
// fields are equal. Values that the caller leaves are skipped. The lines have to be
// sorted as the stage's Pairs say, or by these fields: one that comes too late is an
// error.
func (t *Task) Groups(keyFields int) iter.Seq2[*Group, error] {
	return func(yield func(*Group, error) bool) {
		if t.order.Fields == 0 {
			t.order.Fields = keyFields
		}
		l := lines.NewReader(t.in, inBuffer, t.maxLine())
		next := func() ([]byte, error) { return t.next(l) }
		var key []byte
		line, err := next()
		for err == nil {
			k, _ := cutKey(line, keyFields)
			buffers.Spoil(key)
			key = append(key[:0], k...)
			group := &Group{Key: key}
			group.values = func(yield func([]byte, error) bool) {
				for err == nil {
					k, value := cutKey(line, keyFields)
					if !bytes.Equal(k, key) {
						return
					}
					t.read.Add(1)
					more := yield(value, nil)
					if line, err = next(); !more {
						return
					}
				}
				if err != io.EOF {
					yield(nil, err)
				}
			}
			if !yield(group, nil) {
				return
			}
			for err == nil {
				if k, _ := cutKey(line, keyFields); !bytes.Equal(k, key) {
					break
				}
				t.read.Add(1)
				line, err = next()
			}
		}
		if err != io.EOF {
			yield(nil, err)
		}
	}
}

// cutKey parts a line behind its first n fields.
func cutKey(line []byte, n int) (key, value []byte) {
	end := 0
	for range n {
		i := bytes.IndexByte(line[end:], '\t')
		if i < 0 {
			return line, nil
		}
		end += i + 1
	}
	return line[:end-1], line[end:]
}

// Fields parts a line at its tabs into dst[:0]; the last field takes the rest
// when there are more than max (0: no limit).
func Fields(dst [][]byte, line []byte, max int) [][]byte {
	dst = dst[:0]
	for max == 0 || len(dst) < max-1 {
		i := bytes.IndexByte(line, '\t')
		if i < 0 {
			break
		}
		dst = append(dst, line[:i])
		line = line[i+1:]
	}
	return append(dst, line)
}
