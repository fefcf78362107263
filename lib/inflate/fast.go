package inflate

import (
	"encoding/binary"
	"unsafe"
)

const (
	// fastInput is what a turn of fastLoop may read, in bytes: two fills load 8
	// each, the second from up to 7 behind the first.
	fastInput = 7 + 8
	// fastOutput is what a turn may write, in bytes: two literals, a match of 258
	// and what a copy by words writes past its end.
	fastOutput = 2 + 258 + 32
)

// fastLoop inflates as long as there are fastInput bytes of input and
// fastOutput bytes of room at each turn. When it is called there are that much
// room, and fillBytes of input more for the fill before the first turn. It is
// done at the end of the block, and full when one of the two has come to an end.
//
// Its loads and stores are not checked one by one. They are within src and
// out[:room], room being at most cap(out), because of the condition of the loop
// and because a distance is checked against what the member has so far. It is one
// function because a call in it would put its variables into memory.
func (d *Decoder) fastLoop(r *reader, out []byte, room int) ([]byte, status) {
	r.fill()
	var (
		in    = unsafe.Pointer(unsafe.SliceData(r.src))
		pos   = r.pos
		lastI = len(r.src) - fastInput
		base  = unsafe.Pointer(unsafe.SliceData(out))
		at    = len(out)
		lastO = room - fastOutput
		start = d.start
		lit   = d.lit
		dist  = d.dist
		buf   = r.buf
		n     = uint64(r.n) // of which the lowest 8 bits count
		s     = full
	)
	e := lit[buf&(1<<litBits-1)]
	for pos <= lastI && at <= lastO {
		saved := buf
		buf >>= e & 63
		n -= uint64(e)
		if e&literal != 0 {
			store1(base, at, e)
			e = lit[buf&(1<<litBits-1)]
			saved = buf
			buf >>= e & 63
			n -= uint64(e)
			at++
			if e&literal != 0 {
				store1(base, at, e)
				e = lit[buf&(1<<litBits-1)]
				saved = buf
				buf >>= e & 63
				n -= uint64(e)
				at++
				if e&literal != 0 {
					store1(base, at, e)
					at++
					e = lit[buf&(1<<litBits-1)]
					buf |= load8(in, pos) << (n & 63)
					pos += 7 - int(n>>3&7)
					n |= 56
					continue
				}
			}
		}
		if e&exceptional != 0 {
			if e&subtable != 0 {
				e = lit[(uint64(e>>valueAt)+buf&(1<<(e>>codeAt&15)-1))&(litSize-1)]
				saved = buf
				buf >>= e & 63
				n -= uint64(e)
				if e&literal != 0 {
					store1(base, at, e)
					at++
					buf |= load8(in, pos) << (n & 63)
					pos += 7 - int(n>>3&7)
					n |= 56
					e = lit[buf&(1<<litBits-1)]
					continue
				}
			}
			if e&exceptional != 0 {
				s = corrupt
				if e&endOfBlock != 0 {
					s = done
				}
				break
			}
		}
		length := int(e>>valueAt) + int(saved&(1<<(e&63)-1)>>(e>>codeAt&15))

		e = dist[buf&(1<<distBits-1)]
		if uint8(n) < maxLen+13+litBits {
			buf |= load8(in, pos) << (n & 63)
			pos += 7 - int(n>>3&7)
			n |= 56
		}
		if e&exceptional != 0 {
			if e&subtable == 0 {
				s = corrupt
				break
			}
			buf >>= distBits
			n -= distBits
			e = dist[(uint64(e>>valueAt)+buf&(1<<(e>>codeAt&15)-1))&(distSize-1)]
			if e&exceptional != 0 {
				s = corrupt
				break
			}
		}
		saved = buf
		buf >>= e & 63
		n -= uint64(e)
		back := int(e>>valueAt) + int(saved&(1<<(e&63)-1)>>(e>>codeAt&15))
		if back > at-start {
			s = corrupt
			break
		}
		e = lit[buf&(1<<litBits-1)]
		buf |= load8(in, pos) << (n & 63)
		pos += 7 - int(n>>3&7)
		n |= 56

		end := at + length
		switch {
		case back >= 16:
			copy16(base, at, back)
			copy16(base, at+16, back)
			for at += 32; at < end; at += 16 {
				copy16(base, at, back)
			}
		case back >= 8:
			for ; at < end; at += 8 {
				store8(base, at, load8(base, at-back))
			}
		case back == 1:
			v := uint64(*(*byte)(unsafe.Add(base, at-1))) * 0x0101010101010101
			for ; at < end; at += 8 {
				store8(base, at, v)
			}
		default:
			for ; at < end; at += back {
				store8(base, at, load8(base, at-back))
			}
		}
		at = end
	}
	r.pos, r.buf, r.n = pos, buf, uint(n&63)
	r.unread()
	return out[:at], s
}

// load8 and store8 move eight bytes at p+i, in little-endian order on all
// machines; copy16 moves sixteen bytes from back bytes before p+i, back >= 16.
func load8(p unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

func store8(p unsafe.Pointer, i int, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p, i))[:], v)
}

func store1(p unsafe.Pointer, i int, e entry) {
	*(*byte)(unsafe.Add(p, i)) = byte(e >> valueAt)
}

func copy16(p unsafe.Pointer, i, back int) {
	*(*[16]byte)(unsafe.Add(p, i)) = *(*[16]byte)(unsafe.Add(p, i-back))
}
