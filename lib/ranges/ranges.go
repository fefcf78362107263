package ranges

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strconv"

	"archivestream/lib/stage"
)

// MaxKey is how many bytes of a line's key count.
const MaxKey = 1 << 10

// Key gives the part of a line that ranges are cut by: a slice of the line.
func Key(line []byte) []byte {
	end := len(line)
	if i := bytes.IndexByte(line, ' '); i >= 0 {
		if j := bytes.IndexByte(line[i+1:], ' '); j >= 0 {
			end = i + 1 + j
		}
	}
	return line[:min(end, MaxKey)]
}

// A Sampler picks lines by their hash, so that the pick is the same whichever
// task sees them.
type Sampler struct{ limit uint64 }

// NewSampler makes a sampler that picks about the share of all lines, from 0 to
// 1.
func NewSampler(share float64) Sampler {
	if share >= 1 {
		return Sampler{math.MaxUint64}
	}
	return Sampler{uint64(max(share, 0) * math.MaxUint64)}
}

// Picks says whether the line is in the sample.
func (s Sampler) Picks(line []byte) bool { return Hash(line) <= s.limit }

// Hash gives the hash that lines are picked by: a sample is what has the smallest.
func Hash(line []byte) uint64 {
	h := fnv.New64a()
	h.Write(line)
	// The last multiplication leaves the high bits of similar lines similar.
	sum := h.Sum64()
	sum ^= sum >> 32
	return sum * 0x9e3779b97f4a7c15
}

// Cut gives the keys that up to n ranges begin with, the first left out, out of
// a sorted sample of keys. There are fewer where the sample has fewer keys.
func Cut(sample [][]byte, n int) [][]byte {
	var begins [][]byte
	for i := 1; i < n; i++ {
		at := i * len(sample) / n
		if at == 0 || at >= len(sample) {
			continue
		}
		key := sample[at]
		if bytes.Equal(key, sample[0]) || len(begins) > 0 && bytes.Equal(key, begins[len(begins)-1]) {
			continue
		}
		begins = append(begins, key)
	}
	return begins
}

// Ranges are ranges of lines, by the keys that they begin with.
type Ranges struct{ begins [][]byte }

// Read reads a ranges file, which is held in memory.
func Read(r io.Reader) (*Ranges, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	ranges := &Ranges{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		key, err := stage.AppendUnescaped(nil, bytes.TrimRight(line, "\t\n"))
		if err != nil {
			return nil, fmt.Errorf("line %d of the ranges: %w", number, err)
		}
		if n := len(ranges.begins); n > 0 && bytes.Compare(ranges.begins[n-1], key) >= 0 {
			return nil, fmt.Errorf("line %d of the ranges: not behind the one before", number)
		}
		ranges.begins = append(ranges.begins, key)
	}
	return ranges, nil
}

// Len is the number of ranges, at least one.
func (r *Ranges) Len() int { return len(r.begins) + 1 }

// Of gives the number of the range that a line belongs to, from 0.
func (r *Ranges) Of(line []byte) int {
	i, found := slices.BinarySearchFunc(r.begins, line, bytes.Compare)
	if found {
		i++
	}
	return i
}

// Words gives for each of n reducers a word that KeyFieldBasedPartitioner sends
// there: its partition is the word's hash, 31·h + byte from 0 (Java's), modulo n.
func Words(n int) []string {
	words := make([]string, n)
	for i, left := 0, n; left > 0; i++ {
		word := strconv.Itoa(i)
		var h int32
		for _, b := range []byte(word) {
			h = 31*h + int32(b)
		}
		if p := int(h&math.MaxInt32) % n; words[p] == "" {
			words[p] = word
			left--
		}
	}
	return words
}
