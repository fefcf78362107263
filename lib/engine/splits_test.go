package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/storage"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func ranges(splits []split) []string {
	var all []string
	for _, s := range splits {
		all = append(all, fmt.Sprintf("%s %d+%d", filepath.Base(s.Path), s.Start, s.Length))
	}
	return all
}

// The expected ranges follow from FileInputFormat.getSplits of the mapred API.
func TestTextSplits(t *testing.T) {
	for _, test := range []struct {
		name           string
		sizes          []int64
		wanted         int
		minimum, block int64
		want           []string
	}{
		{"even", []int64{100}, 2, 1, 1000, []string{"0 0+50", "0 50+50"}},
		{"one byte over", []int64{101}, 2, 1, 1000, []string{"0 0+50", "0 50+51"}},
		{"slop exceeded", []int64{15}, 2, 1, 1000, []string{"0 0+7", "0 7+7", "0 14+1"}},
		{"slop at its limit", []int64{110}, 1, 1, 100, []string{"0 0+110"}},
		{"slop just over", []int64{111}, 1, 1, 100, []string{"0 0+100", "0 100+11"}},
		{"block", []int64{250}, 1, 1, 100, []string{"0 0+100", "0 100+100", "0 200+50"}},
		{"minimum wins over block", []int64{250}, 5, 200, 100, []string{"0 0+200", "0 200+50"}},
		{"maps 0", []int64{10}, 0, 1, 1000, []string{"0 0+10"}},
		{"empty", []int64{0}, 4, 1, 1000, []string{"0 0+0"}},
		{"more maps than bytes", []int64{2}, 5, 1, 1000, []string{"0 0+1", "0 1+1"}},
		{"several", []int64{100, 0, 50}, 3, 1, 1000, []string{"0 0+50", "0 50+50", "1 0+0", "2 0+50"}},
	} {
		var files []storage.Info
		for i, size := range test.sizes {
			files = append(files, storage.Info{Path: fmt.Sprint(i), Size: size})
		}
		splits, err := textSplits(files, test.wanted, test.minimum, test.block)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, ranges(splits)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestGzipIsOneSplit(t *testing.T) {
	splits, err := textSplits([]storage.Info{{Path: "a.gz", Size: 1000}, {Path: "b", Size: 1000}}, 4, 1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.gz 0+1000", "b 0+500", "b 500+500"}, ranges(splits)); diff != "" {
		t.Error(diff)
	}
	if _, err := textSplits([]storage.Info{{Path: "a.bz2", Size: 1000}}, 4, 1, 1000); err == nil {
		t.Error("bz2 is taken for text")
	}
}

func TestLargestSplitsFirst(t *testing.T) {
	splits := []split{{Path: "a", Length: 5}, {Path: "b", Length: 9}, {Path: "c", Length: 5}, {Path: "d", Length: 9}}
	orderSplits(splits)
	want := []split{{Path: "b", Length: 9, rank: 1}, {Path: "d", Length: 9, rank: 3}, {Path: "a", Length: 5}, {Path: "c", Length: 5, rank: 2}}
	if diff := cmp.Diff(want, splits, cmp.AllowUnexported(split{})); diff != "" {
		t.Error(diff)
	}
}

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func linesOf(t *testing.T, s split) (string, int64) {
	t.Helper()
	var out bytes.Buffer
	n, err := (&lineFeed{split: s}).run(&out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), n
}

// Whatever the split size, each line is read once and whole.
func TestEveryLineBelongsToOneSplit(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 40)
	for i, content := range []string{
		"", "\n", "a", "a\n", "\n\n\n", "a\nbb\nccc\n", "a\nbb\nccc", "a\r\nbb\r\n\r\nc", long + "\n" + long, long + "\n\n" + long + "\n",
		"1234567\n1234567\n1234567\n", "12345678\n\n2345678\n",
	} {
		name := writeFile(t, filepath.Join(dir, fmt.Sprint(i)), content)
		want := content
		if want != "" && !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		files := []storage.Info{{Path: name, Size: int64(len(content))}}
		for size := int64(1); size <= int64(len(content))+1; size++ {
			splits, err := textSplits(files, 1, 1, size)
			if err != nil {
				t.Fatal(err)
			}
			got, lines := "", int64(0)
			for _, s := range splits {
				text, n := linesOf(t, s)
				if int(n) != strings.Count(text, "\n") {
					t.Errorf("%q, split %d+%d: %d lines counted in %q", content, s.Start, s.Length, n, text)
				}
				got += text
				lines += n
			}
			if got != want {
				t.Errorf("%q in splits of %d: %q", content, size, got)
			}
		}
	}
}

// LineRecordReader reads the line that begins at a split's very end.
func TestSplitBorder(t *testing.T) {
	name := writeFile(t, filepath.Join(t.TempDir(), "f"), "abc\ndef\nghi\n")
	for _, test := range []struct {
		start, length int64
		want          string
	}{
		{0, 3, "abc\n"},
		{0, 4, "abc\ndef\n"},
		{0, 5, "abc\ndef\n"},
		{3, 4, "def\n"}, // the rest of a line feed is skipped
		{4, 4, "ghi\n"},
		{5, 7, "ghi\n"},
		{8, 4, ""},
		{1, 1, ""},
		{1, 3, "def\n"},
	} {
		if got, _ := linesOf(t, split{Path: name, Start: test.start, Length: test.length}); got != test.want {
			t.Errorf("%d+%d: %q, want %q", test.start, test.length, got, test.want)
		}
	}
}

// Lines that are longer than what is read at once.
func TestLongLinesAtBufferBorders(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int{chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 7} {
		content := strings.Repeat("a", n) + "\n" + strings.Repeat("b", n-1) + "\nc"
		name := writeFile(t, filepath.Join(dir, fmt.Sprint(n)), content)
		for _, cut := range []int64{int64(n) - 1, int64(n), int64(n) + 1, int64(n) + 2} {
			first, one := linesOf(t, split{Path: name, Length: cut})
			second, two := linesOf(t, split{Path: name, Start: cut, Length: int64(len(content)) - cut})
			if first+second != content+"\n" {
				t.Errorf("line of %d cut at %d: %d and %d bytes of %d", n, cut, len(first), len(second), len(content)+1)
			}
			if one+two != 3 {
				t.Errorf("line of %d cut at %d: %d lines", n, cut, one+two)
			}
		}
	}
}

func TestLineSplits(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		content string
		n       int
		want    []string // ranges as NLineInputFormat.createFileSplit makes them
		texts   []string
	}{
		{"a\nb\nc\n", 1, []string{"f 0+1", "f 1+2", "f 3+2"}, []string{"a\n", "b\n", "c\n"}},
		{"a\nb\nc\n", 2, []string{"f 0+3", "f 3+2"}, []string{"a\nb\n", "c\n"}},
		{"a\nb\nc", 2, []string{"f 0+3", "f 3+1"}, []string{"a\nb\n", "c\n"}},
		{"a\nb\nc", 9, []string{"f 0+4"}, []string{"a\nb\nc\n"}},
		{"", 1, nil, nil},
		// A first part of one byte makes the second one begin at 0, where nothing
		// is skipped: Hadoop reads the empty line twice, and so do we.
		{"\n\n", 1, []string{"f 0+0", "f 0+1"}, []string{"\n", "\n\n"}},
	} {
		name := writeFile(t, filepath.Join(dir, "f"), test.content)
		splits, err := lineSplits(t.Context(), []storage.Info{{Path: name, Size: int64(len(test.content))}}, test.n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, ranges(splits)); diff != "" {
			t.Errorf("%q by %d: %s", test.content, test.n, diff)
		}
		var texts []string
		for _, s := range splits {
			text, _ := linesOf(t, s)
			texts = append(texts, text)
		}
		if diff := cmp.Diff(test.texts, texts, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q by %d: %s", test.content, test.n, diff)
		}
	}
}

func TestOffsetsAndByteOrderMark(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		content       string
		start, length int64
		want          string
	}{
		{"ab\nc\n\nd", 0, 8, "0\tab\n3\tc\n5\t\n6\td\n"},
		{"ab\nc\n\nd", 2, 3, "3\tc\n5\t\n"},
		{"\xef\xbb\xbfab\nc\n", 0, 8, "0\tab\n6\tc\n"},
		{"\xef\xbb\xbf", 0, 3, ""},
		{"a\xef\xbb\xbf\n", 0, 5, "0\ta\xef\xbb\xbf\n"},
	} {
		name := writeFile(t, filepath.Join(dir, "f"), test.content)
		var out bytes.Buffer
		feed := lineFeed{split: split{Path: name, Start: test.start, Length: test.length}, offsets: true}
		if _, err := feed.run(&out); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("%q %d+%d: %q, want %q", test.content, test.start, test.length, out.String(), test.want)
		}
	}
}

func TestInputFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"in/b", "in/a", "in/_hidden", "in/.dot", "deep/x", "deep/sub/y", "c1", "c2", "d1"} {
		writeFile(t, filepath.Join(dir, name), "x\n")
	}
	for _, test := range []struct {
		inputs []string
		ignore bool
		want   string
		err    string
	}{
		{[]string{"in"}, false, "a b", ""},
		{[]string{"c2", "in", "c2"}, false, "c2 a b c2", ""},
		{[]string{"c?"}, false, "c1 c2", ""},
		{expandBraces("{c,d}1"), false, "c1 d1", ""},
		{[]string{"deep"}, false, "", "not a file"},
		{[]string{"deep"}, true, "x", ""},
		{[]string{"nothing"}, false, "", "does not exist"},
		{[]string{"n*"}, false, "", "does not exist"},
		{[]string{"in/_hidden"}, false, "", "matches 0 files"},
		{[]string{"_in"}, false, "", "matches 0 files"},
	} {
		var paths []string
		for _, p := range test.inputs {
			paths = append(paths, filepath.Join(dir, p))
		}
		files, err := inputFiles(paths, test.ignore)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%v: error %v, want %q", test.inputs, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, f.Name())
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%v: %q, want %q", test.inputs, got, test.want)
		}
	}
}
