package inflate

// slowLoop inflates symbol by symbol, with all checks: near the ends of input
// and output. It is full if the output has no room for a length of 258.
func (d *Decoder) slowLoop(r *reader, out []byte, room int) ([]byte, status) {
	for {
		r.fill()
		begin := *r
		e := d.lit[r.buf&(1<<litBits-1)]
		if e&subtable != 0 {
			if r.n < litBits {
				return out, short
			}
			r.skip(litBits)
			e = d.lit[(uint64(e>>valueAt)+r.buf&(1<<(e>>codeAt&15)-1))&(litSize-1)]
		}
		if uint(e&taken) > r.n {
			*r = begin
			return out, short
		}
		switch {
		case e&literal != 0:
			if len(out) >= room {
				*r = begin
				return out, full
			}
			out = append(out, byte(e>>valueAt))
			r.skip(uint(e & taken))
			continue
		case e&endOfBlock != 0:
			r.skip(uint(e & taken))
			return out, done
		case e&exceptional != 0:
			return out, corrupt
		}
		length := int(e>>valueAt) + r.extra(e)
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
	e := d.dist[r.buf&(1<<distBits-1)]
	if e&subtable != 0 {
		if r.n < distBits {
			return 0, short
		}
		r.skip(distBits)
		e = d.dist[(uint64(e>>valueAt)+r.buf&(1<<(e>>codeAt&15)-1))&(distSize-1)]
	}
	if uint(e&taken) > r.n {
		return 0, short
	}
	if e&exceptional != 0 {
		return 0, corrupt
	}
	return int(e>>valueAt) + r.extra(e), done
}

// extra takes the entry's bits and gives the value of the extra ones.
func (r *reader) extra(e entry) int {
	x := r.buf & (1<<(e&taken&63) - 1) >> (e >> codeAt & 15)
	r.skip(uint(e & taken))
	return int(x)
}
