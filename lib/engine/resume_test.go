package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mapperOf makes a mapper that sleeps on line b as long as the file "block" is
// there, and notes each line that it works on.
func (b *bench) mapperOf() string {
	return b.script("blocked", `read -r line; echo "$line" >> `+b.path("worked")+`
echo "reporter:counter:g,lines,1" >&2; echo "$line" > "$mapreduce_task_output_dir/side-$line"
if [ "$line" = b ] && [ -e `+b.path("block")+` ]; then
	sleep 300 & echo "$! $$" > `+b.path("pids.new")+"; mv "+b.path("pids.new")+" "+b.path("pids")+`; wait
fi
echo "$line"`)
}

func (b *bench) blockedArgs(args ...string) []string {
	return append([]string{"-inputformat", classLines, "-D", "stream.map.input.ignoreKey=true", "-D", "mapreduce.local.map.tasks.maximum=1",
		"-mapper", b.mapperOf()}, args...)
}

// killed runs the blocked job until line b is worked on, and kills the engine.
func (b *bench) killed(args ...string) {
	b.Helper()
	writeFile(b.T, b.path("block"), "")
	cmd, _ := b.engineProcess(b.blockedArgs(args...)...)
	pids := b.sleepers()
	cmd.Process.Kill()
	cmd.Wait()
	b.wantDead(pids)
	os.Remove(b.path("block"))
	os.Remove(b.path("pids"))
}

// Lines cc and dd come first: their splits are longer.
const resumeInput = "b\ncc\ndd\n"

// After kill -9 the programs die too, and a resumed run does only the rest.
func TestKillAndResume(t *testing.T) {
	for _, reducer := range []string{"NONE", "cat"} {
		b := newBench(t, resumeInput)
		args := []string{"-reducer", reducer, "-D", "engine.resume=true"}
		b.killed(args...)
		if exists(b.path("out/_SUCCESS")) || len(b.tree("out/_temporary/tasks")) == 0 {
			t.Fatalf("left behind: %v", b.tree("out"))
		}
		if status, stderr := b.run(b.blockedArgs("-reducer", reducer)...); status != 1 || !strings.Contains(stderr, "engine.resume=true") {
			t.Errorf("without resume: status %d, %s", status, stderr)
		}
		stderr := b.mustRun(b.blockedArgs(args...)...)
		if got := oracle(t, b.output(), "sort"); got != "b\t\ncc\t\ndd\t\n" {
			t.Errorf("%q", got)
		}
		worked, _ := os.ReadFile(b.path("worked"))
		if got := oracle(t, string(worked), "sort"); got != "b\nb\ncc\ndd\n" {
			t.Errorf("worked on %q", got)
		}
		if n := counter(t, stderr, "lines"); n != "3" {
			t.Errorf("%s lines counted", n)
		}
		if exists(b.path("out/_temporary")) || !exists(b.path("out/side-b")) || !exists(b.path("out/side-cc")) {
			t.Errorf("made %v", b.tree("out"))
		}
	}
}

// Another job's state is not used: everything is done again.
func TestResumeOfAnotherJob(t *testing.T) {
	b := newBench(t, resumeInput)
	b.killed("-reducer", "NONE", "-D", "engine.resume=true")
	b.mustRun(b.blockedArgs("-reducer", "NONE", "-D", "engine.resume=true", "-D", "stage.option=other")...)
	worked, _ := os.ReadFile(b.path("worked"))
	if got := oracle(t, string(worked), "sort"); got != "b\nb\ncc\ncc\ndd\ndd\n" {
		t.Errorf("worked on %q", got)
	}
}

// A failed run with engine.resume keeps what the finished tasks made.
func TestResumeAfterFailure(t *testing.T) {
	b := newBench(t, resumeInput)
	writeFile(t, b.path("block"), "")
	args := b.blockedArgs("-reducer", "NONE", "-D", "engine.resume=true", "-D", "mapreduce.task.timeout=300", "-D", "mapreduce.map.maxattempts=1")
	if status, stderr := b.run(args...); status != 1 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	os.Remove(b.path("block"))
	b.mustRun(args...)
	worked, _ := os.ReadFile(b.path("worked"))
	if got := oracle(t, string(worked), "sort"); got != "b\nb\ncc\ndd\n" {
		t.Errorf("worked on %q", got)
	}
}

// A run that was killed while it moved files into their places goes on.
func TestResumeOfCommit(t *testing.T) {
	for _, moved := range []int{1, 2} {
		b, args := newBench(t, "a\nb\n"), []string{"-inputformat", classLines, "-D", "engine.resume=true", "-mapper", "cat", "-reducer", "NONE"}
		b.committing(args, moved).unlock()
		stderr := b.mustRun(args...)
		if diff := cmp.Diff([]string{"_SUCCESS", "part-00000", "part-00001"}, b.tree("out")); diff != "" {
			t.Error(moved, diff)
		}
		if n := counter(t, stderr, mapInputRecords); n != "2" {
			t.Errorf("%d moved: %s records counted", moved, n)
		}
	}
}

// A run that was killed between the steps after its last file goes on, or its output is
// complete and is known to be so.
func TestResumeOfEnd(t *testing.T) {
	for done := 0; ; done++ {
		b, args := newBench(t, "a\nb\n"), []string{"-inputformat", classLines, "-D", "engine.resume=true", "-mapper", "cat", "-reducer", "NONE"}
		w := b.committing(args, 2)
		steps := w.lastSteps()
		if done > len(steps) {
			break
		}
		for _, step := range steps[:done] {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		w.unlock()
		complete := exists(b.path("out/_SUCCESS"))
		status, stderr := b.run(args...)
		if status != 0 && !(complete && strings.Contains(stderr, "already exists")) {
			t.Errorf("after %d steps: status %d: %s", done, status, stderr)
		}
		if status == 0 && (!strings.Contains(stderr, "Map input records=2\n") || !strings.Contains(stderr, "Launched map tasks=2\n")) {
			t.Errorf("after %d steps the counters are not those of both tasks: %s", done, stderr)
		}
		if diff := cmp.Diff([]string{"_SUCCESS", "part-00000", "part-00001"}, b.tree("out")); diff != "" {
			t.Errorf("after %d steps: %s", done, diff)
		}
	}
}

// committing runs the two tasks of a job and moves the files of some into their places.
func (b *bench) committing(args []string, moved int) *workFolder {
	b.Helper()
	a, err := parseArguments(b.args(args...))
	if err != nil {
		b.Fatal(err)
	}
	j, err := newJob(b.Context(), a)
	if err != nil {
		b.Fatal(err)
	}
	if err := j.shareEnvironment(os.Stderr); err != nil {
		b.Fatal(err)
	}
	if j.work, err = openWork(j.output, j.fingerprint, true); err != nil {
		b.Fatal(err)
	}
	maps, _ := j.tasks()
	totals := newCounters()
	if err := j.runTasks(b.Context(), maps, nil, totals, &progress{log: os.Stderr}, os.Stderr); err != nil {
		b.Fatal(err)
	}
	phase := phaseCommitting
	if moved == len(maps) {
		phase = phaseCommitted
	}
	j.work.state.Counters = totals.sums
	if err := j.work.setPhase(phase); err != nil {
		b.Fatal(err)
	}
	for _, task := range maps[:moved] {
		part := "part-0000" + strconv.Itoa(task.index)
		if err := os.Rename(filepath.Join(j.work.task("task_"+task.id), outputName, part), b.path("out/"+part)); err != nil {
			b.Fatal(err)
		}
	}
	return j.work
}

// When the process of engine.driver.pid ends, so does the job; with
// engine.resume what is done stays.
func TestDriver(t *testing.T) {
	for _, resume := range []string{"false", "true"} {
		b := newBench(t, resumeInput)
		writeFile(t, b.path("block"), "")
		driver := exec.Command("sleep", "300")
		if err := driver.Start(); err != nil {
			t.Fatal(err)
		}
		cmd, stderr := b.engineProcess(b.blockedArgs("-reducer", "NONE", "-D", "engine.resume="+resume,
			"-D", "engine.driver.pid="+strconv.Itoa(driver.Process.Pid))...)
		pids := b.sleepers()
		driver.Process.Kill()
		driver.Wait()
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "job script") {
			t.Errorf("%v: %s", err, stderr)
		}
		b.wantDead(pids)
		if resume == "false" {
			b.wantGone()
			continue
		}
		if len(b.tree("out/_temporary/tasks")) == 0 || exists(b.path("out/_temporary/attempts")) {
			t.Errorf("left %v", b.tree("out"))
		}
	}
}

func TestDriverThatIsGone(t *testing.T) {
	b := newBench(t, "a\n")
	driver := exec.Command("true")
	if err := driver.Run(); err != nil {
		t.Fatal(err)
	}
	status, stderr := b.run("-D", "engine.driver.pid="+strconv.Itoa(driver.Process.Pid), "-mapper", "sleep 300", "-reducer", "NONE")
	if status != 1 || !strings.Contains(stderr, "job script") {
		t.Errorf("status %d: %s", status, stderr)
	}
	b.wantGone()
}
