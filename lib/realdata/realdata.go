// Package realdata is for tests on real crawl files: those below the folder that the
// environment variable ARCHIVESTREAM_DATA names, whatever they are.
//
// # Known differences
//
// What such a test finds to be different from what another tool says is known, and no
// failure, if a line of a file differences.tsv has its reason: of the one in the folder of
// crawl files, or of the project's own, testdata/differences.tsv. A line has six fields,
// separated by tabs:
//
//	value   what is compared, as select/payload.sha1; * stands for any text without a slash
//	place   archive file, a space, and the offset of a record or -; * as above
//	ours    regular expression that our answer fulfils
//	theirs  regular expression that the other answer fulfils
//	whose   fault it is: theirs, either (both can be right), damage (of the archive), ours
//	reason  in words, with the bytes at issue
//
// Lines that begin with # are comments. A line without an archive file must have an
// expression for one of the answers.
//
// With ARCHIVESTREAM_DIFFERENCES=tell, for crawl files that nobody has looked at yet, what
// is not known is told and no failure either: in the test's log, and in the file that
// ARCHIVESTREAM_TOLD names.
package realdata

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Folder returns the folder of crawl files; a test without one is skipped.
func Folder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ARCHIVESTREAM_DATA")
	if dir == "" {
		t.Skip("ARCHIVESTREAM_DATA names no folder of real crawl files")
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// archive matches the names of ARC and WARC files, and of what is derived from them.
var archive = regexp.MustCompile(`\.(arc|warc|wat|wet)(\.gz)?(\.open)?$`)

// Archives returns the paths of all archive files below the folder; a test without any is
// skipped.
func Archives(t testing.TB) []string {
	t.Helper()
	return Files(t, archive.MatchString)
}

// Files returns the paths of the files below the folder that are wanted; a test without any
// is skipped.
func Files(t testing.TB, wanted func(path string) bool) []string {
	t.Helper()
	return Below(t, Folder(t), wanted)
}

// Below returns the paths of the files below any folder that are wanted; a test without
// any is skipped.
func Below(t testing.TB, folder string, wanted func(path string) bool) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && wanted(path) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the folder of crawl files holds none that this test reads")
	}
	return files
}

// Wanted returns a path below the folder; a test of what is not there is skipped.
func Wanted(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(Folder(t), name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the folder of crawl files holds no %s", name)
	}
	return path
}

// Tells reports whether differences that are not known are told only.
func Tells() bool { return os.Getenv("ARCHIVESTREAM_DIFFERENCES") == "tell" }

// Enough fails a test that has had too little to compare, but for crawl files that nobody
// has looked at yet.
func Enough(t testing.TB, enough bool, format string, args ...any) {
	t.Helper()
	switch {
	case enough:
	case Tells():
		t.Logf("little to compare: "+format, args...)
	default:
		t.Errorf(format, args...)
	}
}

// A Difference is a known one.
type Difference struct {
	Value, Place string // patterns, as path.Match has them
	Whose        string
	Reason       string
	File         string // that has the line
	ours, theirs *regexp.Regexp
}

// ParseDifference parses a line of differences.tsv.
func ParseDifference(line string) (*Difference, error) {
	f := strings.Split(line, "\t")
	if len(f) != 6 {
		return nil, fmt.Errorf("%d fields, expected 6", len(f))
	}
	d := &Difference{Value: f[0], Place: f[1], Whose: f[4], Reason: f[5]}
	for _, pattern := range f[:2] {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("%q: %w", pattern, err)
		}
	}
	var err error
	if d.ours, err = regexp.Compile("(?s)" + f[2]); err != nil {
		return nil, err
	}
	if d.theirs, err = regexp.Compile("(?s)" + f[3]); err != nil {
		return nil, err
	}
	switch {
	case !slices.Contains([]string{"theirs", "either", "damage", "ours"}, d.Whose):
		return nil, fmt.Errorf("fault %q: expected theirs, either, damage or ours", d.Whose)
	case d.Reason == "":
		return nil, fmt.Errorf("no reason")
	case strings.Trim(d.Place, "* ") == "" && f[2]+f[3] == "":
		return nil, fmt.Errorf("it covers any difference of %s", d.Value)
	}
	return d, nil
}

// covers reports whether a difference is this one.
func (d *Difference) covers(value, place, ours, theirs string) bool {
	return matches(d.Value, value) && matches(d.Place, place) && d.ours.MatchString(ours) && d.theirs.MatchString(theirs)
}

func matches(pattern, text string) bool {
	ok, _ := path.Match(pattern, text)
	return ok
}

// Differences returns all known differences: those of the folder of crawl files first.
var Differences = sync.OnceValues(func() ([]*Difference, error) {
	var all []*Difference
	for _, file := range []string{filepath.Join(os.Getenv("ARCHIVESTREAM_DATA"), "differences.tsv"), filepath.Join(root(), "testdata", "differences.tsv")} {
		content, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(content)) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			d, err := ParseDifference(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", file, line, err)
			}
			d.File = file
			all = append(all, d)
		}
	}
	return all, nil
})

// root is the project's folder, above that of the package under test.
func root() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "."
}

// Find returns the known difference that covers one, nil if there is none.
func Find(t testing.TB, value, place, ours, theirs string) *Difference {
	t.Helper()
	all, err := Differences()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if d.covers(value, place, ours, theirs) {
			return d
		}
	}
	return nil
}

// Differ takes a difference: it is logged if it is known or if such are told only; else
// the test fails.
func Differ(t testing.TB, value, place, ours, theirs string) {
	t.Helper()
	if d := Find(t, value, place, ours, theirs); d != nil {
		t.Logf("%s: %s: %s: %s", value, place, d.Whose, d.Reason)
		return
	}
	Unknown(t, value, place, ours, theirs)
}

// Unknown takes a difference that is not known.
func Unknown(t testing.TB, value, place, ours, theirs string) {
	t.Helper()
	ours, theirs = around(ours, theirs)
	if !Tells() {
		t.Errorf("%s: %s:\n  ours   %q\n  theirs %q", value, place, ours, theirs)
		return
	}
	t.Logf("%s: %s:\n  ours   %q\n  theirs %q", value, place, ours, theirs)
	if name := os.Getenv("ARCHIVESTREAM_TOLD"); name != "" {
		file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err == nil {
			_, err = fmt.Fprintf(file, "%s\t%s\t%q\t%q\n", value, place, ours, theirs)
			file.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// around cuts two answers to where they differ.
func around(a, b string) (string, string) {
	const before, all = 60, 300
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	n = max(0, n-before)
	return a[n:min(len(a), n+all)], b[n:min(len(b), n+all)]
}
