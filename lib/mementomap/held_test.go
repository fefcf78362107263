package mementomap

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
	"archivestream/lib/surt"
	"archivestream/lib/surt/surttest"
)

// oddURLs are what an archive holds beside pages.
var oddURLs = []string{
	"dns:a.example", "filedesc://x.arc.gz", "filedesc:a b\x01\x1f\x7f.arc", "urn:isbn:1?x=1#f", "data:text/plain,a b\xff", "mailto:me@a.example",
	"whois://whois.example/a.example", "metadata://a.example/x?y", "http://[2001:db8::1]:8080/a", "http://[2001:db8::1]/",
	"http://user:secret@a.example:81/b", "http://!a/b", "http://a.example/!", "!", "http:///", "screenshot:http://a.example/",
	"http://a.example/*", "http://a.example/b/*", "http://a.example/b/*?x=1", "http://*/", "http://*.a.example/", "http://a.example/?", "http://a.example//",
	"http://a.example/b?x=1", "http://a.example/b?x=2", "http://a.example/b#x?y", "http://\xff\xfe.example/\xe4?\xe4", "http://localhost:8080/a/b",
	"http://a.example/" + strings.Repeat("long/", 5000), "http://a.example/?" + strings.Repeat("q", 20000),
	"http://" + strings.Repeat("deep.", 500) + "example/", "http://a)b.example/c)d/", "http://a*b.example/c", "http://a+b.example/c", "http://a%2fb.example/",
}

var mediaTypes = []string{"text/html", "text/html; charset=utf-8", "html", "unk", "-", "", "text/dns", "warc/revisit", "application", "text/", "/", "a b", "\"x\"", "image"}
var statuses = []string{"200", "-", "", "404", "0", "99", "2000", "OK", "600"}

// captureLines returns an index line for each URL, and its number of captures.
func captureLines(r *rand.Rand, urls []string) []string {
	var lines []string
	layouts := []cdx.Layout{cdx.LayoutCDXJ, cdx.LayoutCC, cdx.LayoutAll, cdx.LayoutCDX11, cdx.LayoutCDX9}
	for _, url := range urls {
		c := cdx.Capture{
			Key: []byte(surt.Key(url)), URL: []byte(url), Timestamp: []byte("20200101000000"), Offset: 1, Length: 2, Filename: []byte("a.warc.gz"),
			Mime: []byte(mediaTypes[r.IntN(len(mediaTypes))]), Status: []byte(statuses[r.IntN(len(statuses))]),
		}
		lines = append(lines, string(layouts[r.IntN(len(layouts))].Append(nil, &c)))
	}
	slices.Sort(lines)
	return lines
}

// mapOf makes a map of lines of whatever kind, as jobs/mementomap.sh does it.
func mapOf(t *testing.T, lines []string, c Cutoffs) (name, said string) {
	t.Helper()
	counted, said := execute(t, strings.Join(lines, "\n")+"\n", nil, func(t *stage.Task) error { return CountCaptures(t, CountOptions{}) })
	sorted := strings.Split(strings.TrimSuffix(counted, "\n"), "\n")
	slices.Sort(sorted)
	combined, _ := execute(t, strings.Join(sorted, "\n")+"\n", nil, CombineCounts)
	added, _ := execute(t, combined, nil, AddCounts)
	if !slices.IsSorted(strings.Split(strings.TrimSuffix(added, "\n"), "\n")) {
		t.Fatalf("not sorted:\n%s", added)
	}
	made, _ := execute(t, added, nil, func(t *stage.Task) error { return Compact(t, CompactOptions{Cutoffs: c}, false) })
	name = filepath.Join(t.TempDir(), "map.ukvs")
	if err := os.WriteFile(name, []byte(made), 0o666); err != nil {
		t.Fatal(err)
	}
	return name, said
}

// wantHeld looks each URL up.
func wantHeld(t *testing.T, name string, urls []string) {
	t.Helper()
	m, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, url := range urls {
		match, found, err := m.FindURI([]byte(url))
		if err != nil || !found || !match.Frequency.Present() {
			t.Errorf("%.200q (%.200q) is held and said to be absent: %q, %v", url, surt.Key(url), match.Key, err)
		}
	}
}

// TestWhatIsHeldIsFound makes maps of captures, whatever their URLs, media types and
// status codes are, and looks each of them up.
func TestWhatIsHeldIsFound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 14))
		urls := slices.Clone(oddURLs)
		for range 300 {
			urls = append(urls, surttest.HardURL(r))
		}
		if seed == 0 {
			urls = append(urls, surttest.RealURLs(t)...)
		}
		urls = slices.DeleteFunc(urls, func(u string) bool { return surt.Key(u) == "-" }) // no URL
		name, said := mapOf(t, captureLines(r, urls), randomCutoffs(r))
		if strings.Contains(said, ",rejected,") || !strings.Contains(said, fmt.Sprintf(",captures,%d\n", len(urls))) {
			t.Fatalf("seed %d: not all of %d captures count: %.2000s", seed, len(urls), said)
		}
		wantHeld(t, name, urls)
	}
}

// TestWhatMapsHoldIsFound merges maps whose keys have queries, fragments and slashes
// at their ends, as other tools write them.
func TestWhatMapsHoldIsFound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 15))
		urls := slices.Clone(oddURLs)
		for range 300 {
			urls = append(urls, surttest.HardURL(r))
		}
		captures := int64(0)
		var lines []string
		for _, url := range urls {
			key := surt.Key(url)
			if key[0] == '!' || hasControl([]byte(key)) {
				continue // a header, or two fields
			}
			n := 1 + r.Int64N(9)
			lines = append(lines, fmt.Sprintf("%s%s %d/1", key, []string{"", "", "/", "?", "#x"}[r.IntN(5)], n))
			captures += n
		}
		name, said := mapOf(t, lines, randomCutoffs(r))
		if strings.Contains(said, ",rejected,") {
			t.Fatalf("seed %d: %.2000s", seed, said)
		}
		wantHeld(t, name, slices.DeleteFunc(urls, func(u string) bool {
			key := surt.Key(u)
			return key[0] == '!' || hasControl([]byte(key))
		}))
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			f := frequencyOf([]byte(line))
			captures -= f.Captures().N
			if key, _, _ := strings.Cut(line, " "); strings.ContainsAny(key, "?#") {
				t.Errorf("seed %d: no lookup finds %q", seed, line)
			}
		}
		if captures != 0 {
			t.Errorf("seed %d: %d captures are lost", seed, captures)
		}
	}
}
