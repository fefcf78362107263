package mementomap

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// One pass knows the lines of all maps.
func TestMeasureKnowsTheLines(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 8))
		lines := randomMap(r, 1+r.IntN(200), seed%2 == 1)
		o := CompactOptions{Cutoffs: randomCutoffs(r)}
		m := NewMeasure(o)
		for _, line := range lines {
			if err := m.Add([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		totals, err := m.Close()
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			h, p := r.IntN(len(Weights)), r.IntN(len(Weights))
			o.HostWeight, o.PathWeight = Weights[h], Weights[p]
			want := compacted(t, lines, o, nil)
			if got := totals.LinesFor(h, p); got != int64(len(want)) {
				t.Fatalf("seed %d, weights %g and %g of %+v: %d lines, want %d\n%s", seed, o.HostWeight, o.PathWeight, o.Cutoffs, got, len(want), strings.Join(lines, "\n"))
			}
		}
	}
}
