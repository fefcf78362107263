package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/buffers"
)

// A member is the gzip member that the reader is in.
type member struct {
	open   bool
	offset int64 // in the file
	length int64 // in the file; -1 while it is streamed
	data   []byte
	at     int // in data: where the next record begins
	count  int // records given out

	// broken says why data is not all of the member, or not to be trusted.
	broken *Defect
	resume int64 // where to go on behind a broken member

	frame frame // as it lies in the file, where it was inflated as a whole

	streamed *bufio.Reader // a member too large to be held; nil otherwise
	inner    int64         // in it: where the next record begins
	read     *countingReader
}

// openMember inflates the member at the offset, as a whole if it is not too
// large.
func (r *Reader) openMember(offset int64) error {
	m := &r.member
	buffers.Spoil(m.data)
	buffers.Spoil(m.frame.header)
	*m = member{open: true, offset: offset, length: -1, data: m.data[:0], frame: m.frame}
	m.frame.header = m.frame.header[:0]
	if whole, err := r.inflateWhole(); whole || err != nil {
		return err
	}
	if err := r.gzip.Reset(r.in); err != nil {
		return r.breakMember(err)
	}
	r.gzip.Multistream(false)
	for {
		if len(m.data) == cap(m.data) {
			if cap(m.data) >= maxMember {
				r.stream()
				return nil
			}
			m.data = append(make([]byte, 0, max(2*cap(m.data), readWindow)), m.data...)
		}
		n, err := r.gzip.Read(m.data[len(m.data):cap(m.data)])
		m.data = m.data[:len(m.data)+n]
		if err == io.EOF {
			m.length = r.position() - offset
			return nil
		}
		if err != nil {
			return r.breakMember(err)
		}
	}
}

// aMember is how much of the file is looked at for a member before the window
// is filled up, in bytes: most members are smaller.
const aMember = 32 << 10

// inflateWhole inflates the member ahead if it lies in the window whole, is not
// too large and sound. What it does not take is left to the stream decoder, which
// knows what to make of it.
func (r *Reader) inflateWhole() (bool, error) {
	m := &r.member
	for _, least := range [...]int{aMember, r.in.Size()} {
		if _, err := r.in.Peek(least); err != nil && err != io.EOF {
			return false, err
		}
		ahead, _ := r.in.Peek(r.in.Buffered())
		data, n, err := r.inflate.Member(m.data, ahead)
		if err == nil {
			m.data, m.length = data, int64(n)
			m.frame.take(ahead[:n])
			r.in.Discard(n) // buffered: cannot fail
			return true, nil
		}
		m.data = data[:0]
		if err != io.ErrUnexpectedEOF || len(ahead) < least {
			break
		}
	}
	return false, nil
}

// breakMember notes what is wrong with the member and finds where to go on. An
// error of the file itself is given back.
func (r *Reader) breakMember(err error) error {
	m := &r.member
	var d *Defect
	if !errors.As(memberDefect(m.offset, err), &d) {
		return err
	}
	d.File = r.name
	after := r.position()
	if errors.Is(err, gzip.ErrChecksum) && (after >= r.size || r.plausibleMember(after)) {
		// The data do not fit their checksum, but the member's end is where
		// another begins: nothing else is touched, unless it is another's end.
		if m.resume, err = r.behindDamage(m.offset, after); err != nil {
			return err
		}
	} else {
		// A damaged member may have been read far into those behind it.
		if m.resume, err = r.findStart(m.offset + 1); err != nil {
			return err
		}
	}
	if d.Kind == Truncated && m.resume < r.size {
		d.Kind, d.Detail = BadMember, "the gzip member does not end where the next one begins"
	}
	d.Length = m.resume - m.offset
	m.broken = d
	return nil
}

// behindDamage gives where to go on behind a member at from that inflates to an
// end, but not to what its checksum says. Damage may have made it run into the
// next members and end with one of them. Records that can be read from within it
// to that very end are such, whatever stands between them; those of an archive
// file that it holds as a record's block do not reach so far.
func (r *Reader) behindDamage(from, end int64) (int64, error) {
	if r.within {
		return end, nil
	}
	first, err := r.find(from+1, false)
	if err != nil || first >= end {
		return end, err
	}
	inner := NewReader(r.file, end, Options{Offset: first})
	inner.within = true
	var last int64
	for record, err := range inner.Records() {
		var d *Defect
		if err != nil && !errors.As(err, &d) {
			return 0, err
		}
		if record == nil || record.Damaged() {
			continue
		}
		if _, err := io.Copy(io.Discard, record.Body); err == nil && record.Length >= 0 {
			last = record.Offset + record.Length
		}
	}
	if last == end {
		return first, nil
	}
	return end, nil
}

// inMember gives the next record of the member, or leaves it.
func (r *Reader) inMember() (*Record, error) {
	m := &r.member
	if m.streamed != nil {
		return r.inStreamed()
	}
	data := m.data
	ends := lineEndsIn(data[m.at:])
	m.at += ends
	if r.tellInnerLineEnds(int64(ends), int64(m.at-ends)) {
		return nil, nil
	}
	if m.at == len(data) {
		return nil, r.closeMember()
	}
	begin := m.at
	head := headIn(data[begin:])
	if head == nil || r.parse(head, m.offset) != nil {
		return nil, r.skipInMember(begin, head)
	}
	record := &r.record
	if startsVersion(bytes.TrimLeft(data[begin+len(head):], "\r\n")) && ranOn(head, record.ContentLength) {
		r.fault(Defect{Offset: m.offset, Length: m.length, Kind: BadHeader, Lost: true,
			Detail: fmt.Sprintf("%v (at %d in the gzip member)", errRanOn, begin)})
		m.at = begin + len(head)
		return nil, nil
	}
	record.Length, record.InnerOffset = m.length, int64(begin)
	if len(bytes.TrimLeft(data[:begin], "\r\n")) == 0 {
		record.InnerOffset = 0
	}
	rest := data[begin+len(head):]
	block, behind, found := r.boundary(rest)
	switch whole := found && behind < len(rest); {
	case m.broken == nil || whole && m.broken.Kind == Truncated:
	case whole:
		// Some of what was inflated is wrong.
		r.flaw(m.broken.Kind, "%s: this record may be what is damaged", m.broken.Detail)
		record.Defects[len(record.Defects)-1].Lost = m.broken.Kind == BadChecksum
	default:
		// Only what another record follows is known to be whole. What the
		// file's end has cut off is given out as far as it goes.
		if m.broken.Kind != Truncated {
			return nil, r.closeMember()
		}
		record.Defects = nil
		if claimed := record.ContentLength; claimed >= 0 && claimed <= int64(len(rest)) {
			block = int(claimed)
			r.flaw(Truncated, "the file ends before the gzip member's checksum, all %d bytes of the block are there", block)
		} else {
			block = len(rest)
			r.cut("%s, %d of %d bytes are there", m.broken.Detail, block, claimed)
		}
		behind = len(rest)
		m.broken = nil
		r.seek(r.size)
	}
	m.at = begin + len(head) + behind
	record.Ending = int64(behind - block)
	m.count++
	record.Compression = Member
	if record.InnerOffset > 0 || len(bytes.TrimRight(data[m.at:], "\r\n")) > 0 {
		record.Compression = Shared
	}
	record.ContentLength = int64(block)
	return r.give(body{bytes: rest[:block], held: true, next: -1}), nil
}

// closeMember goes on behind the member and tells what was wrong with it.
func (r *Reader) closeMember() error {
	m := &r.member
	m.open = false
	if m.broken == nil {
		return nil
	}
	d := *m.broken
	d.Lost = true
	r.fault(d)
	r.seek(m.resume)
	return nil
}

// skipInMember passes over bytes of a member that are no record.
func (r *Reader) skipInMember(begin int, head []byte) error {
	m := &r.member
	if m.broken != nil {
		return r.closeMember()
	}
	next := findRecord(m.data, begin+1, r.format)
	detail := "the gzip member holds no record"
	if head != nil {
		if _, err := parseHead(head, nil); err != nil {
			detail = err.Error()
		}
	}
	d := Defect{Offset: m.offset, Length: m.length, Kind: BadHeader, Lost: true,
		Detail: fmt.Sprintf("%s (at %d in the gzip member)", detail, begin)}
	if !mayStartRecord(m.data[begin:]) {
		d.Kind, d.Lost = Garbage, false
	}
	r.fault(d)
	m.at = next
	return nil
}

// boundary finds where in rest, which follows the header of the record that is about
// to be given out, its block and the record end, and notes in it what is wrong.
func (r *Reader) boundary(rest []byte) (block, behind int, found bool) {
	b := boundaryOf(rest, r.record.Format, r.record.ContentLength)
	if b.kind != "" {
		r.flaw(b.kind, "%s", b.detail)
	}
	return b.block, b.behind, b.found
}
