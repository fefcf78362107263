package simjoin

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/coverage"
)

// A constraint as text, and evaluated without any of the code that is tested.
type constraint struct {
	text  string
	holds func(a, b *document, shared, sizeA, sizeB int) bool
	share func(shared, sizeA, sizeB int) *big.Rat // of a content constraint
}

func randomContent(r *rand.Rand) constraint {
	thresholds := []string{"0.8", "0.7", "0.5", "2/3", "1", "0.05", "0.9", "0.333333333", "3/4"}
	text := thresholds[r.IntN(len(thresholds))]
	threshold, _ := new(big.Rat).SetString(text)
	measures := []struct {
		name  string
		share func(shared, a, b int) *big.Rat
	}{
		{"containment(a, b)", func(o, a, _ int) *big.Rat { return big.NewRat(int64(o), int64(a)) }},
		{"containment(b, a)", func(o, _, b int) *big.Rat { return big.NewRat(int64(o), int64(b)) }},
		{"jaccard(a, b)", func(o, a, b int) *big.Rat { return big.NewRat(int64(o), int64(a+b-o)) }},
		{"dice(b, a)", func(o, a, b int) *big.Rat { return big.NewRat(int64(2*o), int64(a+b)) }},
	}
	m := measures[r.IntN(len(measures))]
	c := constraint{text: m.name + " >= " + text, share: m.share}
	if r.IntN(4) == 0 {
		c.text = text + " <= " + m.name
	}
	c.holds = func(_, _ *document, o, a, b int) bool { return m.share(o, a, b).Cmp(threshold) >= 0 }
	return c
}

func randomMetadata(r *rand.Rand) constraint {
	times := func(f func(a, b int) bool) func(a, b *document, _, _, _ int) bool {
		return func(a, b *document, _, _, _ int) bool { return a.time >= 0 && b.time >= 0 && f(a.time, b.time) }
	}
	all := []constraint{
		{text: "a.timestamp <= b.timestamp", holds: times(func(a, b int) bool { return a <= b })},
		{text: "b.timestamp - a.timestamp < 3", holds: times(func(a, b int) bool { return b-a < 3 })},
		{text: "a.timestamp / 2 >= b.timestamp * 0.25 + 1", holds: times(func(a, b int) bool { return 2*a >= b+4 })},
		{text: "a.timestamp + 1 == b.timestamp + 1", holds: times(func(a, b int) bool { return a == b })},
		{text: "a.timestamp != b.timestamp", holds: times(func(a, b int) bool { return a != b })},
		{text: `a.hostname == b.hostname`, holds: func(a, b *document, _, _, _ int) bool { return a.host != "" && a.host == b.host }},
		{text: `a.hostname != b["hostname"]`, holds: func(a, b *document, _, _, _ int) bool { return a.host != "" && b.host != "" && a.host != b.host }},
		{text: `a.hostname == "x"`, holds: func(a, _ *document, _, _, _ int) bool { return a.host == "x" }},
		{text: `b.hostname < "y"`, holds: func(_, b *document, _, _, _ int) bool { return b.host != "" && b.host < "y" }},
		{text: `a.timestamp != b.hostname`, holds: func(a, b *document, _, _, _ int) bool { return a.time >= 0 && b.host != "" }},
		{text: `1 < 2`, holds: func(_, _ *document, _, _, _ int) bool { return true }},
	}
	return all[r.IntN(len(all))]
}

// randomCollection makes documents of which many are equal, nearly equal, or parts of
// others.
func randomCollection(r *rand.Rand, n int) []document {
	var all []document
	vocabulary := 3 + r.IntN(12)
	for i := range n {
		d := document{id: fmt.Sprintf("d%03d", r.IntN(1000)*1000+i), time: r.IntN(6) - 1, host: []string{"", "x", "x", "y", "z"}[r.IntN(5)]}
		if len(all) > 0 && r.IntN(3) > 0 {
			d.words = slices.Clone(all[r.IntN(len(all))].words)
			for range r.IntN(4) {
				if len(d.words) > 0 {
					d.words[r.IntN(len(d.words))] = word(r, vocabulary)
				}
			}
			if cut := r.IntN(3); cut == 0 && len(d.words) > 1 {
				d.words = d.words[:1+r.IntN(len(d.words)-1)]
			}
		} else {
			for range r.IntN(40) {
				d.words = append(d.words, word(r, vocabulary))
			}
		}
		all = append(all, d)
	}
	return all
}

func word(r *rand.Rand, vocabulary int) string { return "w" + string(rune('a'+r.IntN(vocabulary))) }

// bruteForce compares all pairs.
func bruteForce(all []document, size int, constraints []constraint) string {
	sets := make([]map[string]bool, len(all))
	for i := range all {
		sets[i] = all[i].shingles(size)
	}
	share := constraints[slices.IndexFunc(constraints, func(c constraint) bool { return c.share != nil })].share
	var lines []string
	for i := range all {
	pairs:
		for j := range all {
			if i == j || len(sets[i]) == 0 || len(sets[j]) == 0 {
				continue
			}
			shared := 0
			for s := range sets[i] {
				if sets[j][s] {
					shared++
				}
			}
			for _, c := range constraints {
				if !c.holds(&all[i], &all[j], shared, len(sets[i]), len(sets[j])) {
					continue pairs
				}
			}
			million := new(big.Rat).Mul(share(shared, len(sets[i]), len(sets[j])), big.NewRat(1_000_000, 1))
			cut := new(big.Int).Quo(million.Num(), million.Denom()).Int64()
			lines = append(lines, fmt.Sprintf("%s\t%s\t%d.%06d\n", all[i].id, all[j].id, cut/1_000_000, cut%1_000_000))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestJoinEqualsBruteForce compares both joins, in few and many blocks and with
// documents that came later, with the comparison of all pairs.
func TestJoinEqualsBruteForce(t *testing.T) {
	runs := 2000
	if testing.Short() {
		runs = 200
	}
	edges := 0
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 6))
		all := randomCollection(r, 1+r.IntN(40))
		size := 1 + r.IntN(3)
		constraints := []constraint{randomContent(r)}
		for range r.IntN(3) {
			constraints = append(constraints, randomMetadata(r))
		}
		if r.IntN(3) == 0 {
			constraints = append(constraints, randomContent(r))
		}
		var texts []string
		for _, c := range constraints {
			texts = append(texts, c.text)
		}
		relation, err := coverage.Parse(strings.Join(texts, " && "))
		if err != nil {
			t.Fatal(err)
		}
		p := &pipeline{T: t, dir: t.TempDir(), relation: relation, size: size, width: 1 + r.IntN(2),
			block: []int64{300, 2000, 1 << 20}[r.IntN(3)], limit: []int64{1, 200, 1 << 20}[r.IntN(3)]}
		var lines []string
		for i := range all {
			lines = append(lines, all[i].json())
		}
		want := bruteForce(all, size, constraints)
		edges += strings.Count(want, "\n")
		check := func(what, got string) {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d: %s, k = %d, %s: -want +got\n%s%s", seed, relation, size, what, diff, strings.Join(lines, ""))
			}
		}
		check("prefix", p.edges(p.sets("all", strings.Join(lines, ""), "", 0), ""))
		check("count", p.count(strings.Join(lines, "")))
		cut := r.IntN(len(lines) + 1)
		old := p.sets("old", strings.Join(lines[:cut], ""), "", 0)
		fresh := p.sets("fresh", strings.Join(lines[cut:], ""), p.dir+"/old/_counts", 1)
		grown := p.edges(old, "") + p.edges(fresh, old)
		sorted := strings.SplitAfter(grown, "\n")
		slices.Sort(sorted)
		check("grown", strings.Join(sorted, ""))
	}
	t.Logf("%d collections with seeds from 0, %d edges", runs, edges)
	if edges < runs {
		t.Errorf("only %d edges: the collections show nothing", edges)
	}
}
