package webgraph

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/stage"
)

// try runs a stage on lines, with its side files in a folder.
func try(input, folder string, run func(*stage.Task) error) (out, errs string, status int) {
	var stdout, stderr bytes.Buffer
	c := stage.Command{Name: "test-stage", Summary: "test", Run: run}
	status = stage.Execute(c, []string{"test-stage", "--output", folder}, strings.NewReader(input), &stdout, &stderr)
	return stdout.String(), stderr.String(), status
}

// A chain runs stages one after the other, each on what the last one made.
type chain struct {
	testing.TB
	folder string
	counts map[string]int64 // of the last stage
}

func (c *chain) run(input string, run func(*stage.Task) error) string {
	c.Helper()
	out, errs, status := try(input, c.folder, run)
	if status != 0 {
		c.Fatalf("status %d: %s", status, errs)
	}
	c.counts = map[string]int64{}
	for line := range strings.Lines(errs) {
		if f := strings.Split(strings.TrimSpace(line), ","); len(f) == 3 && strings.HasPrefix(line, "reporter:counter:") {
			n, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				c.Fatal(err)
			}
			c.counts[f[1]] += n
		}
	}
	return out
}

func (c *chain) reduce(lines string, run func(*stage.Task) error) string {
	c.Helper()
	all := slices.Collect(strings.Lines(lines))
	slices.Sort(all)
	return c.run(strings.Join(all, ""), run)
}

// side gives the lines of a side file's only part.
func (c *chain) side(name string) []string {
	c.Helper()
	file, err := os.Open(filepath.Join(c.folder, name, "part-00000.txt.gz"))
	if err != nil {
		if os.IsNotExist(err) {
			return nil
		}
		c.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		c.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		c.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// A ranking is what the stages find of a graph.
type ranking struct {
	vertices, edges []string
	ranks           map[string][2]float64 // harmonic centrality and PageRank by name
	iterations      int64
}

// rank does what jobs/webgraph.sh does.
func (c *chain) rank(links string, fold FoldOptions, parts int, counters CounterOptions, iterations int64) ranking {
	c.Helper()
	sums := c.reduce(c.run(links, func(t *stage.Task) error { return FoldLinks(t, fold) }), SumLinks)
	numbers := c.reduce(c.run(sums, ListVertices), func(t *stage.Task) error { return NumberVertices(t, fold.Level) })
	n := int64(strings.Count(numbers, "\n"))
	sources := c.reduce(c.run(sums+numbers, KeySources), JoinVertices)
	targets := c.reduce(sources+numbers, JoinVertices)
	records := c.reduce(c.run(targets+numbers, func(t *stage.Task) error { return KeyEdges(t, n, parts) }),
		func(t *stage.Task) error { return WriteEdges(t, true) })
	dangling := whole / n * int64(strings.Count(records, "\t1\t\n"))
	o := RankOptions{Vertices: n, Counter: counters}
	total, changed := int64(0), int64(1)
	for o.Step < iterations || changed > 0 {
		o.Step++
		o.Dangling = dangling
		told := c.run(records, func(t *stage.Task) error { return SpreadRanks(t, o) })
		records = c.reduce(told, func(t *stage.Task) error { return GatherRanks(t, o) })
		dangling, total, changed = c.counts["dangling"], c.counts["rank"], c.counts["changed"]
	}
	placed := c.reduce(c.run(records, func(t *stage.Task) error { return OrderRanks(t, PageRank, total) }),
		func(t *stage.Task) error { return PlaceRanks(t, PageRank, fold.Level) })
	c.reduce(c.run(placed, func(t *stage.Task) error { return OrderRanks(t, Harmonic, 0) }),
		func(t *stage.Task) error { return PlaceRanks(t, Harmonic, fold.Level) })
	return ranking{c.side("vertices"), c.side("edges"), c.ranks(), o.Step}
}

// ranks reads the rank file and wants its positions to be those of its values.
func (c *chain) ranks() map[string][2]float64 {
	c.Helper()
	ranks := map[string][2]float64{}
	var pageRanks []float64
	byPosition := map[int]float64{}
	last := math.Inf(1)
	for i, line := range c.side("ranks")[1:] {
		f := strings.Split(line, "\t")
		harmonic, err1 := strconv.ParseFloat(f[1], 64)
		pageRank, err2 := strconv.ParseFloat(f[3], 64)
		position, err3 := strconv.Atoi(f[2])
		if err1 != nil || err2 != nil || err3 != nil || f[0] != strconv.Itoa(i+1) || harmonic > last {
			c.Fatalf("line %d of the ranks, behind %g: %q", i+1, last, line)
		}
		last = harmonic
		ranks[f[4]] = [2]float64{harmonic, pageRank}
		pageRanks = append(pageRanks, pageRank)
		byPosition[position] = pageRank
	}
	slices.Sort(pageRanks)
	for i, want := range pageRanks {
		if got, ok := byPosition[len(pageRanks)-i]; !ok || got != want {
			c.Errorf("position %d by PageRank has %g, not %g", len(pageRanks)-i, got, want)
		}
	}
	return ranks
}

// A model is a graph as sets, and what is wanted of it by brute force.
type model struct {
	names []string
	edges map[[2]int]int64
}

// randomLinks gives link lines in any order, and the graph that is in them.
func randomLinks(r *rand.Rand, fold FoldOptions) (string, model) {
	hosts := 1 + r.IntN(40)
	name := func(i int) string {
		return fmt.Sprintf("org.site%d.%s", i%7, []string{"www", "a", "b-c", "d_e", "xn--4ca", "f.g"}[i/7])
	}
	present := map[string]bool{}
	links := map[[2]string]int64{}
	vertexOf := func(host string) string {
		if fold.Level == DomainLevel {
			host = strings.Join(strings.Split(host, ".")[:2], ".")
		}
		present[host] = true
		return host
	}
	var lines []string
	for range r.IntN(1 + 4*hosts) {
		from, to, n := name(r.IntN(hosts)), name(r.IntN(hosts)), 1+r.Int64N(9)
		kind := []string{Hyperlink, Hyperlink, NoFollow, Requisite}[r.IntN(4)]
		lines = append(lines, string(AppendLink(nil, from, to, kind, n))+"\n")
		a := vertexOf(from)
		if kind == Requisite && !fold.Requisites || kind != Requisite && !fold.Hyperlinks || kind == NoFollow && !fold.NoFollow {
			continue
		}
		if b := vertexOf(to); a != b {
			links[[2]string{a, b}] += n
		}
	}
	alone := name(r.IntN(hosts))
	vertexOf(alone)
	lines = append(lines, string(AppendLink(nil, alone, "", "", 1))+"\n")
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	m := model{slices.Sorted(maps.Keys(present)), map[[2]int]int64{}}
	for link, n := range links {
		from, _ := slices.BinarySearch(m.names, link[0])
		to, _ := slices.BinarySearch(m.names, link[1])
		m.edges[[2]int{from, to}] = n
	}
	return strings.Join(lines, ""), m
}

// harmonic is the harmonic centrality by a search from each vertex.
func (m *model) harmonic() []float64 {
	sums := make([]float64, len(m.names))
	for y := range m.names {
		distance := map[int]int{y: 0}
		for border := []int{y}; len(border) > 0; border = border[1:] {
			for x := range m.names {
				if _, known := distance[x]; !known && m.edges[[2]int{border[0], x}] > 0 {
					distance[x] = distance[border[0]] + 1
					border = append(border, x)
				}
			}
		}
		for x, d := range distance {
			if d > 0 {
				sums[x] += 1 / float64(d)
			}
		}
	}
	return sums
}

// pageRank multiplies with the whole matrix.
func (m *model) pageRank(iterations int64) []float64 {
	n := len(m.names)
	degrees := make([]float64, n)
	for edge := range m.edges {
		degrees[edge[0]]++
	}
	ranks := slices.Repeat([]float64{1 / float64(n)}, n)
	for range iterations {
		next := make([]float64, n)
		for to := range n {
			for from := range n {
				switch {
				case degrees[from] == 0:
					next[to] += 0.85 * ranks[from] / float64(n)
				case m.edges[[2]int{from, to}] > 0:
					next[to] += 0.85 * ranks[from] / degrees[from]
				}
			}
			next[to] += 0.15 / float64(n)
		}
		ranks = next
	}
	return ranks
}

func (m *model) wantGraph(t *testing.T, got ranking, level Level) {
	t.Helper()
	var edges []string
	for from := range m.names {
		for to := range m.names {
			if n := m.edges[[2]int{from, to}]; n > 0 {
				edges = append(edges, fmt.Sprintf("%d\t%d\t%d", from, to, n))
			}
		}
	}
	if !slices.Equal(edges, got.edges) {
		t.Errorf("edges %q, want %q", got.edges, edges)
	}
	if len(got.vertices) != len(m.names) {
		t.Fatalf("vertices %q, want %q", got.vertices, m.names)
	}
	for id, name := range m.names {
		want := fmt.Sprintf("%d\t%s", id, name)
		if got := got.vertices[id]; got != want && (level == HostLevel || !strings.HasPrefix(got, want+"\t")) {
			t.Errorf("vertex %q, want %q", got, want)
		}
	}
}

func TestStagesAgainstBruteForce(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 8))
		fold := FoldOptions{Level: HostLevel, Hyperlinks: seed%4 != 1, Requisites: seed%4 <= 1, NoFollow: seed%3 > 0}
		if seed%5 == 0 {
			fold.Level = DomainLevel
		}
		lines, m := randomLinks(r, fold)
		c := &chain{TB: t, folder: t.TempDir()}
		got := c.rank(lines, fold, 1+int(seed%3), CounterOptions{Exact: 64, Bits: 4}, 20)
		m.wantGraph(t, got, fold.Level)
		harmonic, pageRank := m.harmonic(), m.pageRank(got.iterations)
		for id, name := range m.names {
			is := got.ranks[name]
			if math.Abs(is[0]-harmonic[id]) > 1e-12*(1+harmonic[id]) || math.Abs(is[1]-pageRank[id]) > 1e-12 {
				t.Errorf("seed %d, %s: harmonic centrality %g and PageRank %g, want %g and %g", seed, name, is[0], is[1], harmonic[id], pageRank[id])
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

// TestEstimatedCentrality has hundreds of vertices counted in registers.
func TestEstimatedCentrality(t *testing.T) {
	const hosts, bits = 400, 10
	r := rand.New(rand.NewPCG(1, 2))
	m := model{edges: map[[2]int]int64{}}
	var lines strings.Builder
	for i := range hosts {
		m.names = append(m.names, fmt.Sprintf("org.site%03d", i))
	}
	for range 3 * hosts {
		from, to := r.IntN(hosts), r.IntN(hosts)
		if from != to {
			m.edges[[2]int{from, to}] = 1
		}
		lines.Write(append(AppendLink(nil, m.names[from], m.names[to], Hyperlink, 1), '\n'))
	}
	fold := FoldOptions{Level: HostLevel, Hyperlinks: true}
	got := (&chain{TB: t, folder: t.TempDir()}).rank(lines.String(), fold, 1, CounterOptions{Exact: 16, Bits: bits}, 1)
	squares, n := 0.0, 0
	for id, want := range m.harmonic() {
		if is, ok := got.ranks[m.names[id]]; ok && want > 0 {
			squares += (is[0]/want - 1) * (is[0]/want - 1)
			n++
		}
	}
	bound := 1.04 / math.Sqrt(1<<bits)
	deviation := math.Sqrt(squares / float64(n))
	t.Logf("relative standard deviation %.4f of %d vertices, %.4f is stated", deviation, n, bound)
	if deviation > bound || n < hosts/2 {
		t.Errorf("relative standard deviation %.4f of %d vertices, %.4f is stated", deviation, n, bound)
	}
}

func TestHostileLinksAreRejected(t *testing.T) {
	fold := FoldOptions{Level: DomainLevel, Hyperlinks: true}
	good := "com.a\torg.b\tlink\t9223372036854775807\n"
	for _, line := range []string{
		"com.a\torg.b\tlink", "com.a\torg.b\tlink\t1\t", "\torg.b\tlink\t1", "com.a\torg.b\tlink\t0", "com.a\torg.b\tlink\t-1",
		"com.a\torg.b\tlink\t9223372036854775808", "com.a\torg.b\tlink\tx", "com.a\torg.b\tfriend\t1", "com.a\torg.b\t\t1", "com.a\t\tlink\t1",
		"com.A\torg.b\tlink\t1", "com..a\torg.b\tlink\t1", ".com.a\torg.b\tlink\t1", "com.a\torg.b.\tlink\t1", "com.a\to\xff.b\tlink\t1",
		"com.a\torg b\tlink\t1", "com.a\torg.b\x00\tlink\t1", "com.a\torg." + strings.Repeat("b", 64) + "\tlink\t1",
		"com.a\torg" + strings.Repeat(".b", 126) + "\tlink\t1", "com.a\torg." + strings.Repeat("b", 1<<20) + "\tlink\t1", "000000000001\torg.b\tlink\t1",
	} {
		out, errs, status := try(good+line+"\n"+good, t.TempDir(), func(t *stage.Task) error { return FoldLinks(t, fold) })
		if status != 0 || strings.Count(errs, "test-stage\t") != 1 {
			t.Errorf("%.80q: status %d, %.300s", line, status, errs)
		}
		// Numbers too large to be added up stay the largest.
		if !strings.Contains(out, "com.a\torg.b\t\t9223372036854775807\n") || strings.Count(out, "\n") != 3 {
			t.Errorf("%.80q: %.300q", line, out)
		}
	}
}

func TestBrokenRecordsAreAFailure(t *testing.T) {
	o := RankOptions{Vertices: 2, Step: 2, Counter: CounterOptions{Exact: 4, Bits: 4}}
	good := "000000000000\tcom.a\t1\t5\t0\t1\tx0\t1\t1\n"
	for _, broken := range []string{
		"0\tcom.a\t1\t5\t0\t1\tx0\t1\t1\n", "000000000000\tcom.a\t1\t-5\t0\t1\tx0\t1\t1\n", "000000000000\tcom.a\t1\t5\tx\t1\tx0\t1\t1\n",
		"000000000000\tcom.a\t1\t5\t0\t1\ty0\t1\t1\n", "000000000000\tcom.a\t1\t5\t0\t1\t\t1\t1\n", "000000000000\tcom.a\t1\t5\t0\t1\thAAAA\t1\t1\n",
		"000000000000\tcom.a\t1\t5\t0\t1\tx0,,1\t1\t1\n", "000000000000\tcom.a\t1\t5\t0\t1\tx0\t1\t1,b\n", "000000000000\tcom.a\t1\t5\t0\t1\tx0\t1\t99999999999999999999\n",
	} {
		_, errs, status := try(good+broken, t.TempDir(), func(t *stage.Task) error { return SpreadRanks(t, o) })
		if status != 1 || !strings.Contains(errs, "error: ") {
			t.Errorf("%q: status %d, %s", broken, status, errs)
		}
	}
	for _, lines := range []string{"000000000000\t5\t\n", good + "000000000000\tx\t\n", good + "000000000000\t5\tz\n", good + "000000000000\t5\n"} {
		if _, errs, status := try(lines, t.TempDir(), func(t *stage.Task) error { return GatherRanks(t, o) }); status != 1 || !strings.Contains(errs, "000000000000") {
			t.Errorf("%q: status %d, %s", lines, status, errs)
		}
	}
}
