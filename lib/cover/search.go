package cover

import (
	"math"
	"slices"
)

// searching is branch and bound over a part of an instance, whose candidates and
// elements are numbered anew from 0.
type searching struct {
	weight   []float64
	whole    bool      // weights are whole numbers
	covers   [][]int32 // elements of each candidate
	coverers [][]int32 // candidates of each element
	steps    int64

	covered  []int32 // element: by how many chosen ones
	taken    []int8  // candidate: not looked at, chosen, or left out
	chosen   []int32
	cost     float64
	best     []int32
	bestCost float64

	left    []float64 // of weights, while a bound is calculated
	ordered [][]int32 // elements by how many coverers they can still have
}

// run looks for a cover that is lighter than best, whose weight is bestCost. It
// says whether the one that it leaves in best is the lightest.
func (s *searching) run() bool {
	s.covered = make([]int32, len(s.coverers))
	s.taken = make([]int8, len(s.covers))
	s.left = make([]float64, len(s.covers))
	s.branch()
	return s.steps > 0
}

const (
	open int8 = iota
	out
)

// branch covers the element that has the fewest coverers left, with each of them in
// turn. One whose turn is over is left out of the turns that follow.
func (s *searching) branch() {
	if s.steps <= 0 {
		return
	}
	e, bound := s.survey()
	if e < 0 {
		if less(s.cost, s.bestCost) {
			s.best, s.bestCost = append(s.best[:0], s.chosen...), s.cost
		}
		return
	}
	total := s.cost + bound
	if s.whole {
		total = math.Ceil(total - 1e-6)
	}
	if !less(total, s.bestCost) {
		return
	}
	turns := s.turns(e)
	for _, c := range turns {
		s.choose(c, 1)
		s.branch()
		s.choose(c, -1)
		s.taken[c] = out
	}
	for _, c := range turns {
		s.taken[c] = open
	}
}

// turns gives the coverers of an element that can be chosen, those first that cover
// the most for their weight, of equal ones the later.
func (s *searching) turns(e int32) []int32 {
	var turns []int32
	worth := map[int32]float64{}
	for _, c := range s.coverers[e] {
		if s.taken[c] != open {
			continue
		}
		n := 0
		for _, f := range s.covers[c] {
			if s.covered[f] == 0 {
				n++
			}
		}
		s.steps -= int64(len(s.covers[c]))
		worth[c] = float64(n) / s.weight[c]
		turns = append(turns, c)
	}
	slices.SortFunc(turns, func(a, b int32) int {
		if worth[a] != worth[b] {
			if worth[a] > worth[b] {
				return -1
			}
			return 1
		}
		return int(b - a)
	})
	return turns
}

// choose takes a candidate (by 1) or gives it back (by -1).
func (s *searching) choose(c int32, by int32) {
	for _, e := range s.covers[c] {
		s.covered[e] += by
	}
	if by > 0 {
		s.chosen = append(s.chosen, c)
		s.cost += s.weight[c]
		return
	}
	s.chosen = s.chosen[:len(s.chosen)-1]
	// Added up anew: what was added and taken off again could differ.
	s.cost = 0
	for _, d := range s.chosen {
		s.cost += s.weight[d]
	}
}

// survey gives the uncovered element with the fewest coverers left, -1 where all are
// covered, and a bound on what it weighs to cover the rest: elements pay, as in
// instance.bound. The bound is infinite where an element cannot be covered any more.
func (s *searching) survey() (int32, float64) {
	for i := range s.ordered {
		s.ordered[i] = s.ordered[i][:0]
	}
	for e := range s.coverers {
		if s.covered[e] > 0 {
			continue
		}
		n := 0
		for _, c := range s.coverers[e] {
			if s.taken[c] == open {
				n++
			}
		}
		s.steps -= int64(len(s.coverers[e]))
		if n == 0 {
			return int32(e), math.Inf(1)
		}
		for len(s.ordered) <= n {
			s.ordered = append(s.ordered, nil)
		}
		s.ordered[n] = append(s.ordered[n], int32(e))
	}
	copy(s.left, s.weight)
	first, bound := int32(-1), 0.0
	for _, elements := range s.ordered {
		for _, e := range elements {
			if first < 0 {
				first = e
			}
			bound += s.pay(e)
		}
	}
	return first, bound
}

// pay takes from the coverers of an element what all of them can still give.
func (s *searching) pay(e int32) float64 {
	least := math.Inf(1)
	for _, c := range s.coverers[e] {
		if s.taken[c] == open {
			least = min(least, s.left[c])
		}
	}
	s.steps -= int64(len(s.coverers[e]))
	if least <= 0 {
		return 0
	}
	for _, c := range s.coverers[e] {
		s.left[c] -= least
	}
	return least
}
