package jobs

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// killAtStep puts a program into the place of manage-files that kills the whole
// job, itself too, instead of its call number gate/step, or the next one where two
// of a pipe come at once, and, where gate/half is there, when half of a
// publication is done.
func (b *bench) killAtStep() {
	b.Helper()
	b.must(os.Rename(b.path("bin/manage-files"), b.path("manage-files")))
	b.write("bin/manage-files", strings.NewReplacer("GATE", b.path("gate"), "REAL", b.path("manage-files")).Replace(`#!/bin/bash
echo "$@" >>GATE/calls
if [[ -e GATE/step && $(wc -l <GATE/calls) -ge $(<GATE/step) ]]; then
	kill -9 0
fi
if [[ -e GATE/half && $1 == end ]]; then
	(cd "$2/_work/extract" && for f in [!_.]*; do printf '%s\t1\n' "$f"; done) >"$2/_work/publishing"
	mv "$2/_work/extract/manifest.tsv" "$2/_work/extract/"EXTRACT-*-000000-0.warc.gz "$2/"
	kill -9 0
fi
exec REAL "$@"
`))
	b.must(os.Chmod(b.path("bin/manage-files"), 0o777))
}

// resume runs a job anew that was killed, with --resume where it has left
// something.
func (b *bench) resume(output string, args ...string) map[string]string {
	b.Helper()
	if _, err := os.Stat(b.path(output)); err == nil {
		args = append(args, "--resume")
	}
	return b.run(output, args...)
}

// TestExtractKilledAtEveryStep kills the job wherever its script reads or writes
// a file of its own.
func TestExtractKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.killAtStep()
	lines := strings.SplitAfter(b.read("corpus/pick.cdxj"), "\n")
	list := b.write("list.cdxj", strings.Join(lines[:10], "")+"no capture\n")
	want := b.run("undisturbed", "--input", list)
	if want["manifest.tsv"] == "" || want["index.cdxj"] == "" || want["_rejects.tsv"] == "" {
		t.Fatalf("made %v", want)
	}
	steps := strings.Count(b.read("gate/calls"), "\n")
	for step := 1; step <= steps; step++ {
		output := fmt.Sprintf("step-%d", step)
		b.must(os.Remove(b.path("gate/calls")))
		b.write("gate/step", fmt.Sprint(step))
		j := b.start(output, "--input", list)
		b.end(j, -1)
		b.must(os.Remove(b.path("gate/step")))
		b.wantQuiet()
		calls := strings.Split(b.read("gate/calls"), "\n")
		b.same("output after kill -9 instead of manage-files "+calls[step-1], want, b.resume(output, "--input", list))
	}
	// The steps within the end are those of TestEndCanBeInterrupted.
	if steps < 2 {
		t.Errorf("only %d steps", steps)
	}
}

// TestExtractKilledInPublication has a part of the result in its place when the
// job is killed.
func TestExtractKilledInPublication(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.killAtStep()
	list := b.path("corpus/pick.cdxj")
	want := b.run("undisturbed", "--input", list)
	kill := func(output string) {
		t.Helper()
		b.write("gate/half", "")
		b.end(b.start(output, "--input", list), -1)
		b.must(os.Remove(b.path("gate/half")))
		if b.readIfThere(output+"/manifest.tsv") == "" {
			t.Fatal("nothing was published")
		}
	}
	kill("half")
	b.same("output", want, b.resume("half", "--input", list))

	// What is there already would be mixed with what other options make.
	kill("other")
	j := b.start("other", "--input", list, "--resume", "--prefix", "OTHER")
	b.end(j, 1)
	if !strings.Contains(j.said.String(), "--force") {
		t.Errorf("said %s", j.said.String())
	}
	b.same("output", want, b.run("other", "--input", list, "--force"))
}

// TestExtractInterruptedAtOnce stops the job in its first stage, and in between.
func TestExtractInterruptedAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	list := b.path("corpus/pick.cdxj")
	want := b.run("undisturbed", "--input", list)
	for i := range 12 {
		output := "output" + strconv.Itoa(i)
		j := b.start(output, "--input", list)
		// A job takes about a second.
		time.Sleep(time.Duration(i) * 80 * time.Millisecond)
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGKILL, syscall.SIGTERM}[i%3]
		syscall.Kill(-j.Process.Pid, signal)
		<-j.done
		b.wantQuiet()
		if signal != syscall.SIGKILL && j.ProcessState.ExitCode() != 0 && j.ProcessState.ExitCode() != 128+int(signal) && j.ProcessState.Exited() {
			t.Errorf("%v: exit status %d: %s", signal, j.ProcessState.ExitCode(), j.said.String())
		}
		again := []string{"--input", list}
		if _, err := os.Stat(b.path(output)); err == nil {
			if locks, _ := filepath.Glob(b.path(output + "/_lock*")); len(locks) > 0 && signal != syscall.SIGKILL {
				t.Errorf("%v: the lock is left", signal)
			}
			again = append(again, "--resume")
		}
		b.same(fmt.Sprintf("%v after %d ms", signal, i*80), want, b.run(output, again...))
	}
}
