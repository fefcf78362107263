package cover

import (
	"math"
	"slices"
)

// Solve finds a cover of least weight: by reductions, which keep a lightest one,
// and in the parts into which they leave the problem by search, or greedily where
// a part is too large for that. It is never heavier than what the greedy algorithm
// finds on the whole. Of equal choices the later document is kept.
func Solve(p *Problem, l Limits) Solution {
	if l.Steps == 0 {
		l.Steps = defaultSteps
	}
	s := Solution{Kept: make([]bool, len(p.Weight)), Exact: true}
	in := newInstance(p, l.Steps)
	in.reduce(s.Kept)
	for c, kept := range s.Kept {
		if kept {
			s.Bound += p.Weight[c]
		}
	}
	steps := l.Steps
	for _, elements := range in.parts() {
		steps = s.part(in, elements, l.Exact, steps)
	}
	s.Weight = weigh(p, s.Kept)
	if s.Exact {
		s.Bound = s.Weight
		return s
	}
	whole := newInstance(p, math.MaxInt64)
	kept := make([]bool, len(p.Weight))
	for _, c := range whole.greedy() {
		kept[c] = true
	}
	if w := weigh(p, kept); less(w, s.Weight) {
		s.Kept, s.Weight = kept, w
	}
	if s.Bound = min(s.Bound, s.Weight); !less(s.Bound, s.Weight) {
		s.Exact = true
	}
	return s
}

func weigh(p *Problem, kept []bool) (sum float64) {
	for c, k := range kept {
		if k {
			sum += p.Weight[c]
		}
	}
	return sum
}

// parts gives the living elements of each part of the problem that has nothing to do
// with the others.
func (in *instance) parts() [][]int32 {
	var parts [][]int32
	seen := [2][]bool{make([]bool, len(in.weight)), make([]bool, len(in.weight))}
	for first, alive := range in.alive[element] {
		if !alive || seen[element][first] {
			continue
		}
		seen[element][first] = true
		part := []int32{int32(first)}
		for i := 0; i < len(part); i++ {
			for _, c := range in.members(element, part[i]) {
				if seen[candidate][c] {
					continue
				}
				seen[candidate][c] = true
				for _, e := range in.members(candidate, c) {
					if !seen[element][e] {
						seen[element][e] = true
						part = append(part, e)
					}
				}
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// part covers one part; search is for parts of up to so many candidates. It gives
// how many steps are left.
func (s *Solution) part(in *instance, elements []int32, limit int, steps int64) int64 {
	search, names := in.extract(elements)
	bound := in.bound(byCoverers(in, elements))
	if search.whole {
		bound = math.Ceil(bound - 1e-6)
	}
	local := search.greedy()
	search.bestCost = 0
	for _, c := range local {
		search.bestCost += search.weight[c]
	}
	search.best, search.steps = local, steps
	exact := !less(bound, search.bestCost)
	if !exact && len(names) <= limit {
		exact = search.run()
	}
	if exact {
		bound = search.bestCost
	}
	s.Exact = s.Exact && exact
	s.Bound += bound
	for _, c := range search.best {
		s.Kept[names[c]] = true
	}
	return search.steps
}

// byCoverers orders elements by how many coverers they have.
func byCoverers(in *instance, elements []int32) []int32 {
	var buckets [][]int32
	for _, e := range elements {
		n := int(in.count[element][e])
		for len(buckets) <= n {
			buckets = append(buckets, nil)
		}
		buckets[n] = append(buckets[n], e)
	}
	ordered := make([]int32, 0, len(elements))
	for _, b := range buckets {
		ordered = append(ordered, b...)
	}
	return ordered
}

// extract makes a problem of its own of a part; names are the candidates of the
// whole, ascending.
func (in *instance) extract(elements []int32) (s *searching, names []int32) {
	s = &searching{coverers: make([][]int32, len(elements))}
	number := map[int32]int32{}
	for _, e := range elements {
		for _, c := range in.members(element, e) {
			if _, known := number[c]; !known {
				number[c] = 0
				names = append(names, c)
			}
		}
	}
	slices.Sort(names)
	for i, c := range names {
		number[c] = int32(i)
		s.weight = append(s.weight, in.weight[c])
	}
	s.covers = make([][]int32, len(names))
	for i, e := range elements {
		for _, c := range in.members(element, e) {
			n := number[c]
			s.coverers[i] = append(s.coverers[i], n)
			s.covers[n] = append(s.covers[n], int32(i))
		}
	}
	s.whole = isWhole(s.weight)
	return s, names
}

// greedy covers the part greedily.
func (s *searching) greedy() []int32 {
	in := &instance{weight: s.weight, sets: [2][][]int32{s.covers, s.coverers}}
	for side, sets := range in.sets {
		in.alive[side] = make([]bool, len(sets))
		in.count[side] = make([]int32, len(sets))
		for i, set := range sets {
			in.alive[side][i] = true
			in.count[side][i] = int32(len(set))
		}
	}
	return in.greedy()
}
