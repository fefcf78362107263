package cover

import "math"

// A Problem is a component of the coverage graph: documents by their places in the
// order of ids, from 0, and who covers whom. Every document covers itself, which no
// edge says.
type Problem struct {
	Weight   []float64 // of each document, above 0: what it costs to keep it
	Covered  []int32   // of each edge, ascending
	Covering []int32   // of each edge, ascending where Covered is equal
}

// Limits bound the work on a problem.
type Limits struct {
	// Exact is how many candidates a part may have, after reductions, whose
	// optimum is searched for.
	Exact int
	// Steps bounds reductions and search, each, so that the time for a component
	// is bounded too and what comes out does not depend on the machine; 0: a
	// bound that takes about a second.
	Steps int64
}

// A Solution is a cover: each document is kept or covered by one that is.
type Solution struct {
	Kept   []bool  // by document
	Weight float64 // of all that are kept
	Bound  float64 // no cover weighs less
	Exact  bool    // Weight is the least possible
}

// DefaultExact is how many candidates a part may have that is searched: with the
// bound on the steps, larger ones are hardly ever solved.
const DefaultExact = 400

// defaultSteps takes a second or less.
const defaultSteps = 60_000_000

// The two sides of a problem as set cover: candidates are sets of elements,
// elements are sets of the candidates that cover them. Both are documents.
const (
	candidate = iota
	element
)

// instance is a problem that is being reduced.
type instance struct {
	weight []float64
	// sets hold what a candidate covers and what an element is covered by,
	// ascending; some of it may be gone.
	sets  [2][][]int32
	alive [2][]bool
	count [2][]int32 // how many of a set are alive
	steps int64      // that are left
}

func newInstance(p *Problem, steps int64) *instance {
	n := len(p.Weight)
	in := &instance{weight: p.Weight, steps: steps}
	for side := range in.sets {
		in.sets[side] = make([][]int32, n)
		in.alive[side] = make([]bool, n)
		in.count[side] = make([]int32, n)
		for i := range n {
			in.alive[side][i] = true
			in.count[side][i] = 1
		}
	}
	for i := range p.Covered {
		in.count[element][p.Covered[i]]++
		in.count[candidate][p.Covering[i]]++
	}
	in.fill(p)
	return in
}

// fill makes the sets, each in its own piece of one array. Edges come by element
// and, for one candidate, with rising elements too, so that all sets are ascending
// once a document has its place among those that it is listed with.
func (in *instance) fill(p *Problem) {
	n := len(p.Weight)
	for side := range in.sets {
		room := make([]int32, n+len(p.Covered))
		for i := range n {
			in.sets[side][i] = room[:0:in.count[side][i]]
			room = room[in.count[side][i]:]
		}
	}
	put := func(side int, set, member int32) {
		s := in.sets[side][set]
		// The document itself comes before the first greater one.
		if own := set; member > own && (len(s) == 0 || s[len(s)-1] < own) {
			s = append(s, own)
		}
		in.sets[side][set] = append(s, member)
	}
	for i := range p.Covered {
		put(element, p.Covered[i], p.Covering[i])
		put(candidate, p.Covering[i], p.Covered[i])
	}
	for side := range in.sets {
		for i, s := range in.sets[side] {
			if len(s) == 0 || s[len(s)-1] < int32(i) {
				in.sets[side][i] = append(s, int32(i))
			}
		}
	}
}

// members gives what of a set is alive and forgets the rest.
func (in *instance) members(side int, i int32) []int32 {
	s := in.sets[side][i]
	if len(s) == int(in.count[side][i]) {
		return s
	}
	alive := in.alive[1-side]
	live := s[:0]
	for _, m := range s {
		if alive[m] {
			live = append(live, m)
		}
	}
	in.steps -= int64(len(s))
	in.sets[side][i] = live
	return live
}

// isWhole says whether all weights are whole numbers, small enough for sums of them
// to be exact: bounds can be rounded up then.
func isWhole(weights []float64) bool {
	for _, w := range weights {
		if w != math.Trunc(w) || w > 1<<30 {
			return false
		}
	}
	return true
}

// less says whether a sum of weights is below another by more than what adding up
// in another order makes of it.
func less(a, b float64) bool { return a < b-1e-9*math.Abs(b) }
