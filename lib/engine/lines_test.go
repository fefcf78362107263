package engine

import (
	"strings"
	"testing"
)

func TestTabWriter(t *testing.T) {
	for _, test := range []struct {
		need     int
		in, want string
	}{
		{0, "a\nb", "a\nb\n"},
		{0, "", ""},
		{1, "a\nb\tc\n\nd", "a\t\nb\tc\n\t\nd\t\n"},
		{1, "\ta\n", "\ta\n"},
		{2, "a\nb\tc\nd\te\tf\n", "a\t\nb\tc\t\nd\te\tf\n"},
		{2, "a\tb\tc\td", "a\tb\tc\td\n"},
	} {
		// However the text is cut, the result is the same.
		for size := 1; size <= len(test.in)+1; size++ {
			var out strings.Builder
			w := &tabWriter{w: &out, need: test.need}
			for rest := test.in; rest != ""; {
				n := min(size, len(rest))
				if _, err := w.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := w.finish(); err != nil {
				t.Fatal(err)
			}
			if out.String() != test.want || int(w.lines) != strings.Count(test.want, "\n") {
				t.Errorf("%q, %d tabs, by %d: %q (%d lines), want %q", test.in, test.need, size, out.String(), w.lines, test.want)
			}
		}
	}
}

func TestReturnEnds(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb\n":     "a\nb\n",
		"a\r\nb\r\n": "a\nb\n",
		"a\rb":       "a\nb",
		"\r\r\n\n\r": "\n\n\n\n",
		"a\r":        "a\n",
	} {
		for size := 1; size <= len(in); size++ {
			var out strings.Builder
			w := &returnEnds{w: &out}
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				if _, err := w.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if out.String() != want {
				t.Errorf("%q by %d: %q, want %q", in, size, out.String(), want)
			}
		}
	}
}

func TestErrorOutput(t *testing.T) {
	e := &errorOutput{prefix: "reporter:", counters: newCounters(), log: t.TempDir() + "/log"}
	text := "first\nreporter:counter:g,n,2\nreporter:counter:g,n,3\nreporter:counter:bad,1\nreporter:status:at work\n" +
		strings.Repeat("x", stderrLine+5) + "\nlast"
	moves := 0
	if err := e.read(strings.NewReader(text), func() { moves++ }); err != nil {
		t.Fatal(err)
	}
	if n := e.counters.sums["g"]["n"]; n != 5 || len(e.counters.sums) != 1 {
		t.Errorf("counters %v", e.counters.sums)
	}
	if moves < 7 {
		t.Errorf("%d signs of life", moves)
	}
	if len(e.tail) != 4 || e.tail[0] != "first" || e.tail[1] != "reporter:counter:bad,1" || e.tail[3] != "last" {
		t.Errorf("tail %.60q", e.tail)
	}
}

func TestCountersPrint(t *testing.T) {
	c := newCounters()
	c.add("zebra", "b", 1)
	c.add("zebra", "a", -2)
	c.add(groupFramework, mapInputRecords, 3)
	var out strings.Builder
	c.print(&out)
	want := "Counters: 3\n\tMap-Reduce Framework\n\t\tMap input records=3\n\tzebra\n\t\ta=-2\n\t\tb=1\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
