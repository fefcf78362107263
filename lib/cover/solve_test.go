package cover

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"testing"
)

// problem makes a random component; weights are all 1, small numbers or fractions.
func problem(r *rand.Rand, n int, density float64) *Problem {
	p := &Problem{Weight: make([]float64, n)}
	kind := r.IntN(3)
	for i := range p.Weight {
		switch kind {
		case 0:
			p.Weight[i] = 1
		case 1:
			p.Weight[i] = float64(1 + r.IntN(4))
		default:
			p.Weight[i] = 0.1 + r.Float64()
		}
	}
	for covered := range n {
		for covering := range n {
			if covered != covering && r.Float64() < density {
				p.Covered = append(p.Covered, int32(covered))
				p.Covering = append(p.Covering, int32(covering))
			}
		}
	}
	return p
}

// brute gives the weight of the lightest cover, of all sets of documents.
func brute(p *Problem) float64 {
	n := len(p.Weight)
	covers := make([]uint32, n)
	for i := range n {
		covers[i] = 1 << i
	}
	for i := range p.Covered {
		covers[p.Covering[i]] |= 1 << p.Covered[i]
	}
	best := math.Inf(1)
	for set := range uint32(1) << n {
		var covered uint32
		weight := 0.0
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros32(rest)
			covered |= covers[i]
			weight += p.Weight[i]
		}
		if covered == 1<<n-1 {
			best = min(best, weight)
		}
	}
	return best
}

// isCover checks that each document is kept or covered by one that is, directly,
// and that none could be left out.
func isCover(t *testing.T, p *Problem, kept []bool) {
	t.Helper()
	by := make([]int, len(kept))
	for i, k := range kept {
		if k {
			by[i]++
		}
	}
	for i := range p.Covered {
		if kept[p.Covering[i]] {
			by[p.Covered[i]]++
		}
	}
	for i, n := range by {
		if n == 0 {
			t.Errorf("document %d is not covered", i)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(b)) }

func TestCoversAreTheLightest(t *testing.T) {
	seed := uint64(os.Getpid())
	for i := range 3000 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		p := problem(r, 1+r.IntN(11), r.Float64()*r.Float64())
		want := brute(p)
		got := Solve(p, Limits{Exact: 20})
		isCover(t, p, got.Kept)
		if !got.Exact || !near(got.Weight, want) || !near(got.Bound, want) {
			t.Errorf("weight %g, bound %g, exact %v, want %g", got.Weight, got.Bound, got.Exact, want)
		}
		// Without search and with few steps it is a cover still, and the bound holds.
		got = Solve(p, Limits{Steps: 1 + r.Int64N(60)})
		isCover(t, p, got.Kept)
		if less(got.Weight, want) || less(want, got.Bound) || got.Exact && !near(got.Weight, want) {
			t.Errorf("greedy: weight %g, bound %g, exact %v, want %g", got.Weight, got.Bound, got.Exact, want)
		}
		if t.Failed() {
			t.Fatalf("seed %d, %d: %+v", seed, i, p)
		}
	}
}

// reference is the greedy algorithm as it is told: every gain is counted every time.
func reference(p *Problem) []bool {
	n := len(p.Weight)
	covers := make([][]int32, n)
	for i := range n {
		covers[i] = append(covers[i], int32(i))
	}
	for i := range p.Covered {
		covers[p.Covering[i]] = append(covers[p.Covering[i]], p.Covered[i])
	}
	covered, kept := make([]bool, n), make([]bool, n)
	for {
		best, most := -1, 0
		for c := range n {
			gain := 0
			for _, e := range covers[c] {
				if !covered[e] {
					gain++
				}
			}
			if gain > 0 && (best < 0 || float64(gain)*p.Weight[best] >= float64(most)*p.Weight[c]) {
				best, most = c, gain
			}
		}
		if best < 0 {
			return kept
		}
		kept[best] = true
		for _, e := range covers[best] {
			covered[e] = true
		}
	}
}

func TestNeverWorseThanGreedy(t *testing.T) {
	seed := uint64(os.Getpid())
	for i := range 150 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		p := problem(r, 20+r.IntN(150), 0.3*r.Float64()*r.Float64())
		want := weigh(p, reference(p))
		for _, l := range []Limits{{}, {Exact: 400, Steps: 2_000_000}, {Exact: 30, Steps: 500}} {
			got := Solve(p, l)
			isCover(t, p, got.Kept)
			if less(want, got.Weight) || less(got.Weight, got.Bound) {
				t.Fatalf("seed %d, %d, %+v: weight %g, bound %g, greedy %g", seed, i, l, got.Weight, got.Bound, want)
			}
		}
	}
}

// Near duplicates that all cover each other are one document.
func TestCliqueKeepsItsLastDocument(t *testing.T) {
	const n = 1500
	p := &Problem{}
	for i := range int32(n) {
		p.Weight = append(p.Weight, 1)
		for j := range int32(n) {
			if i != j {
				p.Covered, p.Covering = append(p.Covered, i), append(p.Covering, j)
			}
		}
	}
	got := Solve(p, Limits{Exact: 20})
	if !got.Exact || got.Weight != 1 || !got.Kept[n-1] {
		t.Errorf("exact %v, weight %g, last kept %v", got.Exact, got.Weight, got.Kept[n-1])
	}
	p.Weight[7] = 0.5
	if got := Solve(p, Limits{Exact: 20}); !got.Kept[7] || got.Weight != 0.5 {
		t.Errorf("the lightest is not kept: weight %g", got.Weight)
	}
}

func BenchmarkSolveRandom(b *testing.B) {
	p := problem(rand.New(rand.NewPCG(3, 0)), 400, 0.02)
	for i := range p.Weight {
		p.Weight[i] = 1
	}
	for range b.N {
		s := Solve(p, Limits{Exact: DefaultExact})
		b.ReportMetric(s.Weight, "weight")
		b.ReportMetric(s.Bound, "bound")
	}
}
