package truth

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A known difference is a line of a file differences.tsv, of six fields separated by
// tabs:
//
//	value   job and value, as in select/payload.sha1; * stands for any text without a slash
//	place   archive file (its folder, --, its name), a space, and offset; * as above
//	ours    regular expression that our answer fulfils
//	theirs  regular expression that the other answer fulfils
//	whose   fault it is: theirs, either (both are right), damage (of the archive), or ours
//	reason  in words, with the bytes at issue
//
// Lines that begin with # are comments. A line whose place is * must have an expression
// for one of the answers. A line of an archive file that is there must cover a
// difference.
type known struct {
	value, place string
	ours, theirs *regexp.Regexp
	whose        string
	reason       string
	file         string // that has the line
	used         int
}

var differences = sync.OnceValues(func() ([]*known, error) {
	var all []*known
	for _, file := range []string{filepath.Join("testdata", "differences.tsv"), filepath.Join(os.Getenv("ARCHIVESTREAM_DATA"), "differences.tsv")} {
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
			k, err := parseKnown(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", file, line, err)
			}
			k.file = file
			all = append(all, k)
		}
	}
	return all, nil
})

func parseKnown(line string) (*known, error) {
	f := strings.Split(line, "\t")
	if len(f) != 6 {
		return nil, fmt.Errorf("%d fields, expected 6", len(f))
	}
	k := &known{value: f[0], place: f[1], whose: f[4], reason: f[5]}
	for _, pattern := range f[:2] {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, err
		}
	}
	var err error
	if k.ours, err = regexp.Compile("(?s)" + f[2]); err != nil {
		return nil, err
	}
	if k.theirs, err = regexp.Compile("(?s)" + f[3]); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"theirs", "either", "damage", "ours"}, k.whose) || k.reason == "" {
		return nil, fmt.Errorf("fault %q: expected theirs, either, damage or ours, and a reason", k.whose)
	}
	if strings.Trim(k.place, "* ") == "" && f[2]+f[3] == "" {
		return nil, fmt.Errorf("it covers any difference of %s", k.value)
	}
	return k, nil
}

// covers reports whether a difference is this one.
func (k *known) covers(value, place, ours, theirs string) bool {
	return matches(k.value, value) && matches(k.place, place) && k.ours.MatchString(ours) && k.theirs.MatchString(theirs)
}

func matches(pattern, text string) bool {
	ok, _ := path.Match(pattern, text)
	return ok
}

// A tally counts the comparisons of a value.
type tally struct {
	compared, equal, unknown int
	known                    map[string]int // by whose fault and reason
}

// A ledger has all of them, by job and value.
type ledger struct {
	sync.Mutex
	values map[string]*tally
	told   map[string]int // unknown differences that were printed

	unknown []string // value, place, our answer and theirs, of those without a reason
}

var report = ledger{values: map[string]*tally{}, told: map[string]int{}}

// maxTold bounds the differences that are printed for each value.
const maxTold = 12

// tells reports whether differences without a reason are told only: of archives that
// nobody has looked at yet, which have no list.
func tells() bool { return os.Getenv("ARCHIVESTREAM_DIFFERENCES") == "tell" }

// compare holds our answer for a value at a place against another one.
func compare(t *testing.T, value, place, ours, theirs string) {
	t.Helper()
	list, err := differences()
	if err != nil {
		t.Fatal(err)
	}
	report.Lock()
	defer report.Unlock()
	c := report.values[value]
	if c == nil {
		c = &tally{known: map[string]int{}}
		report.values[value] = c
	}
	c.compared++
	if ours == theirs {
		c.equal++
		return
	}
	for _, k := range list {
		if k.covers(value, place, ours, theirs) {
			k.used++
			c.known[k.whose+": "+k.reason]++
			return
		}
	}
	c.unknown++
	ours, theirs = around(ours, theirs)
	report.unknown = append(report.unknown, fmt.Sprintf("%s\t%s\t%q\t%q", value, place, ours, theirs))
	if report.told[value]++; report.told[value] > maxTold {
		return
	}
	complain := t.Errorf
	if tells() {
		complain = t.Logf
	}
	complain("%s: %s:\n  ours   %q\n  theirs %q", value, place, ours, theirs)
}

// around cuts two texts to where they differ.
func around(a, b string) (string, string) {
	const before, all = 60, 300
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	n = max(0, n-before)
	return a[n:min(len(a), n+all)], b[n:min(len(b), n+all)]
}

// write prints the table, and reports whether every line of the lists that has to be
// needed is.
func (l *ledger) write(w io.Writer) bool {
	if len(l.values) == 0 {
		return true
	}
	fmt.Fprintf(w, "\n%-44s %9s %9s %9s\n", "value", "compared", "equal", "differ")
	var names []string
	for name := range l.values {
		names = append(names, name)
	}
	slices.Sort(names)
	reasons := map[string]int{}
	sum := tally{}
	for _, name := range names {
		c := l.values[name]
		fmt.Fprintf(w, "%-44s %9d %9d %9d\n", name, c.compared, c.equal, c.compared-c.equal)
		sum.compared, sum.equal, sum.unknown = sum.compared+c.compared, sum.equal+c.equal, sum.unknown+c.unknown
		for reason, n := range c.known {
			reasons[reason] += n
		}
	}
	fmt.Fprintf(w, "%-44s %9d %9d %9d\n\ndifferences by reason\n", "all", sum.compared, sum.equal, sum.compared-sum.equal)
	var known []string
	for reason := range reasons {
		known = append(known, reason)
	}
	slices.Sort(known)
	for _, reason := range known {
		fmt.Fprintf(w, "%9d  %s\n", reasons[reason], reason)
	}
	fmt.Fprintf(w, "%9d  without a reason\n", sum.unknown)
	if len(l.unknown) > 0 {
		slices.Sort(l.unknown)
		fmt.Fprintf(w, "\nwithout a reason: value, place, ours, theirs\n%s\n", strings.Join(l.unknown, "\n"))
	}
	return l.allUsed(w)
}

// allUsed reports whether every known difference of an archive file that is there has
// been met, where all tests have run.
func (l *ledger) allUsed(w io.Writer) bool {
	list, err := differences()
	folder, err2 := archives()
	if err != nil || err2 != nil {
		return false
	}
	ok := true
	for _, k := range list {
		file, _, _ := strings.Cut(k.place, " ")
		if k.used > 0 || strings.Contains(file, "*") || l.values[k.value] == nil && !strings.Contains(k.value, "*") {
			continue
		}
		if _, err := os.Lstat(filepath.Join(folder, file)); err == nil {
			fmt.Fprintf(w, "error: %s: no such difference: %s %s\n", k.file, k.value, k.place)
			ok = false
		}
	}
	return ok
}
