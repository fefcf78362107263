package engine

import (
	"compress/gzip"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMain lets the test binary be the engine, where a test has to kill it.
func TestMain(m *testing.M) {
	if os.Getenv("ENGINE_TEST_MAIN") != "" {
		os.Unsetenv("ENGINE_TEST_MAIN")
		os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// bench is a folder for one job with input in "in" and output in "out".
type bench struct {
	*testing.T
	dir string
}

func newBench(t *testing.T, input string) *bench {
	t.Helper()
	b := &bench{t, t.TempDir()}
	writeFile(t, b.path("in"), input)
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// script makes an executable shell script and gives its path.
func (b *bench) script(name, text string) string {
	b.Helper()
	path := writeFile(b.T, b.path(name), "#!/bin/sh\n"+text+"\n")
	if err := os.Chmod(path, 0o777); err != nil {
		b.Fatal(err)
	}
	return path
}

func (b *bench) args(args ...string) []string {
	return genericFirst(append(args, "-input", b.path("in"), "-output", b.path("out")))
}

// genericFirst puts -D and -files with their values before the other arguments.
func genericFirst(args []string) []string {
	var generic, others []string
	for i := 0; i < len(args); i++ {
		if (args[i] == "-D" || args[i] == "-files") && i+1 < len(args) {
			generic = append(generic, args[i], args[i+1])
			i++
			continue
		}
		others = append(others, args[i])
	}
	return append(generic, others...)
}

// run runs a job and gives its status and what it printed on standard error.
func (b *bench) run(args ...string) (int, string) {
	b.Helper()
	return b.runIn(b.Context(), args...)
}

func (b *bench) runIn(ctx context.Context, args ...string) (int, string) {
	b.Helper()
	var stderr strings.Builder
	status := Run(ctx, b.args(args...), &stderr, &stderr)
	return status, stderr.String()
}

// mustRun runs a job that has to succeed.
func (b *bench) mustRun(args ...string) string {
	b.Helper()
	status, stderr := b.run(args...)
	if status != 0 {
		b.Fatalf("status %d: %s", status, stderr)
	}
	return stderr
}

// output is the text of all part files, in order.
func (b *bench) output() string {
	b.Helper()
	names, err := filepath.Glob(b.path("out/part-*"))
	if err != nil {
		b.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		all.Write(content)
	}
	return all.String()
}

// tree lists all files under the folder of that name.
func (b *bench) tree(name string) []string {
	b.Helper()
	var all []string
	filepath.WalkDir(b.path(name), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(b.path(name), path)
			all = append(all, rel)
		}
		return nil
	})
	return all
}

func (b *bench) wantOutput(want string) {
	b.Helper()
	if diff := cmp.Diff(want, b.output()); diff != "" {
		b.Error(diff)
	}
}

func (b *bench) wantGone() {
	b.Helper()
	if _, err := os.Stat(b.path("out")); err == nil {
		b.Errorf("out is still there: %v", b.tree("out"))
	}
}

func counter(t *testing.T, stderr, name string) string {
	t.Helper()
	for _, line := range strings.Split(stderr, "\n") {
		if value, ok := strings.CutPrefix(line, "\t\t"+name+"="); ok {
			return value
		}
	}
	return "none"
}

func TestMapOnly(t *testing.T) {
	b := newBench(t, "a\nb\tc\nd")
	stderr := b.mustRun("-D", "mapreduce.job.maps=1", "-mapper", "cat", "-reducer", "NONE")
	b.wantOutput("a\t\nb\tc\nd\t\n")
	if diff := cmp.Diff([]string{"_SUCCESS", "part-00000"}, b.tree("out")); diff != "" {
		t.Error(diff)
	}
	if in, out := counter(t, stderr, mapInputRecords), counter(t, stderr, mapOutputRecords); in != "3" || out != "3" {
		t.Errorf("%s in, %s out", in, out)
	}
	if !strings.Contains(stderr, " map 100% reduce 100%\nCounters: 3\n\tJob Counters\n\t\tLaunched map tasks=1\n") {
		t.Errorf("printed %q", stderr)
	}
}

func TestKeyOnlyText(t *testing.T) {
	b := newBench(t, "a\nb\tc\n\nd\r\ne\n")
	b.mustRun("-D", "mapreduce.job.maps=1", "-D", "stream.map.output=keyonlytext", "-mapper", "cat", "-reducer", "NONE")
	b.wantOutput("a\nb\tc\n\nd\ne\n")
}

// The environment, the files and the folder that a task sees.
func TestTaskEnvironment(t *testing.T) {
	b := newBench(t, "x\n")
	tool := b.script("tool", `printf '%s\n' "$mapreduce_map_input_file" "$mapreduce_map_input_start" "$mapreduce_map_input_length" \
"$mapreduce_task_partition" "$mapreduce_task_ismap" "$mapreduce_task_id" "$mapreduce_task_attempt_id" "$mapreduce_job_id" \
"$stage_some_thing" "$A" "$(cat other.txt)"; test "$HOME" = "$OUTER_HOME" && echo home; test -d "$mapreduce_task_output_dir" && test -d "$TMPDIR" && echo folders`)
	t.Setenv("OUTER_HOME", os.Getenv("HOME"))
	t.Setenv("mapreduce_map_input_file", "an outer task's")
	writeFile(t, b.path("data.txt"), "content")
	b.mustRun("-D", "mapreduce.job.maps=1", "-D", "stage.some-thing=two words", "-D", "stream.map.output=keyonlytext", "-cmdenv", "A=1",
		"-files", tool+","+b.path("data.txt")+"#other.txt", "-mapper", "tool", "-reducer", "NONE")
	lines := strings.Split(b.output(), "\n")
	if len(lines) < 10 {
		t.Fatalf("%q", lines)
	}
	id := strings.TrimPrefix(lines[7], "job_")
	want := []string{b.path("in"), "0", "2", "0", "true", "task_" + id + "_m_000000", "attempt_" + id + "_m_000000_0", "job_" + id,
		"two words", "1", "content", "home", "folders", ""}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(id, "local") {
		t.Errorf("job id %q", id)
	}
}

func TestOversizedSetting(t *testing.T) {
	b := newBench(t, "x\n")
	stderr := b.mustRun("-D", "mapreduce.job.maps=1", "-D", "big.value="+strings.Repeat("x", 128<<10), "-D", "stream.map.output=keyonlytext", "-D", "ok=1",
		"-mapper", "sh -c 'echo ${big_value:-none} $ok'", "-reducer", "NONE")
	b.wantOutput("none 1\n")
	if !strings.Contains(stderr, "warning: -D big.value is too long") {
		t.Errorf("no warning: %s", stderr)
	}
}

func TestNLineInput(t *testing.T) {
	b := newBench(t, "a\nb\nc\nd\ne\n")
	args := []string{"-D", "mapreduce.input.lineinputformat.linespermap=2", "-D", "stream.map.output=keyonlytext", "-inputformat", classLines,
		"-mapper", "sh -c 'cat; echo end'", "-reducer", "NONE"}
	b.mustRun(args...)
	b.wantOutput("4\tc\n6\td\nend\n0\ta\n2\tb\nend\n8\te\nend\n")
	os.RemoveAll(b.path("out"))
	b.mustRun(append([]string{"-D", "stream.map.input.ignoreKey=true"}, args...)...)
	b.wantOutput("c\nd\nend\na\nb\nend\ne\nend\n")
}

func TestGzipInput(t *testing.T) {
	b := newBench(t, "")
	os.Remove(b.path("in"))
	text := randomLines(4, 2000)
	var packed strings.Builder
	for _, member := range []string{text[:1000], text[1000:]} {
		z := gzip.NewWriter(&packed)
		z.Write([]byte(member))
		z.Close()
	}
	writeFile(t, b.path("in/a.gz"), packed.String())
	writeFile(t, b.path("in/b"), "last\n")
	args := []string{"-D", "stream.map.output=keyonlytext", "-mapper", "cat", "-reducer", "NONE"}
	b.mustRun(args...)
	b.wantOutput(text + "last\n")
	os.RemoveAll(b.path("out"))
	writeFile(t, b.path("in/a.gz"), packed.String()[:packed.Len()-20])
	status, stderr := b.run(append(args, "-D", "mapreduce.map.maxattempts=1")...)
	if status != 1 || !strings.Contains(stderr, "a.gz") {
		t.Errorf("truncated gzip: status %d, %s", status, stderr)
	}
	b.wantGone()
}

func TestNoInputLines(t *testing.T) {
	b := newBench(t, "")
	b.mustRun("-mapper", "cat", "-reducer", "sh -c 'cat; echo lost; echo reporter:counter:g,n,1 >&2'", "-numReduceTasks", "2")
	b.wantOutput("")
	os.RemoveAll(b.path("out"))
	os.Remove(b.path("in"))
	if err := os.Mkdir(b.path("in"), 0o777); err != nil {
		t.Fatal(err)
	}
	stderr := b.mustRun("-mapper", "cat", "-reducer", "cat")
	if diff := cmp.Diff([]string{"_SUCCESS", "part-00000"}, b.tree("out")); diff != "" {
		t.Errorf("%s\n%s", diff, stderr)
	}
}

// hadoop.md: a reducer whose partition is empty loses its output and counters.
func TestEmptyPartition(t *testing.T) {
	b := newBench(t, "a\n")
	stderr := b.mustRun("-mapper", "cat", "-reducer", "sh -c 'cat; echo end; echo reporter:counter:g,n,1 >&2'", "-numReduceTasks", "2")
	b.wantOutput("a\t\nend\t\n")
	if n := counter(t, stderr, "n"); n != "1" {
		t.Errorf("counter %s, want 1", n)
	}
}

func TestCombiner(t *testing.T) {
	b := newBench(t, strings.Repeat("a\nb\na\n", 1000))
	count := `awk -F '\t' '{n[$1] += $2 ? $2 : 1} END {for (k in n) print k "\t" n[k]}'`
	stderr := b.mustRun("-D", "mapreduce.job.maps=2", "-mapper", "cat", "-combiner", b.script("sum", count), "-reducer", b.path("sum"), "-numReduceTasks", "2")
	if got := oracle(t, b.output(), "sort"); got != "a\t2000\nb\t1000\n" {
		t.Errorf("%q", got)
	}
	if in, out := counter(t, stderr, combineInput), counter(t, stderr, reduceInputRecords); in != "3000" || out == "3000" {
		t.Errorf("combiner read %s, reducers %s", in, out)
	}
}

func TestLazyOutput(t *testing.T) {
	b := newBench(t, "a\n")
	b.mustRun("-lazyOutput", "-mapper", "true", "-reducer", "NONE")
	if diff := cmp.Diff([]string{"_SUCCESS"}, b.tree("out")); diff != "" {
		t.Error(diff)
	}
}

func TestSideFiles(t *testing.T) {
	b := newBench(t, strings.Repeat("line\n", 100))
	side := `cat > /dev/null; mkdir -p "$mapreduce_task_output_dir/deep/er"
echo side > "$mapreduce_task_output_dir/deep/er/$mapreduce_task_partition.txt"; echo "$mapreduce_task_partition"`
	b.mustRun("-D", "mapreduce.job.maps=2", "-mapper", b.script("side", side), "-reducer", "cat")
	if diff := cmp.Diff([]string{"_SUCCESS", "deep/er/0.txt", "deep/er/1.txt", "part-00000"}, b.tree("out")); diff != "" {
		t.Error(diff)
	}
}

func TestSideFileCollision(t *testing.T) {
	b := newBench(t, strings.Repeat("line\n", 100))
	status, stderr := b.run("-D", "mapreduce.job.maps=2", "-mapper", b.script("side", `cat; echo x > "$mapreduce_task_output_dir/same"`), "-reducer", "NONE")
	if status != 1 || !strings.Contains(stderr, "both wrote same") {
		t.Errorf("status %d: %s", status, stderr)
	}
	b.wantGone()
}

func TestExistingOutput(t *testing.T) {
	b := newBench(t, "x\n")
	writeFile(t, b.path("out/precious"), "x")
	for _, args := range [][]string{nil, {"-D", "engine.resume=true"}} {
		status, stderr := b.run(append(args, "-mapper", "cat", "-reducer", "NONE")...)
		if status != 1 || !strings.Contains(stderr, "already exists") || !strings.Contains(stderr, "hint:") {
			t.Errorf("%v: status %d: %s", args, status, stderr)
		}
		if diff := cmp.Diff([]string{"precious"}, b.tree("out")); diff != "" {
			t.Error(diff)
		}
	}
}

// Folders above the output that a failed job has made are removed too.
func TestFailureRemovesItsFolders(t *testing.T) {
	b := newBench(t, "x\n")
	var stderr strings.Builder
	status := Run(t.Context(), []string{"-D", "mapreduce.map.maxattempts=1", "-input", b.path("in"), "-output", b.path("new/er/out"),
		"-mapper", "false", "-reducer", "NONE"}, &stderr, &stderr)
	if status != 1 {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	if _, err := os.Stat(b.path("new")); err == nil {
		t.Error("new is still there")
	}
}
