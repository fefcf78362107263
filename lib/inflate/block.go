package inflate

import "encoding/binary"

// Kinds of blocks, RFC 1951, section 3.2.3.
const (
	kindStored = iota
	kindFixed
	kindDynamic
)

// blockHead reads what precedes a block's data. If src does not hold all of it,
// nothing of it is taken.
func (d *Decoder) blockHead(r *reader) status {
	begin := *r
	s := d.readHead(r)
	if s == short {
		*r = begin
	}
	return s
}

func (d *Decoder) readHead(r *reader) status {
	r.fill()
	if r.n < 3 {
		return short
	}
	d.final = r.buf&1 != 0
	kind := r.buf >> 1 & 3
	r.skip(3)
	switch kind {
	case kindStored:
		return d.storedHead(r)
	case kindFixed:
		d.tables = &fixed
	case kindDynamic:
		if s := d.codes(r); s != done {
			return s
		}
		d.tables = &d.own
	default:
		return corrupt
	}
	d.phase = inCodes
	return done
}

// storedHead reads the length of a stored block.
func (d *Decoder) storedHead(r *reader) status {
	r.unread()
	if len(r.src)-r.pos < 4 {
		return short
	}
	r.buf, r.n = 0, 0
	length := binary.LittleEndian.Uint16(r.src[r.pos:])
	inverse := binary.LittleEndian.Uint16(r.src[r.pos+2:])
	r.pos += 4
	if length != ^inverse {
		return corrupt
	}
	d.stored = int(length)
	d.phase = inStored
	return done
}

// storedData copies what is left of a stored block.
func (d *Decoder) storedData(r *reader, out []byte, limit int) ([]byte, status) {
	n := min(d.stored, len(r.src)-r.pos, limit-len(out))
	for cap(out)-len(out) < n {
		out = grow(out, limit)
	}
	out = append(out, r.src[r.pos:r.pos+n]...)
	r.pos += n
	d.stored -= n
	switch {
	case d.stored == 0:
		d.endBlock()
		return out, done
	case r.pos == len(r.src):
		return out, short
	}
	return out, full
}

// codes reads the code lengths of a dynamic block and makes its tables.
func (d *Decoder) codes(r *reader) status {
	if r.n < 14 {
		return short
	}
	lits := int(r.buf&31) + 257
	dists := int(r.buf>>5&31) + 1
	pres := int(r.buf>>10&15) + 4
	r.skip(14)
	if lits > maxLit || dists > maxDist {
		return corrupt
	}
	var lengths [numPre]uint8
	for i := range pres {
		if r.n < 3 {
			if r.fill(); r.n < 3 {
				return short
			}
		}
		lengths[preOrder[i]] = uint8(r.buf & 7)
		r.skip(3)
	}
	if !d.sorter.build(d.pre[:], preAlphabet, lengths[:]) {
		return corrupt
	}
	if s := d.codeLengths(r, lits+dists); s != done {
		return s
	}
	if !d.sorter.build(d.own.lit[:], litAlphabet, d.lengths[:lits]) ||
		!d.sorter.build(d.own.dist[:], distAlphabet, d.lengths[lits:lits+dists]) {
		return corrupt
	}
	return done
}

// preOrder is the order of the lengths of the code of code lengths.
var preOrder = [numPre]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codeLengths reads count code lengths, RFC 1951, section 3.2.7.
func (d *Decoder) codeLengths(r *reader, count int) status {
	for i := 0; i < count; {
		if r.n < preBits+7 {
			r.fill()
		}
		e := d.pre[r.buf&(1<<preBits-1)]
		if uint(e&bitCount) > r.n {
			return short
		}
		if e&odd != 0 {
			return corrupt
		}
		r.skip(uint(e & bitCount))
		symbol := e >> valueAt
		if symbol < repeatLast {
			d.lengths[i] = uint8(symbol)
			i++
			continue
		}
		if symbol == repeatLast && i == 0 {
			return corrupt
		}
		times := &repeats[symbol-repeatLast]
		if r.n < times.extra {
			return short
		}
		n := times.least + int(r.buf&(1<<times.extra-1))
		r.skip(times.extra)
		if n > count-i {
			return corrupt
		}
		value := uint8(0)
		if symbol == repeatLast {
			value = d.lengths[i-1]
		}
		again := d.lengths[i : i+n]
		for j := range again {
			again[j] = value
		}
		i += n
	}
	return done
}

// repeatLast is the first symbol that is not a length, but says how often the
// last one or 0 follows.
const repeatLast = 16

var repeats = [numPre - repeatLast]struct {
	extra uint // bits
	least int
}{{2, 3}, {3, 3}, {7, 11}}
