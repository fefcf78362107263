package simjoin

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/coverage"
)

// families makes documents of which each has about five near duplicates.
func families(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 7))
	var lines []string
	var words []string
	for i := range n {
		if i%6 == 0 {
			words = nil
			for range 20 + r.IntN(20) {
				words = append(words, fmt.Sprintf("w%d", r.IntN(5000)))
			}
		}
		own := slices.Clone(words)
		for range r.IntN(4) {
			own[r.IntN(len(own))] = fmt.Sprintf("w%d", r.IntN(5000))
		}
		d := document{id: fmt.Sprintf("d%05d", i), words: own, time: r.IntN(5), host: "x"}
		lines = append(lines, d.json())
	}
	r.Shuffle(n, func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

// estimated is the number of edges that Estimate lets expect.
func (p *pipeline) estimated(name, old string) (edges float64) {
	p.Helper()
	var out bytes.Buffer
	dir := filepath.Join(p.dir, name)
	if err := Estimate(&out, p.relation, EstimateOptions{Blocks: filepath.Join(dir, "sets"), Old: old, Sample: filepath.Join(dir, "_sample"), One: max(p.sample, 1)}); err != nil {
		p.Fatal(err)
	}
	_, rest, _ := strings.Cut(out.String(), "about ")
	if _, err := fmt.Sscanf(rest, "%f edges", &edges); err != nil {
		p.Fatalf("%s: %v", out.String(), err)
	}
	return edges
}

// A sample of all sets finds all edges, but for two digits; one of a third of them as
// many within a half more or less.
func TestEstimateIsNearTheNumberOfEdges(t *testing.T) {
	for seed := range uint64(4) {
		relation, err := coverage.Parse([]string{"jaccard(a, b) >= 0.5", "containment(a, b) >= 0.6 && a.timestamp <= b.timestamp"}[seed%2])
		if err != nil {
			t.Fatal(err)
		}
		lines := families(seed, 1500)
		for sample, factor := range map[int]float64{1: 1.05, 3: 1.5} {
			p := &pipeline{T: t, dir: t.TempDir(), relation: relation, size: 2, width: 1 + int(seed/2), block: 100_000, limit: 1 << 20, sample: sample}
			check := func(what string, expected float64, found string) {
				n := float64(strings.Count(found, "\n"))
				if expected < n/factor || expected > n*factor || n < 900 {
					t.Errorf("seed %d, %s, one of %d: %.0f edges expected, there are %.0f %s", seed, relation, sample, expected, n, what)
				}
			}
			old := p.sets("old", strings.Join(lines[:700], ""), "", 0)
			check("at first", p.estimated("old", ""), p.edges(old, ""))
			fresh := p.sets("fresh", strings.Join(lines[700:], ""), p.dir+"/old/_counts", 1)
			check("more", p.estimated("fresh", old), p.edges(fresh, old))
		}
	}
}
