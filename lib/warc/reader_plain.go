package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"archivestream/lib/buffers"
)

// errLongHead is the error of a record header that does not end.
var errLongHead = fmt.Errorf("the record header does not end within %d bytes", maxHead)

// headFrom reads a record header: up to the blank line of WARC, or the line of
// ARC.
func (r *Reader) headFrom(in *bufio.Reader) ([]byte, error) {
	r.head = r.head[:0]
	isWARC := false
	for line := 0; ; {
		part, err := in.ReadSlice('\n')
		begins := len(r.head) == line
		r.head = append(r.head, part...)
		if err == bufio.ErrBufferFull && len(r.head) < maxHead {
			continue
		}
		if len(r.head) >= maxHead {
			return r.head, errLongHead
		}
		if err != nil {
			return r.head, err
		}
		if line == 0 && begins {
			isWARC = startsWARC(r.head)
		}
		if !isWARC || len(bytes.TrimRight(r.head[line:], "\r\n")) == 0 {
			return r.head, nil
		}
		line = len(r.head)
	}
}

// headIn gives the record header that data begins with, nil if it does not end.
func headIn(data []byte) []byte {
	if !startsWARC(data) {
		if i := bytes.IndexByte(data[:min(len(data), maxHead)], '\n'); i >= 0 {
			return data[:i+1]
		}
		return nil
	}
	for at := 0; at < maxHead; {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			return nil
		}
		if i == 0 || i == 1 && data[at] == '\r' {
			return data[:at+i+1]
		}
		at += i + 1
	}
	return nil
}

// plainRecord gives the record at the offset of a part of the file that is not
// compressed. Where it ends is checked before it is given out.
func (r *Reader) plainRecord(offset int64) (*Record, error) {
	if !r.startsHere() {
		return nil, r.skipPlain(offset, Defect{Kind: Garbage, Detail: "these bytes belong to no record"})
	}
	head, err := r.headFrom(r.in)
	if err == io.EOF {
		return nil, r.skipPlain(offset, Defect{Kind: Truncated, Lost: true, Detail: "the file ends within a record header"})
	}
	if err != nil && !errors.Is(err, errLongHead) {
		return nil, err
	}
	if err == nil {
		err = r.parse(head, offset)
	}
	if err != nil {
		return nil, r.skipPlain(offset, Defect{Kind: BadHeader, Lost: true, Detail: err.Error()})
	}
	start := offset + int64(len(head))
	if r.anotherAt(start) && ranOn(head, r.record.ContentLength) {
		return nil, r.skipPlain(offset, Defect{Kind: BadHeader, Lost: true, Detail: errRanOn.Error()})
	}
	record := &r.record
	record.Compression = Plain
	block, behind, err := r.plainBoundary(start, record)
	if err != nil {
		return nil, err
	}
	record.ContentLength, record.Length, record.Ending = block, behind-offset, behind-start-block
	return r.give(body{source: r.in, left: block, next: behind}), nil
}

// errRanOn is the error of a record header that has taken in its block.
var errRanOn = errors.New("the record header does not end before the next record")

// ranOn says whether the block of a WARC record was read as part of its header,
// since damage has taken the blank line away that ends it. The length of the block
// tells, or a line that is no field and does not go on with one.
func ranOn(head []byte, length int64) bool {
	if !startsWARC(head) {
		return false
	}
	fields := bytes.TrimRight(head, "\r\n")
	if begin := int64(len(fields)) - length; length > 0 && begin > 0 && fields[begin-1] == '\n' {
		return true
	}
	for i, line := range bytes.Split(fields, []byte("\n")) {
		if i > 0 && bytes.IndexByte(line, ':') < 0 && line[0] != ' ' && line[0] != '\t' {
			return true
		}
	}
	return false
}

// anotherAt says whether blank lines and another record, or a gzip member with
// one, are ahead at the offset.
func (r *Reader) anotherAt(offset int64) bool {
	ahead, _ := r.in.Peek(headerSize)
	p := bytes.TrimLeft(ahead, "\r\n")
	return startsVersion(p) || r.endsAtMember(offset+int64(len(ahead)-len(p)), p, false)
}

// startsHere says whether the bytes ahead are a record's begin, or what may be a
// spoilt one: a version line without a version, a line with a URL.
func (r *Reader) startsHere() bool {
	ahead, _ := r.in.Peek(arcLineLimit)
	return mayStartRecord(ahead)
}

// skipPlain notes a defect and goes on at the next record or member.
func (r *Reader) skipPlain(offset int64, d Defect) error {
	next, err := r.findStart(offset + 1)
	if err != nil {
		return err
	}
	d.Offset, d.Length = offset, next-offset
	r.fault(d)
	r.seek(next)
	return nil
}

// plainBoundary finds the length of the block that begins at start, and the
// offset behind the record. Where the header's length does not lead to another
// record, the next one is looked for.
func (r *Reader) plainBoundary(start int64, record *Record) (block, behind int64, err error) {
	claimed := record.ContentLength
	ended := false
	if claimed >= 0 && claimed <= r.size-start {
		ahead, err := r.at(start+claimed, arcLineLimit+4)
		if err != nil {
			return 0, 0, err
		}
		blank := blankLines(ahead, record.Format)
		behind = start + claimed + blank
		ends := endsHere(ahead[blank:], blank > 0)
		if ends && blank == 0 && len(ahead) > 0 {
			ahead = bytes.Clone(ahead) // startsLine reads into the same memory
			if ends, err = r.startsLine(start, claimed, ahead); err != nil {
				return 0, 0, err
			}
		}
		if ends || r.endsAtMember(behind, ahead[blank:], blank > 0) {
			if behind < r.size {
				if detail := missingEnding(ahead[:blank], record.Format); detail != "" {
					r.flaw(MissingEnding, "%s", detail)
				}
			}
			return claimed, behind, nil
		}
		if n := spoiltEnding(ahead, record.Format); n > 0 {
			r.flaw(MissingEnding, "%q behind the block", ahead[:n])
			return claimed, start + claimed + int64(n), nil
		}
		ended = blank > 0
	}
	next, err := r.findStart(start)
	if err != nil {
		return 0, 0, err
	}
	if ended && next > behind {
		// The length was right, and the garbage behind is told by itself. Were
		// there a record before, the line end would be one of its text.
		return claimed, behind, nil
	}
	if next == r.size && claimed > r.size-start {
		r.cut("the header says %d bytes, %d are there", claimed, next-start)
		return next - start, next, nil
	}
	if next == r.size && claimed >= 0 {
		return claimed, start + claimed, nil
	}
	ending, err := r.at(max(start, next-8), int(min(8, next-start)))
	if err != nil {
		return 0, 0, err
	}
	block = next - start - int64(endingOf(ending, record.Format))
	if claimed >= 0 {
		r.flaw(BadLength, "%s", badLength(claimed, block))
	}
	return block, next, nil
}

// startsLine says whether the record ahead, which stands directly behind a block of
// the length claimed, begins there and not before, in the block's last line.
func (r *Reader) startsLine(start, claimed int64, ahead []byte) (bool, error) {
	n := min(claimed, arcLineLimit)
	before, err := r.at(start+claimed-n, int(n))
	return !withinARCLine(before, ahead), err
}

// endsAtMember says whether a gzip member follows a record that is not
// compressed. Without blank lines in between it must hold a record.
func (r *Reader) endsAtMember(offset int64, p []byte, blank bool) bool {
	return bytes.HasPrefix(p, []byte{0x1f, 0x8b, 8}) && (blank || r.plausibleMember(offset))
}

// at gives n bytes at an offset, fewer at the file's end, from the window if it
// has them.
func (r *Reader) at(offset int64, n int) ([]byte, error) {
	if ahead := offset - r.position(); ahead >= 0 && ahead+int64(n) <= int64(r.in.Buffered()) {
		p, _ := r.in.Peek(int(ahead) + n) // buffered: cannot fail
		return p[ahead:], nil
	}
	if cap(r.search) < n {
		r.search = make([]byte, max(n, searchWindow))
	}
	buffers.Spoil(r.search)
	p := r.search[:n]
	m, err := r.file.ReadAt(p, offset)
	if err == io.EOF {
		err = nil
	}
	return p[:m], err
}
