package webgraph

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// CounterOptions say how vertices are counted.
type CounterOptions struct {
	Exact int // up to so many vertices are counted exactly
	Bits  int // of the number of registers beyond that, 4 to 16
}

// A counter is a set of vertices: their ids as long as they are few, then registers
// of HyperLogLog (Flajolet and others, 2007) with 64-bit hashes. What it holds
// depends on the set alone, not on the order in which it was put together.
type counter struct {
	ids       []int64 // sorted
	registers []byte  // nil as long as ids are kept
	spare     []int64
}

func (c *counter) reset() { c.ids, c.registers = c.ids[:0], c.registers[:0] }

func (c *counter) isExact() bool { return len(c.registers) == 0 }

// parse sets the counter to what append has written.
func (c *counter) parse(text []byte, o CounterOptions) error {
	c.reset()
	if len(text) == 0 {
		return errors.New("no counter")
	}
	switch text[0] {
	case 'x':
		return eachID(text[1:], func(id int64) { c.ids = append(c.ids, id) })
	case 'h':
		var err error
		c.registers, err = base64.RawStdEncoding.AppendDecode(c.registers, text[1:])
		if err == nil && len(c.registers) != 1<<o.Bits {
			err = fmt.Errorf("%d registers, not %d", len(c.registers), 1<<o.Bits)
		}
		return err
	}
	return fmt.Errorf("counter %.20q", text)
}

// eachID calls f for each id of a list separated by commas.
func eachID(list []byte, f func(int64)) error {
	for len(list) > 0 {
		id, i := int64(0), 0
		for i < len(list) && list[i] != ',' {
			d := list[i] - '0'
			if d > 9 || id > math.MaxInt64/20 {
				return fmt.Errorf("id in %.20q", list)
			}
			id = id*10 + int64(d)
			i++
		}
		if i == 0 {
			return fmt.Errorf("no id in %.20q", list)
		}
		f(id)
		list = list[min(i+1, len(list)):]
	}
	return nil
}

func (c *counter) append(dst []byte) []byte {
	if !c.isExact() {
		return base64.RawStdEncoding.AppendEncode(append(dst, 'h'), c.registers)
	}
	dst = append(dst, 'x')
	for i, id := range c.ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, id, 10)
	}
	return dst
}

// merge adds what another counter holds, and says whether there was anything new.
func (c *counter) merge(other *counter, o CounterOptions) (grown bool) {
	if c.isExact() && other.isExact() {
		before := len(c.ids)
		c.union(other.ids)
		if len(c.ids) > o.Exact {
			c.approximate(o)
		}
		return len(c.ids) != before || !c.isExact()
	}
	if c.isExact() {
		c.approximate(o)
		grown = true // it held fewer than the other
	}
	if other.isExact() {
		for _, id := range other.ids {
			grown = c.put(id, o) || grown
		}
		return grown
	}
	for i, r := range other.registers {
		if r > c.registers[i] {
			c.registers[i] = r
			grown = true
		}
	}
	return grown
}

// union merges sorted ids.
func (c *counter) union(ids []int64) {
	a, b, into := c.ids, ids, c.spare[:0]
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			into, a = append(into, a[0]), a[1:]
		case a[0] > b[0]:
			into, b = append(into, b[0]), b[1:]
		default:
			into, a, b = append(into, a[0]), a[1:], b[1:]
		}
	}
	into = append(append(into, a...), b...)
	c.ids, c.spare = into, c.ids
}

// approximate goes from ids to registers.
func (c *counter) approximate(o CounterOptions) {
	c.registers = slices.Grow(c.registers[:0], 1<<o.Bits)[:1<<o.Bits]
	clear(c.registers)
	for _, id := range c.ids {
		c.put(id, o)
	}
	c.ids = c.ids[:0]
}

// put puts an id into the registers.
func (c *counter) put(id int64, o CounterOptions) bool {
	h := mix(uint64(id))
	r := h >> (64 - o.Bits)
	rank := byte(bits.LeadingZeros64(h<<o.Bits|1<<(o.Bits-1)) + 1)
	if rank <= c.registers[r] {
		return false
	}
	c.registers[r] = rank
	return true
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// size gives the number of vertices in the set, or an estimate of it.
func (c *counter) size() float64 {
	if c.isExact() {
		return float64(len(c.ids))
	}
	m := float64(len(c.registers))
	sum, zeros := 0.0, 0
	for _, r := range c.registers {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			zeros++
		}
	}
	alpha := 0.7213 / (1 + 1.079/m)
	switch len(c.registers) {
	case 16:
		alpha = 0.673
	case 32:
		alpha = 0.697
	case 64:
		alpha = 0.709
	}
	estimate := alpha * m * m / sum
	if estimate <= 2.5*m && zeros > 0 {
		return m * math.Log(m/float64(zeros)) // linear counting
	}
	return estimate
}
