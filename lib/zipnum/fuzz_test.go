package zipnum

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func FuzzParseEntry(f *testing.F) {
	for _, line := range []string{
		"com,example)/ 20140127171200\tcdx-00000.gz\t0\t275\t1", "org,iana)/ 2014\tzipnum\t275\t328\r", "\tx\t0\t0",
		"a\tb\t9223372036854775807\t0\t9223372036854775807", "a\tb\t9223372036854775807\t1", "a\tb\t-1\t1", "a\t\t1\t1", "a\tb\t1", "a\tb\t1\t1\tx", "a\tb\t1\t1\t1\tmore",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := ParseEntry(line)
		if err != nil {
			return
		}
		if e.Offset < 0 || e.Length < 0 || e.Offset+e.Length < 0 || e.Sequence < 0 || len(e.Shard) == 0 {
			t.Errorf("%q: %+v", line, e)
		}
		again, err := ParseEntry(e.Append(nil))
		if diff := cmp.Diff(e, again); diff != "" || err != nil {
			t.Errorf("%q: %v, -read +written and read\n%s", line, err, diff)
		}
	})
}

func FuzzLocations(f *testing.F) {
	for _, text := range []string{"cdx-00000.gz\tcdx-00000.gz\n", "a\tb\tc://d\r\n\na\t/e", "a\n\t\n", "a\t\tb\t"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := 0
		err := parseLocations(strings.NewReader(text), func(shard string, paths []string) {
			lines++
			for _, s := range append(paths, shard) {
				if s == "" || strings.ContainsAny(s, "\t\n") || !strings.Contains(text, s) {
					t.Errorf("%q is not a field", s)
				}
			}
			if len(paths) == 0 {
				t.Errorf("%q has no place", shard)
			}
		})
		if err != nil || lines > strings.Count(text, "\n")+1 {
			t.Errorf("%d lines, %v", lines, err)
		}
	})
}

// FuzzLines searches sorted lines, plain and in blocks, and compares with a
// linear scan.
func FuzzLines(f *testing.F) {
	f.Add("a 2020 1\na 2020 1\na 2020 2\nb 2020 1\n", "a", "b", byte(2))
	f.Add("a\nab\n a\nabc 1\n!a\n!a 2020 x\n CDX N b\n\n", "a ", "", byte(1))
	f.Add(strings.Repeat("com,example)/ 20200101000000 {}\n", 50), "com,example)/", "com,example)/!", byte(7))
	f.Fuzz(func(t *testing.T, text, from, to string, size byte) {
		lines := strings.Split(text, "\n")
		slices.Sort(lines)
		want := slices.DeleteFunc(scan(lines, from, to), func(l string) bool { return isHeader([]byte(l)) })
		dir := t.TempDir()
		if size > 0 {
			dir := cluster(t, WriterOptions{Lines: int(size), Workers: 1}, lines[:len(lines)/2], lines[len(lines)/2:])
			wantLines(t, dir, from, to, want)
		}
		plain := strings.Join(lines, "\n")
		if strings.HasPrefix(plain, "\x1f\x8b") || strings.Contains(text, "\t") {
			return // looks like another form
		}
		wantLines(t, writeFile(t, dir, "a.cdxj", plain), from, to, want)
		wantLines(t, writeFile(t, dir, "b.gz", zipped(t, plain)), from, to, want)
	})
}

func wantLines(t *testing.T, path, from, to string, want []string) {
	t.Helper()
	c := openCluster(t, path)
	defer c.Close()
	got, errs := collect(c, from, to)
	if !slices.Equal(want, got) || errs != nil {
		t.Errorf("%s from %q to %q: %v, -want +got\n%s", path, from, to, errs, cmp.Diff(want, got))
	}
}

// FuzzIndex searches a cluster with any index and shard. There can be errors, but
// the search ends, and every line is one of the shard's.
func FuzzIndex(f *testing.F) {
	packed, index := shard(f, manyLines(20), "s.gz", WriterOptions{Lines: 4, Workers: 1})
	f.Add([]byte(index), []byte(packed), "com,example)/0003", "com,example)/0005")
	f.Add([]byte(strings.ReplaceAll(index, "\t5\n", "\t99999999999\n")), []byte(packed[:50]), "", "")
	f.Add([]byte("!meta 0 {\"filename\": \"s.gz\"}\na 1 {\"offset\": 0, \"length\": 70}\n"), []byte(packed), "", "com,f")
	f.Add([]byte("a 1\ts.gz\t9223372036854775807\t0\nb\ts.gz\t0\t9223372036854775807\n"), []byte(packed), "a", "")
	f.Fuzz(func(t *testing.T, index, packed []byte, from, to string) {
		dir := t.TempDir()
		writeFile(t, dir, "s.gz", string(packed))
		c, err := Open(writeFile(t, dir, "cluster.idx", string(index)), Options{})
		if err != nil {
			return // of a gzip file
		}
		defer c.Close()
		entries := bytes.Count(index, []byte("\n")) + 1
		told := 0
		for line, err := range c.Lines(from, to) {
			if err != nil {
				told++
			} else if bytes.IndexByte(line, '\n') >= 0 || isHeader(line) {
				t.Errorf("a line %q", line)
			}
		}
		if told > 2*entries {
			t.Errorf("%d errors of %d index lines", told, entries)
		}
	})
}
