package engine

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const patience = 20 * time.Second // until something that must happen has happened

// waitFor polls until ok says yes.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// gone says whether a process is dead (a zombie is).
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

// engineProcess starts the engine as a process of its own.
func (b *bench) engineProcess(args ...string) (*exec.Cmd, *bytes.Buffer) {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(self, b.args(args...)...)
	cmd.Env = append(os.Environ(), "ENGINE_TEST_MAIN=1")
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cmd.Process.Kill() })
	return cmd, &stderr
}

// sleeper is a mapper that notes its number and that of a child that sleeps
// too, counts its first line, and never ends.
func (b *bench) sleeper() string {
	return b.script("sleeper", `echo side > "$mapreduce_task_output_dir/side"
sleep 300 > /dev/null 2>&1 < /dev/null & echo "$! $$" > `+b.path("pids.new")+`; mv `+b.path("pids.new")+" "+b.path("pids")+`
sleep 300`)
}

func (b *bench) sleepers() []int {
	b.Helper()
	waitFor(b.T, "the mapper's start", func() bool { return exists(b.path("pids")) })
	content, err := os.ReadFile(b.path("pids"))
	if err != nil {
		b.Fatal(err)
	}
	var pids []int
	for _, f := range strings.Fields(string(content)) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

func (b *bench) wantDead(pids []int) {
	b.Helper()
	for _, pid := range pids {
		waitFor(b.T, "the end of process "+strconv.Itoa(pid), func() bool { return gone(pid) })
	}
}

// A failed attempt leaves neither output, side files nor counters.
func TestRetry(t *testing.T) {
	b := newBench(t, "a\nb\n")
	mapper := b.script("m", `echo reporter:counter:g,tries,1 >&2; n=${mapreduce_task_attempt_id##*_}
echo "$n" > "$mapreduce_task_output_dir/side-$n"; cat; [ "$n" -ge 2 ] || kill -9 $$`)
	stderr := b.mustRun("-D", "mapreduce.job.maps=1", "-mapper", mapper, "-reducer", "NONE")
	b.wantOutput("a\t\nb\t\n")
	if diff := cmp.Diff([]string{"_SUCCESS", "part-00000", "side-2"}, b.tree("out")); diff != "" {
		t.Error(diff)
	}
	if tries, failed := counter(t, stderr, "tries"), counter(t, stderr, "Failed map tasks"); tries != "1" || failed != "2" {
		t.Errorf("counter %s, %s failed attempts", tries, failed)
	}
	if !strings.Contains(stderr, "killed by signal 9") {
		t.Errorf("no cause in %s", stderr)
	}
}

func TestReducerRetry(t *testing.T) {
	b := newBench(t, "a\nb\n")
	reducer := b.script("r", `cat; echo reporter:counter:g,tries,1 >&2; [ "${mapreduce_task_attempt_id##*_}" -ge 1 ]`)
	stderr := b.mustRun("-mapper", "cat", "-reducer", reducer)
	b.wantOutput("a\t\nb\t\n")
	if tries := counter(t, stderr, "tries"); tries != "1" {
		t.Errorf("counter %s", tries)
	}
}

func TestFinalFailure(t *testing.T) {
	b := newBench(t, "a\n")
	mapper := b.script("m", `echo "$mapreduce_task_attempt_id" >> `+b.path("tries")+`; echo the reason why >&2; echo reporter:counter:g,n,1 >&2; exit 3`)
	status, stderr := b.run("-D", "mapreduce.job.maps=1", "-D", "mapreduce.map.maxattempts=3", "-mapper", mapper, "-reducer", "NONE")
	if status != 1 || !strings.Contains(stderr, "failed 3 times") || !strings.Contains(stderr, "exit status 3") ||
		!strings.Contains(stderr, "the reason why") || strings.Contains(stderr, "Counters:") {
		t.Errorf("status %d: %s", status, stderr)
	}
	tries, err := os.ReadFile(b.path("tries"))
	if err != nil || bytes.Count(tries, []byte("\n")) != 3 {
		t.Errorf("%d tries, %v", bytes.Count(tries, []byte("\n")), err)
	}
	b.wantGone()
}

func TestStatusIsNoFailure(t *testing.T) {
	b := newBench(t, "a\n")
	b.mustRun("-D", "mapreduce.job.maps=1", "-D", "stream.non.zero.exit.is.failure=false", "-mapper", "sh -c 'cat; exit 1'", "-reducer", "NONE")
	b.wantOutput("a\t\n")
}

func TestProgramNotFound(t *testing.T) {
	b := newBench(t, "a\n")
	status, stderr := b.run("-D", "mapreduce.map.maxattempts=1", "-mapper", "no-such-program", "-reducer", "NONE")
	if status != 1 || !strings.Contains(stderr, "no-such-program") {
		t.Errorf("status %d: %s", status, stderr)
	}
	b.wantGone()
}

// What sort has to say is the reason of the failure.
func TestSortThatFails(t *testing.T) {
	b := newBench(t, strings.Repeat("a line of text\n", 200_000))
	b.script("bin/sort", "head -c 100000 > /dev/null; echo 'sort: write failed: No space left on device' >&2; exit 2")
	t.Setenv("PATH", b.path("bin")+":"+os.Getenv("PATH"))
	for _, reduces := range []string{"1", "2"} {
		status, stderr := b.run("-D", "mapreduce.map.maxattempts=1", "-mapper", "cat", "-reducer", "cat", "-numReduceTasks", reduces)
		if status != 1 || !strings.Contains(stderr, "No space left on device") {
			t.Errorf("%s reducers: status %d: %s", reduces, status, stderr)
		}
		b.wantGone()
	}
}

func TestFailuresMaxPercent(t *testing.T) {
	b := newBench(t, "a\nb\nc\nd\n")
	args := []string{"-inputformat", classLines, "-D", "stream.map.input.ignoreKey=true", "-D", "stream.map.output=keyonlytext",
		"-D", "mapreduce.map.maxattempts=2", "-mapper", "grep -v b", "-reducer", "NONE"}
	stderr := b.mustRun(append(args, "-D", "mapreduce.map.failures.maxpercent=25")...)
	if got := oracle(t, b.output(), "sort"); got != "a\nc\nd\n" {
		t.Errorf("%q: %s", got, stderr)
	}
	os.RemoveAll(b.path("out"))
	if status, _ := b.run(append(args, "-D", "mapreduce.map.failures.maxpercent=24")...); status != 1 {
		t.Errorf("status %d with one failure of four and 24 %%", status)
	}
	b.wantGone()
}

// A mapper may end before it has read its input, however large that is.
func TestMapperThatDoesNotRead(t *testing.T) {
	b := newBench(t, strings.Repeat("a line of text\n", 200_000))
	b.mustRun("-D", "mapreduce.job.maps=1", "-D", "stream.map.output=keyonlytext", "-mapper", "head -n 1", "-reducer", "NONE")
	b.wantOutput("a line of text\n")
}

func TestTimeout(t *testing.T) {
	b := newBench(t, "a\n")
	began := time.Now()
	status, stderr := b.run("-D", "mapreduce.job.maps=1", "-D", "mapreduce.task.timeout=300", "-D", "mapreduce.map.maxattempts=1",
		"-mapper", b.sleeper(), "-reducer", "NONE")
	if status != 1 || !strings.Contains(stderr, "no input read, no output and no status for 300ms") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if took := time.Since(began); took < 300*time.Millisecond || took > patience {
		t.Errorf("took %v", took)
	}
	b.wantDead(b.sleepers())
	b.wantGone()
}

// Status lines keep a task alive that does nothing else.
func TestStatusKeepsAlive(t *testing.T) {
	b := newBench(t, "a\n")
	b.mustRun("-D", "mapreduce.job.maps=1", "-D", "mapreduce.task.timeout=1500", "-D", "mapreduce.map.maxattempts=1",
		"-mapper", b.script("m", "for i in 1 2 3 4 5 6 7 8; do sleep 0.25; echo reporter:status:$i >&2; done; cat"), "-reducer", "NONE")
	b.wantOutput("a\t\n")
}

// The second attempt of a slow task wins, is counted once, and the first dies.
func TestSpeculation(t *testing.T) {
	b := newBench(t, "a\nb\n")
	mapper := b.script("m", `read -r line; echo reporter:counter:g,lines,1 >&2; echo "$line" > "$mapreduce_task_output_dir/side-$line"
if [ "$line" = b ] && [ "${mapreduce_task_attempt_id##*_}" = 0 ]; then echo $$ > `+b.path("pids")+`; sleep 300; fi; echo "$line"`)
	began := time.Now()
	stderr := b.mustRun("-inputformat", classLines, "-D", "stream.map.input.ignoreKey=true", "-D", "mapreduce.map.speculative=true",
		"-D", "mapreduce.local.map.tasks.maximum=2", "-D", "stream.map.output=keyonlytext", "-mapper", mapper, "-reducer", "NONE")
	if took := time.Since(began); took < slowAtLeast {
		t.Errorf("second attempt after %v", took)
	}
	if got := oracle(t, b.output(), "sort"); got != "a\nb\n" {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]string{"lines": "2", "Launched map tasks": "3", "Killed map tasks": "1"} {
		if got := counter(t, stderr, name); got != want {
			t.Errorf("%s=%s, want %s", name, got, want)
		}
	}
	if diff := cmp.Diff([]string{"_SUCCESS", "part-00000", "part-00001", "side-a", "side-b"}, b.tree("out")); diff != "" {
		t.Error(diff)
	}
	b.wantDead(b.sleepers())
}

// Ctrl-C and SIGTERM kill everything and leave nothing.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, resume := range []string{"false", "true"} {
			b := newBench(t, "a\n")
			cmd, stderr := b.engineProcess("-D", "engine.resume="+resume, "-mapper", b.sleeper(), "-reducer", "NONE")
			pids := b.sleepers()
			cmd.Process.Signal(s)
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 128+int(s) || !strings.Contains(stderr.String(), "stopped by signal") {
				t.Errorf("%v: %v: %s", s, err, stderr)
			}
			b.wantDead(pids)
			b.wantGone()
		}
	}
}

func TestSignalWhileReducing(t *testing.T) {
	b := newBench(t, "a\n")
	cmd, _ := b.engineProcess("-mapper", "cat", "-reducer", b.sleeper())
	pids := b.sleepers()
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	b.wantDead(pids)
	b.wantGone()
}

// Of two engines on one output folder the second does nothing.
func TestLock(t *testing.T) {
	b := newBench(t, "a\n")
	cmd, _ := b.engineProcess("-mapper", b.sleeper(), "-reducer", "NONE")
	b.sleepers()
	for _, resume := range []string{"false", "true"} {
		status, stderr := b.run("-D", "engine.resume="+resume, "-mapper", "cat", "-reducer", "NONE")
		if status != 1 || !strings.Contains(stderr, "another run works on") {
			t.Errorf("resume %s: status %d: %s", resume, status, stderr)
		}
	}
	if cmd.ProcessState != nil || !exists(b.path("out/_temporary/lock")) {
		t.Error("the first one is disturbed")
	}
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
}

// What a finished program has left in the background dies with its task.
func TestBackgroundProcess(t *testing.T) {
	b := newBench(t, "a\n")
	mapper := b.script("m", `sleep 300 > /dev/null 2>&1 < /dev/null & echo $! > `+b.path("pids")+"; cat")
	b.mustRun("-D", "mapreduce.job.maps=1", "-mapper", mapper, "-reducer", "NONE")
	b.wantOutput("a\t\n")
	b.wantDead(b.sleepers())
}

// A process that left the group and holds the pipes does not hold up a kill.
func TestEscapedProcess(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed")
	}
	b := newBench(t, "a\n")
	status, stderr := b.run("-D", "mapreduce.task.timeout=300", "-D", "mapreduce.map.maxattempts=1",
		"-mapper", b.script("m", "setsid sleep 30"), "-reducer", "NONE")
	if status != 1 || !strings.Contains(stderr, "no input read") {
		t.Errorf("status %d: %s", status, stderr)
	}
	b.wantGone()
}

// Memory does not grow with the input.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	b := newBench(t, strings.Repeat("com,example)/path\tsome value that is a bit longer\n", 2_000_000))
	cmd, stderr := b.engineProcess("-D", "mapreduce.job.maps=2", "-mapper", "cat", "-reducer", "cat", "-numReduceTasks", "3")
	// The peak as of each moment; what wait4 says begins with this test's own.
	peak, ended := 0, make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			if peak == 0 {
				t.Skip("this system has no /proc that says how much memory a process took")
			}
			if peak > 64<<10 {
				t.Errorf("%d KiB", peak)
			}
			t.Logf("peak %d KiB", peak)
			return
		case <-time.After(10 * time.Millisecond):
			peak = max(peak, peakMemory(cmd.Process.Pid))
		}
	}
}

// peakMemory is VmHWM of a process, in KiB; 0 where nothing says.
func peakMemory(pid int) int {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(fields[0])
	return n
}

// TestUnusableIsNotTriedAgain ends the job with the first attempt that says by its
// status that its options are wrong.
func TestUnusableIsNotTriedAgain(t *testing.T) {
	b := newBench(t, "a\n")
	mapper := b.script("wrong", "echo x >>"+b.path("starts")+"; exit 2")
	status, stderr := b.run("-D", "mapreduce.job.maps=1", "-D", "mapreduce.map.maxattempts=4", "-mapper", mapper, "-reducer", "NONE")
	starts, err := os.ReadFile(b.path("starts"))
	if err != nil {
		t.Fatal(err)
	}
	if status != 1 || string(starts) != "x\n" || !strings.Contains(stderr, "exit status 2") {
		t.Errorf("status %d, started %q, %s", status, starts, stderr)
	}
}
