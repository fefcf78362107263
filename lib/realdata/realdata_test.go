package realdata

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseDifference(t *testing.T) {
	d, err := ParseDifference("select/*\ta.warc.gz *\t^unk$\t^$\teither\tno media type")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		value, place, ours, theirs string
		want                       bool
	}{
		{"select/mime", "a.warc.gz 12", "unk", "", true},
		{"index/mime", "a.warc.gz 12", "unk", "", false},
		{"select/mime", "b.warc.gz 12", "unk", "", false},
		{"select/mime", "a.warc.gz 12", "text/html", "", false},
		{"select/mime", "a.warc.gz 12", "unk", "text/html", false},
	} {
		if got := d.covers(test.value, test.place, test.ours, test.theirs); got != test.want {
			t.Errorf("%v: %t", test, got)
		}
	}
	for line, want := range map[string]string{
		"a\tb\tc\td\ttheirs":            "5 fields",
		"a\tb 1\t(\t\ttheirs\tr":        "missing closing",
		"a\tb 1\t\t\tnobody\tr":         `fault "nobody"`,
		"a\tb 1\t\t\ttheirs\t":          "no reason",
		"a\t* *\t\t\ttheirs\tr":         "it covers any difference of a",
		"a[\tb 1\t\t\ttheirs\tr":        "syntax error in pattern",
		"select/x\t*\t\t\teither\t why": "it covers any difference",
	} {
		if _, err := ParseDifference(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

// The project's own list must be one.
func TestDifferencesOfTheProject(t *testing.T) {
	all, err := Differences()
	if err != nil || len(all) == 0 {
		t.Errorf("%d known differences, %v", len(all), err)
	}
}

func TestUnknownIsTold(t *testing.T) {
	told := filepath.Join(t.TempDir(), "told.tsv")
	t.Setenv("ARCHIVESTREAM_DIFFERENCES", "tell")
	t.Setenv("ARCHIVESTREAM_TOLD", told)
	Unknown(t, "index/mime", "no-such.warc.gz 1", "ours", "theirs")
	Enough(t, false, "%d", 0)
	content, err := os.ReadFile(told)
	if err != nil || string(content) != "index/mime\tno-such.warc.gz 1\t\"ours\"\t\"theirs\"\n" {
		t.Errorf("%q, %v", content, err)
	}
}
