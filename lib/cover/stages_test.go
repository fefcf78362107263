package cover

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

// run runs a stage in this process; side files go into dir.
func run(t *testing.T, dir, input string, run func(*stage.Task) error) string {
	t.Helper()
	out, errs, status := try(dir, input, run)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	return out
}

func try(dir, input string, run func(*stage.Task) error) (out, errs string, status int) {
	var stdout, stderr bytes.Buffer
	status = stage.Execute(stage.Command{Name: "test-stage", Run: run}, []string{"test-stage", "--output", dir}, strings.NewReader(input), &stdout, &stderr)
	return stdout.String(), stderr.String(), status
}

func sorted(text string) string {
	lines := slices.Collect(strings.Lines(text))
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// read gives what the tasks have written into a folder.
func read(t *testing.T, dir, folder string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, folder, "part-00000"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(content)
}

// collection is documents and the edges between them.
type collection struct {
	ids        []string
	weights    []float64
	hosts      []int
	similarity map[[2]int]int // covered, covering: per cent
}

func randomCollection(r *rand.Rand) *collection {
	n := 1 + r.IntN(11)
	c := &collection{similarity: map[[2]int]int{}}
	for i := range n {
		c.ids = append(c.ids, []string{fmt.Sprint(i * 7), fmt.Sprintf("doc %d", i)}[i%2])
		c.weights = append(c.weights, float64(1+r.IntN(3)))
		c.hosts = append(c.hosts, r.IntN(3))
	}
	for range r.IntN(2 * n) {
		if a, b := r.IntN(n), r.IntN(n); a != b {
			c.similarity[[2]int{a, b}] = 70 + r.IntN(4)
		}
	}
	return c
}

// of gives the documents up to n in the form of the join's stages, and their edges.
func (c *collection) of(n int) (documents, edges string) {
	var d, e strings.Builder
	for i, id := range c.ids[:n] {
		fmt.Fprintf(&d, "%s\t{\"id\":%q,\"weight\":%g,\"bytes\":%d,\"host\":\"h%d\",\"url\":\"u%d\"}\n", id, id, c.weights[i], 100+i, c.hosts[i], i/2)
	}
	for pair, s := range c.similarity {
		if pair[0] < n && pair[1] < n {
			fmt.Fprintf(&e, "%s\t%s\t0.%d\n", c.ids[pair[0]], c.ids[pair[1]], s)
		}
	}
	return d.String(), e.String()
}

// solveAll runs all stages, and those of the minima too where there are any.
func solveAll(t *testing.T, documents, edges, state, keepPer string, o Options) string {
	t.Helper()
	minima, err := ParseMinima(keepPer)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	labels := run(t, dir, edges, func(task *stage.Task) error { return graph.UnionEdges(task, graph.UnionOptions{}) })
	table := run(t, dir, documents, func(task *stage.Task) error { return WeighDocuments(task, "weight", minima) })
	met := run(t, dir, table+labels+edges, MeetDocuments)
	lines := run(t, dir, sorted(met), JoinComponents)
	o.Groups = keepPer != ""
	told := run(t, dir, sorted(lines+state), func(task *stage.Task) error { return SolveComponents(task, o) })
	if keepPer == "" {
		return dir
	}
	told = sorted(told)
	groups := slices.Collect(strings.Lines(told))
	slices.SortStableFunc(groups, func(a, b string) int {
		f, g := strings.Split(a, "\t"), strings.Split(b, "\t")
		if c := strings.Compare(f[0]+"\t"+f[1], g[0]+"\t"+g[1]); c != 0 {
			return c
		}
		return strings.Compare(g[2], f[2])
	})
	added := run(t, dir, strings.Join(groups, ""), func(task *stage.Task) error { return TopUp(task, minima) })
	filled := t.TempDir()
	o.Groups = false
	run(t, filled, sorted(lines+read(t, dir, "_state")+added), func(task *stage.Task) error { return SolveComponents(task, o) })
	return filled
}

// check holds what was made against the collection.
func (c *collection) check(t *testing.T, dir string, least bool, minimum int) {
	t.Helper()
	place := map[string]int{}
	for i, id := range c.ids {
		place[id] = i
	}
	kept := make([]bool, len(c.ids))
	weight := 0.0
	perHost, allPerHost := map[int]int{}, map[int]int{}
	for id := range strings.Lines(read(t, dir, "cover")) {
		i := place[strings.TrimSuffix(id, "\n")]
		kept[i] = true
		weight += c.weights[i]
		perHost[c.hosts[i]]++
	}
	for _, h := range c.hosts {
		allPerHost[h]++
	}
	for h, all := range allPerHost {
		if perHost[h] < min(minimum, all) {
			t.Errorf("host %d has %d documents", h, perHost[h])
		}
	}
	seen := 0
	for line := range strings.Lines(read(t, dir, "covered")) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		a, b := place[f[0]], place[f[1]]
		best := 0
		last := -1
		for pair, s := range c.similarity {
			if pair[0] == a && kept[pair[1]] && (s > best || s == best && later(c.ids[pair[1]], c.ids[last])) {
				best, last = s, pair[1]
			}
		}
		if kept[a] || !kept[b] || last != b || f[2] != fmt.Sprintf("0.%d", best) {
			t.Errorf("%q: the most similar is %d with %d", line, last, best)
		}
		seen++
	}
	if all := seen + strings.Count(read(t, dir, "cover"), "\n"); all != len(c.ids) {
		t.Errorf("%d of %d documents are in the result", all, len(c.ids))
	}
	c.checkSummary(t, dir, weight)
	if !least {
		return
	}
	p := &Problem{Weight: c.weights}
	for pair := range c.similarity {
		p.Covered, p.Covering = append(p.Covered, int32(pair[0])), append(p.Covering, int32(pair[1]))
	}
	if want := brute(p); !near(weight, want) {
		t.Errorf("the cover weighs %g, want %g", weight, want)
	}
}

// checkSummary holds what the report is made of against the weight of what is kept.
func (c *collection) checkSummary(t *testing.T, dir string, weight float64) {
	t.Helper()
	var s Summary
	for line := range strings.Lines(read(t, dir, "_summary")) {
		if err := s.merge([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if !near(s.Weight, weight) || less(weight, s.Bound) {
		t.Errorf("the cover is said to weigh %g, and none less than %g; it weighs %g", s.Weight, s.Bound, weight)
	}
}

func later(a, b string) bool {
	return bytes.Compare(graph.AppendKey(nil, []byte(a)), graph.AppendKey(nil, []byte(b))) > 0
}

// TestCoversOfRandomCollections runs the stages on random collections; on a half of
// each first, whose solution is then added to; and with the edges in files.
func TestCoversOfRandomCollections(t *testing.T) {
	seed := uint64(os.Getpid())
	for i := range 40 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		c := randomCollection(r)
		documents, edges := c.of(len(c.ids))
		o := Options{Limits: Limits{Exact: 20}, Edges: 1000}
		scratch := solveAll(t, documents, edges, "", "", o)
		c.check(t, scratch, true, 0)
		older, olderEdges := c.of(r.IntN(len(c.ids) + 1))
		state := read(t, solveAll(t, older, olderEdges, "", "", o), "_state")
		grown := solveAll(t, documents, edges, state, "", o)
		for _, folder := range []string{"cover", "covered", "components", "_state"} {
			if diff := cmp.Diff(read(t, scratch, folder), read(t, grown, folder)); diff != "" {
				t.Errorf("%s of a grown collection: %s", folder, diff)
			}
		}
		c.check(t, solveAll(t, documents, edges, "", "host=2", o), false, 2)
		spilled := solveAll(t, documents, edges, "", "", Options{Edges: int64(1 + r.IntN(3))})
		c.check(t, spilled, false, 0)
		if diff := cmp.Diff(read(t, scratch, "components"), read(t, spilled, "components")); diff != "" {
			t.Errorf("components: %s", diff)
		}
		if t.Failed() {
			t.Fatalf("seed %d, %d:\n%s%s", seed, i, documents, edges)
		}
	}
}

// Covers from files are near to the greedy ones in memory, weights or not.
func TestCoverFromFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	seed := uint64(os.Getpid())
	for i := range 30 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		p := problem(r, 50+r.IntN(200), 0.2*r.Float64())
		s, err := newSpool(len(p.Weight))
		if err != nil {
			t.Fatal(err)
		}
		for j := range p.Covered {
			if err := s.add(p.Covered[j], p.Covering[j], 0); err != nil {
				t.Fatal(err)
			}
		}
		got, err := solveSpool(s, p.Weight, int64(1+r.IntN(500)))
		if err != nil {
			t.Fatal(err)
		}
		isCover(t, p, got.Kept)
		in := Solve(p, Limits{})
		if got.Weight > 1.35*in.Weight || less(got.Weight, got.Bound) || less(in.Weight, got.Bound) {
			t.Errorf("seed %d, %d: weight %g, bound %g, in memory %g", seed, i, got.Weight, got.Bound, in.Weight)
		}
		s.close()
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWeights(t *testing.T) {
	const documents = `a	{"bytes":100,"quality":0.5,"host":"x\ty","url":"http://u/"}
{"id":7,"bytes":"many","meta":{"rank":3}}
{"id":"c","quality":-1,"bytes":2.5e3,"host":true,"filename":"f.warc.gz","offset":12,"length":34}
{"bytes":1}
no object
`
	const want = "a\t0.5\t100\thttp://u/\t\t\t\tx\\ty\n7\t1\t0\t\t\t\t\t\nc\t1\t2500\t\tf.warc.gz\t12\t34\ttrue\n"
	minima, err := ParseMinima("host=2")
	if err != nil {
		t.Fatal(err)
	}
	out, errs, status := try(t.TempDir(), documents, func(task *stage.Task) error { return WeighDocuments(task, "1 - quality", minima) })
	if diff := cmp.Diff(strings.Replace(want, "c\t1\t", "c\t2\t", 1), out); status != 0 || diff != "" || !strings.Contains(errs, "rejected,2\n") || !strings.Contains(errs, "without-weight,1\n") {
		t.Errorf("status %d, %s%s", status, diff, errs)
	}
	if out := run(t, t.TempDir(), `{"id":1,"meta":{"rank":3}}`, func(task *stage.Task) error { return WeighDocuments(task, "meta.rank", nil) }); out != "1\t3\t0\t\t\t\t\n" {
		t.Errorf("got %q", out)
	}
	if _, errs, status := try(t.TempDir(), documents, func(task *stage.Task) error { return WeighDocuments(task, "1 +", nil) }); status != 2 || !strings.Contains(errs, "--weight: ") {
		t.Errorf("status %d, %s", status, errs)
	}
	for _, bad := range []string{"host", "=1", "host=0", "host=x", "host=1,mime"} {
		if m, err := ParseMinima(bad); err == nil {
			t.Errorf("%q gives %v", bad, m)
		}
	}
}

// What does not fit together is a failure with its place, or rejected.
func TestBrokenLines(t *testing.T) {
	for input, want := range map[string]string{
		"12\t1\t12\tx\t0\n":                             "not a document of a component",
		"12\t1\t12\t-1\t0\n":                            "not a document of a component",
		"12\t1\t12\t1\t0\n12\t1\t12\t1\t0\n":            "one is there twice",
		"12\t1\t12\t1\t0\n12\t4\t12\t13\t0.9\n":         "which is not in component",
		"12\t1\t12\t1\t0\n12\t4\t11\t12\t0.9\n":         "has no document",
		"12\t9\t12\n":                                   "is of kind",
		"12\t\n":                                        "not a line of a component",
		"12\t0\t1\texact\n":                             "not a line of an earlier solution",
		"12\t1\t12\t1\t0\n12\t3\t11\n":                  "that is to be kept",
		"2\t1\t1\t1\t0\n2\t1\t2\t1\t0\n2\t4\t1\t2\tx\n": "is no number",
	} {
		_, errs, status := try(t.TempDir(), input, func(task *stage.Task) error { return SolveComponents(task, Options{Edges: 10}) })
		if status != 1 || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, want %q: %s", input, status, want, errs)
		}
	}
	out, errs, status := try(t.TempDir(), "1a\t1\t1\t0\n1a\t1\t2\t0\n1b\t2\t1a\t0.9\n", JoinComponents)
	if status != 0 || out != "1a\t1\t1a\t1\t0\n" || !strings.Contains(errs, "rejected,2\n") {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
}

func TestKeptCapturesAreListed(t *testing.T) {
	table := "a\t1\t0\thttp://a/\tf.warc\t1\t2\nb\t1\t0\thttp://b/\t\t\t\nc\t1\t0\thttp://c/\tf.warc\t3\t4\n"
	out, errs, status := try(t.TempDir(), sorted(run(t, t.TempDir(), table+"a\nb\n", MeetKept)), ListKept)
	if status != 0 || out != "http://a/\tf.warc\t1\t2\n" || !strings.Contains(errs, "a document without filename, offset and length") {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
}

func TestReport(t *testing.T) {
	dir := t.TempDir()
	var lines strings.Builder
	for range 2 {
		var s Summary
		s.add(&Component{ID: "<9>", Documents: 4, Bytes: 400, Edges: 5, Kept: 1, KeptBytes: 100, Method: methodExact, Weight: 1, Bound: 1})
		s.add(&Component{ID: "1", Documents: 1, Bytes: 100, Kept: 1, KeptBytes: 100, Method: methodSingle, Weight: 1, Bound: 1})
		part := t.TempDir()
		run(t, part, "", s.write)
		lines.WriteString(read(t, part, "_summary"))
	}
	run(t, dir, lines.String(), func(task *stage.Task) error {
		return WriteReport(task, Collection{Cover: "jaccard(a, b) >= 0.8", URLs: 4, Versions: 10, Squares: 30})
	})
	text, err := os.ReadFile(filepath.Join(dir, "stats.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"documents": 10,`, `"cover_size": 4,`, `"reduction_documents_percent": 60,`, `"components_exact": 2,`, `"components_single": 2,`,
		`"documents_per_url_mean": 2.5,`, fmt.Sprintf(`"documents_per_url_sd": %v,`, math.Sqrt(1.25)), `"cover": "jaccard(a, b) >= 0.8",`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("stats.json lacks %s:\n%s", want, text)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"60.00 %", "&lt;9&gt;", "<svg"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("report.html lacks %s", want)
		}
	}
	for _, never := range []string{"http://", "https://", "<script"} {
		if strings.Contains(string(page), never) {
			t.Errorf("report.html has %s", never)
		}
	}
}
