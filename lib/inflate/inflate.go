// Package inflate inflates whole gzip members (RFC 1952) that lie in memory, the
// form in which archive files hold their records.
//
// It takes what compress/gzip takes, with one exception that RFC 1952, section
// 2.3.1.2, asks for: a header with a reserved flag is refused. Its gain lies in
// members of some kilobytes: nothing is set up between two of them, the bits of
// a symbol come from one load of eight bytes, and the data go to where they are
// wanted without a window between. The manner of it (wide tables whose entries
// hold all that a symbol needs, refills without branches, copies by words that
// may write past their end) is that of Eric Biggers' libdeflate. It is all Go, and
// all bounds are checked.
//
// # Memory
//
// A Decoder holds about 12 KiB of tables and keeps neither input nor output. It
// reads only from src[:len(src)] and writes only to dst[len(dst):cap(dst)], in
// which bytes behind the result may be changed.
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// What can be wrong with a member, for errors.Is. One that src does not hold to
// its end gives io.ErrUnexpectedEOF.
var (
	ErrHeader   = errors.New("no gzip header")
	ErrCorrupt  = errors.New("damaged deflate data")
	ErrChecksum = errors.New("checksum or size of the gzip member do not fit")
	ErrTooLarge = errors.New("gzip member larger than the limit")
)

// A CorruptError is an ErrCorrupt that says where.
type CorruptError struct {
	Offset int // in src, of the symbol that cannot be, or some bytes behind it
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%v at byte %d", ErrCorrupt, e.Offset)
}

// Unwrap gives ErrCorrupt.
func (e *CorruptError) Unwrap() error { return ErrCorrupt }

// A Decoder inflates gzip members one after the other. Its zero value is ready.
// It is for one goroutine.
type Decoder struct {
	// Limit is the size in bytes of the largest inflated member that is taken;
	// 0: any.
	Limit int

	phase  phase
	final  bool // the block is the member's last
	start  int  // in the output: where the member begins
	stored int  // bytes of the stored block that are still to come

	bits reader // fewer than 8 bits between two calls

	tables *tables // of the block

	own     tables
	pre     preTable
	lengths [maxLit + maxDist]uint8
	sorter  sorter
}

// A phase is what of the member comes next.
type phase uint8

const (
	atHeader phase = iota
	atBlock
	inStored
	inCodes
	atTrailer
)

// A status is why a step through the data ended.
type status uint8

const (
	done    status = iota
	short          // the input does not hold all of the next symbol
	full           // the output has no room for it
	corrupt        // it cannot be
)

const trailerSize = 8

// smallest is the room that the output is given at first, in bytes.
const smallest = 64 << 10

// Member inflates the gzip member that src begins with and appends its data to
// dst, which grows by doubling. n is how many bytes of src the member takes, with
// header and trailer; checksum and size are verified.
//
// With an error, out holds what was inflated before it, without promise that it
// is sound, and n says how far src was read. After io.ErrUnexpectedEOF Resume can
// go on. After ErrChecksum the member has come to an end: n is its length.
// ErrCorrupt comes as a CorruptError; the others are returned as they are.
func (d *Decoder) Member(dst, src []byte) (out []byte, n int, err error) {
	d.phase, d.final, d.start, d.bits = atHeader, false, len(dst), reader{}
	return d.Resume(dst, src)
}

// Resume goes on with a member that ended in io.ErrUnexpectedEOF: dst is what
// was given back then, src what follows the n bytes that were taken, with more
// behind them. What it gives back is as from Member, n and offsets being those
// in this src.
func (d *Decoder) Resume(dst, src []byte) (out []byte, n int, err error) {
	r := d.bits
	r.src = src
	limit := math.MaxInt
	if d.Limit > 0 && d.Limit < limit-d.start {
		limit = d.start + d.Limit
	}
	if d.phase == atHeader {
		if r.pos, err = header(src); err != nil {
			return dst, r.pos, err
		}
		d.phase = atBlock
	}
	out, s := d.blocks(&r, dst, limit)
	return d.finish(&r, out, s)
}

// finish says what has come of a member, and verifies its trailer.
func (d *Decoder) finish(r *reader, out []byte, s status) (_ []byte, n int, err error) {
	r.unread()
	d.bits = reader{buf: r.buf, n: r.n}
	switch s {
	case short:
		return out, r.pos, io.ErrUnexpectedEOF
	case full:
		return out, r.pos, ErrTooLarge
	case corrupt:
		return out, r.pos, &CorruptError{Offset: r.pos}
	}
	d.bits = reader{} // what the last block leaves of its byte means nothing
	if len(r.src)-r.pos < trailerSize {
		return out, r.pos, io.ErrUnexpectedEOF
	}
	trailer := r.src[r.pos : r.pos+trailerSize]
	data := out[d.start:]
	if binary.LittleEndian.Uint32(trailer) != crc32.ChecksumIEEE(data) || binary.LittleEndian.Uint32(trailer[4:]) != uint32(len(data)) {
		err = ErrChecksum
	}
	return out, r.pos + trailerSize, err
}

// blocks inflates from where the member stands to the end of its last block.
func (d *Decoder) blocks(r *reader, out []byte, limit int) ([]byte, status) {
	for {
		var s status
		switch d.phase {
		case atBlock:
			s = d.blockHead(r)
		case inStored:
			out, s = d.storedData(r, out, limit)
		case inCodes:
			out, s = d.codedData(r, out, limit)
		case atTrailer:
			return out, done
		}
		if s != done {
			return out, s
		}
	}
}

// codedData inflates what is left of a block with Huffman codes.
func (d *Decoder) codedData(r *reader, out []byte, limit int) ([]byte, status) {
	for {
		room := min(cap(out), limit)
		var s status
		if len(r.src)-r.pos >= fillBytes+fastInput && room-len(out) >= fastOutput {
			if out, s = d.fastLoop(r, out, room); s == full {
				continue
			}
		} else {
			if out, s = d.slowLoop(r, out, room); s == full && room < limit {
				out = grow(out, limit)
				continue
			}
		}
		if s == done {
			d.endBlock()
		}
		return out, s
	}
}

// endBlock goes to what follows a block.
func (d *Decoder) endBlock() {
	d.phase = atBlock
	if d.final {
		d.phase = atTrailer
	}
}

// grow gives out twice the capacity, but no more than the limit needs.
func grow(out []byte, limit int) []byte {
	want := max(2*cap(out), smallest)
	if limit < want-fastOutput {
		want = limit + fastOutput
	}
	return append(make([]byte, 0, want), out...)
}
