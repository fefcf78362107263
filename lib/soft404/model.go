package soft404

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"sync"
)

//go:embed soft404.tsv
var embedded []byte

// Threshold is the score from which on a page is taken for one that says that nothing
// is there.
const Threshold = 0.5

// Bias is the name of the model's line that is no feature.
const Bias = "bias"

// A model has the features' weights by the hashes of their names.
type model struct {
	slots   [1 << tableBits]slot
	met     [1 << (filterBits - 6)]uint64 // a bit for the first filterBits of each hash
	weights []float64
	bias    float64
}

// A slot has a feature's hash and the index of its weight; an empty one has the index 0.
type slot struct {
	hash  uint64
	index uint32
}

const (
	tableBits  = 14 // four slots to a feature
	filterBits = 15 // most of a page's features are not the model's: one bit says so
	maxWeights = 1 << tableBits / 2
)

var load = sync.OnceValue(func() *model {
	m, err := parse(embedded)
	if err != nil {
		panic(err)
	}
	return m
})

func parse(table []byte) (*model, error) {
	m := &model{weights: make([]float64, 1)}
	for line := range bytes.Lines(table) {
		name, value, _ := bytes.Cut(bytes.TrimRight(line, "\n"), []byte("\t"))
		weight, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return nil, fmt.Errorf("soft404.tsv: %q: %w", line, err)
		}
		if string(name) == Bias {
			m.bias = weight
			continue
		}
		if err := m.add(name, weight); err != nil {
			return nil, fmt.Errorf("soft404.tsv: %q: %w", line, err)
		}
	}
	return m, nil
}

func (m *model) add(name []byte, weight float64) error {
	kind, words, ok := bytes.Cut(name, []byte(":"))
	switch {
	case !ok || len(kind) != 1:
		return errors.New("a feature is a letter, a colon and words")
	case len(m.weights) > maxWeights:
		return fmt.Errorf("more than %d features", maxWeights)
	}
	hash := uint64(0)
	if last, word, pair := bytes.Cut(words, []byte(" ")); pair {
		hash = featureHash(kind[0], hashOf(last), hashOf(word))
	} else {
		hash = featureHash(kind[0], 0, hashOf(words))
	}
	if m.find(hash) != 0 {
		return errors.New("the feature's hash is that of another one")
	}
	i := hash >> (64 - tableBits)
	for m.slots[i].index != 0 {
		i = (i + 1) % (1 << tableBits)
	}
	m.slots[i] = slot{hash, uint32(len(m.weights))}
	bit := hash >> (64 - filterBits)
	m.met[bit/64] |= 1 << (bit % 64)
	m.weights = append(m.weights, weight)
	return nil
}

// find gives the index of a feature's weight, 0 of one that the model has not.
func (m *model) find(hash uint64) uint32 {
	if bit := hash >> (64 - filterBits); m.met[bit/64]>>(bit%64)&1 == 0 {
		return 0
	}
	for i := hash >> (64 - tableBits); ; i = (i + 1) % (1 << tableBits) {
		if s := &m.slots[i]; s.index == 0 || s.hash == hash {
			return s.index
		}
	}
}

// hashOf is FNV-1a with 64 bits (RFC 9923), of a word.
func hashOf(word []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range word {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}

// featureHash is the hash of a feature of one word, last being 0, or two.
func featureHash(kind byte, last, word uint64) uint64 {
	h := (word ^ bits.RotateLeft64(last, 23) ^ uint64(kind)<<56) * 0x9e3779b97f4a7c15
	return h ^ h>>32*0xd6e8feb86659fd93
}

// A Scorer scores pages. It keeps its buffers and is for one goroutine.
type Scorer struct {
	model  *model
	reader reader
	seen   []uint32 // by feature: the page that had it last
	page   uint32
	found  []uint32
}

// NewScorer makes a Scorer with the model that comes with the package.
func NewScorer() *Scorer {
	return newScorer(load())
}

func newScorer(m *model) *Scorer {
	s := &Scorer{model: m, seen: make([]uint32, len(m.weights))}
	s.reader.emit = func(kind byte, pair bool) {
		last := uint64(0)
		if pair {
			last = s.reader.last.hash
		}
		if i := s.model.find(featureHash(kind, last, s.reader.word.hash)); i != 0 && s.seen[i] != s.page {
			s.seen[i] = s.page
			s.found = append(s.found, i)
		}
	}
	return s
}

// Score gives the probability that a page with status 200 says that nothing is
// there. Title and text are in UTF-8, a line of the text is a block of the page.
func (s *Scorer) Score(title, text []byte) float64 {
	s.page++
	if s.page == 0 {
		clear(s.seen)
		s.page = 1
	}
	s.found = s.found[:0]
	s.reader.page(title, text)
	sum := 0.0
	for _, i := range s.found {
		sum += s.model.weights[i]
	}
	if n := len(s.found); n > 0 {
		sum /= math.Sqrt(float64(n))
	}
	return 1 / (1 + math.Exp(-(s.model.bias + sum)))
}
