package simjoin

import (
	"bytes"
	"strings"

	"archivestream/lib/coverage"
)

// A prober looks up sets in an index and gives the pairs for which the relation holds.
type prober struct {
	index    *index
	relation *coverage.Relation
	seen     []uint32 // by set: the probe in which it became a candidate
	probe    uint32
	found    []int32 // candidates
	lastSize int     // the size that least is of
	least    int     // size of a partner
	length   int     // of the prefix that is looked up
	give     func(pair) error
	work     work
}

// work is what was done, for estimates.
type work struct {
	lookups, visits, candidates, compared, pairs int64
}

// A pair is two sets that have enough in common, in one direction or both.
type pair struct {
	x, y           []member
	sizeX, sizeY   int
	shared         int
	coversX, other bool // y covers x as far as the texts go; x covers y
}

func newProber(x *index, give func(pair) error) *prober {
	return &prober{index: x, relation: x.relation, seen: make([]uint32, len(x.sets)), lastSize: -1, give: give}
}

// lookUp finds the partners of a set that come before it in the order of sets: that of
// size, digest, block and place. base and place say where it comes from.
func (p *prober) lookUp(y *record, base string, place int, members []member) error {
	p.prepare(y.size)
	x := p.index
	before := strings.Compare(x.base, base)
	p.found = p.found[:0]
	width := x.width
	p.work.lookups += int64(p.length)
	for j := range p.length {
		word := y.words[j*width]
		bucket := word & x.mask
		postings := x.postings[x.heads[bucket]:x.heads[bucket+1]]
		check := uint32(word >> x.shift)
		for i := range postings {
			e := &postings[i]
			if e.check != check || p.seen[e.set] == p.probe {
				continue
			}
			p.work.visits++
			s := &x.sets[e.set]
			size := int(s.size)
			if size > y.size || size < p.least {
				continue
			}
			if size == y.size && !isBefore(s, int(e.set), before, y, place) {
				continue
			}
			if !p.relation.Either(min(size-int(e.position), y.size-j), size, y.size) {
				continue
			}
			p.seen[e.set] = p.probe
			p.found = append(p.found, e.set)
		}
	}
	p.work.candidates += int64(len(p.found))
	for _, i := range p.found {
		if err := p.compare(int(i), y, members); err != nil {
			return err
		}
	}
	return nil
}

// isBefore orders sets of equal size; before is that of the blocks.
func isBefore(s *indexed, i, before int, y *record, place int) bool {
	if c := bytes.Compare(s.digest[:], y.digest[:]); c != 0 {
		return c < 0
	}
	return before < 0 || before == 0 && i < place
}

// prepare begins a probe with a set of that size.
func (p *prober) prepare(size int) {
	if p.probe++; p.probe == 0 {
		clear(p.seen)
		p.probe = 1
	}
	if size == p.lastSize {
		return
	}
	// The least partner: sizes from some on are possible.
	low, high := 1, size
	for low < high {
		if middle := (low + high) / 2; p.relation.Needed(middle, size) <= middle {
			high = middle
		} else {
			low = middle + 1
		}
	}
	p.lastSize, p.least = size, low
	p.length = max(0, size-p.relation.Needed(low, size)+1)
}

// compare gives the pair if it is one.
func (p *prober) compare(i int, y *record, members []member) error {
	x := p.index
	s := &x.sets[i]
	documents, err := x.documents(i)
	if err != nil {
		return err
	}
	size := int(s.size)
	needed := p.demand(documents, members, size, y.size)
	if needed > min(size, y.size) {
		return nil
	}
	p.work.compared++
	shared := 0
	if x.width == 1 {
		shared = overlap(x.set(i), y.words, needed)
	} else {
		shared = overlapOfPairs(x.set(i), y.words, needed)
	}
	if shared < needed {
		return nil
	}
	p.work.pairs++
	return p.give(pair{documents, members, size, y.size, shared,
		p.relation.Enough(shared, size, y.size), p.relation.Enough(shared, y.size, size)})
}

// demand is how much two sets need to have in common for one to cover the other in a
// direction that the metadata of any of their documents allow; more than there is, if
// they allow none.
func (p *prober) demand(x, y []member, sizeX, sizeY int) int {
	r := p.relation
	if !r.HasMetadata() {
		return r.Needed(sizeX, sizeY)
	}
	covered, covering := r.Demand(sizeX, sizeY), r.Demand(sizeY, sizeX)
	most := min(sizeX, sizeY)
	least := most + 1
	for i := range x {
		for j := range y {
			if covered < least && r.Holds(x[i].values, y[j].values) {
				least = covered
			}
			if covering < least && r.Holds(y[j].values, x[i].values) {
				least = covering
			}
			if least <= min(covered, covering) {
				return least
			}
		}
	}
	return least
}

// overlap counts what two ascending sets have in common; less than needed where they
// have not that much.
func overlap(x, y []uint64, needed int) int {
	shared, i, j := 0, 0, 0
	// What each may leave out and still have enough.
	for i < len(x) && j < len(y) {
		switch a, b := x[i], y[j]; {
		case a == b:
			shared++
			i++
			j++
		case a < b:
			if i++; shared+len(x)-i < needed {
				return shared
			}
		default:
			if j++; shared+len(y)-j < needed {
				return shared
			}
		}
	}
	return shared
}

// overlapOfPairs is overlap for shingles of two words.
func overlapOfPairs(x, y []uint64, needed int) int {
	shared, i, j := 0, 1, 1 // of the second words
	for i < len(x) && j < len(y) {
		a, b := [2]uint64(x[i-1:]), [2]uint64(y[j-1:])
		switch {
		case a == b:
			shared++
			i += 2
			j += 2
		case a[0] < b[0] || a[0] == b[0] && a[1] < b[1]:
			if i += 2; shared+(len(x)-i+1)/2 < needed {
				return shared
			}
		default:
			if j += 2; shared+(len(y)-j+1)/2 < needed {
				return shared
			}
		}
	}
	return shared
}
