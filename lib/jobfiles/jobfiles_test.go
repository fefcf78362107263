package jobfiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// call runs one command as a job does and wants its exit status.
func call(t *testing.T, status int, args ...string) (printed, said string) {
	t.Helper()
	var out, errw bytes.Buffer
	if got := Execute(append([]string{"manage-files"}, args...), strings.NewReader(""), &out, &errw); got != status {
		t.Fatalf("%q: status %d, want %d: %s", args, got, status, errw.String())
	}
	return out.String(), errw.String()
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// tree gives the files of a folder with their content; the times in _job.json
// are left out.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name := strings.TrimPrefix(path, dir+"/")
		if name == descriptionName {
			var description map[string]any
			json.Unmarshal(content, &description)
			if seconds, ok := description["seconds"].(map[string]any); ok {
				delete(seconds, "job")
				content = fmt.Append(nil, description)
			}
		}
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sleeper is a process that lives until the test ends it.
func sleeper(t *testing.T) (pid string, end func()) {
	t.Helper()
	c := exec.Command("sleep", "600")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	end = func() {
		if !ended {
			ended = true
			c.Process.Kill()
			c.Wait()
		}
	}
	t.Cleanup(end)
	return fmt.Sprint(c.Process.Pid), end
}

// job makes the output folder of a job whose two stages are done, and gives the
// words of its end.
func job(t *testing.T) (output string, ending []string) {
	t.Helper()
	dir := t.TempDir()
	output = filepath.Join(dir, "out")
	write(t, filepath.Join(dir, "in.txt"), "12345\n")
	pid := fmt.Sprint(os.Getpid())
	printed, _ := call(t, 0, "begin", output, "job=try.sh", "mode=new", "pid="+pid, "input="+dir+"/in.txt")
	wantBegun(t, printed, output, dir+"/in.txt\t6\t")
	work := output + "/" + workName
	write(t, work+"/one.done", "fingerprint\n0.5\none\tGroup, of Java\tMap \"records\"=\t3\none\tone\trejected\t2\ndone\n")
	write(t, work+"/two.done", "fingerprint\n1.25\ntwo\ttwo\trecords\t7\ntwo\ttwo\trejected\t1\ndone\n")
	write(t, work+"/one/part-00000", "kept to itself")
	write(t, work+"/one/_rejects/m-00001", "one\tbad\tz\none\tbad\ta\n")
	write(t, work+"/two/_rejects/m-00000", "two\tworse\tb\n")
	write(t, work+"/two/part-00000", "")
	write(t, work+"/two/result.txt", "result")
	write(t, work+"/two/folder/deep.txt", "deep")
	write(t, work+"/one/cdx/a.cdx", "a")
	write(t, work+"/three/part-00000", "renamed")
	write(t, work+"/put/stats.json", "put")
	return output, []string{"end", output, "job=try.sh", "mode=new", "engine=local", "pid=" + pid, "started=1000.5", "records=30",
		"max-rejects=10%", "stage=one", "stage=two", "publish=two", "publish=one/cdx", "publish=three=folder3", "command=jobs/try.sh", "command=a \"b\"\t<\xff>\n"}
}

// wantBegun checks what begin prints of a job in a folder with one input.
func wantBegun(t *testing.T, printed, place, input string) {
	t.Helper()
	lines := strings.Split(printed, "\n")
	if len(lines) != 6 || len(lines[0]) != 64 || lines[1] != place || lines[2] != "input \t"+strings.Split(input, "\t")[0] || lines[3] != "" || !strings.HasPrefix(lines[4], input) {
		t.Fatalf("begin printed %q", printed)
	}
}

// A mark whose writer was killed is none.
func TestEndWithHalfAMark(t *testing.T) {
	output, ending := job(t)
	write(t, output+"/"+workName+"/two.done", "fingerprint\n1.25\ntwo\ttwo\trecords\t7\n")
	if _, said := call(t, 1, ending...); !strings.Contains(said, "stage two: its mark of 3 lines is not complete") {
		t.Errorf("said %q", said)
	}
}

func TestEnd(t *testing.T) {
	output, ending := job(t)
	if printed, _ := call(t, 0, ending...); printed != "0 3 0\n" {
		t.Errorf("printed %q", printed)
	}
	got := tree(t, output)
	description := got[descriptionName]
	delete(got, descriptionName)
	want := map[string]string{
		successName: "", rejectsName: "one\tbad\ta\none\tbad\tz\ntwo\tworse\tb\n",
		"result.txt": "result", "folder/deep.txt": "deep", "cdx/a.cdx": "a", "folder3/part-00000": "renamed", "stats.json": "put",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{"command:[jobs/try.sh a \"b\"\t<\ufffd>\n]", "engine:local", "job:try ", "rejects:3", "status:0",
		"counters:map[one:map[Group, of Java:map[Map \"records\"=:3] one:map[rejected:2]] two:map[two:map[records:7 rejected:1]]]",
		"size:6", "seconds:map[one:0.5 two:1.25]"} {
		if !strings.Contains(description, part) {
			t.Errorf("no %s in %s", part, description)
		}
	}
}

func TestEndCountsRejects(t *testing.T) {
	for limit, want := range map[string]string{"": "0 3 0\n", "2": "3 3 0\n", "3": "0 3 0\n", "9%": "3 3 0\n", "10%": "0 3 0\n"} {
		_, ending := job(t)
		if printed, _ := call(t, 0, append(ending, "max-rejects="+limit)...); printed != want {
			t.Errorf("--max-rejects %s: printed %q, want %q", limit, printed, want)
		}
	}
}

// TestEndCanBeInterrupted stops the end behind each of its steps and does it anew:
// what is made is the same, and nobody finds _SUCCESS before all is there.
func TestEndCanBeInterrupted(t *testing.T) {
	whole, first := job(t)
	call(t, 0, first...)
	want := tree(t, whole)
	const steps = 15
	for after := range steps {
		output, words := job(t)
		o := options{}
		for _, word := range words[2:] {
			key, value, _ := strings.Cut(word, "=")
			o[key] = append(o[key], value)
		}
		e, err := newEnding(output, o)
		if err != nil {
			t.Fatal(err)
		}
		all := e.steps()
		if len(all) != steps {
			t.Fatalf("%d steps, want %d", len(all), steps)
		}
		for _, step := range all[:after] {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(output + "/" + successName); err == nil {
			// The job that is resumed finds that it is complete.
			call(t, statusNo, "begin", output, "mode=resume", "pid="+o.text("pid"), "input="+output)
		} else {
			call(t, 0, "begin", output, "mode=resume", "pid="+o.text("pid"), "input="+filepath.Dir(output)+"/in.txt")
			call(t, 0, words...)
		}
		got := tree(t, output)
		// The folders' names differ.
		got[descriptionName] = strings.ReplaceAll(got[descriptionName], filepath.Dir(output), filepath.Dir(whole))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("interrupted after %d steps: %s", after, diff)
		}
	}
}

func TestBeginRefuses(t *testing.T) {
	output, _ := job(t)
	in := "input=" + filepath.Dir(output) + "/in.txt"
	other, end := sleeper(t)
	_, said := call(t, statusUsage, "begin", output, "job=try.sh", "mode=new", "pid="+other, in)
	if said != fmt.Sprintf("try.sh: error: the output folder %s exists\ntry.sh: hint: --force replaces it, --resume goes on with an interrupted job\n", output) {
		t.Errorf("said %q", said)
	}
	for _, mode := range []string{"resume", "force"} {
		_, said = call(t, statusBusy, "begin", output, "mode="+mode, "pid="+other, in)
		if !strings.Contains(said, fmt.Sprintf("another job is at work in %s (process %d on ", output, os.Getpid())) {
			t.Errorf("%s: said %q", mode, said)
		}
	}
	call(t, 0, "release", output, "mode=new", fmt.Sprint("pid=", os.Getpid()))
	if _, err := os.Stat(output + "/_work/one.done"); err != nil {
		t.Errorf("released: %v", err)
	}

	// The holder dies.
	call(t, 0, "begin", output, "mode=resume", "pid="+other, in)
	own := fmt.Sprint("pid=", os.Getpid())
	call(t, statusBusy, "begin", output, "mode=resume", own, in)
	end()
	call(t, 0, "begin", output, "mode=resume", own, in)

	foreign := filepath.Dir(output)
	_, said = call(t, statusUsage, "begin", foreign, "mode=force", own, in)
	if !strings.Contains(said, "was not made by a job") {
		t.Errorf("said %q", said)
	}
	if _, said = call(t, 1, "begin", output, "mode=force", own, "input="+foreign+"/none"); !strings.Contains(said, "no such file") {
		t.Errorf("said %q", said)
	}
	if _, err := os.Stat(output + "/_work/one.done"); err != nil {
		t.Errorf("a wrong input has cost the output: %v", err)
	}
	next := foreign + "/.out.new"
	printed, _ := call(t, 0, "begin", output, "mode=force", own, in)
	wantBegun(t, printed, next, foreign+"/in.txt")
	if _, err := os.Stat(output + "/_work/one.done"); err != nil {
		t.Errorf("--force has touched what was there: %v", err)
	}
	_, said = call(t, statusBusy, "begin", output, "job=try.sh", "mode=force", "pid=1", in)
	if !strings.Contains(said, "another job is at work in "+output) {
		t.Errorf("said %q", said)
	}
	call(t, 0, "release", output, "mode=force", own, "unused=1")
	if _, err := os.Stat(output + "/_work/one.done"); err != nil {
		t.Errorf("--force has removed the folder that was there: %v", err)
	}
	if _, err := os.Stat(next); err == nil {
		t.Error("the new folder is left")
	}
}

// TestBeginLeavesNothingBehind begins jobs that cannot be done.
func TestBeginLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	own := fmt.Sprint("pid=", os.Getpid())
	for _, input := range []string{dir + "/none", dir} { // there are no files in dir
		call(t, 1, "begin", dir+"/out", "mode=new", own, "input="+input)
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Fatalf("%s: left %v", input, entries)
		}
	}
	write(t, dir+"/in.txt", "x\n")
	call(t, 0, "begin", dir+"/out", "mode=new", own, "input="+dir+"/in.txt")
	call(t, 0, "release", dir+"/out", "mode=new", own, "unused=1")
	if _, err := os.Stat(dir + "/out"); err == nil {
		t.Error("the folder is left")
	}
}

// TestOneOfManyHoldsTheLock lets many processes take over from a dead one, again
// and again.
func TestOneOfManyHoldsTheLock(t *testing.T) {
	const contenders = 12
	dead, end := sleeper(t)
	end()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	var pids []string
	for range contenders {
		pid, _ := sleeper(t)
		pids = append(pids, pid)
	}
	total := 0
	for round := range 8 {
		output := filepath.Join(t.TempDir(), "out")
		write(t, fmt.Sprintf("%s/%s%s.%s.1", output, lockPrefix, host, dead), "")
		held := make(chan string, contenders)
		lost := make(chan string, contenders)
		for _, pid := range pids {
			go func() {
				var errw bytes.Buffer
				if Execute([]string{"manage-files", "lock", output, "mode=resume", "pid=" + pid}, nil, &bytes.Buffer{}, &errw) == 0 {
					held <- pid
				} else {
					lost <- errw.String()
				}
			}()
		}
		holders := 0
		for range pids {
			select {
			case <-held:
				holders++
			case said := <-lost:
				if !strings.Contains(said, "another job is at work") {
					t.Errorf("said %q", said)
				}
			}
		}
		if total += holders; holders > 1 {
			t.Fatalf("round %d: %d processes hold the lock", round, holders)
		}
	}
	if total == 0 {
		t.Error("the lock was never taken")
	}
}

func TestExistsAndMatches(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/part-1", "")
	write(t, dir+"/star/part-*", "")
	write(t, dir+"/file", "")
	for name, want := range map[string]struct{ exists, matches int }{
		"/part-1":      {0, 0},
		"":             {0, 0},
		"/star/part-*": {0, 0},
		"/part-*":      {statusNo, 0},
		"/*/part-*":    {statusNo, 0},
		"/none":        {statusNo, statusNo},
		"/none-*":      {statusNo, statusNo},
		"/none/part-*": {statusNo, statusNo},
		"/*/x*":        {statusNo, statusNo},
	} {
		call(t, want.exists, "exists", dir+name)
		call(t, want.matches, "matches", dir+name)
	}
	call(t, statusNo, "exists", dir+"/file/x")
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"none"}, {"rename", "a"}, {"begin"}, {"exists", "a", "b"}} {
		if _, said := call(t, statusUsage, args...); said == "" {
			t.Errorf("%q: nothing said", args)
		}
	}
	if printed, _ := call(t, 0, "--help"); !strings.Contains(printed, "EXIT STATUS") {
		t.Error("no help")
	}
}
