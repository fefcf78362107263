package inflate

import "encoding/binary"

// A reader takes bits from src. The n lowest bits of buf come next, then those
// of src[pos:]; buf may hold some of the latter above the n bits, or zeros.
type reader struct {
	src []byte
	pos int
	buf uint64
	n   uint
}

// fillBytes is how many bytes a fill loads.
const fillBytes = 8

// fill makes n at least 56, or all that src has.
func (r *reader) fill() {
	if len(r.src)-r.pos >= fillBytes {
		r.buf |= binary.LittleEndian.Uint64(r.src[r.pos:]) << (r.n & 63)
		r.pos += int((63 - r.n) >> 3)
		r.n |= 56
		return
	}
	for r.n < 56 && r.pos < len(r.src) {
		r.buf |= uint64(r.src[r.pos]) << (r.n & 63)
		r.pos++
		r.n += 8
	}
}

// skip takes count bits, which there are.
func (r *reader) skip(count uint) {
	r.buf >>= count & 63
	r.n -= count
}

// unread gives whole bytes back to src, so that n is less than 8.
func (r *reader) unread() {
	r.pos -= int(r.n >> 3)
	r.n &= 7
	r.buf &= 1<<r.n - 1
}
