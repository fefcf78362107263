package inflate

import (
	"encoding/binary"
	"unsafe"
)

const (
	// fastInput is what a turn of fastLoop may read, in bytes: two fills load 8
	// each, the second from up to 7 behind the first.
	fastInput = 7 + 8
	// fastOutput is what a turn may write, in bytes: three literals, a match of 258
	// and what a copy by words writes past its end.
	fastOutput = 3 + 258 + 32
)

// fastLoop inflates as long as there are fastInput bytes of input and
// fastOutput bytes of room at each turn. When it is called there are that much
// room, and fillBytes of input more for the fill before the first turn. It is
// done at the end of the block, and full when one of the two has come to an end.
//
// Its loads and stores are not checked one by one. They are within src and
// out[:room], room being at most cap(out), because of the condition of the loop
// and because a distance is checked against what the member has so far. It is one
// function because a call in it would put its variables into memory, and walks by
// pointers because places with a base would not fit into the registers.
func (d *Decoder) fastLoop(r *reader, out []byte, room int) ([]byte, status) {
	r.fill()
	var (
		src   = unsafe.Pointer(unsafe.SliceData(r.src))
		in    = unsafe.Add(src, r.pos)
		lastI = unsafe.Add(src, len(r.src)-fastInput)
		base  = unsafe.Pointer(unsafe.SliceData(out))
		at    = unsafe.Add(base, len(out))
		lastO = unsafe.Add(base, room-fastOutput)
		start = unsafe.Add(base, d.start)
		lit   = &d.tables.lit
		dist  = &d.tables.dist
		buf   = r.buf
		n     = uint64(r.n) // of which the lowest 8 bits count
		s     = full
	)
	e := lit[buf&(1<<litBits-1)]
	for uintptr(in) <= uintptr(lastI) && uintptr(at) <= uintptr(lastO) {
		if e&literal != 0 {
			store1(at, e)
			at = unsafe.Add(at, 1)
			buf >>= e & bitCount
			n -= uint64(e)
			e = lit[buf&(1<<litBits-1)]
			if e&literal != 0 {
				store1(at, e)
				at = unsafe.Add(at, 1)
				buf >>= e & bitCount
				n -= uint64(e)
				e = lit[buf&(1<<litBits-1)]
				if e&literal != 0 {
					store1(at, e)
					at = unsafe.Add(at, 1)
					buf >>= e & bitCount
					n -= uint64(e)
					e = lit[buf&(1<<litBits-1)]
					buf |= load8(in) << (n & 63)
					in = unsafe.Add(in, 7-int(n>>3&7))
					n |= 56
					continue
				}
			}
		}
		if e&odd != 0 {
			if e&litSub != 0 {
				e = lit[(uint64(e>>byteAt)+buf>>litBits&(1<<(e>>lengthAt&15)-1))&(litSize-1)]
				if e&literal != 0 {
					store1(at, e)
					at = unsafe.Add(at, 1)
					buf >>= e & bitCount
					n -= uint64(e)
					buf |= load8(in) << (n & 63)
					in = unsafe.Add(in, 7-int(n>>3&7))
					n |= 56
					e = lit[buf&(1<<litBits-1)]
					continue
				}
			}
			if e&odd != 0 {
				s = corrupt
				if e&endOfBlock != 0 {
					buf >>= e >> takenAt & bitCount
					n -= uint64(e >> takenAt & bitCount)
					s = done
				}
				break
			}
		}
		taken := e >> takenAt & bitCount
		length := minMatch + int(e>>lengthAt) + int(buf&(1<<taken-1)>>(e>>codeAt&15))
		buf >>= taken
		n -= uint64(taken)

		e = dist[buf&(1<<distBits-1)]
		buf |= load8(in) << (n & 63)
		in = unsafe.Add(in, 7-int(n>>3&7))
		n |= 56
		if e&odd != 0 {
			if e&distSub == 0 {
				s = corrupt
				break
			}
			e = dist[(uint64(e>>valueAt)+buf>>distBits&(1<<(e>>codeAt&15)-1))&(distSize-1)]
			if e&odd != 0 {
				s = corrupt
				break
			}
		}
		saved := buf
		buf >>= e & bitCount
		n -= uint64(e)
		back := int(e>>valueAt) + int(saved&(1<<(e&bitCount)-1)>>(e>>codeAt&15))
		if back > int(uintptr(at)-uintptr(start)) {
			s = corrupt
			break
		}
		e = lit[buf&(1<<litBits-1)]
		buf |= load8(in) << (n & 63)
		in = unsafe.Add(in, 7-int(n>>3&7))
		n |= 56

		end := unsafe.Add(at, length)
		switch {
		case back >= 16:
			from := unsafe.Add(at, -back)
			copy16(at, from, 0)
			copy16(at, from, 16)
			if length > 32 { // few are longer than 96: a branch that is seldom mispredicted
				copy16(at, from, 32)
				copy16(at, from, 48)
				copy16(at, from, 64)
				copy16(at, from, 80)
				for i := 96; i < length; i += 16 {
					copy16(at, from, i)
				}
			}
		case back >= 8:
			for ; uintptr(at) < uintptr(end); at = unsafe.Add(at, 8) {
				store8(at, load8(unsafe.Add(at, -back)))
			}
		case back == 1:
			v := uint64(*(*byte)(unsafe.Add(at, -1))) * 0x0101010101010101
			for ; uintptr(at) < uintptr(end); at = unsafe.Add(at, 8) {
				store8(at, v)
			}
		default:
			for ; uintptr(at) < uintptr(end); at = unsafe.Add(at, back) {
				store8(at, load8(unsafe.Add(at, -back)))
			}
		}
		at = end
	}
	r.pos, r.buf, r.n = int(uintptr(in)-uintptr(src)), buf, uint(n&63)
	r.unread()
	return out[:uintptr(at)-uintptr(base)], s
}

// load8 and store8 move eight bytes, in little-endian order on all machines; copy16
// moves sixteen bytes, i behind the two places.
func load8(p unsafe.Pointer) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(p)[:])
}

func store8(p unsafe.Pointer, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(p)[:], v)
}

func store1(p unsafe.Pointer, e entry) {
	*(*byte)(p) = byte(e >> byteAt)
}

func copy16(to, from unsafe.Pointer, i int) {
	*(*[16]byte)(unsafe.Add(to, i)) = *(*[16]byte)(unsafe.Add(from, i))
}
