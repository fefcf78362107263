package summary_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/stage"
	"archivestream/lib/stage/stagetest"
	"archivestream/lib/summary"
)

// summarize makes a summary as a job does, with so many tasks each, and gives
// summary.json and the number of hosts whose runs overlap.
func summarize(t *testing.T, files [][]string, maps, reducers, samples, hosts int) (text string, overlapping bool) {
	t.Helper()
	pass := func(mapper func(*stage.Task) error) (merged []string) {
		for _, part := range stagetest.Shuffle(t, files, maps, reducers, mapper) {
			lines, errs := stagetest.Run(t, part, func(task *stage.Task) error { return summary.Merge(task, hosts) })
			overlapping = overlapping || strings.Contains(errs, "overlapping runs") && !strings.Contains(errs, "overlapping runs,0")
			merged = append(merged, lines...)
		}
		return merged
	}
	merged := pass(func(task *stage.Task) error { return summary.Captures(task, samples) })
	if overlapping {
		merged = append(merged, pass(summary.EachURL)...)
	}
	slices.Sort(merged)
	dir := t.TempDir()
	stagetest.Run(t, merged, func(task *stage.Task) error { return summary.Write(task, "Test", samples, hosts) }, "--output", dir)
	content, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content), overlapping
}

// A capture is one of a made collection.
type capture struct{ key, timestamp, url, mime, status, length string }

func (c capture) line(form string) string {
	if form == "cdxj" {
		length := ""
		if c.length != "-" {
			length = fmt.Sprintf(`"length": %q, `, c.length)
		}
		return fmt.Sprintf("%s %s {\"url\": %q, \"mime\": %q, \"status\": %q, %s\"offset\": \"7\", \"filename\": \"a.warc.gz\"}\n", c.key, c.timestamp, c.url, c.mime, c.status, length)
	}
	return fmt.Sprintf("%s %s %s %s %s SHA - - %s 7 a.warc.gz\n", c.key, c.timestamp, c.url, c.mime, c.status, c.length)
}

func makeCaptures(r *rand.Rand, n int) []capture {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	captures := make([]capture, n)
	for i := range captures {
		host := pick("a", "b", "c", "a-b", "www2", "a:8080")
		path := pick("/", "/x", "/x/y", "/x-1", "/x/y/z", "/a/b/c/d/e/f", "//", "/robots.txt") + pick("", "?q=1", "?a=1&b=2", "?", "?&", "?a&b&c&d&e")
		c := capture{
			key: "example," + host + ")" + path, url: "http://" + host + ".example" + path,
			timestamp: fmt.Sprintf("%04d%02d%02d%06d", 1996+r.IntN(4), 1+r.IntN(12), 1+r.IntN(28), r.IntN(240000)),
			mime:      pick("text/html", "image/png", "application/xhtml+xml", "application/rss+xml", "application/xml-dtd", "text/plain", "TEXT/CSS", "warc/revisit", "unk", "font/woff2", "application/x-javascript"),
			status:    pick("200", "200", "301", "404", "503", "204", "999", "20", "-"),
			length:    pick("-", "0", "100", "123456789"),
		}
		if r.IntN(10) == 0 {
			c.key, c.url = "dns:"+host+".example", "dns:"+host+".example"
		}
		captures[i] = c
	}
	return captures
}

// reference counts without any care for memory.
func reference(captures []capture, hosts int) map[string]any {
	s := map[string]any{"captures": len(captures)}
	urls, byHost, bytes := map[string]bool{}, map[string]int{}, 0
	first, last := "", ""
	grids := map[string]map[string]map[string]int{"mimestatus": {}, "pathquery": {}, "yearmonth": {}}
	add := func(grid, row, column string) {
		if grids[grid][row] == nil {
			grids[grid][row] = map[string]int{}
		}
		grids[grid][row][column]++
	}
	parts := func(text, separator string) int {
		text = strings.Trim(text, separator)
		if text == "" {
			return 0
		}
		return strings.Count(text, separator) + 1
	}
	level := func(letter string, n int) string {
		if n > 4 {
			return "Other"
		}
		return fmt.Sprint(letter, n)
	}
	for _, c := range captures {
		urls[c.key] = true
		n := 0
		fmt.Sscan(c.length, &n)
		bytes += n
		if first == "" || c.timestamp < first {
			first = c.timestamp
		}
		last = max(last, c.timestamp)
		path, query := "", ""
		if host, rest, ok := strings.Cut(c.key, ")"); ok {
			byHost[host]++
			path, query, _ = strings.Cut(rest, "?")
		}
		group := map[string]string{
			"text/html": "HTML", "image/png": "Image", "application/xhtml+xml": "HTML", "application/rss+xml": "XML", "application/xml-dtd": "XML",
			"text/plain": "Text", "TEXT/CSS": "CSS", "warc/revisit": "Revisit", "unk": "Other", "font/woff2": "Font", "application/x-javascript": "Other",
		}[c.mime]
		class := "Other"
		if len(c.status) == 3 && c.status < "600" {
			class = c.status[:1] + "XX"
		}
		add("mimestatus", group, class)
		add("pathquery", level("P", parts(path, "/")), level("Q", parts(query, "&")))
		add("yearmonth", c.timestamp[:4], c.timestamp[4:6])
	}
	s["urls"], s["hosts"], s["bytes"], s["first"], s["last"] = len(urls), len(byHost), bytes, first, last
	names := []string{}
	for host := range byHost {
		names = append(names, host)
	}
	slices.SortFunc(names, func(a, b string) int {
		if byHost[a] != byHost[b] {
			return byHost[b] - byHost[a]
		}
		return strings.Compare(a, b)
	})
	top := map[string]int{}
	for _, host := range names[:min(hosts, len(names))] {
		name := strings.TrimPrefix(host, "example,") + ".example"
		if host == "example,a:8080" {
			name = "a.example:8080"
		}
		top[name] = byHost[host]
	}
	s["tophosts"] = top
	for name, grid := range grids {
		s[name] = grid
	}
	return s
}

// normal is a summary without zeros and samples.
func normal(t *testing.T, s any) map[string]any {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "samples")
	for _, name := range []string{"mimestatus", "pathquery", "yearmonth"} {
		grid := m[name].(map[string]any)
		for row, cells := range grid {
			for column, n := range cells.(map[string]any) {
				if n == 0.0 {
					delete(cells.(map[string]any), column)
				}
			}
			if len(cells.(map[string]any)) == 0 {
				delete(grid, row)
			}
		}
	}
	return m
}

// TestSummaryIsThatOfAllCaptures compares with a count in memory, whatever the order
// of the lines and the number of files and tasks.
func TestSummaryIsThatOfAllCaptures(t *testing.T) {
	overlaps := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		captures := makeCaptures(r, r.IntN(400))
		form := []string{"cdx", "cdxj"}[seed%2]
		files := make([][]string, 1+r.IntN(3))
		for i, c := range captures {
			f := i % len(files)
			files[f] = append(files[f], c.line(form))
		}
		sorted := seed%3 != 0
		if sorted {
			for _, f := range files {
				slices.Sort(f)
			}
		}
		hosts := 1 + r.IntN(6)
		text, overlapping := summarize(t, files, 1+r.IntN(4), 1+r.IntN(3), 5, hosts)
		if overlapping {
			overlaps++
			if sorted && len(files) == 1 {
				t.Errorf("seed %d: runs of a sorted file overlap", seed)
			}
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(normal(t, reference(captures, hosts)), normal(t, got)); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
		all := []string{}
		for _, f := range files {
			all = append(all, f...)
		}
		slices.Sort(all)
		if again, _ := summarize(t, [][]string{all}, 1, 1, 5, hosts); again != text {
			t.Fatalf("seed %d: another summary of the same captures:\n%s", seed, cmp.Diff(again, text))
		}
	}
	if overlaps < 5 || overlaps > 55 {
		t.Errorf("%d of 60 collections overlap", overlaps)
	}
}

func TestSamples(t *testing.T) {
	captures := makeCaptures(rand.New(rand.NewPCG(3, 3)), 2000)
	lines, candidates := []string{}, map[[2]string]bool{}
	for _, c := range captures {
		lines = append(lines, c.line("cdx"))
		path, _, _ := strings.Cut(c.key, "?")
		if c.status == "200" && c.mime == "text/html" && !strings.HasSuffix(path, "/robots.txt") {
			candidates[[2]string{c.timestamp, c.url}] = true
		}
	}
	text, _ := summarize(t, [][]string{lines, lines}, 3, 2, 20, 1)
	var s struct{ Samples [][2]string }
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Samples) != 20 {
		t.Errorf("%d samples", len(s.Samples))
	}
	for i, one := range s.Samples {
		if !candidates[one] {
			t.Errorf("%q is no capture to show", one)
		}
		if i > 0 && slices.Compare(s.Samples[i-1][:], one[:]) >= 0 {
			t.Errorf("%q stands behind %q", one, s.Samples[i-1])
		}
	}
}

func TestBadLinesAreRejected(t *testing.T) {
	lines := []string{
		" CDX N b a m s k r M S V g\n",
		"example,a)/ 20200101000000 http://a.example/ text/html 200 SHA - - 10 7 a.warc.gz\n",
		"example,a)/ 2020 http://a.example/ text/html 200 SHA - - 10 7 a.warc.gz\n",
		"example,a)/ 20201301000000 http://a.example/ text/html 200 SHA - - 10 7 a.warc.gz\n",
		"example,a)/ 2020010100000x http://a.example/ text/html 200 SHA - - 10 7 a.warc.gz\n",
		"- 20200101000000 - text/html 200 SHA - - 10 7 a.warc.gz\n",
		"nonsense\n",
		"\n",
		"example.org/page 20200101000000 http://www.example.org/page text/html 200 SHA - - 10 7 a.warc.gz\n",
	}
	out, errs := stagetest.Run(t, lines, func(task *stage.Task) error { return summary.Captures(task, 1) })
	if n := strings.Count(errs, "timestamp "); n != 3 {
		t.Errorf("%d bad timestamps:\n%s", n, errs)
	}
	if !strings.Contains(errs, "nonsense") || !strings.Contains(errs, "rejected,4") {
		t.Errorf("rejects:\n%s", errs)
	}
	// A key that is none is made of the URL.
	if !slices.Contains(out, "host\torg,example\t/page /page\t1 1\n") || !slices.Contains(out, "total\tcaptures\t\t3\n") {
		t.Errorf("%q", out)
	}
}

func TestNothingIsASummaryToo(t *testing.T) {
	text, _ := summarize(t, [][]string{nil}, 1, 1, 10, 10)
	if !strings.Contains(text, `"captures": 0,`) || !strings.Contains(text, `"first": "",`) || !strings.Contains(text, `"samples": []`) || !strings.Contains(text, `"yearmonth": {}`) {
		t.Error(text)
	}
}

// FuzzMerge gives reducers what no mapper has written: they end with a message.
func FuzzMerge(f *testing.F) {
	f.Add("host\texample,a\t/ /x\t3 2\nhost\texample,a\t/x /y\t3 2\ntotal\tcaptures\t\t6\n")
	f.Add("sample\t00ff\t20200101000000\thttp://a\\x09/\nspan\t20200101000000\t\t1\n")
	f.Add("mimestatus\tHTML\t2XX\t1\nyearmonth\t2020\t01\t99999999999999999999\neach\ta\tb\t1\n")
	f.Fuzz(func(t *testing.T, text string) {
		stagetest.Survive(t, text,
			func(task *stage.Task) error { return summary.Merge(task, 3) },
			func(task *stage.Task) error { return summary.Write(task, "Test", 3, 3) })
	})
}
