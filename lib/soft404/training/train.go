package training

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sort"

	"archivestream/lib/soft404"
)

// Options say how a model is made.
type Options struct {
	Seed     uint64
	Pages    int // that are generated
	Features int // of the model, at most
}

const (
	leastPages = 15 // that a feature has to be in
	epochs     = 12
	decay      = 1e-4 // of a weight for each page (L2)
)

// An example is a page as a learner sees it.
type example struct {
	features []int32
	label    float64
}

// Train makes a model of generated pages and writes it, in the form that package
// soft404 reads. The same options give the same bytes.
func Train(w io.Writer, o Options) error {
	pages := Generate(o.Seed, o.Pages)
	names := vocabulary(pages)
	l := learner{examples: examples(pages, names), weights: make([]float64, len(names))}
	l.learn(o.Seed)
	if len(names) > o.Features {
		// The features that tell most, and what they tell without the others.
		sort.SliceStable(names, byWeight(names, l.weights))
		names = names[:o.Features]
		sort.Strings(names)
		l = learner{examples: examples(pages, names), weights: make([]float64, len(names))}
		l.learn(o.Seed)
	}
	if _, err := fmt.Fprintf(w, "%s\t%.3f\n", soft404.Bias, l.bias); err != nil {
		return err
	}
	for i, name := range names {
		if _, err := fmt.Fprintf(w, "%s\t%.3f\n", name, l.weights[i]); err != nil {
			return err
		}
	}
	return nil
}

// byWeight orders names by the size of their weights, which are by place.
func byWeight(names []string, weights []float64) func(i, j int) bool {
	size := make(map[string]float64, len(names))
	for i, name := range names {
		size[name] = math.Abs(weights[i])
	}
	return func(i, j int) bool { return size[names[i]] > size[names[j]] }
}

// features calls f for each feature of a page once.
func features(p *Page, f func(name string)) {
	seen := map[string]bool{}
	soft404.Features([]byte(p.Title), []byte(p.Text), func(name []byte) {
		if !seen[string(name)] {
			seen[string(name)] = true
			f(string(name))
		}
	})
}

// vocabulary gives the features that are in enough pages, sorted.
func vocabulary(pages []Page) []string {
	count := map[string]int{}
	for i := range pages {
		features(&pages[i], func(name string) { count[name]++ })
	}
	var names []string
	for name, n := range count {
		if n >= leastPages {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func examples(pages []Page, names []string) []example {
	number := make(map[string]int32, len(names))
	for i, name := range names {
		number[name] = int32(i)
	}
	all := make([]example, len(pages))
	for i := range pages {
		features(&pages[i], func(name string) {
			if n, ok := number[name]; ok {
				all[i].features = append(all[i].features, n)
			}
		})
		if pages[i].Missing {
			all[i].label = 1
		}
	}
	return all
}

// A learner fits a logistic regression by stochastic gradient descent with steps
// that shrink with the gradients seen (AdaGrad).
type learner struct {
	examples []example
	weights  []float64
	bias     float64
}

func (l *learner) learn(seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	squares := make([]float64, len(l.weights))
	biasSquares := 0.0
	for range epochs {
		for _, at := range random.Perm(len(l.examples)) {
			e := &l.examples[at]
			if len(e.features) == 0 {
				continue
			}
			scale := 1 / math.Sqrt(float64(len(e.features)))
			sum := l.bias
			for _, f := range e.features {
				sum += l.weights[f] * scale
			}
			wrong := 1/(1+math.Exp(-sum)) - e.label
			biasSquares += wrong * wrong
			l.bias -= 0.5 * wrong / math.Sqrt(biasSquares+1e-6)
			for _, f := range e.features {
				gradient := wrong*scale + decay*l.weights[f]
				squares[f] += gradient * gradient
				l.weights[f] -= 0.5 * gradient / math.Sqrt(squares[f]+1e-6)
			}
		}
	}
}
