package graph

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// run runs a stage in this process.
func run(t *testing.T, input string, run func(*stage.Task) error) string {
	t.Helper()
	out, errs, status := try(t, input, run)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	return out
}

func try(t *testing.T, input string, run func(*stage.Task) error) (out, errs string, status int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := stage.Command{Name: "test-stage", Run: run, Flags: []cli.Flag{}}
	status = stage.Execute(c, []string{"test-stage", "--output", t.TempDir()}, strings.NewReader(input), &stdout, &stderr)
	return stdout.String(), stderr.String(), status
}

// sorted sorts lines as the engine does: by the first field, the rest up or down.
func sorted(text string, down bool) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.SortStableFunc(lines, func(a, b string) int {
		keyA, restA, _ := strings.Cut(a, "\t")
		keyB, restB, _ := strings.Cut(b, "\t")
		if c := cmp.Compare(keyA, keyB); c != 0 {
			return c
		}
		if down {
			return cmp.Compare(restB, restA)
		}
		return cmp.Compare(restA, restB)
	})
	if text == "" {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// label finds components the slow way: the greatest id is passed on until nothing
// changes.
func label(edges [][2]string, vertices []string) map[string]string {
	labels := map[string]string{}
	for _, v := range vertices {
		labels[v] = v
	}
	for _, e := range edges {
		labels[e[0]], labels[e[1]] = e[0], e[1]
	}
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			a, b := labels[e[0]], labels[e[1]]
			if a != b {
				if lessID(a, b) {
					a = b
				}
				labels[e[0]], labels[e[1]], changed = a, a, true
			}
		}
	}
	return labels
}

// lessID is the order of ids, as the documentation says it.
func lessID(a, b string) bool {
	number := func(s string) bool {
		return s != "" && len(s) <= maxDigits && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
	}
	switch x, y := number(a), number(b); {
	case x && y && len(a) != len(b):
		return len(a) < len(b)
	case x != y:
		return x
	}
	return a < b
}

// randomGraph makes a small graph of ids of all kinds.
func randomGraph(r *rand.Rand) (edges [][2]string, vertices []string) {
	kinds := []func(int) string{
		strconv.Itoa,
		func(i int) string { return fmt.Sprintf("doc-%d", i) },
		func(i int) string { return "1" + strings.Repeat("0", 15+i%50) + strconv.Itoa(i) },
		func(i int) string { return fmt.Sprintf("%03d", i) },
		func(i int) string { return strings.Repeat("ü\\t", i+1) },
	}
	if r.IntN(2) == 0 {
		kinds = kinds[:1]
	}
	n := 1 + r.IntN(40)
	id := func() string {
		i := r.IntN(n)
		return kinds[i%len(kinds)](i)
	}
	for range r.IntN(2 * n) {
		edges = append(edges, [2]string{id(), id()})
	}
	for range r.IntN(5) {
		vertices = append(vertices, id())
	}
	return edges, vertices
}

// inRounds runs all stages of the rounds, with so many tasks, and gives what
// CheckLabels gives.
func inRounds(t *testing.T, edges, vertices string, tasks, held int) (out string, rounds int) {
	t.Helper()
	round, star := edges, Large
	for {
		rounds++
		if rounds > 60 {
			t.Fatal("no end of rounds")
		}
		var mapped strings.Builder
		lines := slices.Collect(strings.Lines(round))
		for i := range tasks {
			part := strings.Join(lines[i*len(lines)/tasks:(i+1)*len(lines)/tasks], "")
			mapped.WriteString(run(t, part, func(task *stage.Task) error {
				return SpanForest(task, SpanOptions{Star: star, Keys: rounds > 1, Vertices: held})
			}))
		}
		var errs string
		var status int
		round, errs, status = try(t, sorted(mapped.String(), true), func(task *stage.Task) error { return LinkStars(task, star) })
		if status != 0 {
			t.Fatal(errs)
		}
		if star == Large && !strings.Contains(errs, "unfinished") {
			break
		}
		if star == Large {
			star = Small
		} else {
			star = Large
		}
	}
	labels := run(t, round+run(t, vertices, KeyVertices), SpreadLabels)
	labels = run(t, sorted(labels, true), KeepLabels)
	passed := run(t, sorted(run(t, edges+labels, MeetLabels), false), PassLabels)
	return run(t, sorted(passed, false), CheckLabels), rounds
}

// TestComponentsOfRandomGraphs compares union-find and the rounds with labels that
// were passed on until nothing changed.
func TestComponentsOfRandomGraphs(t *testing.T) {
	seed := uint64(os.Getpid())
	for i := range 50 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		edges, vertices := randomGraph(r)
		var edgeLines, vertexLines strings.Builder
		for _, e := range edges {
			fmt.Fprintf(&edgeLines, "%s\t%s\t0.9\n", e[0], e[1])
		}
		for _, v := range vertices {
			fmt.Fprintf(&vertexLines, "%s\n", v)
		}
		var want strings.Builder
		labels := label(edges, vertices)
		ids := make([]string, 0, len(labels))
		for id := range labels {
			ids = append(ids, id)
		}
		slices.SortFunc(ids, func(a, b string) int {
			if lessID(a, b) {
				return -1
			}
			return 1
		})
		for _, id := range ids {
			fmt.Fprintf(&want, "%s\t%s\n", id, labels[id])
		}
		dir := t.TempDir()
		list := filepath.Join(dir, "list")
		file := filepath.Join(dir, "vertices")
		if os.WriteFile(list, []byte(file+"\n"), 0o666) != nil || os.WriteFile(file, []byte(vertexLines.String()), 0o666) != nil {
			t.Fatal("no room for files")
		}
		got := run(t, edgeLines.String(), func(task *stage.Task) error { return UnionEdges(task, UnionOptions{Vertices: list}) })
		if diff := gocmp.Diff(want.String(), got); diff != "" {
			t.Fatalf("seed %d, %d: union-find: %s", seed, i, diff)
		}
		got, _ = inRounds(t, edgeLines.String(), vertexLines.String(), 1+r.IntN(4), 2+r.IntN(30))
		if diff := gocmp.Diff(want.String(), got); diff != "" {
			t.Fatalf("seed %d, %d: in rounds: %s", seed, i, diff)
		}
	}
}

func TestRoundsOnPaths(t *testing.T) {
	const n = 3000
	for name, c := range map[string]struct {
		ids  []int
		most int
	}{
		"ordered": {nil, 14},
		"random":  {rand.New(rand.NewPCG(1, 2)).Perm(n), 16},
	} {
		var edges strings.Builder
		for i := range n - 1 {
			a, b := i, i+1
			if c.ids != nil {
				a, b = c.ids[a], c.ids[b]
			}
			fmt.Fprintf(&edges, "%d\t%d\n", a, b)
		}
		out, rounds := inRounds(t, edges.String(), "", 8, 50)
		if rounds > c.most {
			t.Errorf("%s: %d rounds, at most %d are wanted", name, rounds, c.most)
		}
		if got := strings.Count(out, fmt.Sprintf("\t%d\n", n-1)); got != n {
			t.Errorf("%s: %d of %d vertices have the label", name, got, n)
		}
	}
}

func TestBadEdgesAreRejected(t *testing.T) {
	out, errs, status := try(t, "a\tb\nalone\n\tb\na\t\n\nc\td\tx\ty\n", func(task *stage.Task) error { return UnionEdges(task, UnionOptions{}) })
	if want := "a\tb\nb\tb\nc\td\nd\td\n"; status != 0 || out != want || !strings.Contains(errs, ",rejected,4\n") {
		t.Errorf("status %d, got %q, want %q, %s", status, out, want, errs)
	}
	if _, errs, status := try(t, "a\tb\nc\td\n", func(task *stage.Task) error { return UnionEdges(task, UnionOptions{Limit: 3}) }); status != 1 || !strings.Contains(errs, "more than 3 vertices") {
		t.Errorf("status %d, %s", status, errs)
	}
}

func TestWrongLabelsAreFound(t *testing.T) {
	for edges, labels := range map[string]string{
		"1\t2\n": "11\t\t11\n12\t\t12\n", // they differ
		"1\t3\n": "11\t\t12\n12\t\t12\n", // one is missing
		"3\t1\n": "11\t\t12\n12\t\t12\n",
	} {
		passed, errs, status := try(t, sorted(run(t, edges+labels, MeetLabels), false), PassLabels)
		if status == 0 {
			_, errs, status = try(t, sorted(passed, false), CheckLabels)
		}
		if status != 1 || !strings.Contains(errs, "error: ") {
			t.Errorf("%q with %q: status %d, %s", edges, labels, status, errs)
		}
	}
}

func TestUnsortedNeighboursAreAFailure(t *testing.T) {
	if _, errs, status := try(t, "11\t12\n11\t13\n", func(task *stage.Task) error { return LinkStars(task, Large) }); status != 1 || !strings.Contains(errs, "not sorted") {
		t.Errorf("status %d, %s", status, errs)
	}
}

func FuzzKeysKeepTheOrder(f *testing.F) {
	for _, pair := range [][2]string{{"9", "10"}, {"10", "~"}, {"007", "7"}, {"", "0"}, {"18446744073709551616", "2"}, {strings.Repeat("9", 61), "a"}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := AppendKey(nil, []byte(a)), AppendKey(nil, []byte(b))
		if string(ID(x)) != a {
			t.Fatalf("%q came back as %q", a, ID(x))
		}
		if got := bytes.Compare(x, y); (got < 0) != (a != b && lessID(a, b)) {
			t.Fatalf("%q and %q: keys compare as %d", a, b, got)
		}
	})
}

func BenchmarkUnionEdges(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var lines [][]byte
	for range 1 << 20 {
		lines = append(lines, fmt.Appendf(nil, "%d\t%d", r.IntN(1<<20), r.IntN(1<<20)))
	}
	b.ResetTimer()
	for range b.N {
		u := union{limit: maxVertices}
		for _, line := range lines {
			if err := u.edge(line); err != nil {
				b.Fatal(err)
			}
		}
		if err := u.flush(); err != nil {
			b.Fatal(err)
		}
		u.greatest()
		u.sorted()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(lines)), "ns/edge")
}
