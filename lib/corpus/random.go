package corpus

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sort"
)

// Purposes of the numbers that are derived from one seed, so that they are
// independent of each other.
const (
	forVocabulary = iota + 1
	forSentences
	forHosts
	forHostOfURL
	forKindOfURL
	forStatus
	forPath
	forPresence
	forVisit
	forChange
	forRevisit
	forSize
	forPayload
	forRecordID
	forPick
	forKeys
)

// hash mixes the numbers into one (the finalizer of SplitMix64 after each).
func hash(numbers ...uint64) uint64 {
	var h uint64
	for _, n := range numbers {
		h = mix(h + 0x9e3779b97f4a7c15 + n)
	}
	return h
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// fraction gives a number in [0, 1).
func fraction(h uint64) float64 { return float64(h>>11) / (1 << 53) }

// A random is a SplitMix64 generator. The corpus must not change when the
// standard library's generators or their helpers do.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

// below gives a number in [0, n).
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// fill overwrites p with random bytes.
func (r *random) fill(p []byte) {
	for len(p) >= 8 {
		binary.LittleEndian.PutUint64(p, r.next())
		p = p[8:]
	}
	for i := range p {
		p[i] = byte(r.next())
	}
}

// A zipf draws ranks from 0 with a probability that falls with the rank:
// proportional to 1 / (rank + 1) ** exponent.
type zipf []float64

func newZipf(n int, exponent float64) zipf {
	z := make(zipf, n)
	var sum float64
	for i := range z {
		sum += math.Pow(float64(i+1), -exponent)
		z[i] = sum
	}
	for i := range z {
		z[i] /= sum
	}
	return z
}

// rank gives the rank that a number in [0, 1) falls on.
func (z zipf) rank(f float64) int {
	return min(sort.Search(len(z), func(i int) bool { return z[i] > f }), len(z)-1)
}
