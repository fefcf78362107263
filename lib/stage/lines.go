package stage

import (
	"bufio"
	"bytes"
	"io"
	"iter"
)

// inBuffer is what one read of standard input asks for, in bytes.
const inBuffer = 256 << 10

// lineReader reads lines of any length; only the longest one is ever held in
// memory.
type lineReader struct {
	r    *bufio.Reader
	long []byte // a line that did not fit into r's buffer
}

// next gives a line without its line feed, valid until the next call.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull {
			line, err = l.r.ReadSlice('\n')
			l.long = append(l.long, line...)
		}
		line = l.long
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return line[:n-1], nil
	}
	if err == io.EOF && len(line) > 0 {
		return line, nil // the last line, without a line feed
	}
	return nil, err
}

// Lines gives the lines of standard input without their line feeds. A line is
// valid until the next one is asked for. The error, if any, comes last.
func (t *Task) Lines() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for line, err := range LinesOf(t.in) {
			if err == nil {
				t.read.Add(1)
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// LinesOf gives the lines of a stream in the way of Lines.
func LinesOf(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		l := lineReader{r: bufio.NewReaderSize(r, inBuffer)}
		for {
			line, err := l.next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(line, nil) {
				return
			}
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
// fields are equal; the input must be sorted by them. Values that the caller
// leaves are skipped.
func (t *Task) Groups(keyFields int) iter.Seq2[*Group, error] {
	return func(yield func(*Group, error) bool) {
		l := lineReader{r: bufio.NewReaderSize(t.in, inBuffer)}
		var key []byte
		line, err := l.next()
		for err == nil {
			k, _ := cutKey(line, keyFields)
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
					if line, err = l.next(); !more {
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
				line, err = l.next()
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
