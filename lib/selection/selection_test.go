package selection

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/stage"
	"archivestream/lib/surt"
)

// run runs a stage's function in this process.
func run(t testing.TB, input string, f func(*stage.Task) error) (out []string, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := stage.Execute(stage.Command{Name: "stage", Run: f}, []string{"stage"}, strings.NewReader(input), &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	return strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n"), stderr.String()
}

func filterOf(o FilterOptions) func(*stage.Task) error {
	if o.Sample == 0 {
		o.Sample = 1
	}
	if o.Form == "" {
		o.Form = Plan
	}
	return func(task *stage.Task) error { return Filter(task, o) }
}

// captures makes some captures of few hosts, with URLs whose keys are near each
// other.
func captures(n int) []*cdx.Capture {
	random := rand.New(rand.NewPCG(7, 8))
	hosts := []string{"a.example.com", "www.example.com", "example.com:8080", "b.example.com", "example.co.uk", "10.0.0.1", "xn--bcher-kva.de", "zz.org"}
	var all []*cdx.Capture
	for i := range n {
		url := fmt.Sprintf("http://%s/%c/%d?q=%d", hosts[random.IntN(len(hosts))], 'a'+random.IntN(3), random.IntN(n/8+1), random.IntN(2))
		all = append(all, &cdx.Capture{
			Key: []byte(surt.Key(url)), URL: []byte(url), Mime: []byte([]string{"text/html", "image/png", "warc/revisit"}[random.IntN(3)]),
			Timestamp: fmt.Appendf(nil, "2020%02d%02d%06d", 1+random.IntN(12), 1+random.IntN(28), random.IntN(4)), Status: []byte([]string{"200", "404"}[random.IntN(2)]),
			Digest: fmt.Appendf(nil, "D%d", random.IntN(n/4+1)), Filename: fmt.Appendf(nil, "f%d.warc.gz", random.IntN(3)), Offset: int64(i * 100), Length: 90,
		})
	}
	return all
}

// indexOf writes the captures in a layout, sorted.
func indexOf(layout cdx.Layout, all []*cdx.Capture) string {
	var lines []string
	for _, c := range all {
		lines = append(lines, string(layout.Append(nil, c))+"\n")
	}
	slices.Sort(lines)
	if h := layout.HeaderLine(); h != "" {
		lines = append([]string{h + "\n"}, lines...)
	}
	return strings.Join(lines, "")
}

var conditions = []string{
	`url == "http://a.example.com/a/7?q=1"`, `host == "www.example.com" && status == 200`, `domain == "example.com"`, `domain in ["zz.org", "10.0.0.1"]`,
	`surt startsWith "com,example,b)/b"`, `surt >= "com,example,b)/c" && surt < "de"`, `url startsWith "http://example.com:8080/a" || host == "xn--bcher-kva.de"`,
	`status == 404`, `host == "nowhere.example"`, `domain == "example.com" && false`,
}

// TestSearchFindsWhatAScanFinds compares both in indexes of each form.
func TestSearchFindsWhatAScanFinds(t *testing.T) {
	all := captures(4000)
	for _, layout := range []cdx.Layout{cdx.LayoutCDX11, cdx.LayoutCDXJ, cdx.LayoutCDX9} {
		text := indexOf(layout, all)
		if len(text) < minSearched {
			t.Fatalf("%s: %d bytes are not searched", layout, len(text))
		}
		name := filepath.Join(t.TempDir(), "index"+layout.Extension())
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, where := range conditions {
			want, _ := run(t, text, filterOf(FilterOptions{Where: where}))
			slices.Sort(want)
			got, errs := run(t, "", filterOf(FilterOptions{Where: where, Indexes: []string{name}}))
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s:\n%s", layout, where, diff)
			}
			searched := !strings.Contains(errs, "captures,4000")
			if scans := strings.HasPrefix(where, "status"); searched == scans {
				t.Errorf("%s: %s: searched: %v", layout, where, searched)
			}
		}
	}
}

// TestIndexThatIsNotSortedIsScanned also has one whose keys are other ones.
func TestIndexThatIsNotSortedIsScanned(t *testing.T) {
	all := captures(4000)
	text := indexOf(cdx.LayoutCDX11, all)
	half := strings.Index(text[len(text)/2:], "\n") + len(text)/2 + 1
	for title, text := range map[string]string{
		"halves in the wrong order": text[half:] + text[:half],
		"keys of another tool":      strings.ReplaceAll(text, "com,example,", "com,example,x,"),
	} {
		name := filepath.Join(t.TempDir(), "index.cdx")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		const where = `host == "www.example.com"`
		got, errs := run(t, "", filterOf(FilterOptions{Where: where, Indexes: []string{name}}))
		want, _ := run(t, text, filterOf(FilterOptions{Where: where}))
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 100 {
			t.Errorf("%s: %d lines:\n%s", title, len(got), diff)
		}
		if !strings.Contains(errs, "captures,4000") {
			t.Errorf("%s: not all was scanned: %s", title, errs)
		}
	}
}

func TestTooMuchIsLeftUnread(t *testing.T) {
	name := filepath.Join(t.TempDir(), "index.cdx")
	if err := os.WriteFile(name, []byte(indexOf(cdx.LayoutCDX11, captures(4000))), 0o666); err != nil {
		t.Fatal(err)
	}
	for where, read := range map[string]bool{`host == "zz.org" && surt < "org,zz)/a/2"`: true, `status == 200`: false, `surt > "a"`: false} {
		out, errs := run(t, "", filterOf(FilterOptions{Where: where, Indexes: []string{name}, MaxBytes: 200 << 10}))
		if unread := strings.Contains(errs, "unread,1"); unread == read || read != (len(out) > 1) {
			t.Errorf("%s: unread: %v, %d lines", where, unread, len(out))
		}
	}
}

func TestMalformedLinesAreRejected(t *testing.T) {
	const input = " CDX N b a m s k r M S V g\ncom,a)/ 2020 http://a.com/ text/html 200 D - - 5 7 f\nx y z\ncom,a)/ 2020 http://a.com/ text/html 200 D - - 0 7 f\n\n"
	out, errs := run(t, input, filterOf(FilterOptions{Form: CDX}))
	if diff := cmp.Diff([]string{"com,a)/ 2020 http://a.com/ text/html 200 D - - 5 7 f"}, out); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{
		"stage\tmalformed line of standard input: 3 fields, the header line has 11\tx y z\n",
		"stage\tmalformed line of standard input: offset or length out of range\tcom,a)/ 2020 http://a.com/ text/html 200 D - - 0 7 f\n",
	} {
		if !strings.Contains(errs, want) {
			t.Errorf("no reject %q in\n%s", want, errs)
		}
	}
}

// TestWhatCannotBeComputedIsRejected and keeps the rest.
func TestWhatCannotBeComputedIsRejected(t *testing.T) {
	const input = "com,a)/ 2020 http://a.com/ text/html 200 D - - 5 7 f\ncom,a)/b 2020 http://a.com/b text/html 200 D - - 5 7 f\n"
	out, errs := run(t, input, filterOf(FilterOptions{Where: `split(surt, "/")[1][0:1] == "b" || split(surt, "/")[2] == ""`, Form: CDX}))
	if len(out) != 1 || !strings.Contains(out[0], "com,a)/b") || !strings.Contains(errs, "stage\t--where: index out of range: 2 (array length is 2) (column 52)\tcom,a)/ 2020") {
		t.Errorf("%q, %s", out, errs)
	}
}

// TestPicks compares with a pick by hand.
func TestPicks(t *testing.T) {
	all := captures(2000)
	group := map[string]func(*cdx.Capture) string{
		"url":    func(c *cdx.Capture) string { return string(c.Key) },
		"host":   func(c *cdx.Capture) string { return strings.Split(string(c.URL), "/")[2] },
		"status": func(c *cdx.Capture) string { return string(c.Status) },
		"domain": func(c *cdx.Capture) string {
			host, _, _ := strings.Cut(strings.Split(string(c.URL), "/")[2], ":")
			if strings.HasSuffix(host, "example.com") {
				return "example.com"
			}
			return strings.TrimPrefix(host, "zz.")
		},
	}
	for per, of := range group {
		for _, pick := range []Pick{Latest, Earliest, FirstPerDigest} {
			best := map[string]*cdx.Capture{}
			for _, c := range all {
				key := of(c)
				if per == "host" {
					key, _, _ = strings.Cut(key, ":")
				}
				if pick == FirstPerDigest {
					key += " " + string(c.Digest)
				}
				old := best[key]
				order := 0
				if old != nil {
					if order = bytes.Compare(c.Timestamp, old.Timestamp); pick == Latest {
						order = -order
					}
					if order == 0 {
						order = strings.Compare(fmt.Sprintf("%s %09d", c.Filename, c.Offset), fmt.Sprintf("%s %09d", old.Filename, old.Offset))
					}
				}
				if old == nil || order < 0 {
					best[key] = c
				}
			}
			var want []string
			for _, c := range best {
				line := cdx.LayoutCDXJ.Append(nil, c)
				p := extract.PlanLine{Archive: c.Filename, Offset: c.Offset, Length: c.Length, Form: cdx.FormCDXJ, Line: line}
				want = append(want, string(p.Append(nil)))
			}
			slices.Sort(want)
			keyed, _ := run(t, indexOf(cdx.LayoutCDXJ, all), filterOf(FilterOptions{Pick: pick, Per: per}))
			slices.Sort(keyed)
			got, _ := run(t, strings.Join(keyed, "\n")+"\n", PickCaptures)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s per %s: %d of %d\n%s", pick, per, len(got), len(want), diff)
			}
		}
	}
}

// TestSampleIsTheSameInEachForm draws it of CDX and of CDXJ, whole and in parts.
func TestSampleIsTheSameInEachForm(t *testing.T) {
	all := captures(4000)
	o := FilterOptions{Sample: 0.25, Seed: "x", Form: CDX}
	want, _ := run(t, indexOf(cdx.LayoutCDX11, all), filterOf(o))
	if n := len(want); n < 900 || n > 1100 {
		t.Errorf("%d of 4000 are a quarter", n)
	}
	var got []string
	for _, part := range [][]*cdx.Capture{all[:1500], all[1500:1501], all[1501:]} {
		lines, _ := run(t, indexOf(cdx.LayoutCDXJ, part), filterOf(o))
		got = append(got, lines...)
	}
	got = slices.DeleteFunc(got, func(line string) bool { return line == "" })
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	o.Seed = "y"
	other, _ := run(t, indexOf(cdx.LayoutCDX11, all), filterOf(o))
	if slices.Sort(other); slices.Equal(other, want) {
		t.Error("another seed draws the same sample")
	}
}

func BenchmarkFilter(b *testing.B) {
	text := indexOf(cdx.LayoutCDXJ, captures(4000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		run(b, text, filterOf(FilterOptions{Where: `status == 200 && mime == "text/html" && domain == "example.co.uk"`}))
	}
}
