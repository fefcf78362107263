package jobfiles

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// replacing begins a job that replaces the output of another and has one stage done,
// and returns the words of its end.
func replacing(t *testing.T) (output string, ending []string) {
	t.Helper()
	output, first := job(t)
	call(t, 0, first...)
	pid := fmt.Sprint("pid=", os.Getpid())
	call(t, 0, "begin", output, "job=try.sh", "mode=force", pid, "input="+filepath.Dir(output)+"/in.txt")
	work := filepath.Dir(output) + "/.out.new/" + workName
	write(t, work+"/one.done", "fingerprint\n0.5\none\tone\trecords\t3\ndone\n")
	write(t, work+"/one/new.txt", "new")
	return output, []string{"end", output, "job=try.sh", "mode=force", "engine=local", pid, "started=1000.5", "records=30",
		"stage=one", "publish=one", "command=jobs/try.sh"}
}

func parseWords(words []string) options {
	o := options{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		o[key] = append(o[key], value)
	}
	return o
}

// around returns what lies beside an output.
func around(t *testing.T, output string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(output))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestReplacementCanBeInterrupted stops a job that replaces an output behind each step
// of its end. The old or the new output is whole at each of them, in its place or where
// the next job finds it, and each way to go on ends with one of the two and nothing else.
func TestReplacementCanBeInterrupted(t *testing.T) {
	plain := func(files map[string]string) map[string]string {
		files = maps.Clone(files)
		delete(files, descriptionName) // it names the folder
		return files
	}
	whole, words := replacing(t)
	old := plain(tree(t, whole))
	call(t, 0, words...)
	want := plain(tree(t, whole))
	if diff := cmp.Diff(map[string]string{successName: "", rejectsName: "", "new.txt": "new"}, want); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff([]string{"in.txt", "out"}, around(t, whole)); diff != "" {
		t.Error(diff)
	}
	output, words := replacing(t)
	o := parseWords(words[2:])
	e, err := newEnding(output, o)
	if err != nil {
		t.Fatal(err)
	}
	steps := len(e.steps())
	for after := range steps {
		for _, mode := range []string{"resume", "force", "new"} {
			t.Run(fmt.Sprintf("%d steps, then %s", after, mode), func(t *testing.T) {
				output, words := replacing(t)
				e, err := newEnding(output, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, step := range e.steps()[:after] {
					if err := step(); err != nil {
						t.Fatal(err)
					}
				}
				// The process is killed: its lock is a dead one's.
				host, own := lockParts(t)
				for _, dir := range []string{e.next, e.final} {
					if err := os.Rename(dir+"/"+own, fmt.Sprintf("%s/%s%s.%d.1", dir, lockPrefix, host, os.Getpid())); err != nil && !os.IsNotExist(err) {
						t.Fatal(err)
					}
				}
				resumeReplaced(t, output, words, mode, plain, old, want)
			})
		}
	}
}

func lockParts(t *testing.T) (host, own string) {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	own, err = lockName(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	return host, own
}

// resumeReplaced goes on in a mode and checks what is there then.
func resumeReplaced(t *testing.T, output string, words []string, mode string, plain func(map[string]string) map[string]string, old, want map[string]string) {
	t.Helper()
	next, aside := filepath.Dir(output)+"/.out.new", filepath.Dir(output)+"/.out.old"
	without := func(dir string) map[string]string {
		files := plain(tree(t, dir))
		maps.DeleteFunc(files, func(name, _ string) bool {
			return strings.HasPrefix(name, lockPrefix) || strings.HasPrefix(name, workName)
		})
		return files
	}
	oldThere, newThere := false, false
	for _, dir := range []string{output, next, aside} {
		if _, err := os.Stat(dir + "/" + successName); err == nil {
			files := without(dir)
			oldThere = oldThere || cmp.Equal(files, old)
			newThere = newThere || cmp.Equal(files, want)
		}
	}
	if !oldThere && !newThere {
		t.Fatal("neither the old nor the new output is whole")
	}
	begin := []string{"begin", output, "job=try.sh", "mode=" + mode, fmt.Sprint("pid=", os.Getpid()), "input=" + filepath.Dir(output) + "/in.txt"}
	switch mode {
	case "new":
		call(t, statusUsage, begin...)
		if files := without(output); !cmp.Equal(files, old) && !cmp.Equal(files, want) {
			t.Errorf("the output is %v", files)
		}
		return
	case "resume":
		_, newWhole := os.Stat(next + "/" + successName)
		if _, err := os.Stat(next); err != nil || newWhole == nil {
			call(t, statusNo, begin...)
			call(t, 0, "release", output, "mode=resume", fmt.Sprint("pid=", os.Getpid()))
			break
		}
		call(t, 0, begin...)
		call(t, 0, words...)
	case "force":
		printed, _ := call(t, 0, begin...)
		wantBegun(t, printed, next, filepath.Dir(output)+"/in.txt")
		if files := without(output); !cmp.Equal(files, old) && !cmp.Equal(files, want) {
			t.Errorf("while it is replaced, the output is %v", files)
		}
		write(t, next+"/_work/one.done", "fingerprint\n0.5\none\tone\trecords\t3\ndone\n")
		write(t, next+"/_work/one/new.txt", "new")
		call(t, 0, words...)
	}
	if diff := cmp.Diff(want, plain(tree(t, output))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"in.txt", "out"}, around(t, output)); diff != "" {
		t.Error(diff)
	}
}

// Nothing goes with an output but what its job has made, and no folder that none has.
func TestForceRefuses(t *testing.T) {
	own := fmt.Sprint("pid=", os.Getpid())
	for name, c := range map[string]struct {
		change func(dir, output string)
		words  []string
		said   string
	}{
		"a file of somebody": {
			func(_, output string) { write(t, output+"/mine.warc.gz", "x") }, nil,
			"the job that made it has not made all that is in DIR/out/mine.warc.gz",
		},
		"a file of somebody in a folder of the job": {
			func(_, output string) { write(t, output+"/cdx/b.cdx", "x") }, nil,
			"the job that made it has not made all that is in DIR/out/cdx",
		},
		"a folder with a work folder of somebody": {
			func(_, output string) {
				os.RemoveAll(output)
				write(t, output+"/_work/x", "x")
			}, nil, "was not made by a job",
		},
		"a folder with a _job.json of somebody": {
			func(_, output string) { write(t, output+"/_job.json", "[]") }, nil, "was not made by a job",
		},
		"an empty folder": {
			func(_, output string) {
				os.RemoveAll(output)
				os.Mkdir(output, 0o777)
			}, nil, "was not made by a job",
		},
		"an archive in the output of an older version": {
			func(_, output string) {
				write(t, output+"/_job.json", `{"job": "try"}`)
				write(t, output+"/folder/old.arc", "x")
			}, nil, "has not made all that is in DIR/out/folder/old.arc",
		},
		"an input":                          {func(string, string) {}, []string{"input=DIR/out/result.txt"}, "the input DIR/out/result.txt lies in the output folder DIR/out, which --force would replace"},
		"an input of a wrong kind":          {func(string, string) {}, []string{"takes=archives", "input=DIR/out/result.txt"}, "the input DIR/out/result.txt lies in the output folder DIR/out, which --force would replace"},
		"a folder of a wrong kind":          {func(string, string) {}, []string{"takes=archives", "input=DIR/out/folder"}, "the input DIR/out/folder lies in the output folder DIR/out, which --force would replace"},
		"what else is read":                 {func(string, string) {}, []string{"reads=DIR/out/folder/../folder"}, "the input DIR/out/folder/../folder lies in the output folder"},
		"the folder itself":                 {func(string, string) {}, []string{"reads=DIR/out"}, "lies in the output folder"},
		"what is read through a link":       {func(dir, _ string) { os.Symlink("out/folder", dir+"/link") }, []string{"reads=DIR/link/x"}, "the input DIR/link/x lies in the output folder"},
		"an earlier result of another job":  {func(string, string) {}, []string{"job=other.sh", "earlier=DIR/out"}, "the input DIR/out lies in the output folder"},
		"a neighbour that is another job's": {func(string, string) {}, []string{"only=folder/this.txt"}, "DIR/out holds folder/deep.txt, which this job would not make again"},
		"a file that is in the way": {
			func(dir, output string) {
				os.RemoveAll(output)
				write(t, output, "x")
			}, nil, "DIR/out is a file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			output, first := job(t)
			call(t, 0, first...)
			dir := filepath.Dir(output)
			c.change(dir, output)
			before := tree(t, output)
			words := append([]string{"begin", output, "job=try.sh", "mode=force", own}, c.words...)
			words = append(words, "input="+dir+"/in.txt")
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "DIR", dir)
			}
			_, said := call(t, statusUsage, words...)
			if !strings.Contains(said, strings.ReplaceAll(c.said, "DIR", dir)) {
				t.Errorf("said %q", said)
			}
			if diff := cmp.Diff(before, tree(t, output)); diff != "" {
				t.Error(diff)
			}
			for _, name := range around(t, output) {
				if strings.HasPrefix(name, ".") {
					t.Errorf("%s is left", name)
				}
			}
		})
	}
	if _, said := call(t, statusUsage, "begin", "/", "job=try.sh", "mode=force", own, "input=/dev/null"); !strings.Contains(said, "is the root of all") {
		t.Errorf("said %q", said)
	}
}

// What an interrupted job leaves beside an output is nobody's to take but for a job
// that goes on, or begins anew.
func TestInterruptedReplacement(t *testing.T) {
	output, _ := replacing(t)
	dir := filepath.Dir(output)
	own := fmt.Sprint("pid=", os.Getpid())
	call(t, 0, "release", output, "mode=force", own)
	if err := os.RemoveAll(output); err != nil {
		t.Fatal(err)
	}
	in := "input=" + dir + "/in.txt"
	if _, said := call(t, statusUsage, "begin", output, "job=try.sh", "mode=new", own, in); !strings.Contains(said, "has left "+dir+"/.out.new") {
		t.Errorf("said %q", said)
	}
	printed, _ := call(t, 0, "begin", output, "job=try.sh", "mode=resume", own, in)
	wantBegun(t, printed, dir+"/.out.new", dir+"/in.txt")
	if _, err := os.Stat(dir + "/.out.new/_work/one.done"); err != nil {
		t.Errorf("the stage that was done is lost: %v", err)
	}
}
