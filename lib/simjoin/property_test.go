package simjoin

import (
	"bytes"
	gocmp "cmp"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/coverage"
	"archivestream/lib/stage"
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

// A trial is one random collection and relation, and what a reference finds.
type trial struct {
	seed        int
	random      *rand.Rand
	all         []document
	size        int // terms in a shingle
	width       int
	relation    *coverage.Relation
	want        string
	constraints []constraint
}

func newTrial(t *testing.T, seed int) *trial {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(seed), 6))
	c := &trial{seed: seed, random: r, all: randomCollection(r, 1+r.IntN(40)), size: 1 + r.IntN(3), width: 1 + r.IntN(2)}
	c.constraints = []constraint{randomContent(r)}
	for range r.IntN(3) {
		c.constraints = append(c.constraints, randomMetadata(r))
	}
	if r.IntN(3) == 0 {
		c.constraints = append(c.constraints, randomContent(r))
	}
	var texts []string
	for _, one := range c.constraints {
		texts = append(texts, one.text)
	}
	var err error
	if c.relation, err = coverage.Parse(strings.Join(texts, " && ")); err != nil {
		t.Fatal(err)
	}
	c.want = bruteForce(c.all, c.size, c.constraints)
	return c
}

func (c *trial) lines() []string {
	var lines []string
	for i := range c.all {
		lines = append(lines, c.all[i].json())
	}
	return lines
}

func (c *trial) check(t *testing.T, what, got string) {
	t.Helper()
	if diff := cmp.Diff(c.want, got); diff != "" {
		t.Fatalf("seed %d: %s, k = %d, %s: -want +got\n%s%s", c.seed, c.relation, c.size, what, diff, strings.Join(c.lines(), ""))
	}
}

// edgesInMemory joins without stages and files, in so many blocks.
func (c *trial) edgesInMemory(t *testing.T, blocks int) string {
	var out bytes.Buffer
	stage.Execute(stage.Command{Name: "test-stage", Run: func(task *stage.Task) error {
		s := newScanner(task, c.relation, c.size, c.width)
		counts := make([]uint32, 1<<orderBits)
		parts := make([][]record, blocks)
		for _, line := range c.lines() {
			if _, err := s.scan([]byte(line)); err != nil || !s.joins {
				continue
			}
			fields := [][]byte{s.id}
			for _, v := range s.values {
				fields = append(fields, v.Append(nil))
			}
			for i := 0; i < len(s.set); i += c.width {
				counts[s.set[i]>>(64-orderBits)]++
			}
			n := c.random.IntN(blocks)
			parts[n] = append(parts[n], record{key: s.key, digest: digestOf(s.set, c.width), size: s.size(), count: 1,
				members: appendMember(nil, fields), words: slices.Clone(s.set)})
		}
		order := rank(counts)
		w := edgeWriter{task: task, relation: c.relation}
		for i := range parts {
			for j := range parts[i] {
				order.arrange(parts[i][j].words, c.width)
			}
			slices.SortFunc(parts[i], func(x, y record) int {
				return cmpRecords(&x, &y)
			})
		}
		for i := range parts {
			x := &index{relation: c.relation, base: fmt.Sprint(i), width: c.width, values: len(c.relation.Attributes())}
			for j := range parts[i] {
				x.add(&parts[i][j])
			}
			x.build()
			p := newProber(x, w.pair)
			for j := range parts {
				for place := range parts[j] {
					y := &parts[j][place]
					members, err := appendMembers(nil, y.members, 1, x.values)
					if err != nil {
						return err
					}
					if err := p.lookUp(y, fmt.Sprint(j), place, members); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}}, []string{"test-stage"}, strings.NewReader(""), &out, io.Discard)
	lines := strings.SplitAfter(out.String(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func cmpRecords(x, y *record) int {
	return gocmp.Or(gocmp.Compare(group(x.key), group(y.key)), gocmp.Compare(x.size, y.size), bytes.Compare(x.digest[:], y.digest[:]))
}

// trials gives so many, or ARCHIVESTREAM_TRIALS times as many.
func trials(t *testing.T, n int) int {
	t.Helper()
	text := os.Getenv("ARCHIVESTREAM_TRIALS")
	if text == "" {
		return n
	}
	times, err := strconv.Atoi(text)
	if err != nil || times < 1 {
		t.Fatalf("ARCHIVESTREAM_TRIALS=%s: a number from 1 is wanted", text)
	}
	return n * times
}

// TestJoinEqualsBruteForce compares the join with the comparison of all pairs.
func TestJoinEqualsBruteForce(t *testing.T) {
	runs := trials(t, 2500)
	edges := 0
	for seed := range runs {
		c := newTrial(t, seed)
		edges += strings.Count(c.want, "\n")
		c.check(t, "in memory", c.edgesInMemory(t, 1+c.random.IntN(4)))
	}
	t.Logf("%d collections with seeds from 0, %d edges", runs, edges)
	if edges < runs {
		t.Errorf("only %d edges: the collections show nothing", edges)
	}
}

// TestStagesEqualBruteForce does so with all stages of both joins, in few and many
// blocks, and with documents that came later.
func TestStagesEqualBruteForce(t *testing.T) {
	for seed := 10_000; seed < 10_000+trials(t, 30); seed++ {
		c := newTrial(t, seed)
		p := &pipeline{T: t, dir: t.TempDir(), relation: c.relation, size: c.size, width: c.width,
			block: []int64{900, 2000, 1 << 20}[c.random.IntN(3)], limit: []int64{1, 200, 1 << 20}[c.random.IntN(3)]}
		lines := c.lines()
		c.check(t, "prefix", p.edges(p.sets("all", strings.Join(lines, ""), "", 0), ""))
		c.check(t, "count", p.count(strings.Join(lines, "")))
		cut := c.random.IntN(len(lines) + 1)
		old := p.sets("old", strings.Join(lines[:cut], ""), "", 0)
		fresh := p.sets("fresh", strings.Join(lines[cut:], ""), p.dir+"/old/_counts", 1)
		grown := strings.SplitAfter(p.edges(old, "")+p.edges(fresh, old), "\n")
		slices.Sort(grown)
		c.check(t, "grown", strings.Join(grown, ""))
	}
}
