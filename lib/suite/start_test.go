package suite

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart measures the processor time of a stage that has nothing to do, beside
// that of cat, in ms: the median of all runs. The programs in bin/ must be built.
//
//	go test -run NONE -bench Start -benchtime 300x ./lib/suite
func BenchmarkStart(b *testing.B) {
	bin, err := filepath.Abs("../../bin")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(bin, programName)); err != nil {
		b.Skip("the programs are not built: make")
	}
	for _, command := range [][]string{{"cat"}, {"count-pairs"}, {"index-archives"}, {"write-tables"}, {"filter-captures"}, {"enrich-captures", "--archives", "."}, {"manage-files", "version"}} {
		b.Run(command[0], func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				cmd := exec.Command(filepath.Join(bin, command[0]), command[1:]...)
				if command[0] == "cat" {
					cmd = exec.Command("cat")
				}
				if err := cmd.Run(); err != nil && command[0] != "count-pairs" {
					b.Fatal(command, err)
				}
				times = append(times, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "cpu-ms")
		})
	}
}

func TestFind(t *testing.T) {
	if p, ok := Find("extract-records"); !ok || p.Name != "extract-records" {
		t.Errorf("extract-records: %v, %v", p, ok)
	}
	for _, name := range []string{"", "extract", "extract-records ", "archivestream"} {
		if _, ok := Find(name); ok {
			t.Errorf("%q is a program", name)
		}
	}
}

func TestSummaryOf(t *testing.T) {
	script := filepath.Join(t.TempDir(), "job.sh")
	for content, want := range map[string]string{
		"#!/bin/bash\n# Do it.\n#\n# Usage":             "Do it",
		"#!/bin/bash\n# Do it and\n# more.\n#\n# Usage": "Do it and more",
		"":            "",
		"#!/bin/bash": "",
	} {
		if err := os.WriteFile(script, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := summaryOf(script); got != want {
			t.Errorf("%q: %q, expected %q", content, got, want)
		}
	}
}
