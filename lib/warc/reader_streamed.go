package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A gzip member too large to be held, in the main one for a whole file, is read
// through a buffer of maxMember bytes. Records that fit into it are checked
// against what follows them before they are given out, as those of other
// members are; larger ones are streamed by the length in their header.

// maxInflation bounds what deflate makes of a byte: 258 bytes for two bits
// (RFC 1951, section 3.2.5).
const maxInflation = 1032

// stream goes over to reading the member's records as they are inflated.
func (r *Reader) stream() {
	m := &r.member
	if r.large == nil {
		r.large = bufio.NewReaderSize(nil, maxMember)
	}
	m.read = &countingReader{r: io.MultiReader(bytes.NewReader(m.data), &r.gzip)}
	r.large.Reset(m.read)
	m.streamed = r.large
}

// inflated is how much of a streamed member is behind the reader, in bytes.
func (m *member) inflated() int64 { return m.read.n - int64(m.streamed.Buffered()) }

// inStreamed gives the next record of a member that is not held.
func (r *Reader) inStreamed() (*Record, error) {
	m := &r.member
	m.inner = m.inflated()
	next, err := m.streamed.Peek(1)
	if err != nil {
		return nil, r.closeStreamed(err)
	}
	if isLineEnd(next[0]) {
		n, err := discardLineEnds(m.streamed)
		r.tellInnerLineEnds(n, m.inner)
		if err != nil {
			return nil, r.closeStreamed(err)
		}
		return nil, nil
	}
	head, err := r.headFrom(m.streamed)
	if err == nil {
		err = r.parse(head, m.offset)
	} else if err != errLongHead {
		return nil, r.closeStreamed(err)
	}
	if err != nil {
		return nil, r.skipStreamed(BadHeader, err.Error())
	}
	record := &r.record
	if ahead, _ := m.streamed.Peek(headerSize); startsVersion(bytes.TrimLeft(ahead, "\r\n")) && ranOn(head, record.ContentLength) {
		r.fault(Defect{Offset: m.offset, Length: -1, Kind: BadHeader, Lost: true,
			Detail: fmt.Sprintf("%v (at %d in the gzip member)", errRanOn, m.inner)})
		return nil, nil
	}
	record.Length, record.InnerOffset, record.Compression = -1, m.inner, Shared
	m.count++
	rest, known, err := r.aheadOf(record)
	if !known {
		if record.ContentLength < 0 {
			return nil, r.skipStreamed(BadHeader, record.Defects[0].Detail)
		}
		if m.count == 1 {
			record.Compression = Member // as far as can be seen here
		}
		return r.give(body{source: m.streamed, left: record.ContentLength, next: -1, streams: r}), nil
	}
	block, behind, found := r.boundary(rest)
	b := body{bytes: rest[:block], held: true, next: -1, skip: behind}
	if err != nil && err != io.EOF {
		if withheld, err := r.atFault(&b, err, found && behind < len(rest)); withheld {
			return nil, err
		}
	} else if err == io.EOF && m.count == 1 && len(bytes.TrimRight(rest[behind:], "\r\n")) == 0 {
		record.Compression, record.Length = Member, r.position()-m.offset
	}
	record.ContentLength, record.Ending = int64(len(b.bytes)), int64(behind-block)
	return r.give(b), nil
}

// atFault decides about a record behind which inflating failed: as for members
// that are held, only one that another follows is known to be whole, and only
// what the file's end has cut off is given out without.
func (r *Reader) atFault(b *body, err error, whole bool) (withheld bool, _ error) {
	m := &r.member
	var d *Defect
	switch errors.As(memberDefect(m.offset, err), &d); {
	case d == nil || d.Kind != Truncated && !whole:
		return true, r.closeStreamed(err)
	case d.Kind != Truncated:
		r.flaw(d.Kind, "%s: this record may be what is damaged", d.Detail)
		r.record.Defects[len(r.record.Defects)-1].Lost = d.Kind == BadChecksum
	case !whole:
		r.record.Defects = nil
		r.cut("%s, %d of %d bytes are there", d.Detail, len(b.bytes), r.record.ContentLength)
		m.open, m.streamed, b.skip = false, nil, 0
		r.seek(r.size)
	}
	return false, nil
}

// aheadOf inflates what follows a record's header as far as is needed to see
// where the record ends. known is false if the buffer does not hold the end;
// the error is what ended the inflating.
func (r *Reader) aheadOf(record *Record) (rest []byte, known bool, err error) {
	m := &r.member
	if claimed := record.ContentLength; claimed >= 0 && claimed <= int64(m.streamed.Size()-arcLineLimit-4) {
		rest, err := m.streamed.Peek(int(claimed) + 4 + arcLineLimit)
		if claimed <= int64(len(rest)) {
			blank := blankLines(rest[claimed:], record.Format)
			if endsHere(rest[claimed+blank:], blank > 0) && (blank > 0 || !withinARCLine(rest[:claimed], rest[claimed:])) {
				return rest, true, err
			}
		}
	} else if claimed > maxMember && claimed/maxInflation <= r.size-m.offset {
		return nil, false, nil
	}
	rest, err = m.streamed.Peek(m.streamed.Size())
	return rest, err != nil || findRecord(rest, 0, record.Format) < len(rest), err
}

// leaveStreamed skips the rest of a streamed block.
func (r *Reader) leaveStreamed() error {
	m := &r.member
	for r.body.left > 0 {
		n, err := m.streamed.Discard(int(min(r.body.left, 1<<30)))
		r.body.left -= int64(n)
		if err == io.EOF {
			r.fault(Defect{Offset: m.offset, Length: -1, Kind: BadLength, Lost: true,
				Detail: fmt.Sprintf("the block ends %d bytes before its length says", r.body.left)})
			break
		}
		if err != nil {
			return r.closeStreamed(err)
		}
	}
	ending, err := m.streamed.Peek(4)
	if err != nil && err != io.EOF {
		return r.closeStreamed(err)
	}
	n := blankLines(ending, r.record.Format)
	m.streamed.Discard(int(n))
	if ahead, _ := m.streamed.Peek(arcLineLimit); !endsHere(ahead, n > 0) {
		m.inner = m.inflated()
		return r.skipStreamed(Garbage, "these bytes belong to no record")
	}
	return nil
}

// endStreamed looks at what follows a streamed block, where the member's
// checksum may stand: an error is that of inflating. Where the member ends the
// record's length is known.
func (r *Reader) endStreamed() error {
	ahead, err := r.member.streamed.Peek(5)
	if err == nil {
		return nil
	}
	if err != io.EOF {
		return memberDefect(r.member.offset, err)
	}
	if r.member.count == 1 && len(bytes.Trim(ahead, "\r\n")) == 0 {
		r.record.Length = r.position() - r.member.offset
	}
	return nil
}

// skipStreamed passes over bytes of a streamed member, from where the record
// was expected, that are none.
func (r *Reader) skipStreamed(kind DefectKind, detail string) error {
	m := &r.member
	from := m.inner
	var ended error
	for ended == nil {
		if m.inflated() > from {
			if ahead, _ := m.streamed.Peek(arcLineLimit); startsRecord(ahead, r.format) {
				break
			}
		}
		_, err := m.streamed.ReadSlice('\n')
		if err != bufio.ErrBufferFull {
			ended = err
		}
	}
	r.fault(Defect{Offset: m.offset, Length: -1, Kind: kind, Lost: kind != Garbage,
		Detail: fmt.Sprintf("%s (%d bytes at %d in the gzip member)", detail, m.inflated()-from, from)})
	if ended != nil {
		return r.closeStreamed(ended)
	}
	return nil
}

// closeStreamed goes on behind a streamed member that has ended, well or not.
func (r *Reader) closeStreamed(err error) error {
	m := &r.member
	m.streamed = nil
	if err == io.EOF {
		m.open = false
		return nil
	}
	if err := r.breakMember(err); err != nil {
		return err
	}
	return r.closeMember()
}
