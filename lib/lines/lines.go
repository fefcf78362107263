// Package lines reads the lines of a stream within a bound of memory: a line that is
// longer than the bound is told and left out, and the lines after it are read.
package lines

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"

	"archivestream/lib/buffers"
)

// Max is the length of the longest line that is read unless an option says another
// one, in bytes. A document is one line: its text has up to 64 MB (--max-payload of
// enrich-captures), and twice that as a JSON string with many quotes and line ends.
const Max = 128 << 20

// headSize is how much of a line that is too long is kept to tell it by, in bytes.
const headSize = 200

// A TooLong is the error of a line that is longer than the bound. The reader has left
// it out, and goes on after it.
type TooLong struct {
	Number int64  // of the line, from 1
	Offset int64  // where it starts in the stream, in bytes
	Length int64  // in bytes, without its line feed
	Max    int    // the bound, in bytes
	Head   []byte // what it starts with; its own memory
}

func (e *TooLong) Error() string {
	return fmt.Sprintf("line %d, from byte %d: %d bytes are longer than the longest line that is read, %d", e.Number, e.Offset, e.Length, e.Max)
}

// A Reader reads lines. Only the longest one is ever in memory.
type Reader struct {
	r      *bufio.Reader
	max    int
	long   []byte // a line that did not fit into r's buffer
	loan   buffers.Loan
	number int64
	offset int64
}

// NewReader makes a reader of lines of at most max bytes, 0 for Max, whose reads ask
// for size bytes.
func NewReader(r io.Reader, size, max int) *Reader {
	if max <= 0 {
		max = Max
	}
	return &Reader{r: bufio.NewReaderSize(r, size), max: max}
}

// Number is that of the line which Next has returned last, from 1.
func (l *Reader) Number() int64 { return l.number }

// Next returns a line without its line feed, valid until the next call. The error is
// io.EOF at the end, and a *TooLong for a line that is left out; any other is of the
// stream, and final.
func (l *Reader) Next() ([]byte, error) {
	line, err := l.next()
	return l.loan.Lend(line), err
}

func (l *Reader) next() ([]byte, error) {
	l.number++
	start := l.offset
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = l.rest(line)
		if long, ok := err.(*TooLong); ok {
			long.Number, long.Offset = l.number, start
			l.offset = start + long.Length + 1
			return nil, long
		}
	}
	l.offset += int64(len(line))
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line, err = line[:n-1], nil
	} else if err == io.EOF && n > 0 {
		err = nil // the last line, without a line feed
	}
	if err != nil {
		return nil, err
	}
	if len(line) > l.max {
		return nil, &TooLong{Number: l.number, Offset: start, Length: int64(len(line)), Max: l.max, Head: head(line)}
	}
	return line, nil
}

// rest reads a line on that has filled the buffer.
func (l *Reader) rest(part []byte) ([]byte, error) {
	l.long = append(l.long[:0], part...)
	err := bufio.ErrBufferFull
	for err == bufio.ErrBufferFull {
		part, err = l.r.ReadSlice('\n')
		if len(l.long)+len(part) > l.max+1 {
			return nil, l.skip(part, err)
		}
		l.long = append(l.long, part...)
	}
	return l.long, err
}

// skip reads to the end of a line that is too long; part is its last piece so far.
func (l *Reader) skip(part []byte, err error) error {
	long := &TooLong{Length: int64(len(l.long) + len(part)), Max: l.max, Head: head(l.long)}
	l.long = nil
	for err == bufio.ErrBufferFull {
		part, err = l.r.ReadSlice('\n')
		long.Length += int64(len(part))
	}
	switch {
	case err == nil:
		long.Length-- // the line feed
	case err != io.EOF:
		return err
	}
	return long
}

func head(line []byte) []byte { return slices.Clone(line[:min(len(line), headSize)]) }

// readSize is what one read of All asks for, in bytes.
const readSize = 256 << 10

// All returns the lines of a stream, each valid until the next one is asked for. A
// *TooLong comes in place of a line; any other error comes last.
func All(r io.Reader, max int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		l := NewReader(r, readSize, max)
		for {
			line, err := l.Next()
			if err == io.EOF {
				return
			}
			if !yield(line, err) {
				return
			}
			if _, skipped := err.(*TooLong); err != nil && !skipped {
				return
			}
		}
	}
}
