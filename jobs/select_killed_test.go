package jobs

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// holdOnce puts a program into the place of one of a pipe. The first run of it there,
// which is told by its rejects, that finds gate/hold-NAME takes that away and stops after
// so many lines of its input, or of its output where it has no input, for as long as
// gate/held is there. Runs that check the options of the job are let through.
func (b *bench) holdOnce(name string, lines string, reads bool) {
	b.Helper()
	b.must(os.Rename(b.path("bin/"+name), b.path(name)))
	way := `"$real" "$@" | wait_behind`
	if reads {
		way = `wait_behind | "$real" "$@"`
	}
	b.write("bin/"+name, strings.NewReplacer("WAY", way, "LINES", lines, "GATE", b.path("gate"), "NAME", name, "REAL", b.path(name)).Replace(`#!/bin/bash
real=REAL
set -o pipefail
wait_behind() {
	LC_ALL=C awk -v wait="touch GATE/held; while [ -e GATE/held ]; do sleep 0.05; done" '
		{ print }
		NR == LINES { fflush(); system(wait) }'
}
if [[ " $* " == *" --rejects "* ]] && mv GATE/hold-NAME GATE/taken 2>/dev/null; then
	WAY
else
	exec "$real" "$@"
fi
`))
	b.must(os.Chmod(b.path("bin/"+name), 0o777))
}

func (b *bench) there(name string) bool {
	_, err := os.Stat(b.path(name))
	return err == nil
}

// TestSelectPipeKilled kills small selections, which are made by pipes without an
// engine, half-way: all at once, the script only, or the program that is held. Nothing
// is left that looks complete, and the resumed job makes what an undisturbed one does,
// even where programs of the killed one are still running.
func TestSelectPipeKilled(t *testing.T) {
	b := newBench(t)
	b.addPrograms("filter-captures", "pick-captures", "write-index", "index-archives", "find-originals", "resolve-revisits", "enrich-captures", "count-rows")
	b.holdOnce("filter-captures", "40", false)
	b.holdOnce("enrich-captures", "300", true)
	b.holdOnce("extract-records", "300", true)
	start := func(output string, args ...string) *job {
		args = append([]string{"--cdx", b.path("corpus/index.cdx"), "--archives", b.path("corpus/archives"), "--output", b.path(output)}, args...)
		cmd := exec.Command(b.path("jobs/select.sh"), args...)
		cmd.WaitDelay = 100 * time.Millisecond // what outlives the script can still write
		return b.begin(output, cmd)
	}
	for _, c := range []struct {
		name, held string
		options    []string
	}{
		{"search", "filter-captures", []string{"--pick", "latest", "--save", "cdxj"}},
		{"derive", "enrich-captures", []string{"--where", "status == 200", "--enrich", "payload.string.html.title,payload.length"}},
		{"extract", "extract-records", []string{"--save", "warc"}},
	} {
		undisturbed := start(c.name, c.options...)
		b.end(undisturbed, 0)
		want := b.tree(c.name)
		if len(want) < 3 {
			t.Fatalf("%s: only %d files were made", c.name, len(want))
		}
		for _, victim := range []string{"all", "script", "script by SIGTERM", "program"} {
			t.Run(c.name+", "+victim, func(t *testing.T) {
				b := b.of(t)
				output := c.name + "-" + strings.ReplaceAll(victim, " ", "-")
				b.write("gate/hold-"+c.held, "")
				j := start(output, c.options...)
				for end := time.Now().Add(time.Minute); !b.there("gate/held"); time.Sleep(20 * time.Millisecond) {
					select {
					case <-j.done:
						t.Fatalf("the job has ended: %s", j.said.String())
					default:
					}
					if time.Now().After(end) {
						t.Fatalf("%s was not held: %s", c.held, j.said.String())
					}
				}
				switch victim {
				case "all":
					b.must(syscall.Kill(-j.Process.Pid, syscall.SIGKILL))
					b.end(j, -1)
				case "script":
					b.kill(j.Process.Pid)
					b.end(j, -1)
				case "script by SIGTERM":
					b.must(syscall.Kill(j.Process.Pid, syscall.SIGTERM))
					b.end(j, 143)
					b.wantQuiet()
					want := "select.sh: stopped by SIGTERM"
					if b.there(output) {
						want += ", --resume goes on"
					}
					if said := j.said.String(); !strings.HasSuffix("\n"+said, "\n"+want+"\n") {
						t.Errorf("said %q, want %q at the end", said, want)
					}
				case "program":
					b.kill(b.process(c.held))
					b.must(os.Remove(b.path("gate/held")))
					b.end(j, 1)
					if !strings.Contains(j.said.String(), "error: stage "+c.name+" failed") {
						t.Errorf("said %s", j.said.String())
					}
				}
				if !b.there(output) { // nothing of it had been done
					b.end(start(output, c.options...), 0)
				} else {
					for _, name := range b.names(output) {
						if !strings.HasPrefix(name, "_work/") && !strings.HasPrefix(name, "_lock.") {
							t.Errorf("%s is left", name)
						}
					}
					again := start(output, c.options...)
					b.end(again, 2)
					if said := again.said.String(); !strings.Contains(said, "exists") || !strings.Contains(said, "--resume") {
						t.Errorf("said %s", said)
					}
					b.end(start(output, append(c.options, "--resume")...), 0)
				}
				b.wantQuiet()
				os.Remove(b.path("gate/held"))
				b.same("output", want, b.tree(output))
			})
		}
	}
}
