package jobs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A jobCase is a small run of a job, which has a program of each kind that it starts.
// IN stands for the folder of the inputs.
type jobCase struct {
	name, script string
	args         []string
}

var jobCases = []jobCase{
	{"index", "index.sh", []string{"--input", "IN/archives", "--zipnum", "--per-file", "--shards", "2"}},
	{"index updated", "index.sh", []string{"--input", "IN/new", "--update", "IN/index", "--remove", "IN/removed", "--format", "cdx11"}},
	{"extract", "extract.sh", []string{"--input", "IN/index/index.cdxj", "--path-index", "IN/paths.tsv"}},
	{"extract nothing", "extract.sh", []string{"--input", "IN/index/index.cdxj", "--archives", "IN/new", "--unique"}},
	{"select rows", "select.sh", []string{"--cdx", "IN/index/index.cdxj", "--archives", "IN/archives", "--archives", "IN/new", "--pick", "latest", "--keep", "payload.length > 10",
		"--columns", "url, size = payload.length", "--count", "n", "--save", "csv"}},
	{"select lines", "select.sh", []string{"--cdx", "IN/index/index.cdxj", "--where", "year == 1999", "--save", "cdx"}},
	{"select scanned", "select.sh", []string{"--archives", "IN/archives", "--where", "status == 200", "--save", "cdxj"}},
	{"select records", "select.sh", []string{"--cdx", "IN/index/index.cdxj", "--path-index", "IN/paths.tsv", "--revisits", "keep", "--save", "warc"}},
	{"summary", "summary.sh", []string{"--input", "IN/index"}},
	{"profile", "profile.sh", []string{"--input", "IN/index"}},
	{"merge", "merge.sh", []string{"--input", "IN/index", "IN/index/index.cdxj", "--shards", "2"}},
	{"derive", "derive.sh", []string{"--input", "IN/archives", "--make", "wat,links"}},
	{"components", "components.sh", []string{"--edges", "IN/edges", "--vertices", "IN/vertices"}},
	{"components in rounds", "components.sh", []string{"--edges", "IN/edges", "--vertices", "IN/vertices", "--one-task", "0"}},
	{"map", "mementomap.sh", []string{"--input", "IN/index/index.cdxj", "--update", "IN/map.ukvs", "--reducers", "2", "--target-cost", "0.5", "--gzip"}},
	{"map of maps", "mementomap.sh", []string{"--input", "IN/map.ukvs", "--merge", "IN/map.ukvs", "--curve", "measured", "--roll-tlds", "1", "--roll", "IN/roll"}},
	{"map compacted", "mementomap.sh", []string{"--input", "IN/map.ukvs", "--target-lines", "3"}},
	{"map evaluated", "mementomap-eval.sh", []string{"--map", "IN/map.ukvs", "--grid", "4,0", "--lookups", "IN/lookups", "--truth", "IN/index"}},
	{"cover", "redundancy.sh", []string{"--documents", "IN/documents.json", "--preset", "A-1", "--save", "warc", "--archives", "IN/archives", "--keep-per", "timestamp=1"}},
	{"cover updated", "redundancy.sh", []string{"--documents", "IN/more.json", "--preset", "A-1", "--resume-from", "IN/cover"}},
	{"cover by counts", "redundancy.sh", []string{"--documents", "IN/documents.json", "--preset", "A-1", "--join", "count"}},
}

// A helperBench runs jobs with helpers, the programs that a job script itself starts,
// of which one call can be made to fail.
type helperBench struct {
	*bench
	tools []string // names of helpers from the PATH
}

// newHelperBench is a copy of the jobs in which each file operation is one of
// manage-files, and each helper one that notes its calls in gate/calls.NAME. The call of
// the number in gate/fail.NAME fails, in the way of gate/way: "at once", or "late", with
// the half of its output written. Programs that others start, the engine foremost, are
// as they are.
func newHelperBench(t *testing.T) *helperBench {
	t.Helper()
	b := &helperBench{newProject(t), []string{"sort", "awk", "sed", "cut", "wc", "grep", "head", "tail", "gzip", "xargs", "uniq", "mkdir", "ln", "cp", "mktemp"}}
	b.must(os.Remove(b.path("jobs")))
	b.must(exec.Command("cp", "-r", filepath.Join(root, "jobs"), b.path("jobs")).Run())
	common := b.read("jobs/common.bash")
	const shortcut = `if [[ "${*:2}" != *://* ]]; then`
	if strings.Count(common, shortcut) != 1 {
		t.Fatalf("common.bash does not have %q once", shortcut)
	}
	b.write("jobs/common.bash", strings.Replace(common, shortcut, "if false; then", 1))
	shim := func(name, real string) string {
		return strings.NewReplacer("GATE", b.path("gate"), "NAME", name, "REAL", real, "ROOT", root).Replace(`#!/bin/bash
read -r parent </proc/$PPID/comm
case $parent in
bash | *.sh) ;;
*) exec REAL "$@" ;;
esac
echo "$*" >>GATE/calls.NAME
[[ -e GATE/fail.NAME ]] || exec REAL "$@"
mapfile -t calls <GATE/calls.NAME
((${#calls[@]} >= $(<GATE/fail.NAME))) && mkdir GATE/failed 2>/dev/null || exec REAL "$@"
if [[ $(<GATE/way) == late ]]; then
	REAL "$@" >GATE/half
	size=$(stat -c %s GATE/half)
	HEADTOOL -c $((size / 2)) GATE/half
fi
echo "NAME: error: it was made to fail" >&2
exit 4
`)
	}
	head, err := exec.LookPath("head")
	b.must(err)
	b.must(os.MkdirAll(b.path("gate"), 0o777))
	for _, name := range b.tools {
		real, err := exec.LookPath(name)
		b.must(err)
		b.program("tools/"+name, strings.ReplaceAll(shim(name, real), "HEADTOOL", head))
	}
	programs, err := os.ReadDir(filepath.Join(root, "bin"))
	b.must(err)
	for _, p := range programs {
		if p.Name() == "run-streaming" {
			continue
		}
		b.must(os.Remove(b.path("bin/" + p.Name())))
		b.program("bin/"+p.Name(), strings.ReplaceAll(shim(p.Name(), filepath.Join(root, "bin", p.Name())), "HEADTOOL", head))
	}
	return b
}

// program makes an executable file.
func (b *bench) program(name, text string) {
	b.Helper()
	b.write(name, text)
	b.must(os.Chmod(b.path(name), 0o777))
}

// inputs makes what the cases read.
func (b *helperBench) inputs() {
	b.Helper()
	for _, name := range []string{"garden-plain.warc", "garden.arc.gz", "crawl-2020.warc.gz"} {
		folder := "archives"
		if strings.HasPrefix(name, "crawl") {
			folder = "new"
		}
		content, err := os.ReadFile(filepath.Join(root, "testdata/archives", name))
		b.must(err)
		b.write("in/"+folder+"/"+name, string(content))
	}
	b.write("in/paths.tsv", "garden-plain.warc\t"+b.path("in/archives/garden-plain.warc")+"\ngarden.arc.gz\t"+b.path("in/archives/garden.arc.gz")+"\n")
	b.write("in/removed", "garden.arc.gz\n")
	b.write("in/edges", "a\tb\nb\tc\nd\te\n")
	b.write("in/vertices", "z\n")
	b.write("in/map.ukvs", "com,example)/ 1/1\ncom,example)/a 2/1\ncom,example)/b 3/1\ncom,example)/c 1/1\norg,example)/ 1/1\n")
	b.write("in/roll", "com,example,\n")
	b.write("in/lookups", "http://example.com/a\nhttp://garden.example/\n")
	document := func(id, text string, offset int) string {
		return fmt.Sprintf(`{"id": %q, "text": %q, "timestamp": %d, "filename": "garden-plain.warc", "offset": %d, "length": 500}`+"\n", id, text, offset, offset)
	}
	const text = "one two three four five six seven eight nine ten"
	b.write("in/documents.json", document("a", text, 0)+document("b", text+" eleven", 1)+document("c", "red green blue white black pink brown", 2))
	b.write("in/more.json", document("d", text, 3))
	for output, args := range map[string][]string{
		"in/index": {"index.sh", "--input", b.path("in/archives")},
		"in/cover": {"redundancy.sh", "--documents", b.path("in/documents.json"), "--preset", "A-1"},
	} {
		cmd := exec.Command(filepath.Join(root, "jobs", args[0]), append(args[1:], "--quiet", "--output", b.path(output))...)
		if said, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, said)
		}
	}
}

// runCase runs a case and returns its exit status, what it said, and the calls of
// helpers, by name.
func (b *helperBench) runCase(c jobCase, output string, options ...string) (status int, said string, calls map[string][]string) {
	b.Helper()
	old, err := filepath.Glob(b.path("gate/calls.*"))
	b.must(err)
	for _, name := range append(old, b.path("gate/failed")) {
		b.must(os.RemoveAll(name))
	}
	args := slices.Concat(c.args, options, []string{"--output", b.path(output)})
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "IN/", b.path("in")+"/")
	}
	j := b.begin(output, exec.Command(b.path("jobs/"+c.script), args...), "PATH="+b.path("tools")+":"+os.Getenv("PATH"))
	<-j.done
	calls = map[string][]string{}
	files, err := filepath.Glob(b.path("gate/calls.*"))
	b.must(err)
	for _, name := range files {
		content, err := os.ReadFile(name)
		b.must(err)
		calls[strings.TrimPrefix(filepath.Base(name), "calls.")] = strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	}
	return j.ProcessState.ExitCode(), j.said.String(), calls
}

// TestHelperFailures lets each call fail of each helper of each job: the job has failed
// then, and nothing that looks complete is left.
func TestHelperFailures(t *testing.T) {
	t.Parallel()
	for _, c := range jobCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newHelperBench(t)
			b.inputs()
			status, said, calls := b.runCase(c, "undisturbed")
			if status != 0 {
				t.Fatalf("undisturbed: exit status %d: %s", status, said)
			}
			want := b.tree("undisturbed")
			if len(calls["manage-files"]) < 2 {
				t.Fatalf("only %d calls of manage-files", len(calls["manage-files"]))
			}
			for name := range calls {
				for n, words := range calls[name] {
					for _, way := range []string{"at once", "late"} {
						if way == "late" && !writes(name, words) {
							continue
						}
						output := fmt.Sprintf("%s-%d-%s", name, n+1, strings.ReplaceAll(way, " ", "-"))
						b.write("gate/way", way)
						b.write("gate/fail."+name, fmt.Sprint(n+1))
						status, said, _ := b.runCase(c, output)
						b.must(os.Remove(b.path("gate/fail." + name)))
						if !b.there("gate/failed") {
							t.Errorf("call %d of %s (%s) was not made", n+1, name, words)
							continue
						}
						if status == 0 {
							t.Errorf("call %d of %s failed %s (%s): exit status 0, output as it should be: %v; said %s", n+1, name, way, words,
								b.there(output) && cmp.Equal(want, b.tree(output)), said)
						} else if b.there(output + "/_SUCCESS") {
							t.Errorf("call %d of %s failed %s (%s): exit status %d, but the output is complete", n+1, name, way, words, status)
						}
					}
				}
			}
		})
	}
}

// writes reports whether a helper does nothing but to write its answer: it can fail
// with a part of it.
func writes(name, words string) bool {
	switch name {
	case "manage-files":
		return strings.HasPrefix(words, "cat ") || strings.HasPrefix(words, "expand ")
	case "mkdir", "ln", "cp", "mktemp", "xargs":
		return false
	}
	return !strings.Contains(words, "--output")
}
