package simjoin

import (
	"fmt"
	"io"
	"math"
	"time"

	"archivestream/lib/coverage"
	"archivestream/lib/storage"
)

// EstimateOptions say what is known before the join.
type EstimateOptions struct {
	Blocks string // folder of the blocks, with their blocks.tsv
	Sample string // folder of the sample
	One    int    // of so many sets one is in the sample
}

// What the parts of the join cost in relation to each other, in nanoseconds on one
// machine. The sample's own time brings them to this one.
const (
	costOfLookup  = 20
	costOfVisit   = 4
	costOfCompare = 600
	costOfEdge    = 1500 // with sorting
)

// Estimate joins a sample and writes, for a person, about how many edges there will be
// and how long the join will take. What grows with the pairs grows with the square of
// the number of sets.
func Estimate(w io.Writer, r *coverage.Relation, o EstimateOptions) error {
	infos, err := blocksOf(storage.Join(o.Blocks, "blocks.tsv"))
	if err != nil {
		return err
	}
	documents := int64(0)
	x := &index{relation: r, values: len(r.Attributes())}
	for _, b := range infos {
		documents += b.documents
		if err := x.read(storage.Join(o.Sample, b.name)); err != nil {
			return err
		}
	}
	edges := 0.0 // between documents of two sets of the sample
	count := func(p pair) error {
		for i := range p.x {
			for j := range p.y {
				if p.coversX && r.Holds(p.x[i].values, p.y[j].values) {
					edges++
				}
				if p.other && r.Holds(p.y[j].values, p.x[i].values) {
					edges++
				}
			}
		}
		return nil
	}
	begin := time.Now()
	x.build()
	p := newProber(x, count)
	own := 0.0 // between documents of one set
	for i := range x.sets {
		members, err := x.documents(i)
		if err != nil {
			return err
		}
		own += float64(len(members) * (len(members) - 1))
		s := &x.sets[i]
		y := record{key: s.key, digest: s.digest, size: int(s.size), words: x.set(i)}
		if err := p.lookUp(&y, x.base, i, members); err != nil {
			return err
		}
	}
	elapsed := time.Since(begin).Seconds()
	one, square := float64(o.One), float64(o.One)*float64(o.One)
	passes := float64(len(infos)+1) / 2
	all := own*one + edges*square
	sample := float64(p.work.lookups)*costOfLookup + float64(p.work.visits)*costOfVisit + float64(p.work.compared)*costOfCompare
	whole := float64(p.work.lookups)*costOfLookup*one*passes + (float64(p.work.visits)*costOfVisit+float64(p.work.compared)*costOfCompare)*square + all*costOfEdge
	seconds := 0.0
	if sample > 0 {
		seconds = elapsed * whole / sample
	}
	_, err = fmt.Fprintf(w, "a sample of %d of %d documents lets expect about %.0f edges, and %.0f s of one core for the join\n",
		p.index.described(), documents, roughly(all), math.Ceil(roughly(seconds)))
	return err
}

// described is how many documents an index describes.
func (x *index) described() int {
	n := 0
	for i := range x.sets {
		n += int(x.sets[i].count)
	}
	return n
}

// roughly keeps two digits.
func roughly(f float64) float64 {
	if f < 10 {
		return math.Round(f)
	}
	unit := math.Pow(10, math.Floor(math.Log10(f))-1)
	return math.Round(f/unit) * unit
}
