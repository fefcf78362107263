package ranges

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/stage"
)

func TestKey(t *testing.T) {
	long := strings.Repeat("x", MaxKey)
	for line, want := range map[string]string{
		"org,a)/ 2020 {\"url\": \"x y\"}": "org,a)/ 2020",
		"org,a)/ 2020":                    "org,a)/ 2020",
		"org,a)/":                         "org,a)/",
		"":                                "",
		" a b":                            " a",
		long + "y 2020 {}":                long,
	} {
		if got := string(Key([]byte(line))); got != want {
			t.Errorf("%.40q: %.40q, want %.40q", line, got, want)
		}
	}
}

func keys(words ...string) [][]byte {
	var k [][]byte
	for _, w := range words {
		k = append(k, []byte(w))
	}
	return k
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		sample string
		n      int
		want   string
	}{
		{"a b c d e f", 1, ""},
		{"a b c d e f", 2, "d"},
		{"a b c d e f", 3, "c e"},
		{"a b c", 3, "b c"},
		{"a b", 3, "b"},
		{"a", 3, ""},
		{"", 3, ""},
		{"a a a a b", 5, "b"},
		{"a b b b b", 5, "b"},
		{"a a a a a", 5, ""},
	} {
		got := Cut(keys(strings.Fields(c.sample)...), c.n)
		if diff := cmp.Diff(strings.Fields(c.want), strings.Fields(string(bytes.Join(got, []byte(" "))))); diff != "" {
			t.Errorf("%q into %d: -want +got\n%s", c.sample, c.n, diff)
		}
	}
}

func TestReadRefusesWhatIsNotSorted(t *testing.T) {
	for text, want := range map[string]string{
		"b\na\n":   "line 2 of the ranges: not behind the one before",
		"a\na\n":   "line 2 of the ranges: not behind the one before",
		"a\n\\q\n": "line 2 of the ranges: ",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestRangesKeepTheOrder sorts by range and within, and compares with a sort of
// the whole.
func TestRangesKeepTheOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var lines [][]byte
	for range 5000 {
		host := []string{"com,a", "org,b", "org,c", "\xff\x00", "a\\tb"}[random.IntN(5)]
		lines = append(lines, fmt.Appendf(nil, "%s)/%d 20%02d {}", host, random.IntN(300), random.IntN(100)))
	}
	sampler := NewSampler(0.2)
	var sample [][]byte
	for _, l := range lines {
		if sampler.Picks(l) {
			sample = append(sample, Key(l))
		}
	}
	if n := len(sample); n < 800 || n > 1200 {
		t.Errorf("%d lines of 5000 are in a fifth", n)
	}
	slices.SortFunc(sample, bytes.Compare)
	for _, n := range []int{1, 2, 7, 100} {
		var file []byte
		for _, k := range Cut(sample, n) {
			file = append(stage.AppendEscaped(file, k), "\t\n"...)
		}
		r, err := Read(bytes.NewReader(file))
		if err != nil || r.Len() != n {
			t.Fatalf("%d ranges of %d: %v", r.Len(), n, err)
		}
		parts := make([][][]byte, n)
		for _, l := range lines {
			parts[r.Of(l)] = append(parts[r.Of(l)], l)
		}
		var got [][]byte
		for i, p := range parts {
			if len(p) > 2*len(lines)/n+200 {
				t.Errorf("%d lines of %d in range %d of %d", len(p), len(lines), i, n)
			}
			slices.SortFunc(p, bytes.Compare)
			got = append(got, p...)
		}
		want := slices.Clone(lines)
		slices.SortFunc(want, bytes.Compare)
		if !slices.EqualFunc(want, got, bytes.Equal) {
			t.Errorf("%d ranges one after the other are not sorted", n)
		}
	}
}

func TestSampleOfAllAndOfNothing(t *testing.T) {
	all, none := 0, 0
	for i := range 1000 {
		line := fmt.Appendf(nil, "%d", i)
		if NewSampler(1).Picks(line) {
			all++
		}
		if NewSampler(0).Picks(line) {
			none++
		}
	}
	if all != 1000 || none != 0 {
		t.Errorf("%d and %d of 1000", all, none)
	}
}

func TestWordsReachEachReducer(t *testing.T) {
	for _, n := range []int{1, 2, 3, 31, 32, 300, 1000} {
		for p, word := range Words(n) {
			h := int32(0)
			for _, b := range []byte(word) {
				h = 31*h + int32(b)
			}
			if got := int(h&0x7fffffff) % n; got != p || word == "" {
				t.Errorf("%q goes to %d of %d, not to %d", word, got, n, p)
			}
		}
	}
}
