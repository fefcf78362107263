package tally

import (
	"cmp"
	"slices"
)

// A Ranking keeps those N names that have most.
type Ranking struct {
	N     int
	Names []Ranked // most first; those with as many by their names' bytes
}

// A Ranked is a name with its number.
type Ranked struct {
	Name  string
	Count int64
}

// Wants says whether a name with this number can be among those that are kept.
func (r *Ranking) Wants(count int64) bool {
	return r.N > 0 && (len(r.Names) < r.N || count >= r.Names[r.N-1].Count)
}

// Add takes a name, which must not have been added before.
func (r *Ranking) Add(name string, count int64) {
	if !r.Wants(count) {
		return
	}
	i, _ := slices.BinarySearchFunc(r.Names, Ranked{name, count}, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	if i == r.N {
		return
	}
	r.Names = slices.Insert(r.Names, i, Ranked{name, count})
	r.Names = r.Names[:min(len(r.Names), r.N)]
}

// Has says whether a name is among those that are kept.
func (r *Ranking) Has(name string) bool {
	return slices.ContainsFunc(r.Names, func(n Ranked) bool { return n.Name == name })
}
