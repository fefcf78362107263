package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	standard "compress/gzip"
)

// pythonTools gives a python that has pywb.
func pythonTools(t *testing.T) string {
	t.Helper()
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has warcio, FastWARC and pywb")
	}
	return python
}

// said runs a command that has to end with status 0 and gives its output.
func said(t *testing.T, input string, command string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(command, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(command), strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

// webLines are captures of a few hosts, with keys that lie over several blocks.
func webLines(n int) []string {
	var lines []string
	for i := range n {
		key := fmt.Sprintf("org,host%d)/page%d", i*7%5, i%17)
		switch i % 11 {
		case 0:
			key = "org,host1)/"
		case 1:
			key = fmt.Sprintf("org,host1,sub%d)/page?a=%d", i%3, i%5)
		}
		lines = append(lines, fmt.Sprintf(`%s 20%02d%02d%02d%02d0000 {"url": "http://x/", "status": "200", "offset": "%d"}`, key, i%20, i%12+1, i%28+1, i%24, i))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// unpack gives the texts of a shard's blocks by its index lines, as the standard
// library inflates them.
func unpack(t testing.TB, packed, index string) []string {
	t.Helper()
	var texts []string
	end := int64(0)
	for line := range strings.Lines(index) {
		e, err := ParseEntry([]byte(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if e.Offset != end || e.Sequence != int64(len(texts)+1) {
			t.Errorf("%q: not behind the block before, which ends at %d", line, end)
		}
		end = e.Offset + e.Length
		z, err := standard.NewReader(strings.NewReader(packed[e.Offset:end]))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		text, err := io.ReadAll(z)
		if err != nil || !bytes.HasPrefix(text, append(slices.Clone(e.Key), ' ')) {
			t.Errorf("%q: %v, or not the key of the block", line, err)
		}
		texts = append(texts, string(text))
	}
	if end != int64(len(packed)) {
		t.Errorf("blocks end at %d, the shard at %d", end, len(packed))
	}
	return texts
}

func TestBlocksHaveTheirLines(t *testing.T) {
	const block = 5
	for _, n := range []int{0, 1, block - 1, block, block + 1, 2*block - 1, 2 * block, 2*block + 1, 100} {
		lines := manyLines(n)
		packed, index := shard(t, lines, "cdx-00007.gz", WriterOptions{Lines: block, Workers: 3})
		var want []string
		for part := range slices.Chunk(lines, block) {
			want = append(want, strings.Join(part, "\n")+"\n")
		}
		if diff := cmp.Diff(want, unpack(t, packed, index)); diff != "" {
			t.Errorf("%d lines: -want +got\n%s", n, diff)
		}
		if n := strings.Count(index, "\tcdx-00007.gz\t"); n != len(want) {
			t.Errorf("%d index lines have the shard's name, want %d", n, len(want))
		}
	}
}

func TestDefaultBlockHas3000Lines(t *testing.T) {
	packed, index := shard(t, webLines(7000), "x", WriterOptions{})
	var counts []int
	for _, text := range unpack(t, packed, index) {
		counts = append(counts, strings.Count(text, "\n"))
	}
	if len(counts) != 3 || counts[0] != 3000 || counts[1] != 3000 {
		t.Errorf("lines in blocks: %v", counts)
	}
}

// TestSameBytes has the same shard from any number of workers, and from writers
// that have compressed nothing before.
func TestSameBytes(t *testing.T) {
	lines := webLines(5000)
	for _, level := range []int{1, 6, 9} {
		packed, index := shard(t, lines, "x", WriterOptions{Lines: 100, Workers: 1, Level: level})
		for _, workers := range []int{2, 5} {
			p, i := shard(t, lines, "x", WriterOptions{Lines: 100, Workers: workers, Level: level})
			if p != packed || i != index {
				t.Errorf("level %d: %d workers make other bytes", level, workers)
			}
		}
		var fresh bytes.Buffer
		for part := range slices.Chunk(lines, 100) {
			z, err := gzip.NewWriterLevel(&fresh, level)
			if err != nil {
				t.Fatal(err)
			}
			z.ModTime = time.Unix(0, 0)
			if _, err := io.WriteString(z, strings.Join(part, "\n")+"\n"); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if fresh.String() != packed {
			t.Errorf("level %d: a used compressor makes other bytes", level)
		}
		if header := "\x1f\x8b\x08\x00\x00\x00\x00\x00"; !strings.HasPrefix(packed, header) {
			t.Errorf("level %d: the header %x has a name or a time", level, packed[:10])
		}
	}
}

// TestLongLines end a block early, so that blocks stay small.
func TestLongLines(t *testing.T) {
	var lines []string
	for i, size := range []int{10, maxText - 10, 10, 10, maxText + 1, 10, maxText / 2, maxText / 2, maxText / 2} {
		lines = append(lines, fmt.Sprintf("k%d 2020 %s", i, strings.Repeat("x", size)))
	}
	packed, index := shard(t, lines, "x", WriterOptions{Level: 1})
	var counts []int
	for _, text := range unpack(t, packed, index) {
		counts = append(counts, strings.Count(text, "\n"))
	}
	if diff := cmp.Diff([]int{1, 1, 2, 1, 2, 1, 1}, counts); diff != "" {
		t.Errorf("lines in blocks: -want +got\n%s", diff)
	}
}

// TestLargeBlock streams a block that is too large for memory.
func TestLargeBlock(t *testing.T) {
	line := "k2 2020 " + strings.Repeat("x", maxBlock+1)
	dir := cluster(t, WriterOptions{Level: 1}, []string{"k1 2020 a", "k2 2020 "}, []string{line, line, "k3 2020 b"})
	for _, path := range []string{dir, filepath.Join(dir, "cdx-00001.gz")} {
		c := openCluster(t, path)
		n := 0
		for got, err := range c.Lines("k2 2020 x", "k3") {
			if n++; err != nil || string(got) != line {
				t.Errorf("%s: a line of %d bytes, %v", path, len(got), err)
			}
		}
		if n != 2 {
			t.Errorf("%s: %d lines", path, n)
		}
		if got, errs := collect(c, "k3", ""); len(got) != 1 || errs != nil {
			t.Errorf("%s: %d lines behind the large block, %v", path, len(got), errs)
		}
	}
}

func TestLinesThatCannotStand(t *testing.T) {
	for _, test := range []struct {
		lines []string
		want  error
	}{
		{[]string{"b 1 x", "a 1 x"}, ErrOrder},
		{[]string{"a 1 x", "b 1 x", "b 1 w"}, ErrOrder}, // begins a block
		{[]string{"a 1 x\ny"}, errLineFeed},
		{[]string{"a 1 x", "a 1 x", "a 1 x", "", "b"}, ErrOrder},
	} {
		w, err := NewWriter(io.Discard, io.Discard, "x", WriterOptions{Lines: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range test.lines {
			if err = w.WriteLine([]byte(line)); err != nil {
				break
			}
		}
		if !errors.Is(err, test.want) || !errors.Is(w.WriteLine([]byte("z")), test.want) || !errors.Is(w.Close(), test.want) || !errors.Is(w.Close(), test.want) {
			t.Errorf("%q: %v, want %v", test.lines, err, test.want)
		}
	}
	w, err := NewWriter(io.Discard, io.Discard, "x", WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.WriteLine([]byte("a")), w.Close(), w.Close()); err != nil || w.WriteLine([]byte("b")) == nil || w.Lines() != 1 {
		t.Errorf("closed: %v, %d lines", err, w.Lines())
	}
	for _, o := range []WriterOptions{{Lines: -1}, {Level: 10}, {Level: -1}, {Workers: -1}} {
		if _, err := NewWriter(io.Discard, io.Discard, "x", o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	for _, name := range []string{"", "a\tb", "a\nb"} {
		if _, err := NewWriter(io.Discard, io.Discard, name, WriterOptions{}); err == nil {
			t.Errorf("shard name %q: no error", name)
		}
	}
}

// full is a disk that is full after some bytes.
type full int

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestFullDisk(t *testing.T) {
	lines := webLines(5000)
	for _, size := range []full{0, 100, 5000} {
		for _, ofIndex := range []bool{false, true} {
			small, large := size, full(1<<30)
			files := []io.Writer{&small, &large}
			if ofIndex {
				slices.Reverse(files)
			}
			w, err := NewWriter(files[0], files[1], "x", WriterOptions{Lines: 10})
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range lines {
				if err := w.WriteLine([]byte(line)); err != nil {
					break
				}
			}
			if err := w.Close(); err != errFull {
				t.Errorf("%d bytes, index %v: %v", size, ofIndex, err)
			}
		}
	}
}

func TestMergeIndexes(t *testing.T) {
	const (
		first  = "a 1\tcdx-00000.gz\t0\t10\t1\nb 2\tcdx-00000.gz\t10\t20\t2\n"
		second = "b 2\tcdx-00002.gz\t0\t10\n"
	)
	var index, locations bytes.Buffer
	n, err := MergeIndexes(&index, &locations, linesOf(first+second))
	want := "a 1\tcdx-00000.gz\t0\t10\t1\nb 2\tcdx-00000.gz\t10\t20\t2\nb 2\tcdx-00002.gz\t0\t10\t3\n"
	if diff := cmp.Diff(want, index.String()); diff != "" || n != 3 || err != nil {
		t.Errorf("%d blocks, %v, cluster.idx: -want +got\n%s", n, err, diff)
	}
	want = "cdx-00000.gz\tcdx-00000.gz\ncdx-00002.gz\tcdx-00002.gz\n"
	if diff := cmp.Diff(want, locations.String()); diff != "" {
		t.Errorf("cluster.loc: -want +got\n%s", diff)
	}
	if _, err := MergeIndexes(io.Discard, io.Discard, linesOf(second+first)); !errors.Is(err, ErrOrder) {
		t.Errorf("not sorted: %v", err)
	}
	if _, err := MergeIndexes(io.Discard, io.Discard, linesOf(first+"no index line\n")); err == nil || !strings.HasPrefix(err.Error(), "index line 3: ") {
		t.Errorf("malformed: %v", err)
	}
	if _, err := MergeIndexes(new(full), io.Discard, linesOf(first)); err != errFull {
		t.Errorf("full disk: %v", err)
	}
	if _, err := MergeIndexes(io.Discard, new(full), linesOf(first)); err != errFull {
		t.Errorf("full disk: %v", err)
	}
}

// TestIndexShard makes the index lines again that the writer has made.
func TestIndexShard(t *testing.T) {
	for _, n := range []int{0, 1, 99, 100, 101, 1000} {
		packed, want := shard(t, webLines(n), "cdx-00003.gz", WriterOptions{Lines: 100})
		var got bytes.Buffer
		blocks, err := IndexShard(&got, strings.NewReader(packed), "cdx-00003.gz")
		if diff := cmp.Diff(want, got.String()); diff != "" || err != nil || blocks != int64(strings.Count(want, "\n")) {
			t.Errorf("%d lines: %d blocks, %v, -want +got\n%s", n, blocks, err, diff)
		}
	}
	packed, _ := shard(t, webLines(300), "x", WriterOptions{Lines: 100})
	for name, bad := range map[string]string{"cut": packed[:len(packed)-1], "garbage": packed + "x", "no gzip": "text", "checksum": packed[:len(packed)-5] + "12345"} {
		if _, err := IndexShard(io.Discard, strings.NewReader(bad), "x"); err == nil || !strings.HasPrefix(err.Error(), "offset ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPythonReadsTheShard inflates a shard with Python's gzip and gzip itself.
func TestPythonReadsTheShard(t *testing.T) {
	python := pythonTools(t)
	lines := webLines(5000)
	text := strings.Join(lines, "\n") + "\n"
	dir := cluster(t, WriterOptions{Lines: 300}, lines)
	path := filepath.Join(dir, ShardName(0))
	if got := said(t, "", python, "-c", "import gzip,sys; sys.stdout.write(gzip.open(sys.argv[1],'rt').read())", path); got != text {
		t.Error("Python reads another text")
	}
	if got := said(t, "", "gzip", "-dc", path); got != text {
		t.Error("gzip reads another text")
	}
}
