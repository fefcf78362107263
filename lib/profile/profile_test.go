package profile_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"archivestream/lib/profile"
	"archivestream/lib/stage"
	"archivestream/lib/stage/stagetest"
)

// makeProfile makes a profile as a job does, with so many tasks each, and gives profile.json.
func makeProfile(t *testing.T, lines []string, maps, reducers int, condition string) string {
	t.Helper()
	var counted []string
	for _, part := range stagetest.Shuffle(t, [][]string{lines}, maps, reducers, func(task *stage.Task) error { return profile.Captures(task, condition) }) {
		out, _ := stagetest.Run(t, part, func(task *stage.Task) error { return profile.Keys(task, 5) })
		counted = append(counted, out...)
	}
	slices.Sort(counted)
	dir := t.TempDir()
	stagetest.Run(t, counted, func(task *stage.Task) error {
		return profile.Write(task, profile.WriteOptions{Title: "Test", Top: 5, TLDs: 2, IndexFiles: 1, IndexBytes: 2})
	}, "--output", dir)
	text, err := os.ReadFile(filepath.Join(dir, "profile.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A capture is one of a made collection.
type capture struct{ host, path, query, timestamp, status, mime string }

func (c capture) key() string { return c.host + ")" + c.path + c.query }

func (c capture) line() string {
	return fmt.Sprintf("%s %s http://x.example/ %s %s SHA - - 10 7 a.warc.gz\n", c.key(), c.timestamp, c.mime, c.status)
}

func makeCaptures(r *rand.Rand, n int) []capture {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	captures := make([]capture, n)
	for i := range captures {
		host := pick("com", "org", "pt", "localhost", "1,0,0,127")
		for range r.IntN(4) {
			if host != "1,0,0,127" {
				host += "," + pick("a", "a-b", "b", "!c", "d\\e", "a:8080", "")
			}
		}
		if r.IntN(40) == 0 {
			host += strings.Repeat(",x", 12)
		}
		path := "/"
		for depth := range r.IntN(4) {
			if depth > 0 {
				path += "/"
			}
			path += pick("a", "a-b", "b", ")", "*", "", "x.html")
		}
		if r.IntN(40) == 0 {
			path += strings.Repeat("/y", 12)
		}
		if path == "/" && r.IntN(3) == 0 {
			path = ""
		}
		captures[i] = capture{
			host: host, path: path, query: pick("", "", "", "?q=1", "?q=2", "?"),
			timestamp: fmt.Sprintf("%04d%02d%02d%06d", 1996+r.IntN(5), 1+r.IntN(12), 1+r.IntN(28), r.IntN(240000)),
			status:    pick("200", "200", "301", "404", "503", "-", "999"), mime: pick("text/html", "image/png"),
		}
	}
	return captures
}

// describe takes values apart as the paper's tables have them.
func describe(sizes []int64) (most int64, mean, median, deviation float64) {
	slices.Sort(sizes)
	sum := 0.0
	for _, s := range sizes {
		sum += float64(s)
	}
	n := len(sizes)
	mean = sum / float64(n)
	for _, s := range sizes {
		deviation += (float64(s) - mean) * (float64(s) - mean)
	}
	return sizes[n-1], mean, (float64(sizes[(n-1)/2]) + float64(sizes[n/2])) / 2, math.Sqrt(deviation / float64(n))
}

// reference makes the profile without any care for memory, from the definitions.
func reference(captures []capture) *profile.Profile {
	uris, keys, hosts := map[string]int64{}, map[string][]string{}, map[string]bool{}
	years, firsts := map[int]map[string]int64{}, map[string]int{}
	byYear := map[int][6]int64{}
	tlds := map[string]*profile.TLD{}
	p := &profile.Profile{TLDs: []profile.TLD{}, TopURIs: []profile.TopURI{}, Years: []profile.Year{}, ExactDepths: []profile.ExactDepth{}, HostDepths: []profile.Depth{}, PathDepths: []profile.Depth{}}
	t := &p.Totals
	t.IndexFiles, t.IndexBytes = 1, 2
	tld := func(host string) *profile.TLD {
		name, _, _ := strings.Cut(host, ",")
		if host == "1,0,0,127" {
			name = "(address)"
		}
		if tlds[name] == nil {
			tlds[name] = &profile.TLD{Name: name}
		}
		return tlds[name]
	}
	for _, c := range captures {
		t.Lines++
		t.URIMs++
		t.Bytes += 10
		if t.First == "" || c.timestamp < t.First {
			t.First = c.timestamp
		}
		t.Last = max(t.Last, c.timestamp)
		path := c.path
		if path == "" {
			path = "/"
		}
		key := c.host + ")" + path
		uri := key + c.query
		d := tld(c.host)
		d.URIMs++
		if uris[uri] == 0 {
			d.URIRs++
		}
		uris[uri]++
		if keys[key] == nil {
			d.Keys++
			segments := []string{}
			if path != "/" {
				segments = strings.Split(path[1:], "/")
			}
			keys[key] = append([]string{c.host}, segments...)
		}
		if !hosts[c.host] {
			d.Hosts++
		}
		hosts[c.host] = true
		var year int
		fmt.Sscan(c.timestamp[:4], &year)
		if years[year] == nil {
			years[year] = map[string]int64{}
		}
		years[year][uri]++
		if first, ok := firsts[uri]; !ok || year < first {
			firsts[uri] = year
		}
		n := byYear[year]
		n[0]++
		if c.status != "-" && c.status < "600" {
			n[c.status[0]-'0']++
		}
		byYear[year] = n
	}
	t.URIRs, t.Keys, t.Hosts = int64(len(uris)), int64(len(keys)), int64(len(hosts))
	t.Gamma = float64(t.URIMs) / float64(t.URIRs)
	for host := range hosts {
		if host == "1,0,0,127" {
			t.Addresses++
		}
	}
	referenceTLDs(p, tlds)
	referenceURIs(p, uris)
	cumulative, cumulativeMs := int64(0), int64(0)
	for year := 1990; year < 2010; year++ {
		if years[year] == nil {
			continue
		}
		row := profile.Year{Year: year, URIRs: int64(len(years[year])), URIMs: byYear[year][0]}
		for uri := range years[year] {
			if firsts[uri] == year {
				row.NewURIRs++
			}
		}
		cumulative += row.NewURIRs
		cumulativeMs += row.URIMs
		row.CumulativeURIRs, row.CumulativeURIMs = cumulative, cumulativeMs
		row.Duplicates = 1 - float64(row.NewURIRs)/float64(row.URIRs)
		row.Gamma, row.CumulativeGamma = float64(row.URIMs)/float64(row.URIRs), float64(cumulativeMs)/float64(cumulative)
		n := byYear[year]
		for i, share := range []*float64{&row.Status2XX, &row.Status3XX, &row.Status4XX, &row.Status5XX} {
			*share = float64(n[i+2]) / float64(n[0])
		}
		p.Years = append(p.Years, row)
	}
	referenceDepths(p, keys, hosts)
	return p
}

func referenceTLDs(p *profile.Profile, tlds map[string]*profile.TLD) {
	other := profile.TLD{Name: "(other)"}
	address := tlds["(address)"]
	delete(tlds, "(address)")
	for _, d := range tlds {
		p.TLDs = append(p.TLDs, *d)
	}
	slices.SortFunc(p.TLDs, func(a, b profile.TLD) int {
		if a.URIMs != b.URIMs {
			return int(b.URIMs - a.URIMs)
		}
		return strings.Compare(a.Name, b.Name)
	})
	for len(p.TLDs) > 2 {
		d := p.TLDs[len(p.TLDs)-1]
		other.URIMs, other.URIRs, other.Keys, other.Hosts = other.URIMs+d.URIMs, other.URIRs+d.URIRs, other.Keys+d.Keys, other.Hosts+d.Hosts
		p.TLDs = p.TLDs[:len(p.TLDs)-1]
	}
	if address != nil {
		p.TLDs = append(p.TLDs, *address)
	}
	if other.URIMs > 0 {
		p.TLDs = append(p.TLDs, other)
	}
}

func referenceURIs(p *profile.Profile, uris map[string]int64) {
	var counts []int64
	for uri, n := range uris {
		counts = append(counts, n)
		p.TopURIs = append(p.TopURIs, profile.TopURI{Key: uri, URIMs: n})
	}
	slices.SortFunc(p.TopURIs, func(a, b profile.TopURI) int { return int(b.URIMs - a.URIMs) })
	d := &p.PerURI
	if len(counts) == 0 {
		return
	}
	d.Max, d.Mean, d.Median, d.Deviation = describe(counts)
	// The mean difference of all pairs, over twice the mean.
	difference := 0.0
	for _, a := range counts {
		for _, b := range counts {
			difference += math.Abs(float64(a - b))
		}
	}
	n := float64(len(counts))
	d.Gini = difference / (2 * n * n * d.Mean)
	// Walk from the most captured one until the shares add up to 1.
	slices.Reverse(counts)
	sum := 0.0
	for i, c := range counts {
		share := float64(c) / (n * d.Mean)
		if rest := 1 - float64(i)/n - sum; rest <= 1/n+share {
			d.BreakPoint = (float64(i) + rest/(1/n+share)) / n
			break
		}
		sum += share
	}
}

func referenceDepths(p *profile.Profile, keys map[string][]string, hosts map[string]bool) {
	exact := map[string]*profile.ExactDepth{}
	row := func(depth int) *profile.ExactDepth {
		name := fmt.Sprintf("%02d", depth)
		if depth >= 11 {
			name = "11+"
		}
		if exact[name] == nil {
			exact[name] = &profile.ExactDepth{Depth: strings.TrimPrefix(name, "0")}
		}
		return exact[name]
	}
	for host := range hosts {
		row(strings.Count(host, ",")+1).Hosts++
	}
	cut := [2][11]map[string]int64{}
	above := [2][11]map[string]map[string]bool{} // children by their parents
	add := func(kind, depth int, prefix, parent string) {
		if cut[kind][depth] == nil {
			cut[kind][depth], above[kind][depth] = map[string]int64{}, map[string]map[string]bool{}
		}
		cut[kind][depth][prefix]++
		if parent != "" {
			if above[kind][depth][parent] == nil {
				above[kind][depth][parent] = map[string]bool{}
			}
			above[kind][depth][parent][prefix] = true
		}
	}
	for _, parts := range keys {
		labels, segments := strings.Split(parts[0], ","), parts[1:]
		row(len(labels)).HostKeys++
		row(len(segments)).PathKeys++
		for d := 1; d <= min(len(labels), 10); d++ {
			parent := ""
			if d > 1 {
				parent = "p" + strings.Join(labels[:d-1], ",")
			}
			add(0, d, "p"+strings.Join(labels[:d], ","), parent)
		}
		for d := 0; d <= min(len(segments), 10); d++ {
			parent := ""
			if d > 0 {
				parent = fmt.Sprintf("%q", parts[:d])
			}
			add(1, d, fmt.Sprintf("%q", parts[:d+1]), parent)
		}
	}
	for _, name := range []string{"00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11+"} {
		if e := exact[name]; e != nil {
			p.ExactDepths = append(p.ExactDepths, *e)
		}
	}
	for kind, table := range []*[]profile.Depth{&p.HostDepths, &p.PathDepths} {
		for depth, prefixes := range cut[kind] {
			if prefixes == nil {
				continue
			}
			d := profile.Depth{Depth: depth, Prefixes: int64(len(prefixes)), Parents: int64(len(above[kind][depth]))}
			var sizes []int64
			for _, n := range prefixes {
				sizes = append(sizes, n)
				d.Keys += n
			}
			for _, children := range above[kind][depth] {
				d.Children += int64(len(children))
			}
			d.Max, d.Mean, d.Median, d.Deviation = describe(sizes)
			d.Reduction = float64(d.Keys-d.Prefixes) / float64(len(keys))
			if d.Parents > 0 {
				d.MeanChildren = float64(d.Children) / float64(d.Parents)
			}
			*table = append(*table, d)
		}
	}
}

// TestProfileIsThatOfTheDefinitions compares with a profile made in memory, for any
// order of the lines and number of tasks.
func TestProfileIsThatOfTheDefinitions(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		captures := makeCaptures(r, 1+r.IntN(500))
		var lines []string
		for _, c := range captures {
			lines = append(lines, c.line())
		}
		text := makeProfile(t, lines, 1+r.IntN(4), 1+r.IntN(4), "")
		var got profile.Profile
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		want := reference(captures)
		checkCurve(t, got.PerURI)
		got.PerURI.Curve = nil
		counts := map[string]int64{}
		for _, u := range want.TopURIs {
			counts[u.Key] = u.URIMs
		}
		for i, u := range got.TopURIs {
			if counts[u.Key] != u.URIMs || u.URIMs != want.TopURIs[i].URIMs {
				t.Errorf("seed %d: %d captures of %s, want %d", seed, u.URIMs, u.Key, counts[u.Key])
			}
		}
		if len(got.TopURIs) != min(5, len(want.TopURIs)) {
			t.Errorf("seed %d: %d most captured", seed, len(got.TopURIs))
		}
		got.TopURIs, want.TopURIs = nil, nil
		if diff := cmp.Diff(want, &got, cmpopts.EquateApprox(1e-9, 1e-9)); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
		slices.Sort(lines)
		if again := makeProfile(t, lines, 1, 1, ""); again != text {
			t.Fatalf("seed %d: another profile of the same captures:\n%s", seed, cmp.Diff(again, text))
		}
	}
}

// checkCurve wants a curve from 0 to 1 that does not become steeper.
func checkCurve(t *testing.T, d profile.Distribution) {
	t.Helper()
	last, slope := [2]float64{}, math.Inf(1)
	for i, p := range d.Curve {
		if i > 0 {
			s := (p[1] - last[1]) / (p[0] - last[0])
			if !(p[0] > last[0]) || s > slope+1e-6 {
				t.Errorf("the curve goes from %v to %v", last, p)
			}
			slope = s
		}
		last = p
	}
	if math.Abs(last[0]-1) > 1e-9 || math.Abs(last[1]-1) > 1e-9 {
		t.Errorf("the curve ends at %v", last)
	}
}

func TestConditionLeavesCapturesOut(t *testing.T) {
	captures := makeCaptures(rand.New(rand.NewPCG(1, 9)), 300)
	var lines, html []string
	for _, c := range captures {
		lines = append(lines, c.line())
		if c.status == "200" && c.mime == "text/html" {
			html = append(html, c.line())
		}
	}
	var got, want profile.Profile
	for text, into := range map[string]*profile.Profile{
		makeProfile(t, lines, 2, 2, `status == 200 && mime == "text/html"`): &got,
		makeProfile(t, html, 1, 1, ""):                                      &want,
	} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	want.Totals.Lines, want.Totals.Filtered = 300, int64(300-len(html))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOddLines(t *testing.T) {
	lines := []string{
		" CDX N b a m s k r M S V g\n",
		"dns:a.example 20200101000000 dns:a.example text/dns - SHA - - 10 7 a.warc.gz\n",
		"a.example/page 20200101000000 http://a.example/page text/html 200 SHA - - 10 7 a.warc.gz\n",
		"example,a)/ 2020 http://a.example/ text/html 200 SHA - - 10 7 a.warc.gz\n",
		"nonsense\n",
	}
	out, errs := stagetest.Run(t, lines, func(task *stage.Task) error { return profile.Captures(task, "") })
	if !slices.Contains(out, "key\texample a\t) page\t2020 1 1 0 0 0\n") || !slices.Contains(out, "total\twithout_host\t\t1\n") || !slices.Contains(out, "total\tlines\t\t2\n") {
		t.Errorf("%q", out)
	}
	if !strings.Contains(errs, "rejected,2") || !strings.Contains(errs, `timestamp "2020"`) {
		t.Error(errs)
	}
	if text := makeProfile(t, nil, 1, 1, ""); !strings.Contains(text, `"urims": 0,`) {
		t.Error(text)
	}
}

// FuzzKeys gives reducers what no mapper has written: they end with a message.
func FuzzKeys(f *testing.F) {
	f.Add("key\tcom a\t) b c\x1fq\t2020 3 1 1 1 0\nkey\tcom a\t) b\t2021 1 0 0 0 0\nkey\tlocalhost\t)\t2020 1 1 0 0 0\n")
	f.Add("key\tcom\tx\t2020 1 1 0 0 0\ntotal\turims\t\t4\nspan\t20200101000000\t\t1\n")
	f.Add("tld\tcom\t\t1 1 1 1 1\nyear\t2020\t\t1 1 1 1 1 1 1\nexact\t3\t\t1 1 1\nhost-size\t2\t9\t1\npath-family\t2\t\t1 1\nuri\t5\t\t1\ntop\ta\\x09\t\t1\n")
	f.Fuzz(func(t *testing.T, text string) {
		stagetest.Survive(t, text,
			func(task *stage.Task) error { return profile.Keys(task, 3) },
			func(task *stage.Task) error { return profile.Write(task, profile.WriteOptions{Top: 3, TLDs: 3}) })
	})
}
