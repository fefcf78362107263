package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
)

// writeFile makes a file in a folder and gives its path.
func writeFile(t testing.TB, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// shard makes a shard and its index lines of lines.
func shard(t testing.TB, lines []string, name string, options WriterOptions) (packed, index string) {
	t.Helper()
	var p, i bytes.Buffer
	w, err := NewWriter(&p, &i, name, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if err := w.WriteLine([]byte(line)); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return p.String(), i.String()
}

// linesOf gives the lines of a text without their line feeds.
func linesOf(text string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for line := range strings.Lines(text) {
			if !yield([]byte(strings.TrimSuffix(line, "\n")), nil) {
				return
			}
		}
	}
}

// cluster makes a folder with a cluster of a shard for each of the parts.
func cluster(t testing.TB, options WriterOptions, parts ...[]string) string {
	t.Helper()
	dir := t.TempDir()
	var merged strings.Builder
	for n, lines := range parts {
		name := ShardName(n)
		packed, index := shard(t, lines, name, options)
		writeFile(t, dir, name, packed)
		merged.WriteString(index)
	}
	var index, locations bytes.Buffer
	if _, err := MergeIndexes(&index, &locations, linesOf(merged.String())); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "cluster.idx", index.String())
	writeFile(t, dir, "cluster.loc", locations.String())
	return dir
}

func openCluster(t testing.TB, name string) *Cluster { return openWith(t, name, Options{}) }

func openWith(t testing.TB, name string, o Options) *Cluster {
	t.Helper()
	c, err := Open(name, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// collect gives the lines and errors of a range.
func collect(c *Cluster, from, to string) (lines, errs []string) {
	for line, err := range c.Lines(from, to) {
		if err != nil {
			errs = append(errs, err.Error())
		} else {
			lines = append(lines, string(line))
		}
	}
	return lines, errs
}

// scan is the naive answer.
func scan(lines []string, from, to string) []string {
	var found []string
	for _, l := range lines {
		if l >= from && (to == "" || l < to) {
			found = append(found, l)
		}
	}
	return found
}

// wantRange compares a range with the naive answer.
func wantRange(t *testing.T, c *Cluster, lines []string, from, to string) {
	t.Helper()
	got, errs := collect(c, from, to)
	if want := scan(lines, from, to); !slices.Equal(want, got) || errs != nil {
		t.Errorf("from %q to %q: errors %v, -want +got\n%s", from, to, errs, cmp.Diff(want, got))
	}
}

// manyLines makes sorted lines: many captures of some keys, so that keys reach
// over blocks, and equal keys with equal timestamps.
func manyLines(n int) []string {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	lines := make([]string, n)
	for i := range lines {
		key := random.IntN(n/4 + 1)
		if random.IntN(3) == 0 {
			key = n / 8 // a third of all captures
		}
		lines[i] = fmt.Sprintf(`com,example)/%04d 202001%02d000000 {"offset": "%d"}`, key, random.IntN(3)+1, random.IntN(1000))
	}
	slices.Sort(lines)
	return lines
}

// bounds are begins and ends of ranges around each of the lines.
func bounds(lines []string) []string {
	all := []string{"", " ", "zzz"}
	for _, l := range lines {
		key, _, _ := strings.Cut(l, " ")
		all = append(all, key, key+" ", key+"!", l, l+"!", l[:len(l)/2], l[:len(l)-1], string(blockKey([]byte(l))))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryRangeIsThatOfALinearScan(t *testing.T) {
	for _, block := range []int{1, 2, 3, 7, 100} {
		for _, n := range []int{0, 1, 2, block - 1, block, block + 1, 2*block + 1} {
			lines := manyLines(n)
			options := WriterOptions{Lines: block, Workers: 2}
			third := n / 3
			all := map[string]string{
				"one shard":    cluster(t, options, lines),
				"three shards": cluster(t, options, lines[:third], lines[third:2*third], lines[2*third:]),
				"empty shards": cluster(t, options, nil, lines[:n/2], nil, lines[n/2:], nil),
				"one line":     cluster(t, options, lines[:min(n, 1)], lines[min(n, 1):]),
				"plain":        writeFile(t, t.TempDir(), "index.cdxj", strings.Join(append(slices.Clone(lines), ""), "\n")),
				"no line feed": writeFile(t, t.TempDir(), "index.cdxj", strings.Join(lines, "\n")),
				"gzip":         writeFile(t, t.TempDir(), "index.cdxj.gz", zipped(t, strings.Join(append(slices.Clone(lines), ""), "\n"))),
			}
			for name, path := range all {
				t.Run(fmt.Sprintf("%s of %d by %d", name, n, block), func(t *testing.T) {
					c := openCluster(t, path)
					ends := bounds(lines)
					for i, from := range ends {
						for _, to := range []string{"", from, ends[min(i+1, len(ends)-1)], ends[min(i+5, len(ends)-1)], ends[len(ends)/2]} {
							wantRange(t, c, lines, from, to)
						}
					}
				})
			}
		}
	}
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPages has lines around the sizes of pages, pieces and buffers.
func TestPages(t *testing.T) {
	const page = 16 << 10
	for _, length := range []int{page/2 - 1, page - 2, page - 1, page, page + 1, 3*page - 1, 3 * page, 10*page + 5} {
		var lines []string
		for i := range 40 {
			size := 10
			if i%3 == 0 {
				size = length
			}
			lines = append(lines, fmt.Sprintf("com,example)/%02d 2020 {%s}", i, strings.Repeat("x", max(0, size-25))))
		}
		for name, path := range map[string]string{
			"plain":  writeFile(t, t.TempDir(), "a.cdxj", strings.Join(lines, "\n")+"\n"),
			"zipnum": cluster(t, WriterOptions{Lines: 3}, lines[:20], lines[20:]),
		} {
			c := openCluster(t, path)
			for i := range lines {
				key := fmt.Sprintf("com,example)/%02d", i)
				if got, errs := collect(c, key, key+"!"); len(got) != 1 || got[0] != lines[i] || errs != nil {
					t.Errorf("%s, lines of %d: %s: %d lines, errors %v", name, length, key, len(got), errs)
				}
			}
			if got, _ := collect(c, "", ""); !slices.Equal(got, lines) {
				t.Errorf("%s, lines of %d: %d of %d lines", name, length, len(got), len(lines))
			}
		}
	}
}

func TestHeadersAreLeftOut(t *testing.T) {
	captures := []string{"!example)/ 2020 {}", "com,a)/ 2020 a", "com,b)/ 2021 b"}
	for name, headers := range map[string]string{
		"cdx":             " CDX N b a m s k r M S V g\n",
		"other separator": "\tCDX\tN\tb\ta\n",
		"cdxj":            "!context [\"http://example.com/\"]\n!meta {\"a\": 1}\n!meta 0 {}\n",
		"empty":           "\n\n",
	} {
		path := writeFile(t, t.TempDir(), "a.cdx", headers+strings.Join(captures, "\n")+"\n")
		wantRange(t, openCluster(t, path), captures, "", "")
		wantRange(t, openCluster(t, path), captures, "com,a", "com,b")
		// The first block begins with the header.
		packed := zipped(t, headers+captures[0]+"\n") + zipped(t, strings.Join(captures[1:], "\n")+"\n")
		writeFile(t, filepath.Dir(path), "a.gz", packed)
		var index bytes.Buffer
		if _, err := IndexShard(&index, strings.NewReader(packed), "a.gz"); err != nil {
			t.Error(err)
		}
		for _, path := range []string{writeFile(t, filepath.Dir(path), "a.idx", index.String()), filepath.Join(filepath.Dir(path), "a.gz")} {
			wantRange(t, openCluster(t, path), captures, "", "")
			wantRange(t, openCluster(t, path), captures, "!example", "com,b")
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestFolderAndFileAreTheSame(t *testing.T) {
	lines := manyLines(50)
	dir := cluster(t, WriterOptions{Lines: 4}, lines)
	for _, path := range []string{dir, dir + "/", filepath.Join(dir, "cluster.idx"), "file://" + dir} {
		wantRange(t, openCluster(t, path), lines, "", "")
	}
	// An index is known by its content where its name does not tell.
	other := filepath.Join(dir, "blocks.tsv")
	if err := os.Link(filepath.Join(dir, "cluster.idx"), other); err != nil {
		t.Fatal(err)
	}
	wantRange(t, openCluster(t, other), lines, "", "")
	// A list of captures with tabs is not an index.
	list := []string{"http://example.com/\ta.warc.gz\t0\t100", "http://example.com/b\ta.warc.gz\t100\t100"}
	wantRange(t, openCluster(t, writeFile(t, t.TempDir(), "list.tsv", strings.Join(list, "\n"))), list, "", "")
	for _, path := range []string{t.TempDir(), filepath.Join(dir, "nothing")} {
		if _, err := Open(path, Options{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// spoil changes the bytes of a file.
func spoil(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestDamageCostsOneBlock(t *testing.T) {
	lines := manyLines(50)
	for name, test := range map[string]struct {
		file   string
		change func([]byte) []byte
		want   []string
		said   string
	}{
		"block": {"cdx-00000.gz", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, append(slices.Clone(lines[:20]), lines[25:]...), "checksum or size of the gzip member do not fit"},
		"cut":   {"cdx-00001.gz", func(b []byte) []byte { return b[:len(b)-1] }, lines[:45], "the shard ends before the block does"},
		"index": {"cluster.idx", func(b []byte) []byte { return bytes.Replace(b, []byte("\t3\n"), []byte("\tx\n"), 1) },
			append(slices.Clone(lines[:10]), lines[15:]...), "not a line of a ZipNum index: not a block's number"},
		"shard": {"cluster.loc", func(b []byte) []byte { return bytes.Replace(b, []byte("\tcdx-00000"), []byte("\tgone"), 1) }, lines[25:], "no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := cluster(t, WriterOptions{Lines: 5}, lines[:25], lines[25:])
			spoil(t, filepath.Join(dir, test.file), test.change)
			c := openCluster(t, dir)
			for range 2 { // the second time from memory
				var got []string
				told := 0
				for line, err := range c.Lines("", "") {
					var b *BlockError
					switch {
					case err == nil:
						got = append(got, string(line))
					case !errors.As(err, &b) || !strings.Contains(err.Error(), test.said):
						t.Errorf("error %v, want %q", err, test.said)
					default:
						told++
					}
				}
				if diff := cmp.Diff(test.want, got); diff != "" || told != (len(lines)-len(test.want))/5 {
					t.Errorf("%d errors, -want +got\n%s", told, diff)
				}
			}
		})
	}
}

// TestHiddenBegin has a bad index line of the block that a range begins in.
func TestHiddenBegin(t *testing.T) {
	lines := []string{"a 2020 1", "b 2020 1", "b 2020 2", "c 2020 1", "d 2020 1"}
	dir := cluster(t, WriterOptions{Lines: 2}, lines)
	spoil(t, filepath.Join(dir, "cluster.idx"), func(b []byte) []byte { return bytes.Replace(b, []byte("a 2020\tcdx"), []byte("a 2020\t\tcdx"), 1) })
	c := openCluster(t, dir)
	got, errs := collect(c, "b", "b!")
	if diff := cmp.Diff([]string{"b 2020 2"}, got); diff != "" || len(errs) != 1 {
		t.Errorf("errors %q, -want +got\n%s", errs, diff)
	}
	wantRange(t, c, lines, "d", "d!") // another block's
}

func TestLocations(t *testing.T) {
	lines := manyLines(40)
	dir := cluster(t, WriterOptions{Lines: 5}, lines)
	good, err := os.ReadFile(filepath.Join(dir, "cdx-00000.gz"))
	if err != nil {
		t.Fatal(err)
	}
	bad := slices.Clone(good)
	bad[len(bad)-1] ^= 1
	other := t.TempDir()
	whole := writeFile(t, other, "whole.gz", string(good))
	damaged := writeFile(t, other, "damaged.gz", string(bad))
	short := writeFile(t, other, "short.gz", string(good[:len(good)/2]))
	for name, loc := range map[string]string{
		"first":          "cdx-00000.gz\t" + whole + "\n",
		"second missing": "cdx-00000.gz\t" + whole + "\tgone.gz\n",
		"first missing":  "cdx-00000.gz\tgone.gz\t" + whole + "\n",
		"first damaged":  "cdx-00000.gz\t" + damaged + "\t" + whole + "\n",
		"first short":    "cdx-00000.gz\t" + short + "\t" + whole + "\r\n",
		"file URI":       "cdx-00000.gz\tfile://" + whole + "\n",
		"relative":       "cdx-00000.gz\t./cdx-00000.gz\n",
		"other shards":   "cdx-00001.gz\tgone.gz\n\n\t\nname without a place\n",
		"empty":          "",
	} {
		t.Run(name, func(t *testing.T) {
			writeFile(t, dir, "cluster.loc", loc)
			wantRange(t, openWith(t, dir, Options{Elsewhere: true}), lines, "", "")
		})
	}
	if err := os.Remove(filepath.Join(dir, "cluster.loc")); err != nil {
		t.Fatal(err)
	}
	wantRange(t, openCluster(t, dir), lines, "", "")
}

// TestWeb reads over HTTP byte ranges, from a server that has no cluster.loc and
// says so as a bucket without listing does, and counts the requests.
func TestWeb(t *testing.T) {
	lines := manyLines(6000)
	dir := cluster(t, WriterOptions{Lines: 50}, lines[:3000], lines[3000:])
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			asked = append(asked, filepath.Base(r.URL.Path))
		}
		if strings.HasSuffix(r.URL.Path, ".loc") {
			http.Error(w, "access denied", http.StatusForbidden)
			return
		}
		name := filepath.Join(dir, filepath.Base(r.URL.Path))
		content, err := os.ReadFile(name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	c := openCluster(t, server.URL+"/")
	wantRange(t, c, lines, "com,example)/0100", "com,example)/0130")
	if n := strings.Count(strings.Join(asked, " "), "cdx-"); n != 1 {
		t.Errorf("neighbouring blocks took %d requests: %v", n, asked)
	}
	asked = nil
	wantRange(t, c, lines, "com,example)/0101", "com,example)/0120")
	if len(asked) > 0 {
		t.Errorf("what was read is asked for again: %v", asked)
	}
	wantRange(t, openCluster(t, server.URL+"/cluster.idx"), lines, "", "")
	if err := os.Remove(filepath.Join(dir, "cdx-00001.gz")); err != nil {
		t.Fatal(err)
	}
	got, errs := collect(openCluster(t, server.URL+"/cluster.idx"), "", "")
	if diff := cmp.Diff(lines[:3000], got); diff != "" || len(errs) != 60 {
		t.Errorf("%d errors, -want +got\n%s", len(errs), diff)
	}
}

// TestOthersIndexes are those that lack what ours have: WACZ's, pywb's example.
func TestOthersIndexes(t *testing.T) {
	lines := manyLines(6)
	packed, index := shard(t, lines, "x", WriterOptions{Lines: 2})
	dir := t.TempDir()
	writeFile(t, dir, "index.cdx.gz", packed)
	wacz := `!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}` + "\n"
	bare := ""
	for line := range strings.Lines(index) {
		e, err := ParseEntry([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		wacz += fmt.Sprintf(`%s {"offset": %d, "length": %d, "digest": "sha256:"}`+"\n", e.Key, e.Offset, e.Length)
		bare += fmt.Sprintf("%s\tindex.cdx.gz\t%d\t%d\r\n", e.Key, e.Offset, e.Length)
	}
	for name, content := range map[string]string{"wacz.idx": wacz, "bare.idx": bare} {
		c := openCluster(t, writeFile(t, dir, name, content))
		for _, from := range bounds(lines) {
			wantRange(t, c, lines, from, "")
		}
	}
	c := openCluster(t, writeFile(t, dir, "bad.idx", `a 2020 {"offset": -1, "length": 2}`+"\n"+`a 2020 {"offset": "x}`+"\n"))
	if got, errs := collect(c, "", ""); len(errs) != 2 || got != nil {
		t.Errorf("%q, %q", got, errs)
	}
}

// TestManyMembers searches gzip files whose members are not blocks of lines.
func TestManyMembers(t *testing.T) {
	lines := manyLines(300)
	text := strings.Join(lines, "\n") + "\n"
	for _, size := range []int{1, 7, 1000} {
		packed := zipped(t, "") // one without text
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			packed += zipped(t, rest[:n])
			rest = rest[n:]
		}
		c := openCluster(t, writeFile(t, t.TempDir(), "a.cdx.gz", packed))
		wantRange(t, c, lines, "", "")
		wantRange(t, c, lines, lines[100], lines[200])
	}
	if _, err := Open(writeFile(t, t.TempDir(), "cut.cdx.gz", zipped(t, text)[:100]), Options{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file that is cut: %v", err)
	}
}

// TestStop leaves a range in its middle.
func TestStop(t *testing.T) {
	lines := manyLines(100)
	for _, path := range []string{cluster(t, WriterOptions{Lines: 5}, lines), writeFile(t, t.TempDir(), "a.cdxj", strings.Join(lines, "\n"))} {
		c := openCluster(t, path)
		for stop := range 20 {
			n := 0
			for line := range c.Lines(lines[3], "") {
				if string(line) != lines[3+n] {
					t.Errorf("line %d: %q, want %q", n, line, lines[3+n])
				}
				if n++; n > stop {
					break
				}
			}
		}
		wantRange(t, c, lines, "", "")
	}
}
