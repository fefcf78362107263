package extract

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
)

// run runs a stage's function in this process, side files into a new folder.
func run(t testing.TB, input string, f func(*stage.Task) error, args ...string) (dir, out, errs string) {
	t.Helper()
	dir = t.TempDir()
	var stdout, stderr bytes.Buffer
	c := stage.Command{Name: "stage", Run: f, Flags: []cli.Flag{}}
	if status := stage.Execute(c, append([]string{"stage", "--output", dir}, args...), strings.NewReader(input), &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	return dir, stdout.String(), stderr.String()
}

func TestPlanLineInBothOrders(t *testing.T) {
	it := item{archive: []byte(`a\tb.warc.gz`), offset: 12, position: []byte("0001"), length: 345, form: " NbaVg", line: []byte("x y z")}
	for order, want := range map[Order]string{
		ByArchive: `a\tb.warc.gz` + "\t000000000000012\t0001\t345\t NbaVg\tx y z",
		ByInput:   `0001` + "\t" + `a\tb.warc.gz` + "\t000000000000012\t345\t NbaVg\tx y z",
	} {
		line := it.appendPlan(nil, order)
		if string(line) != want {
			t.Errorf("%s: %q, want %q", order, line, want)
		}
		var back item
		if err := back.parse(line, order); err != nil {
			t.Errorf("%s: %v", order, err)
		}
		if diff := cmp.Diff(it, back, cmp.AllowUnexported(item{})); diff != "" {
			t.Errorf("%s:\n%s", order, diff)
		}
	}
}

func TestBadPlanLines(t *testing.T) {
	for _, line := range []string{"", "a", "a\t1\tp\t2\ttsv", "a\tx\tp\t2\ttsv\tl", "a\t-1\tp\t2\ttsv\tl", "a\t1\tp\t0\ttsv\tl", "a\t1\tp\t-2\ttsv\tl", "a\t99999999999999999999\tp\t2\ttsv\tl"} {
		var it item
		if err := it.parse([]byte(line), ByArchive); !errors.Is(err, errPlan) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func FuzzPlanLine(f *testing.F) {
	f.Add([]byte("a\t000000000000012\tp\t34\ttsv\tu\\ta\\t12\\t34"))
	f.Add([]byte("\t\t\t\t\t\t"))
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, order := range []Order{ByArchive, ByInput} {
			var it, again item
			if it.parse(line, order) != nil || it.offset > maxOffset {
				continue
			}
			out := it.appendPlan(nil, order)
			if err := again.parse(out, order); err != nil || again.offset != it.offset || again.length != it.length || !bytes.Equal(again.line, it.line) {
				t.Fatalf("%q became %q: %+v, %v", line, out, again, err)
			}
		}
	})
}

// FuzzParseCaptures sends any list through the mapper: what comes out are plan
// lines that hold the lines of the list, and no line is lost.
func FuzzParseCaptures(f *testing.F) {
	f.Add("http://a/\ta.warc.gz\t12\t34\nk 2020 {\"filename\": \"f\", \"offset\": 1}\nbad\n\n CDX N b a m s k r M S V g\n")
	f.Fuzz(func(t *testing.T, list string) {
		var stdout, stderr bytes.Buffer
		var task *stage.Task
		c := stage.Command{Name: "stage", Run: func(t *stage.Task) error {
			task = t
			return ParseCaptures(t, ByArchive, "")
		}}
		if status := stage.Execute(c, []string{"stage"}, strings.NewReader(list), &stdout, &stderr); status != 0 || task == nil {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		captures, headers := 0, 0
		var parser cdx.Parser
		var capture cdx.Capture
		for line := range strings.Lines(list) {
			if errors.Is(parser.Parse([]byte(strings.TrimSuffix(line, "\n")), &capture), cdx.ErrNoCapture) {
				headers++
			}
		}
		for line := range strings.Lines(stdout.String()) {
			captures++
			var it item
			if err := it.parse([]byte(strings.TrimSuffix(line, "\n")), ByArchive); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			original, err := stage.AppendUnescaped(nil, it.line)
			if err != nil || !strings.Contains(list, string(original)) {
				t.Fatalf("%q is not of the list: %v", original, err)
			}
		}
		rejects := strings.Count("\n"+stderr.String(), "\nstage\t")
		if lines := strings.Count(list, "\n"); captures+rejects+headers != lines && captures+rejects+headers != lines+1 {
			t.Fatalf("%d lines became %d captures, %d rejects, %d headers", lines, captures, rejects, headers)
		}
	})
}

// TestCutSplits cuts around the limits and into shares.
func TestCutSplits(t *testing.T) {
	plan := func(lengths ...int64) string {
		var b []byte
		for i, n := range lengths {
			it := item{archive: []byte("a"), offset: int64(i), position: []byte("p"), length: n, form: "tsv", line: []byte("l")}
			b = append(it.appendPlan(b, ByArchive), '\n')
		}
		return string(b)
	}
	for name, test := range map[string]struct {
		lengths []int64
		options CutOptions
		want    []string // lengths in each split
	}{
		"exactly full":     {[]int64{50, 50, 50, 50}, CutOptions{MaxSize: 100}, []string{"50 50", "50 50"}},
		"one byte less":    {[]int64{50, 49, 50, 50}, CutOptions{MaxSize: 99}, []string{"50 49", "50", "50"}},
		"one byte more":    {[]int64{50, 51, 50}, CutOptions{MaxSize: 100}, []string{"50", "51", "50"}},
		"a huge record":    {[]int64{10, 500, 10, 10}, CutOptions{MaxSize: 100}, []string{"10", "500", "10 10"}},
		"nothing":          {nil, CutOptions{MaxSize: 100}, nil},
		"unknown lengths":  {[]int64{-1, -1, -1}, CutOptions{MaxSize: 2 * assumedLength}, []string{"-1 -1", "-1"}},
		"two shares":       {[]int64{10, 10, 10, 10}, CutOptions{MaxSize: 1, Splits: 2, Total: 40}, []string{"10 10", "10 10"}},
		"one share":        {[]int64{10, 10, 10}, CutOptions{MaxSize: 1, Splits: 1, Total: 30}, []string{"10 10 10"}},
		"more than there":  {[]int64{10, 10}, CutOptions{MaxSize: 1, Splits: 7, Total: 20}, []string{"10", "10"}},
		"a share too much": {[]int64{100, 1, 1, 100}, CutOptions{MaxSize: 1, Splits: 3, Total: 202}, []string{"100", "1 1 100"}},
	} {
		test.options.Order = ByArchive
		dir, _, _ := run(t, plan(test.lengths...), func(task *stage.Task) error { return CutSplits(task, test.options) })
		files, err := filepath.Glob(filepath.Join(dir, "split-*.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, f := range files {
			if filepath.Base(f) != splitName(int64(i)) {
				t.Errorf("%s: split %d is named %s", name, i, f)
			}
			content, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var lengths []string
			for line := range strings.Lines(string(content)) {
				lengths = append(lengths, strings.Split(line, "\t")[3])
			}
			got = append(got, strings.Join(lengths, " "))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestDropDuplicatesKeepsTheFirst(t *testing.T) {
	const input = "a\t000000000000001\t0001\t5\ttsv\tfirst\na\t000000000000001\t0002\t5\ttsv\tsecond\na\t000000000000002\t0003\t5\ttsv\tthird\nb\t000000000000002\t0004\t5\ttsv\tfourth\n"
	_, out, _ := run(t, input, func(task *stage.Task) error { return DropDuplicates(task, ByInput) })
	want := "0001\ta\t000000000000001\t5\ttsv\tfirst\n0003\ta\t000000000000002\t5\ttsv\tthird\n0004\tb\t000000000000002\t5\ttsv\tfourth\n"
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
}

// memoryFile is a storage.Reader over bytes.
type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error  { return nil }
func (f memoryFile) Size() int64 { return f.Reader.Size() }

// TestPathIndex looks names up in indexes of every shape, a map being the oracle.
func TestPathIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 3, 10, 1000} {
		want := map[string]string{}
		for i := range n {
			name := strings.Repeat(string(rune('a'+random.IntN(3))), random.IntN(4)) + strconv.Itoa(i)
			want[name] = strings.Repeat("/folder", random.IntN(3*indexBlock/7*min(i%50, 1)+2)) + "/" + name
		}
		var lines []string
		for name, path := range want {
			lines = append(lines, name+"\t"+path)
		}
		sort.Strings(lines)
		text := strings.Join(lines, "\n")
		if n%2 == 0 && n > 0 {
			text += "\n"
		}
		x := newPathIndex(memoryFile{bytes.NewReader([]byte(text))})
		for name, path := range want {
			if got, err := x.lookup([]byte(name)); got != path || err != nil {
				t.Fatalf("%d names: %s: %q, %v, want %q", n, name, got, err, path)
			}
		}
		for _, name := range []string{"", "A", "zz", "a", "b1x", "~"} {
			if _, there := want[name]; there {
				continue
			}
			if got, err := x.lookup([]byte(name)); got != "" || err != nil {
				t.Errorf("%d names: %q is found: %q, %v", n, name, got, err)
			}
		}
	}
	x := newPathIndex(memoryFile{bytes.NewReader([]byte("no tab here\n"))})
	if _, err := x.lookup([]byte("x")); err == nil {
		t.Error("a line without a tab is no error")
	}
}

func TestNamesCannotReachOutOfTheBase(t *testing.T) {
	a, err := OpenArchives("/base", "")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"x.warc.gz": "/base/x.warc.gz", "a/b.arc": "/base/a/b.arc", "./x": "/base/x", "/base/x": "/base/x",
		"../x": "", "a/../../x": "", "/etc/passwd": "", "/basement/x": "", "https://host/x": "", "x\x00y": "",
	} {
		got, err := a.resolve(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestHidesMember(t *testing.T) {
	member := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
	for text, want := range map[string]bool{
		member + "data": false, member + "data" + member: true, member + "\x1f\x8b\x08\xff\x00\x00\x00\x00\x00\x03": false,
		member + "\x1f\x8b\x08": false, member + "\x1f\x8b\x08\x00\x00\x00\x00\x00\x07\x03": false, member + "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff": true,
	} {
		if got := hidesMember([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestBatchReadsWhatItsItemsNeed adds random items and compares each record with
// the file.
func TestBatchReadsWhatItsItemsNeed(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	a := &archive{file: memoryFile{bytes.NewReader(data)}, gap: 1 << 10}
	for range 200 {
		var entries []entry
		offset := int64(random.IntN(len(data)))
		for range 20 {
			entries = append(entries, entry{item: item{archive: []byte("x"), offset: offset, length: int64(1 + random.IntN(3000))}})
			offset += int64(random.IntN(3000))
		}
		var b batch
		n := b.take(a, entries)
		if err := b.fetch(); err != nil {
			t.Fatal(err)
		}
		if int64(len(b.window)) > batchGaps*a.gap+probe+3000 {
			t.Errorf("window of %d bytes", len(b.window))
		}
		for _, it := range entries[:n] {
			record, behind, held := b.record(it.offset, it.length)
			end := it.offset + it.length
			if end > int64(len(data)) {
				if held {
					t.Fatalf("a record behind the end is held")
				}
				continue
			}
			if !held || !bytes.Equal(record, data[it.offset:end]) || !bytes.Equal(behind, data[end:min(end+probe, int64(len(data)))]) {
				t.Fatalf("record at %d of %d bytes: held %v, %d bytes, %d behind", it.offset, it.length, held, len(record), len(behind))
			}
		}
	}
	if _, err := a.file.ReadAt(nil, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
}
