package inflate

// slowLoop inflates symbol by symbol, with all checks: near the ends of input
// and output. It is full if the output has no room for a length of 258.
func (d *Decoder) slowLoop(r *reader, out []byte, room int) ([]byte, status) {
	for {
		r.fill()
		begin := *r
		e := d.tables.lit[r.buf&(1<<litBits-1)]
		if e&(odd|litSub) == odd|litSub {
			if r.n < litBits {
				return out, short
			}
			e = d.tables.lit[(uint64(e>>byteAt)+r.buf>>litBits&(1<<(e>>lengthAt&15)-1))&(litSize-1)]
		}
		taken := uint(e >> takenAt & bitCount)
		if e&literal != 0 {
			taken = uint(e & bitCount)
		}
		if taken > r.n {
			*r = begin
			return out, short
		}
		switch {
		case e&odd == 0:
		case e&literal != 0:
			if len(out) >= room {
				*r = begin
				return out, full
			}
			out = append(out, byte(e>>byteAt))
			r.skip(taken)
			continue
		case e&endOfBlock != 0:
			r.skip(taken)
			return out, done
		default:
			return out, corrupt
		}
		length := minMatch + int(e>>lengthAt) + r.extra(taken, e)
		dist, s := d.distance(r)
		if s == done && length > room-len(out) {
			s = full
		}
		if s == done && dist > len(out)-d.start {
			s = corrupt
		}
		if s != done {
			*r = begin
			return out, s
		}
		for range length {
			out = append(out, out[len(out)-dist])
		}
	}
}

// distance reads the distance that follows a length.
func (d *Decoder) distance(r *reader) (int, status) {
	e := d.tables.dist[r.buf&(1<<distBits-1)]
	if e&(odd|distSub) == odd|distSub {
		if r.n < distBits {
			return 0, short
		}
		e = d.tables.dist[(uint64(e>>valueAt)+r.buf>>distBits&(1<<(e>>codeAt&15)-1))&(distSize-1)]
	}
	taken := uint(e & bitCount)
	if taken > r.n {
		return 0, short
	}
	if e&odd != 0 {
		return 0, corrupt
	}
	return int(e>>valueAt) + r.extra(taken, e), done
}

// extra takes the bits of an entry and gives the value of the extra ones.
func (r *reader) extra(taken uint, e entry) int {
	x := r.buf & (1<<(taken&bitCount) - 1) >> (e >> codeAt & 15)
	r.skip(taken)
	return int(x)
}
