package jobs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// holdMapper puts a mapper into the place of extract-records whose first attempt
// at the split whose number gate/hold has stops after 40 lines for as long as that
// file is there. By then it has written records. The process whose number
// gate/held has is extract-records itself.
func (b *bench) holdMapper() {
	b.Helper()
	b.must(os.Rename(b.path("bin/extract-records"), b.path("extract-records")))
	b.write("bin/extract-records", strings.NewReplacer("GATE", b.path("gate"), "REAL", b.path("extract-records")).Replace(`#!/bin/bash
if [[ -e GATE/hold && $mapreduce_map_input_file == *split-$(<GATE/hold).tsv && $mapreduce_task_attempt_id == *_0 ]]; then
	exec REAL "$@" < <(LC_ALL=C awk -v wait="echo $$ >GATE/new; mv GATE/new GATE/held; while [ -e GATE/hold ] && kill -0 $$; do sleep 0.05; done 2>/dev/null" '
		{ print }
		NR == 40 { fflush(); system(wait) }')
fi
exec REAL "$@"
`))
	b.must(os.Chmod(b.path("bin/extract-records"), 0o777))
}

// hold lets the mapper of a split be held.
func (b *bench) hold(split string) {
	b.Helper()
	b.write("gate/hold", split)
	os.Remove(b.path("gate/held"))
}

// startHeld starts the job and gives the number of the mapper that is held.
func (b *bench) startHeld(output string, args ...string) (*job, int) {
	b.Helper()
	b.hold("000002")
	j := b.start(output, args...)
	return j, b.held(j)
}

// held waits until a mapper of the job is held.
func (b *bench) held(j *job) int {
	b.Helper()
	for end := time.Now().Add(4 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if pid, err := strconv.Atoi(strings.TrimSpace(b.readIfThere("gate/held"))); err == nil {
			return pid
		}
		select {
		case <-j.done:
			b.Fatalf("no mapper was held: %s", j.said.String())
		default:
		}
	}
	syscall.Kill(-j.Process.Pid, syscall.SIGKILL)
	<-j.done
	b.Fatalf("no mapper was held: %s", j.said.String())
	return 0
}

func (b *bench) readIfThere(name string) string {
	content, err := os.ReadFile(b.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.Fatal(err)
	}
	return string(content)
}

// release lets the mappers of this and later runs go on.
func (b *bench) release() {
	b.Helper()
	b.must(os.Remove(b.path("gate/hold")))
}

func (b *bench) kill(pid int) {
	b.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		b.Fatalf("kill -9 %d: %v", pid, err)
	}
}

// processes gives those that were started by jobs of the bench, by name: a folder
// of the bench is in their environment.
func (b *bench) processes() map[int]string { return processesWith(b.dir) }

func processesWith(text string) map[int]string {
	found := map[int]string{}
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environments {
		environment, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(environment, []byte(text)) {
			continue // gone meanwhile
		}
		dir := filepath.Dir(name)
		command, _ := os.ReadFile(dir + "/comm")
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil && len(command) > 0 {
			found[pid] = strings.TrimSpace(string(command))
		}
	}
	return found
}

// process gives the number of the bench's only process of that name.
func (b *bench) process(name string) int {
	b.Helper()
	all := b.processes()
	for pid, n := range all {
		if n == name {
			return pid
		}
	}
	b.Fatalf("no process %s among %v", name, all)
	return 0
}

// wantQuiet checks that nothing is left of a job but what is in its output: what
// a killed driver leaves running has seconds to notice.
func (b *bench) wantQuiet() {
	b.Helper()
	var left map[int]string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if left = b.processes(); len(left) == 0 {
			break
		}
	}
	if len(left) > 0 {
		b.Errorf("processes left: %v", left)
	}
	if entries, _ := os.ReadDir(b.path("tmp")); len(entries) > 0 {
		b.Errorf("temporary files left: %v", entries)
	}
}

// names gives what is in a folder, by name, but for what is in a finished stage.
func (b *bench) names(dir string) []string {
	var names []string
	for name := range b.tree(dir) {
		if !strings.HasPrefix(name, "_work/plan/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// A list with everything that is rejected, by the parsing and by the extracting
// stage, and the lines of _rejects.tsv.
func (b *bench) faultyList() (list string, rejects []string) {
	b.Helper()
	good := b.read("corpus/pick.cdxj")
	archives, err := filepath.Glob(b.path("corpus/archives/*-00002.warc.gz"))
	b.must(err)
	if len(archives) != 1 {
		b.Fatalf("archives %v", archives)
	}
	info, err := os.Stat(archives[0])
	b.must(err)
	name := filepath.Base(archives[0])
	line := func(offset, length int64, file string) string {
		return fmt.Sprintf(`com,example)/%d 20200101000000 {"url": "http://example.com/%d", "length": "%d", "offset": "%d", "filename": "%s"}`, offset, offset, length, offset, file)
	}
	bad := [][3]string{
		{"parse-captures", "malformed line: ", "no capture"},
		{"parse-captures", "malformed line: ", "one\ttwo\tthree\tfour"},
		{"extract-records", "archive file not found", line(0, 10, "none.warc.gz")},
		{"extract-records", "archive file not found", line(10, 10, "none.warc.gz")},
		{"extract-records", "offset past the end: the archive file is " + strconv.FormatInt(info.Size(), 10), line(info.Size()+7, 10, name)},
		{"extract-records", "length past the end: the archive file is " + strconv.FormatInt(info.Size(), 10), line(info.Size()-7, 10, name)},
		{"extract-records", "neither a gzip member nor a record", line(1, 100, name)},
	}
	for _, x := range bad {
		good += x[2] + "\n"
		rejects = append(rejects, x[0]+"\t"+x[1]+"..."+"\t"+strings.ReplaceAll(x[2], "\t", `\t`))
	}
	slices.Sort(rejects)
	return b.write("faulty.cdxj", good), rejects
}

// wantRejects compares _rejects.tsv with lines whose reasons may end in "...".
func (b *bench) wantRejects(output string, want []string) {
	b.Helper()
	var got []string
	for _, f := range fields(b.read(output+"/_rejects.tsv"), 3) {
		for _, w := range want {
			parts := strings.Split(w, "\t")
			if begin := strings.TrimSuffix(parts[1], "..."); parts[2] == f[2] && strings.HasPrefix(f[1], begin) {
				f[1] = parts[1]
				break
			}
		}
		got = append(got, strings.Join(f, "\t"))
	}
	slices.Sort(got)
	b.same(output+": rejects", want, got)
}

// wantCounters checks _job.json of a job that has extracted the faulty list.
func (b *bench) wantCounters(output, list string, rejects int) description {
	b.Helper()
	d := b.description(output)
	b.same(output+": job, engine", []string{"extract", "local"}, []string{d.Job, d.Engine})
	b.same(output+": rejects", rejects, d.Rejects)
	b.same(output+": input", list, d.Inputs[0].Path)
	b.same(output+": captures", map[string]int64{"captures": 505, "rejected": 2, "bytes": d.Counters["plan"]["parse-captures"]["bytes"]},
		d.Counters["plan"]["parse-captures"])
	size := int64(0)
	for _, f := range fields(b.read(output+"/manifest.tsv"), 6) {
		size += number(f[2])
	}
	files := int64(0)
	for name := range b.tree(output) {
		if strings.HasPrefix(name, "EXTRACT-") {
			files++
		}
	}
	b.same(output+": records", map[string]int64{"records": 500, "rejected": 5, "bytes": size, "files": files}, d.Counters["extract"]["extract-records"])
	b.same(output+": tables", map[string]int64{"manifest.tsv": 500, "index.cdxj": 500}, d.Counters["extract"]["write-tables"])
	return d
}

// TestExtractSurvives disturbs the job and its resumption in every way: what it
// makes in the end has to be what an undisturbed job makes.
func TestExtractSurvives(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.holdMapper()
	list, rejects := b.faultyList()
	want := b.run("undisturbed", "--input", list)
	b.wantRejects("undisturbed", rejects)
	b.wantCounters("undisturbed", list, len(rejects))
	check := func(b *bench, output string) description {
		b.Helper()
		b.wantQuiet()
		b.same("output", want, b.tree(output))
		return b.wantCounters(output, list, len(rejects))
	}
	resume := func(b *bench, output string) description {
		b.Helper()
		b.release()
		b.run(output, "--input", list, "--resume")
		return check(b, output)
	}

	t.Run("mapper killed", func(t *testing.T) {
		b := b.of(t)
		j, mapper := b.startHeld("mapper", "--input", list)
		b.kill(mapper)
		b.end(j, 0)
		b.release()
		d := check(b, "mapper")
		b.same("failed tasks", int64(1), d.Counters["extract"]["Job Counters"]["Failed map tasks"])
	})
	t.Run("slow mapper", func(t *testing.T) {
		b := b.of(t)
		j, _ := b.startHeld("slow", "--input", list, "-D", "mapreduce.map.speculative=true")
		b.end(j, 0)
		b.release()
		d := check(b, "slow")
		b.same("tasks superseded", int64(1), d.Counters["extract"]["Job Counters"]["Killed map tasks"])
	})
	t.Run("driver killed", func(t *testing.T) {
		b := b.of(t)
		j, _ := b.startHeld("driver", "--input", list)
		b.kill(j.Process.Pid)
		b.end(j, -1)
		b.wantQuiet()
		resume(b, "driver")
	})
	t.Run("driver killed twice", func(t *testing.T) {
		b := b.of(t)
		j, _ := b.startHeld("twice", "--input", list)
		b.kill(j.Process.Pid)
		b.end(j, -1)
		b.wantQuiet()
		j, _ = b.startHeld("twice", "--input", list, "--resume")
		b.kill(j.Process.Pid)
		b.end(j, -1)
		b.wantQuiet()
		resume(b, "twice")
	})
	t.Run("engine killed", func(t *testing.T) {
		b := b.of(t)
		j, _ := b.startHeld("engine", "--input", list)
		b.kill(b.process("run-streaming"))
		b.end(j, 1)
		if !strings.Contains(j.said.String(), "error: stage extract failed") {
			t.Errorf("said %s", j.said.String())
		}
		b.wantQuiet()
		d := resume(b, "engine")
		// What was done is not done again.
		if n := d.Counters["extract"]["Job Counters"]["Launched map tasks"]; n >= 6 {
			t.Errorf("%d map tasks after the resumption", n)
		}
	})
	t.Run("all killed at once", func(t *testing.T) {
		b := b.of(t)
		j, _ := b.startHeld("all", "--input", list)
		for pid := range b.processes() {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		b.end(j, -1)
		b.wantQuiet()
		resume(b, "all")
	})
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			b := b.of(t)
			output := fmt.Sprintf("signal-%d", signal)
			j, _ := b.startHeld(output, "--input", list)
			b.must(syscall.Kill(-j.Process.Pid, signal))
			b.end(j, 128+int(signal))
			b.wantQuiet()
			name := map[syscall.Signal]string{syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}[signal]
			if said := j.said.String(); strings.Count(said, "extract.sh: stopped by "+name+", --resume goes on\n") != 1 {
				t.Errorf("said %q", said)
			}
			b.same("left", []string{"_work/inputs.tsv", "_work/inputs.txt", "_work/plan.done"}, b.names(output))
			resume(b, output)
		})
	}
	t.Run("forced", func(t *testing.T) {
		b := b.of(t)
		j, _ := b.startHeld("forced", "--input", list)
		b.kill(j.Process.Pid)
		b.end(j, -1)
		b.wantQuiet()
		b.release()
		b.run("forced", "--input", list, "--force", "--prefix", "OTHER")
		b.run("forced", "--input", list, "--force")
		check(b, "forced")
	})
}
