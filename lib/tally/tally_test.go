package tally_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/stage"
	"archivestream/lib/tally"
)

func run(t *testing.T, input string, f func(*stage.Task) error) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := stage.Execute(stage.Command{Name: "test", Summary: "test", Run: f}, []string{"test"}, strings.NewReader(input), &out, &errs); status != 0 {
		t.Fatal(errs.String())
	}
	return out.String()
}

// sum adds sorted lines up.
func sum(task *stage.Task) error {
	s := tally.Summer{Sum: tally.Pass(task)}
	for line, err := range task.Lines() {
		if err != nil {
			return err
		}
		e, err := tally.Parse(line)
		if err != nil {
			return err
		}
		if err := s.Add(&e); err != nil {
			return err
		}
	}
	return s.Close()
}

// TestPartsAddUpToTheWhole holds what several tasks count, added up in two steps,
// against one that counts all.
func TestPartsAddUpToTheWhole(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var whole tally.Counts
		parts := make([]tally.Counts, 4)
		for range 200 {
			// One key's fields put together can be another's.
			k := tally.Key{Table: []string{"a", "ab"}[r.IntN(2)], Row: []string{"", "b", "b\t", "bc\\"}[r.IntN(4)], Column: []string{"", "c", "\n"}[r.IntN(3)]}
			numbers := []int64{r.Int64N(100) - 50, 1}[:1+r.IntN(2)]
			whole.Add(k, numbers...)
			parts[r.IntN(len(parts))].Add(k, numbers...)
		}
		emit := func(c tally.Counts) string { return run(t, "", c.Emit) }
		sorted := func(texts ...string) string {
			lines := slices.Collect(strings.Lines(strings.Join(texts, "")))
			slices.Sort(lines)
			return strings.Join(lines, "")
		}
		some := run(t, sorted(emit(parts[0]), emit(parts[1])), sum)
		got := run(t, sorted(some, emit(parts[2]), emit(parts[3])), sum)
		if diff := cmp.Diff(emit(whole), got); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, line := range []string{"", "a\tb\tc", "a\tb\tc\t", "a\tb\tc\t1 x", "a\tb\tc\t99999999999999999999"} {
		e, err := tally.Parse([]byte(line))
		if err == nil {
			_, err = e.Numbers(nil)
		}
		if err == nil {
			t.Errorf("%q is taken for a line of a tally", line)
		}
	}
}
