package truth

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"archivestream/lib/realdata"
)

// A tally counts the comparisons of a value.
type tally struct {
	compared, equal, unknown int
	known                    map[string]int // by whose fault and reason
}

// A ledger has all of them, by job and value.
type ledger struct {
	sync.Mutex
	values map[string]*tally
	used   map[*realdata.Difference]int
}

var report = ledger{values: map[string]*tally{}, used: map[*realdata.Difference]int{}}

// maxTold bounds the differences that are printed for each value.
const maxTold = 12

// compare holds our answer for a value at a place against another one.
func compare(t *testing.T, value, place, ours, theirs string) {
	t.Helper()
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
	if d := realdata.Find(t, value, place, ours, theirs); d != nil {
		report.used[d]++
		c.known[d.Whose+": "+d.Reason]++
		return
	}
	if c.unknown++; c.unknown <= maxTold {
		realdata.Unknown(t, value, place, ours, theirs)
	}
}

// write prints the table, and reports whether every line of the lists that must be
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
	return l.allUsed(w)
}

// allUsed reports whether every known difference of an archive file that is there has
// been met, where all tests have run.
func (l *ledger) allUsed(w io.Writer) bool {
	list, err := realdata.Differences()
	folder, err2 := archives()
	if err != nil || err2 != nil {
		return false
	}
	ok := true
	for _, d := range list {
		file, _, _ := strings.Cut(d.Place, " ")
		if l.used[d] > 0 || l.values[d.Value] == nil || strings.Contains(file, "*") {
			continue
		}
		if _, err := os.Lstat(filepath.Join(folder, file)); err == nil {
			fmt.Fprintf(w, "error: %s: no such difference: %s %s\n", d.File, d.Value, d.Place)
			ok = false
		}
	}
	return ok
}
