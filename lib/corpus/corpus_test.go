package corpus

import (
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func small() Options {
	return Options{Records: 400, Seed: 7, FileSize: 300_000, Hosts: 20, Format: "both", Compress: true,
		MinSize: 1000, MaxSize: 8000, Lists: true, Pick: 50}
}

func makeCorpus(t *testing.T, o Options) (dir string, totals Totals) {
	t.Helper()
	dir = t.TempDir()
	totals, err := Make(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, totals
}

// content gives all files of a folder by their path in it.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir+"/")] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEqualSeedsMakeEqualBytes(t *testing.T) {
	first, _ := makeCorpus(t, small())
	second, _ := makeCorpus(t, small())
	other := small()
	other.Seed++
	third, _ := makeCorpus(t, other)
	want := content(t, first)
	if len(want) < 8 {
		t.Errorf("only %d files", len(want))
	}
	if !cmp.Equal(want, content(t, second)) {
		t.Error("equal options have made different files")
	}
	for name, text := range content(t, third) {
		if want[name] == text {
			t.Errorf("%s is the same for another seed", name)
		}
	}
}

// A listed capture is what a line of an index says.
type listed struct {
	surt, time, url, mime, status, digest string
	length, offset                        int64
	file                                  string
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func readCDX(t *testing.T, dir string) []listed {
	t.Helper()
	all := lines(t, filepath.Join(dir, "index.cdx"))
	if all[0]+"\n" != cdxHeader {
		t.Fatalf("header line %q", all[0])
	}
	if !sort.StringsAreSorted(all) {
		t.Error("index.cdx is not sorted")
	}
	var result []listed
	for _, line := range all[1:] {
		f := strings.Split(line, " ")
		if len(f) != 11 {
			t.Fatalf("%d fields: %s", len(f), line)
		}
		result = append(result, listed{f[0], f[1], f[2], f[3], f[4], f[5], number(t, f[8]), number(t, f[9]), f[10]})
	}
	return result
}

func readCDXJ(t *testing.T, path string) []listed {
	t.Helper()
	var result []listed
	for _, line := range lines(t, path) {
		surt, rest, _ := strings.Cut(line, " ")
		time, rest, _ := strings.Cut(rest, " ")
		var f struct{ URL, Mime, Status, Digest, Length, Offset, Filename string }
		if err := json.Unmarshal([]byte(rest), &f); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if f.Status == "" {
			f.Status = "-"
		}
		result = append(result, listed{surt, time, f.URL, f.Mime, f.Status, f.Digest, number(t, f.Length), number(t, f.Offset), f.Filename})
	}
	return result
}

// stored reads a record with nothing but the standard library.
func stored(t *testing.T, dir string, l listed) string {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "archives", l.file))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	member := io.NewSectionReader(file, l.offset, l.length)
	var r io.Reader = member
	if strings.HasSuffix(l.file, ".gz") {
		z, err := gzip.NewReader(member)
		if err != nil {
			t.Fatalf("%s at %d: %v", l.file, l.offset, err)
		}
		r = z
	}
	record, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s at %d: %v", l.file, l.offset, err)
	}
	return string(record)
}

// check holds a record to the line of the index.
func check(l listed, record string) error {
	head, rest, _ := strings.Cut(record, "\r\n\r\n")
	if strings.Contains(l.file, ".arc") {
		head, rest, _ = strings.Cut(record, "\n")
		f := strings.Split(head, " ")
		if len(f) != 5 || f[0] != l.url || f[2] != l.time || f[3] != l.mime || f[4] != strconv.Itoa(len(rest)-1) {
			return fmt.Errorf("ARC line %q", head)
		}
		rest = strings.TrimSuffix(rest, "\n")
	} else {
		want := []string{"WARC-Target-URI: " + l.url, "WARC-Payload-Digest: sha1:" + l.digest,
			"Content-Length: " + strconv.Itoa(len(rest)-4)}
		for _, w := range want {
			if !slices.Contains(strings.Split(head, "\r\n"), w) {
				return fmt.Errorf("%q is not in %q", w, head)
			}
		}
		rest = strings.TrimSuffix(rest, "\r\n\r\n")
	}
	http, payload, ok := strings.Cut(rest, "\r\n\r\n")
	if !ok {
		return errors.New("no end of the HTTP header")
	}
	if l.mime == revisitMime {
		if payload != "" || !strings.Contains(head, "WARC-Type: revisit\r\n") {
			return fmt.Errorf("revisit record %q", record)
		}
		return nil
	}
	sum := sha1.Sum([]byte(payload))
	if digest := base32.StdEncoding.EncodeToString(sum[:]); digest != l.digest {
		return fmt.Errorf("digest %s", digest)
	}
	if !strings.HasPrefix(http, "HTTP/1.1 "+l.status+" ") || !strings.Contains(http, "Content-Type: "+l.mime) {
		return fmt.Errorf("HTTP header %q", http)
	}
	if n := len(payload); l.status != "301" && (n < 1000 || n > 8000) {
		return fmt.Errorf("payload of %d bytes", n)
	}
	return nil
}

func TestIndexesPointAtTheRecords(t *testing.T) {
	for _, test := range []struct {
		name   string
		set    func(*Options)
		counts []int // of captures in each file
	}{
		{"compressed", func(*Options) {}, nil},
		{"plain", func(o *Options) { o.Compress = false }, nil},
		{"with requests", func(o *Options) { o.Requests = true }, nil},
		{"ARC", func(o *Options) { o.Format = "arc" }, nil},
		{"WARC in three files", func(o *Options) { o.Format, o.Files = "warc", 3 }, []int{133, 133, 134}},
		{"both in five files", func(o *Options) { o.Files = 5 }, []int{66, 67, 67, 100, 100}},
		{"one record a file", func(o *Options) { o.FileSize = 1 }, slices.Repeat([]int{1}, 400)},
		{"more hosts than URLs", func(o *Options) { o.Hosts = 500 }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := small()
			test.set(&o)
			dir, totals := makeCorpus(t, o)
			index := readCDX(t, dir)
			if diff := cmp.Diff(index, readCDXJ(t, filepath.Join(dir, "index.cdxj")), cmp.AllowUnexported(listed{})); diff != "" {
				t.Errorf("index.cdx and index.cdxj:\n%s", diff)
			}
			files := map[string]int{}
			revisits := 0
			for _, l := range index {
				if err := check(l, stored(t, dir, l)); err != nil {
					t.Errorf("%v: %v", l, err)
				}
				files[l.file]++
				if l.mime == revisitMime {
					revisits++
				}
			}
			got := Totals{Archives: len(files), Bytes: totals.Bytes, URLs: 100, Responses: len(index) - revisits, Revisits: revisits}
			if diff := cmp.Diff(totals, got); diff != "" || len(index) != o.Records {
				t.Errorf("%d lines, totals:\n%s", len(index), diff)
			}
			counts := slices.Sorted(maps.Values(files))
			if test.counts != nil && !slices.Equal(counts, test.counts) {
				t.Errorf("the files have %v captures, want %v", counts, test.counts)
			}
		})
	}
}

func TestCrawlIsLikeAWebArchive(t *testing.T) {
	o := small()
	o.Records = 3000
	dir, totals := makeCorpus(t, o)
	digests, captures := map[string]map[string]int{}, map[string]int{}
	statuses, hosts := map[string]int{}, map[string]int{}
	for _, l := range readCDX(t, dir) {
		captures[l.url]++
		if digests[l.url] == nil {
			digests[l.url] = map[string]int{}
		}
		digests[l.url][l.digest]++
		statuses[l.status]++
		host, _, _ := strings.Cut(l.surt, ")")
		hosts[host]++
	}
	unchanged, changed := 0, 0
	for url, d := range digests {
		unchanged += captures[url] - len(d)
		changed += len(d) - 1
	}
	most := 0
	for _, n := range hosts {
		most = max(most, n)
	}
	for _, c := range []struct {
		what           string
		got, low, high int
	}{
		{"captures a URL", o.Records / len(captures), 3, 6},
		{"unchanged captures", unchanged, o.Records / 5, o.Records * 3 / 5},
		{"changed captures", changed, o.Records / 8, o.Records / 2},
		{"revisits", totals.Revisits, o.Records / 20, o.Records / 5},
		{"redirects", statuses["301"], o.Records / 50, o.Records / 8},
		{"not found", statuses["404"], o.Records / 50, o.Records / 8},
		{"captures of the largest host", most, o.Records * 2 / o.Hosts, o.Records / 2},
	} {
		if c.got < c.low || c.got > c.high {
			t.Errorf("%s: %d, want %d to %d", c.what, c.got, c.low, c.high)
		}
	}
}

func TestPicksAreCapturesInRandomOrder(t *testing.T) {
	dir, totals := makeCorpus(t, small())
	captures := lines(t, filepath.Join(dir, "captures.tsv"))
	if len(captures) != totals.Responses {
		t.Errorf("captures.tsv has %d lines for %d responses", len(captures), totals.Responses)
	}
	place := map[string]int{}
	for i, line := range captures {
		place[line] = i
	}
	var fromTSV, fromCDXJ []string
	var places []int
	for _, line := range lines(t, filepath.Join(dir, "pick.tsv")) {
		at, ok := place[line]
		if !ok {
			t.Errorf("not in captures.tsv, or picked twice: %s", line)
		}
		delete(place, line)
		places = append(places, at)
		fromTSV = append(fromTSV, line)
	}
	for _, l := range readCDXJ(t, filepath.Join(dir, "pick.cdxj")) {
		fromCDXJ = append(fromCDXJ, fmt.Sprintf("%s\t%s\t%d\t%d", l.url, l.file, l.offset, l.length))
	}
	if diff := cmp.Diff(fromTSV, fromCDXJ); diff != "" {
		t.Errorf("pick.tsv and pick.cdxj:\n%s", diff)
	}
	if len(places) != 50 || sort.IntsAreSorted(places) {
		t.Errorf("%d places: %v", len(places), places)
	}
}

func TestRefusedOptions(t *testing.T) {
	for _, test := range []struct {
		name, want string
		set        func(*Options)
	}{
		{"format", "format", func(o *Options) { o.Format = "zip" }},
		{"records", "records", func(o *Options) { o.Records = 1 }},
		{"hosts", "hosts", func(o *Options) { o.Hosts = 0 }},
		{"least size", "sizes", func(o *Options) { o.MinSize = 999 }},
		{"sizes in reverse", "sizes", func(o *Options) { o.MaxSize = o.MinSize - 1 }},
		{"no file size", "files", func(o *Options) { o.FileSize = 0 }},
		{"a file for two formats", "files", func(o *Options) { o.Files = 1 }},
		{"more files than records", "files", func(o *Options) { o.Files = o.Records + 1 }},
		{"pick", "picked", func(o *Options) { o.Pick = -1 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := small()
			test.set(&o)
			dir := filepath.Join(t.TempDir(), "corpus")
			if _, err := Make(dir, o); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Error("the folder is there")
			}
		})
	}
	dir, _ := makeCorpus(t, small())
	if _, err := Make(dir, small()); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("the same folder again: error %v", err)
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "7B": 7, "2KB": 2000, "2k": 2000, "100MB": 100e6, "3G": 3e9,
		"": -1, "KB": -1, "1.5KB": -1, "-1": -1, "2TB": -1, "1 KB": -1, "1234567890": -1,
	} {
		got, err := ParseSize(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d (%v)", text, got, want, err)
		}
	}
}
