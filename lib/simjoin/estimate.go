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
	Old    string // folder of those that have been compared with each other; empty: none
	Sample string // folder of the sample of the blocks
	One    int    // of so many sets one is in the sample
}

// sampleOfOld is about how many of the old sets are looked at.
const sampleOfOld = 4000

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
// the number of sets. Of old blocks, of which there is no sample, all are read.
func Estimate(w io.Writer, r *coverage.Relation, o EstimateOptions) error {
	fresh := &index{relation: r, values: len(r.Attributes())}
	documents, blocks, err := fresh.readBlocks(o.Blocks, o.Sample, 1)
	if err != nil {
		return err
	}
	old, oldOne := &index{relation: r, values: len(r.Attributes())}, int64(1)
	if o.Old != "" {
		infos, err := blocksOf(storage.Join(o.Old, "blocks.tsv"))
		if err != nil {
			return err
		}
		for _, b := range infos {
			oldOne += b.sets
		}
		oldOne = oldOne/sampleOfOld + 1
		n, more, err := old.readBlocks(o.Old, o.Old, uint64(oldOne))
		if err != nil {
			return err
		}
		documents, blocks = documents+n, blocks+more
	}
	fresh.base, old.base = "fresh", "old" // orders equal sets of different indexes
	one := float64(o.One)
	e := estimate{passes: float64(blocks+1) / 2}
	begin := time.Now()
	fresh.build()
	old.build()
	own, err := fresh.pairsWithin()
	if err == nil {
		err = e.add(fresh, fresh, one, one*one)
	}
	if err == nil && o.Old != "" {
		if err = e.add(fresh, old, float64(oldOne), one*float64(oldOne)); err == nil {
			err = e.add(old, fresh, one, one*float64(oldOne))
		}
	}
	if err != nil {
		return err
	}
	elapsed := time.Since(begin).Seconds()
	all := own*one + e.edges
	seconds := 0.0
	if e.sample > 0 {
		seconds = elapsed * (e.whole + all*costOfEdge) / e.sample
	}
	_, err = fmt.Fprintf(w, "a sample of %d of %d documents lets expect about %.0f edges, and %.0f s of one core for the join\n",
		fresh.described()+old.described(), documents, roughly(all), math.Ceil(roughly(seconds)))
	return err
}

// readBlocks reads the blocks that the list of a folder names, from another folder,
// and keeps one set of so many. It gives the documents and the number of all.
func (x *index) readBlocks(list, folder string, one uint64) (documents int64, blocks int, err error) {
	infos, err := blocksOf(storage.Join(list, "blocks.tsv"))
	if err != nil {
		return 0, 0, err
	}
	for _, b := range infos {
		documents += b.documents
		if err := x.readSome(storage.Join(folder, b.name), one); err != nil {
			return 0, 0, err
		}
	}
	return documents, len(infos), nil
}

// pairsWithin is the number of pairs of documents with the same set.
func (x *index) pairsWithin() (float64, error) {
	pairs := 0.0
	for i := range x.sets {
		members, err := x.documents(i)
		if err != nil {
			return 0, err
		}
		for j := range members {
			for k := range members {
				if j != k && x.relation.Holds(members[j].values, members[k].values) {
					pairs++
				}
			}
		}
	}
	return pairs, nil
}

// estimate is what joins of samples let expect.
type estimate struct {
	passes        float64 // how often a set is looked up
	edges         float64 // between documents of different sets
	sample, whole float64 // cost
}

// add looks up the sets of y in x; one set of y stands for sets many, a pair for pairs
// many.
func (e *estimate) add(x, y *index, sets, pairs float64) error {
	r := x.relation
	edges := 0.0
	p := newProber(x, func(p pair) error {
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
	})
	if len(x.sets) == 0 || len(y.sets) == 0 {
		return nil
	}
	if x.width != y.width {
		return fmt.Errorf("%d bits per shingle in old blocks or in new ones, %d in the others", 64*x.width, 64*y.width)
	}
	for i := range y.sets {
		members, err := y.documents(i)
		if err != nil {
			return err
		}
		s := &y.sets[i]
		one := record{key: s.key, digest: s.digest, size: int(s.size), words: y.set(i)}
		if err := p.lookUp(&one, y.base, i, members); err != nil {
			return err
		}
	}
	e.edges += edges * pairs
	looking := float64(p.work.lookups) * costOfLookup
	comparing := float64(p.work.visits)*costOfVisit + float64(p.work.compared)*costOfCompare
	e.sample += looking + comparing
	e.whole += looking*sets*e.passes + comparing*pairs
	return nil
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
