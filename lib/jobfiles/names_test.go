package jobfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const arcText = "filedesc://a.arc 0.0.0.0 20200101000000 text/plain 70\n1 0 X\n"

// TestPathIndexOfSeveralFolders has each name once, and refuses two archive files of
// one name.
func TestPathIndexOfSeveralFolders(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"one/a.arc": arcText, "one/manifest.tsv": "a\tb\n", "one/index.cdxj": "", "one/c.arc.gz": arcText,
		"two/b.arc": arcText, "two/manifest.tsv": "c\td\n", "two/index.cdxj": "", "two/_SUCCESS": "",
		"other/a.arc": arcText, "third/z.warc": "not really an archive",
		"fourth/z.warc": "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
		"tables/a.arc":  "", "odd/a\tb.arc": arcText, "ends/a\nb.arc": arcText,
		"paths.tsv": "x.arc\t/somewhere/x.arc\na.arc\tDIR/one/a.arc\n",
		"same.tsv":  "x.arc\t/somewhere/x.arc\nx.arc\t/somewhere/./x.arc\n",
		"both.tsv":  "x.arc\t/somewhere/x.arc\nx.arc\t/elsewhere/x.arc\n",
		"bad.tsv":   "x.arc\t/somewhere/x.arc\ny.arc\n",
		"list.txt":  "DIR/one/a.arc\nDIR/two/b.arc\n",
	} {
		write(t, filepath.Join(dir, name), strings.ReplaceAll(content, "DIR", dir))
	}
	to := filepath.Join(dir, "made.tsv")
	for name, test := range map[string]struct {
		args []string
		want string // in the file
		said string
	}{
		"two folders": {[]string{"archives=DIR/one", "archives=DIR/two"},
			"a.arc DIR/one/a.arc,b.arc DIR/two/b.arc,c.arc.gz DIR/one/c.arc.gz,index.cdxj DIR/one/index.cdxj,manifest.tsv DIR/one/manifest.tsv", ""},
		"a folder twice": {[]string{"archives=DIR/two", "archives=DIR/two/*.arc"},
			"b.arc DIR/two/b.arc,index.cdxj DIR/two/index.cdxj,manifest.tsv DIR/two/manifest.tsv", ""},
		"an index":          {[]string{"path-index=DIR/paths.tsv"}, "a.arc DIR/one/a.arc,x.arc /somewhere/x.arc", ""},
		"a path twice":      {[]string{"path-index=DIR/same.tsv"}, "x.arc /somewhere/./x.arc", ""},
		"a list":            {[]string{"list=DIR/list.txt"}, "a.arc DIR/one/a.arc,b.arc DIR/two/b.arc", ""},
		"not both archives": {[]string{"archives=DIR/one/a.arc", "archives=DIR/tables"}, "a.arc DIR/one/a.arc", ""},
		"two archives": {[]string{"archives=DIR/one", "archives=DIR/other"}, "",
			"two archive files are called a.arc: DIR/one/a.arc and DIR/other/a.arc"},
		"one is damaged": {[]string{"archives=DIR/third", "archives=DIR/fourth"}, "",
			"two archive files are called z.warc: DIR/fourth/z.warc and DIR/third/z.warc"},
		"an index and a folder": {[]string{"path-index=DIR/paths.tsv", "archives=DIR/other"}, "",
			"two archive files are called a.arc: DIR/one/a.arc and DIR/other/a.arc"},
		"two paths": {[]string{"path-index=DIR/both.tsv"}, "",
			"two archive files are called x.arc: /elsewhere/x.arc and /somewhere/x.arc"},
		"no tab":     {[]string{"path-index=DIR/bad.tsv"}, "", `line 2 of the path index DIR/bad.tsv: expected a name, a tab and a path, found "y.arc"`},
		"no index":   {[]string{"path-index=DIR/none.tsv"}, "", "the path index DIR/none.tsv cannot be read"},
		"a tab":      {[]string{"archives=DIR/odd"}, "", `the name of "DIR/odd/a\tb.arc" holds a tab`},
		"a line end": {[]string{"archives=DIR/ends"}, "", `the name of "DIR/ends/a\nb.arc" holds a tab`},
	} {
		os.Remove(to)
		args := []string{"archives", dir, "job=x.sh", "to=" + to, "hint=do it"}
		for _, a := range test.args {
			args = append(args, strings.ReplaceAll(a, "DIR", dir))
		}
		status := 0
		if test.said != "" {
			status = 1
		}
		_, said := call(t, status, args...)
		if want := strings.ReplaceAll(test.said, "DIR", dir); want != "" && !strings.HasPrefix(said, "x.sh: error: ") || !strings.Contains(said, want) {
			t.Errorf("%s: said %q, want %q", name, said, want)
		}
		if strings.HasPrefix(test.said, "two") && !strings.Contains(said, "x.sh: hint: do it") {
			t.Errorf("%s: no hint: %q", name, said)
		}
		content, err := os.ReadFile(to)
		if test.want == "" && err == nil {
			t.Errorf("%s: an index is made", name)
		}
		got := strings.NewReplacer("\n", ",", "\t", " ", dir, "DIR").Replace(string(content))
		if strings.TrimSuffix(got, ",") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestNamesOfArchives refuses archive files whose names would be those of one thing.
func TestNamesOfArchives(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.txt")
	for name, test := range map[string]struct {
		lines, args string
		said        string
	}{
		"different":      {"/a/x.warc\n/a/x.warc.gz\n/b/y.arc\n", "", ""},
		"one name":       {"/a/x.warc\n/b/x.warc\n", "", "two archive files are called x.warc: /a/x.warc and /b/x.warc"},
		"full paths":     {"/a/x.warc\n/b/x.warc\n", "full-paths=1", ""},
		"relative":       {"/r/a/x.warc\n/r/b/x.warc\n", "relative-to=/r/", ""},
		"relative to it": {"/r/a/x.warc\n/s/x.warc\n/r/x.warc\n", "relative-to=/r", "two archive files are called x.warc: /s/x.warc and /r/x.warc"},
		"twice":          {"/a/x.warc\n/a/./x.warc\n", "full-paths=", "the archive file /a/./x.warc is given twice"},
		"a space":        {"/a/x y.warc\n", "", ""},
		"space in CDX":   {"/a b/x.warc\n/a/x y.warc\n", "layout=cdx11", "a space is in the name of \"/a/x y.warc\", which CDX cannot hold"},
		"Latin-1":        {"/a\xe9/x.warc\n/a/x\xe9.warc\n", "", "the name of \"/a/x\\xe9.warc\" is not UTF-8, as an index must be"},
		"Latin-1 in CDX": {"/a/x\xe9.warc\n", "layout=cdx9", ""},
		"in a data set":  {"/a/x.warc\td/warc/x.warc\n/b/x.warc\te/warc/x.warc\n", "", ""},
		"of a data set":  {"/a/x.warc\td/warc/x.warc\n/b/x.warc\td/warc/x.warc\n", "", "two archive files are called d/warc/x.warc: /a/x.warc and /b/x.warc"},
	} {
		write(t, list, test.lines)
		status := 0
		if test.said != "" {
			status = 1
		}
		_, said := call(t, status, "names", dir, "job=x.sh", "list="+list, "hint=do it", test.args)
		if !strings.Contains(said, test.said) {
			t.Errorf("%s: said %q, want %q", name, said, test.said)
		}
	}
}

// TestStems has each derivative of a list of archive files under a name of its own.
func TestStems(t *testing.T) {
	dir := t.TempDir()
	list, stems := filepath.Join(dir, "list.txt"), filepath.Join(dir, "stems.tsv")
	for lines, want := range map[string]string{
		"/a/x.warc\n/b/y.warc.gz\n":                         "/a/x.warc\n/b/y.warc.gz\n",
		"/a/x.warc\n/b/x.warc.gz\n":                         "/a/x.warc\t\tx.warc.plain\n/b/x.warc.gz\n",
		"/x.warc\n/x.warc.gz\n/x.warc.plain.gz\n":           "/x.warc\t\tx.warc.plain.plain\n/x.warc.gz\n/x.warc.plain.gz\n",
		"/x\n/x.gz\n/x.plain\n/x.plain.gz\n":                "/x\t\tx.plain.plain\n/x.gz\n/x.plain\t\tx.plain.plain.plain\n/x.plain.gz\n",
		"/x\n/x.gz\n/x.gz.gz\n":                             "/x\t\tx.plain\n/x.gz\n/x.gz.gz\n",
		"/a/x\td/warc/x\n/a/x.gz\td/warc/x.gz\n/b/x\te/w/x": "/a/x\td/warc/x\tx.plain\n/a/x.gz\td/warc/x.gz\n/b/x\te/w/x\n",
	} {
		write(t, list, lines)
		call(t, 0, "names", dir, "list="+list, "stems="+stems)
		got, err := os.ReadFile(stems)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%q: %q, want %q", lines, got, want)
		}
	}
}

// TestExpandRefusesNamesThatNoListCanHold says which file it is.
func TestExpandRefusesNamesThatNoListCanHold(t *testing.T) {
	for _, name := range []string{"a\tb.warc", "a\nb.warc", "a\rb.warc", "a\x01b.warc", "a\x7fb.warc"} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, name), "")
		for _, path := range []string{dir, filepath.Join(dir, name), filepath.Join(dir, "*.warc")} {
			if printed, said := call(t, 1, "expand", path); printed != "" || !strings.Contains(said, "holds a tab or a line end, or another control character") {
				t.Errorf("%q: printed %q, said %q", name, printed, said)
			}
		}
	}
}
