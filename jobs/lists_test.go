package jobs

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oddNames are names of archives, relative to --archives. HDFS takes all
// characters but the colon.
var oddNames = []string{"odd folder/a b.warc.gz", "odd folder/100%.warc.gz", "odd folder/%41.warc.gz", "Ünïcødé €.warc.gz", "a+b&c=d#e?f.warc.gz",
	"comma,semicolon;.warc.gz", "quote'\"$HOME.warc.gz"}

// lists makes a folder of lists in every form, among them such as are likely to
// be misread: a CDX list whose header alone tells its fields, as long as several
// splits; a packed list with CR LF; names with all kinds of characters; bad lines
// and missing archives. It gives the records that they name, in their order, and
// the inputs that have to be rejected.
func (b *bench) lists() (dir string, listed []record, rejected []string) {
	b.Helper()
	name := func(list string) string { return "lists/" + list }

	var text strings.Builder
	text.WriteString(" CDX S V g a b m s N k r M\n")
	for _, line := range strings.Split(b.read("corpus/index.cdx"), "\n")[1:301] {
		f := strings.Fields(line) // N b a m s k r M S V g
		fmt.Fprintln(&text, f[8], f[9], f[10], f[2], f[1], f[3], f[4], f[0], f[5], f[6], f[7])
		listed = append(listed, record{f[10], number(f[9]), f[2], b.sum("corpus/archives/"+f[10], number(f[9]), number(f[8]))})
	}
	b.write(name("00 header.cdx"), text.String())

	picked := b.listed("corpus/pick.tsv")
	lines := strings.SplitAfter(b.read("corpus/pick.tsv"), "\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(strings.ReplaceAll(strings.Join(lines[:150], ""), "\n", "\r\n")))
	b.must(z.Close())
	b.write(name("01 packed.tsv.gz"), packed.String())

	lines = strings.SplitAfter(b.read("corpus/pick.cdxj"), "\n")
	b.write(name("02 100%#ü.cdxj"), strings.Join(lines[150:200], ""))
	b.write(name("02 100%#ä.cdxj"), strings.Join(lines[200:250], "")) // sorts before it
	listed = slices.Concat(listed, picked[:150], picked[200:250], picked[150:200])

	text.Reset()
	f := fields(b.read("corpus/captures.tsv"), 4)[0]
	archive := b.read("corpus/archives/" + f[1])
	for _, odd := range oddNames {
		b.write("corpus/archives/"+odd, archive)
		url := "http://example.com/ä b%20c/" + odd
		fmt.Fprintf(&text, "%s\t%s\t%s\t%s\n", url, odd, f[2], f[3])
		listed = append(listed, record{odd, number(f[2]), url, b.sum("corpus/archives/"+odd, number(f[2]), number(f[3]))})
	}
	rejected = []string{"http://a.example/\tnone.warc.gz\t0\t10", "http://b.example/\todd folder/none é.warc.gz\t0\t10", "http://e.example/\tnone:1.warc.gz\t0\t10", "no capture", "a\tb\tc\td",
		"http://c.example/\t../a.warc.gz\t0\t10", "http://d.example/\t" + f[1] + "\t99999999\t10"}
	b.write(name("03 odd.tsv"), text.String()+strings.Join(rejected, "\n")+"\n")
	return b.path("lists"), listed, rejected
}

// rejectedLines gives the inputs in _rejects.tsv, sorted, with tabs.
func (b *bench) rejectedLines(output string) []string {
	b.Helper()
	var lines []string
	for _, f := range fields(b.read(output+"/_rejects.tsv"), 3) {
		lines = append(lines, strings.ReplaceAll(f[2], `\t`, "\t"))
	}
	slices.Sort(lines)
	return lines
}

// TestExtractReadsEveryList takes lists in all forms together, in both orders.
func TestExtractReadsEveryList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	dir, listed, rejected := b.lists()
	slices.Sort(rejected)
	tree := map[string]map[string]string{}
	for _, c := range []struct {
		name string
		args []string
	}{
		{"archive", nil},
		{"archive-split", []string{"-D", "mapreduce.job.maps=9"}},
		{"input", []string{"--order", "input"}},
		{"input-split", []string{"--order", "input", "-D", "mapreduce.job.maps=9"}},
		{"input-maps", []string{"--order", "input", "--maps", "5"}},
		{"unique", []string{"--unique"}},
	} {
		tree[c.name] = b.run(c.name, append([]string{"--input", dir}, c.args...)...)
		b.same(c.name+": rejects", rejected, b.rejectedLines(c.name))
		want, got := listed, b.inOrder(c.name, listed)
		switch {
		case c.name == "unique":
			want, got = unique(listed), bySource(b.records(c.name))
		case !strings.HasPrefix(c.name, "input"):
			want, got = bySource(slices.Clone(listed)), bySource(b.records(c.name))
			// The same record under two URLs has no order here.
			want, got = sourcesOnly(want), sourcesOnly(got)
		}
		b.same(c.name, want, got)
	}
	b.same("list in one or several splits", tree["archive"], tree["archive-split"])
	b.same("list in order, in one or several splits", tree["input"], tree["input-split"])
}

// sourcesOnly leaves the URLs out.
func sourcesOnly(records []record) []record {
	for i := range records {
		records[i].URL = ""
	}
	return records
}

// unique keeps the first capture of each record, by source.
func unique(listed []record) []record {
	sorted := bySource(slices.Clone(listed))
	return slices.CompactFunc(sorted, func(a, b record) bool { return a.Archive == b.Archive && a.Offset == b.Offset })
}

// TestExtractOfNothing has lists without a record that could be extracted.
func TestExtractOfNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	nothing := map[string]string{"_SUCCESS": "", "_rejects.tsv": "", "manifest.tsv": ""}
	empty := b.write("empty.tsv", "")
	b.write("bad.tsv", "http://example.com/\tnone.warc.gz\tx\t1\nhttp://example.com/\tnone.warc.gz\t1\tx\n")
	b.write("missing.cdxj", `com,example)/ 20200101000000 {"url": "http://example.com/", "length": "10", "offset": "0", "filename": "none.warc.gz"}`+"\n")
	for i, args := range [][]string{nil, {"--maps", "3", "--reducers", "3"}, {"--unique", "--order", "input"}} {
		output := func(kind string) string { return fmt.Sprintf("%s-%d", kind, i) }
		b.same("nothing", nothing, b.run(output("empty"), append([]string{"--input", empty}, args...)...))
		for list, rejects := range map[string]int{"bad.tsv": 2, "missing.cdxj": 1} {
			b.end(b.start(output(list), append([]string{"--input", b.path(list)}, args...)...), 1)
			b.same(list+": rejects", rejects, strings.Count(b.read(output(list)+"/_work/_rejects.tsv"), "\n"))
			if _, err := os.Stat(filepath.Join(b.path(output(list)), "_SUCCESS")); err == nil {
				t.Errorf("%s %q is done", list, args)
			}
		}
	}
}
