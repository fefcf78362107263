package jobs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// indexBench is a bench for jobs/index.sh.
type indexBench struct{ *bench }

// indexPrograms are those of the stages of jobs/index.sh.
var indexPrograms = []string{"index-archives", "sample-keys", "cut-ranges", "assign-ranges", "write-index", "number-blocks"}

// everything lets the job make all that it can.
var everything = []string{"--zipnum", "--parquet", "--per-file"}

func newIndexBench(t *testing.T) *indexBench {
	t.Helper()
	x := &indexBench{newBench(t)}
	x.addPrograms(indexPrograms...)
	return x
}

func (x *indexBench) of(t *testing.T) *indexBench { return &indexBench{x.bench.of(t)} }

// start begins the job, on the archives of the corpus unless there is --input.
func (x *indexBench) start(output string, args ...string) *job {
	x.Helper()
	if !slices.Contains(args, "--input") {
		args = append([]string{"--input", x.path("corpus/archives")}, args...)
	}
	return x.begin(output, exec.Command(x.path("jobs/index.sh"), append([]string{"--output", x.path(output)}, args...)...))
}

// run runs the job to its end and gives what it has made.
func (x *indexBench) run(output string, args ...string) map[string]string {
	x.Helper()
	x.end(x.start(output, args...), 0)
	return x.tree(output)
}

// resume runs a job anew that was killed, with --resume where it has left
// something.
func (x *indexBench) resume(output string, args ...string) map[string]string {
	x.Helper()
	if _, err := os.Stat(x.path(output)); err == nil {
		args = append(slices.Clone(args), "--resume")
	}
	return x.run(output, args...)
}

// holdPrograms puts a program into the place of each of these whose first attempt
// at the task that gate/hold names, as "PROGRAM NUMBER", stops after two lines for
// as long as that file is there. The process whose number gate/held has is the
// program itself.
func (x *indexBench) holdPrograms(programs ...string) {
	x.Helper()
	for _, program := range programs {
		x.must(os.Rename(x.path("bin/"+program), x.path(program)))
		x.write("bin/"+program, strings.NewReplacer("GATE", x.path("gate"), "REAL", x.path(program), "NAME", program).Replace(`#!/bin/bash
if [[ -e GATE/hold && $(<GATE/hold) == "NAME $mapreduce_task_partition" && $mapreduce_task_attempt_id == *_0 ]]; then
	exec REAL "$@" < <(LC_ALL=C awk -v wait="sleep 0.2; echo $$ >GATE/new; mv GATE/new GATE/held; while [ -e GATE/hold ] && kill -0 $$; do sleep 0.05; done 2>/dev/null" '
		{ print }
		NR == 2 { fflush(); system(wait) }')
fi
exec REAL "$@"
`))
		x.must(os.Chmod(x.path("bin/"+program), 0o777))
	}
}

// startHeld starts the job and gives the number of the program that is held.
func (x *indexBench) startHeld(task, output string, args ...string) (*job, int) {
	x.Helper()
	x.hold(task)
	j := x.start(output, args...)
	return j, x.held(j)
}

// merged gives the lines of several files as LC_ALL=C sort orders them.
func merged(tree map[string]string, prefix string) string {
	var lines []string
	for name, content := range tree {
		if strings.HasPrefix(name, prefix) {
			lines = slices.AppendSeq(lines, strings.Lines(content))
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}

// unpacked gives what the gzip files that a pattern names hold, in the order of
// their names.
func (x *indexBench) unpacked(pattern string) string {
	x.Helper()
	files, err := filepath.Glob(x.path(pattern))
	x.must(err)
	if len(files) == 0 {
		x.Fatalf("no files %s", pattern)
	}
	return said(x.T, "", "gzip", append([]string{"-dc"}, files...)...)
}

// plainTree is a tree that has the indexes of single archives as text.
func (x *indexBench) plainTree(dir string) map[string]string {
	x.Helper()
	tree := x.tree(dir)
	for name := range tree {
		if strings.HasPrefix(name, "cdx/") {
			tree[name] = x.read(dir + "/" + name)
		}
	}
	return tree
}

// TestIndexIsReproducible runs the job in many ways that must not change its lines.
func TestIndexIsReproducible(t *testing.T) {
	t.Parallel()
	x := newIndexBench(t)
	want := x.run("once", everything...)
	lines := want["index.cdxj"]
	if n := strings.Count(lines, "\n"); n != 900 {
		t.Errorf("%d lines, the corpus has 900 captures", n)
	}
	x.same("again", want, x.run("again", everything...))
	x.same("one mapper", want, x.run("maps", append([]string{"--maps", "1"}, everything...)...))
	shards := map[string]string{}
	for _, c := range []struct {
		name  string
		parts int
		args  []string
	}{
		{"three", 3, []string{"--shards", "3"}},
		{"reducers", 3, []string{"--reducers", "3", "--maps", "2"}},
		{"speculative", 3, []string{"--shards", "3", "-D", "mapreduce.map.speculative=true"}},
		{"one slot", 3, []string{"--shards", "3", "-D", "mapreduce.local.map.tasks.maximum=1"}},
		{"many", 40, []string{"--shards", "40"}},
	} {
		tree := x.run(c.name, append(c.args, everything...)...)
		parts := map[string]string{}
		for name, content := range tree {
			if dir, _, found := strings.Cut(name, "/"); found && dir != "cdx" {
				parts[name] = content
			} else {
				x.same(c.name+": "+name, want[name], content)
			}
		}
		x.same(c.name+": shards", lines, x.unpacked(c.name+"/zipnum/cdx-*.gz"))
		x.same(c.name+": files of each archive", lines, merged(x.plainTree(c.name), "cdx/"))
		if n := len(parts); n != 2*c.parts+2 { // cluster.idx, cluster.loc
			t.Errorf("%s: %d files instead of %d of %d parts", c.name, n, 2*c.parts+2, c.parts)
		}
		if c.parts == 3 {
			if len(shards) > 0 {
				x.same(c.name+": parts", shards, parts)
			}
			shards = parts
		}
	}
}

// TestIndexUpdatesAreReproducible makes an index in steps, and one out of another
// that has more.
func TestIndexUpdatesAreReproducible(t *testing.T) {
	t.Parallel()
	x := newIndexBench(t)
	want := x.run("whole", everything...)
	archives, err := filepath.Glob(x.path("corpus/archives/*"))
	x.must(err)
	x.write("removed.txt", filepath.Base(archives[6])+"\n"+filepath.Base(archives[7])+"\n")
	// An older index does not have all that the layout of a table has, so that it
	// must be of that layout already.
	first, second, third := archives[:3], archives[3:6], archives[6:]
	input := func(files []string, args ...string) []string {
		return append(append([]string{"--format", "cdxj-cc", "--input"}, files...), args...)
	}
	x.run("first", input(first, "--shards", "2", "--zipnum")...)
	x.run("second", input(second, "--shards", "5", "--zipnum", "--update", x.path("first"))...)
	x.must(os.Remove(x.path("second/index.cdxj"))) // the cluster is as good
	for _, shards := range []string{"1", "4"} {
		output := "third-" + shards
		got := x.run(output, input(third, append([]string{"--update", x.path("second"), "--shards", shards}, everything...)...)...)
		x.same("index in three steps, shards "+shards, want["index.cdxj"], got["index.cdxj"])
		x.same("shards", want["index.cdxj"], x.unpacked(output+"/zipnum/cdx-*.gz"))
	}
	again := x.run("again", input(second, "--update", x.path("whole"), "--shards", "3")...)
	x.same("archives indexed once more", want["index.cdxj"], again["index.cdxj"])
	less := x.run("less", input(second, "--update", x.path("whole/zipnum"), "--remove", x.path("removed.txt"))...)
	six := x.run("six", input(archives[:6])...)
	x.same("archives removed", six["index.cdxj"], less["index.cdxj"])
}

// TestIndexSurvives disturbs the job and its resumption: what it makes in the end
// has to be what an undisturbed job makes.
func TestIndexSurvives(t *testing.T) {
	t.Parallel()
	x := newIndexBench(t)
	x.holdPrograms("index-archives", "write-index")
	// Three archives a map task, and a file that is none.
	x.write("corpus/archives/noise.warc.gz", "This is no archive file.\n")
	args := append([]string{"--maps", "3", "--shards", "3"}, everything...)
	want := x.run("undisturbed", args...)
	counted := x.description("undisturbed").Counters
	x.same("rejects", 1, strings.Count(want["_rejects.tsv"], "\n"))
	check := func(x *indexBench, output string) description {
		x.Helper()
		x.wantQuiet()
		x.same("output", want, x.tree(output))
		d := x.description(output)
		x.same("job, engine", []string{"index", "local"}, []string{d.Job, d.Engine})
		x.same("rejects", 1, d.Rejects)
		for stage, program := range map[string]string{"index": "index-archives", "sort": "write-index"} {
			x.same("counters of "+program, counted[stage][program], d.Counters[stage][program])
		}
		return d
	}
	failed := func(task string) string {
		if strings.HasPrefix(task, "index-archives") {
			return "Failed map tasks"
		}
		return "Failed reduce tasks"
	}
	for _, task := range []string{"index-archives 1", "write-index 1"} {
		stage := map[bool]string{true: "index", false: "sort"}[strings.HasPrefix(task, "index")]
		name := strings.Replace(task, " ", "-", 1)
		t.Run(name+" killed", func(t *testing.T) {
			x := x.of(t)
			j, pid := x.startHeld(task, name, args...)
			x.kill(pid)
			x.end(j, 0)
			x.release()
			d := check(x, name)
			x.same("failed tasks", int64(1), d.Counters[stage]["Job Counters"][failed(task)])
		})
		t.Run("driver killed in "+name, func(t *testing.T) {
			x := x.of(t)
			output := "driver-" + name
			j, _ := x.startHeld(task, output, args...)
			x.kill(j.Process.Pid)
			x.end(j, -1)
			x.wantQuiet()
			// Held again, and killed with all that belongs to it.
			j, _ = x.startHeld(task, output, append(args, "--resume")...)
			for pid := range x.processes() {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			x.end(j, -1)
			x.wantQuiet()
			x.release()
			x.run(output, append(args, "--resume")...)
			check(x, output)
		})
		t.Run("interrupted in "+name, func(t *testing.T) {
			x := x.of(t)
			output := "interrupted-" + name
			j, _ := x.startHeld(task, output, args...)
			x.must(syscall.Kill(-j.Process.Pid, syscall.SIGTERM))
			x.end(j, 128+int(syscall.SIGTERM))
			x.wantQuiet()
			x.release()
			x.same("output", want, x.resume(output, args...))
		})
	}
}

// TestIndexKilledAtEveryStep kills the job wherever its script reads or writes a
// file of its own: one that sorts in a stage of its own, and one that does not.
func TestIndexKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	x := newIndexBench(t)
	x.killAtStep()
	archives, err := filepath.Glob(x.path("corpus/archives/*"))
	x.must(err)
	x.must(os.MkdirAll(x.path("small"), 0o777))
	for _, a := range archives[:2] {
		x.must(os.Rename(a, x.path("small/"+filepath.Base(a))))
	}
	x.run("older", "--input", archives[2])
	for name, c := range map[string]struct {
		from int // the step before is the same in the other
		args []string
	}{
		"update":    {1, []string{"--input", x.path("small"), "--shards", "2", "--update", x.path("older"), "--zipnum", "--parquet", "--per-file"}},
		"one range": {2, []string{"--input", x.path("small"), "--zipnum", "--parquet", "--per-file"}},
	} {
		t.Run(name, func(t *testing.T) { x.of(t).killAtSteps(name, c.from, c.args...) })
	}
}

// killAtSteps kills a job at each of its steps from one on and resumes it.
func (x *indexBench) killAtSteps(name string, from int, args ...string) {
	x.Helper()
	os.Remove(x.path("gate/calls"))
	want := x.run(name, args...)
	steps := strings.Count(x.read("gate/calls"), "\n")
	for step := from; step <= steps; step++ {
		output := fmt.Sprintf("%s-%d", name, step)
		x.must(os.Remove(x.path("gate/calls")))
		x.write("gate/step", fmt.Sprint(step))
		x.end(x.start(output, args...), -1)
		x.must(os.Remove(x.path("gate/step")))
		x.wantQuiet()
		calls := strings.Split(x.read("gate/calls"), "\n")
		x.same("output after kill -9 instead of manage-files "+calls[step-1], want, x.resume(output, args...))
	}
	if steps < from+2 {
		x.Errorf("only %d steps", steps)
	}
	x.Logf("killed at %d of %d steps", steps-from+1, steps)
}
