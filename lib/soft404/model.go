package soft404

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"sync"
)

//go:embed soft404.tsv
var embedded []byte

// Threshold is the score from which on a page is taken for one that says that nothing
// is there. Long pages of which the model knows little score about 0.5.
const Threshold = 0.8

// Bias is the name of the model's line that is no feature.
const Bias = "bias"

// A model has the features' weights by their names.
type model struct {
	index   map[string]int32
	weights []float64
	bias    float64
}

var load = sync.OnceValue(func() *model {
	m, err := parse(embedded)
	if err != nil {
		panic(err)
	}
	return m
})

func parse(table []byte) (*model, error) {
	m := &model{index: map[string]int32{}}
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
		m.index[string(name)] = int32(len(m.weights))
		m.weights = append(m.weights, weight)
	}
	return m, nil
}

// A Scorer scores pages. It keeps its buffers and is for one goroutine.
type Scorer struct {
	model  *model
	reader reader
	seen   []uint32 // by feature: the page that had it last
	page   uint32
	found  []int32
}

// NewScorer makes a Scorer with the model that comes with the package.
func NewScorer() *Scorer {
	return newScorer(load())
}

func newScorer(m *model) *Scorer {
	s := &Scorer{model: m, seen: make([]uint32, len(m.weights))}
	s.reader.emit = func(name []byte) {
		i, ok := s.model.index[string(name)]
		if ok && s.seen[i] != s.page {
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
