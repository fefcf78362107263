package documents

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// A Shingler makes sets of shingles. Its zero value cannot be used.
type Shingler struct {
	size  int // terms in a shingle
	width int // 64-bit words that represent one
	terms Terms
	ring  []xxh3.Uint128 // hashes of the last terms
	set   []uint64
	table []uint32 // places in set plus one, by hash
	mask  uint64
	found int // terms of the last text
}

// NewShingler makes sets of shingles of size terms, each represented by 64 or 128
// bits.
func NewShingler(size, bits int) *Shingler {
	return &Shingler{size: size, width: bits / 64, ring: make([]xxh3.Uint128, size)}
}

// Width is how many words represent a shingle: 1 or 2.
func (s *Shingler) Width() int { return s.width }

// Terms is how many terms the last text had.
func (s *Shingler) Terms() int { return s.found }

// The multipliers of the polynomials: odd, so that each term counts in full.
const (
	multiplier  = 0x9e3779b97f4a7c13
	multiplier2 = 0xd6e8feb86659fd93
)

// Set gives the shingles of a text, each once, in the order of the text, Width words
// each. It is valid until the next call. Texts of different keys have none in common.
func (s *Shingler) Set(text []byte, key uint64) []uint64 {
	s.set = s.set[:0]
	s.grow(1 << 10)
	s.terms.Reset(text)
	n := 0
	if s.width == 1 {
		n = s.roll64(key)
	} else {
		n = s.roll128(key)
	}
	s.found = n
	if n > 0 && n < s.size {
		var h, h2 uint64
		for _, t := range s.ring[:n] {
			h, h2 = h*multiplier+t.Lo, h2*multiplier2+t.Hi
		}
		s.add(mix(h^key), mix(h2+key))
	}
	return s.set
}

// roll64 adds all shingles of a text with at least as many terms, and gives the
// number of terms.
func (s *Shingler) roll64(key uint64) (terms int) {
	leaving := power(multiplier, s.size)
	var h uint64
	at := 0
	for term := s.terms.Next(); term != nil; term = s.terms.Next() {
		t := xxh3.Hash(term)
		h = h*multiplier + t
		if terms++; terms > s.size {
			h -= s.ring[at].Lo * leaving
		}
		s.ring[at].Lo = t
		if at++; at == s.size {
			at = 0
		}
		if terms >= s.size {
			s.add(mix(h^key), 0)
		}
	}
	return terms
}

func (s *Shingler) roll128(key uint64) (terms int) {
	leaving, leaving2 := power(multiplier, s.size), power(multiplier2, s.size)
	var h, h2 uint64
	at := 0
	for term := s.terms.Next(); term != nil; term = s.terms.Next() {
		t := xxh3.Hash128(term)
		h, h2 = h*multiplier+t.Lo, h2*multiplier2+t.Hi
		if terms++; terms > s.size {
			h, h2 = h-s.ring[at].Lo*leaving, h2-s.ring[at].Hi*leaving2
		}
		s.ring[at] = t
		if at++; at == s.size {
			at = 0
		}
		if terms >= s.size {
			s.add(mix(h^key), mix(h2+key))
		}
	}
	return terms
}

// add puts a shingle into the set, once.
func (s *Shingler) add(h, h2 uint64) {
	for i := h & s.mask; ; i = (i + 1) & s.mask {
		place := s.table[i]
		if place == 0 {
			s.set = append(s.set, h)
			if s.width == 2 {
				s.set = append(s.set, h2)
			}
			s.table[i] = uint32(len(s.set) / s.width)
			if len(s.set)/s.width > len(s.table)/2 {
				s.grow(2 * len(s.table))
			}
			return
		}
		if at := int(place-1) * s.width; s.set[at] == h && (s.width == 1 || s.set[at+1] == h2) {
			return
		}
	}
}

// grow makes the table one of n places, a power of two, with what is in the set.
func (s *Shingler) grow(n int) {
	if len(s.table) == n {
		clear(s.table)
	} else if cap(s.table) >= n {
		s.table = s.table[:n]
		clear(s.table)
	} else {
		s.table = make([]uint32, n)
	}
	s.mask = uint64(n - 1)
	for at := 0; at < len(s.set); at += s.width {
		i := s.set[at] & s.mask
		for s.table[i] != 0 {
			i = (i + 1) & s.mask
		}
		s.table[i] = uint32(at/s.width + 1)
	}
}

func power(base uint64, exponent int) uint64 {
	p := uint64(1)
	for range exponent {
		p *= base
	}
	return p
}

// mix spreads what distinguishes two numbers over all bits (one multiplication to
// 128 bits would lose some; this is a permutation).
func mix(h uint64) uint64 {
	h ^= bits.RotateLeft64(h, 25) ^ bits.RotateLeft64(h, 50)
	h *= 0xa24baed4963ee407
	h ^= bits.RotateLeft64(h, 24) ^ bits.RotateLeft64(h, 49)
	h *= 0x9fb21c651e98df25
	return h ^ h>>28
}
