// Package stagetest runs stages in tests, as an engine chains them.
package stagetest

import (
	"bytes"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/stage"
)

// Run runs a stage on lines, which end in line feeds, and gives those that it writes,
// and what it says.
func Run(t *testing.T, lines []string, f func(*stage.Task) error, args ...string) (out []string, errs string) {
	t.Helper()
	status, out, errs := execute(lines, f, args...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	return out, errs
}

// Shuffle runs a mapper on each file in so many tasks, and gives the sorted lines of
// each of so many reducers: those whose first two fields are the same have the same one.
func Shuffle(t *testing.T, files [][]string, maps, reducers int, mapper func(*stage.Task) error) [][]string {
	t.Helper()
	parts := make([][]string, reducers)
	for _, file := range files {
		for i := range maps {
			out, _ := Run(t, file[i*len(file)/maps:(i+1)*len(file)/maps], mapper)
			for _, line := range out {
				fields := strings.SplitN(line, "\t", 3)
				h := fnv.New32a()
				h.Write([]byte(fields[0] + fields[1]))
				p := int(h.Sum32()) % reducers
				parts[p] = append(parts[p], line)
			}
		}
	}
	for _, part := range parts {
		slices.Sort(part)
	}
	return parts
}

// Survive gives stages, one by one, the sorted lines of a text that no stage may have
// written: they end, where they fail with a message.
func Survive(t *testing.T, text string, stages ...func(*stage.Task) error) {
	t.Helper()
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	for _, f := range stages {
		if status, _, errs := execute(lines, f, "--output", t.TempDir()); status != 0 && !strings.Contains(errs, "test: error: ") {
			t.Fatalf("status %d: %s", status, errs)
		}
	}
}

func execute(lines []string, f func(*stage.Task) error, args ...string) (status int, out []string, errs string) {
	var stdout, stderr bytes.Buffer
	c := stage.Command{Name: "test", Summary: "test", Run: f}
	status = stage.Execute(c, append([]string{"test"}, args...), strings.NewReader(strings.Join(lines, "")), &stdout, &stderr)
	return status, slices.Collect(strings.Lines(stdout.String())), stderr.String()
}
