package warc

import (
	"bufio"
	"fmt"
	"io"
)

// manyLineEnds is the number of bytes of line ends between records from which on they
// are told as a defect: formats ask for up to four, and crawlers wrote some more.
const manyLineEnds = 64 << 10

func isLineEnd(b byte) bool { return b == '\n' || b == '\r' }

// lineEndsIn returns how many line ends p begins with, in bytes.
func lineEndsIn(p []byte) int {
	n := 0
	for n < len(p) && isLineEnd(p[n]) {
		n++
	}
	return n
}

// discardLineEnds passes over line ends and returns their number, in bytes. The error
// is one of the reader, other than its end.
func discardLineEnds(in *bufio.Reader) (int64, error) {
	var all int64
	for {
		if _, err := in.Peek(1); err != nil {
			if err == io.EOF {
				err = nil
			}
			return all, err
		}
		ahead, _ := in.Peek(in.Buffered())
		n := lineEndsIn(ahead)
		in.Discard(n) // buffered: cannot fail
		if all += int64(n); n < len(ahead) {
			return all, nil
		}
	}
}

// skipLineEnds passes over more line ends than a record ends in, and tells of many.
func (r *Reader) skipLineEnds(offset int64) error {
	n, err := discardLineEnds(r.in)
	if n > manyLineEnds {
		r.fault(Defect{Offset: offset, Length: n, Kind: Garbage, Detail: fmt.Sprintf("%d bytes of line ends", n)})
	}
	return err
}

// tellInnerLineEnds tells of n bytes of line ends at a place in a gzip member, if that
// is many.
func (r *Reader) tellInnerLineEnds(n, at int64) bool {
	if n > manyLineEnds {
		r.fault(Defect{Offset: r.member.offset, Length: r.member.length, Kind: Garbage, Detail: fmt.Sprintf("%d bytes of line ends (at %d in the gzip member)", n, at)})
	}
	return n > manyLineEnds
}
