package jobs

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
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
	{"extract nothing", "extract.sh", []string{"--input", "IN/none", "--archives", "IN/new", "--unique"}},
	{"select rows", "select.sh", []string{"--cdx", "IN/index/index.cdxj", "--archives", "IN/archives", "--archives", "IN/new", "--pick", "latest", "--keep", "payload.length > 10",
		"--columns", "url, size = payload.length", "--count", "n", "--save", "csv"}},
	{"select rows on the engine", "select.sh", []string{"--cdx", "IN/index/index.cdxj", "--archives", "IN/archives", "--pick", "latest", "--keep", "payload.length > 10",
		"--columns", "url, size = payload.length", "--save", "csv", "--small", "0"}},
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
	{"dataset", "dataset.sh", []string{"--crawl", "C", "--partition", "A=IN/archives", "--partition", "B=IN/new", "--segment-size", "1", "--sources", "copy"}},
	{"webgraph", "webgraph.sh", []string{"--input", "IN/links", "--links", "all", "--tolerance", "1", "--iterations", "2", "--exact", "1"}},
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
	b.write("in/none", "")
	b.write("in/removed", "garden.arc.gz\n")
	b.write("in/edges", "a\tb\nb\tc\nd\te\n")
	b.write("in/vertices", "z\n")
	b.write("in/map.ukvs", "com,example)/ 1/1\ncom,example)/a 2/1\ncom,example)/b 3/1\ncom,example)/c 1/1\norg,example)/ 1/1\n")
	b.write("in/roll", "com,example,\n")
	b.write("in/lookups", "http://example.com/a\nhttp://garden.example/\n")
	b.write("in/links/crawl.links", "com.a\torg.b\tlink\t1\norg.b\tuk.co.c\tlink\t1\n")
	b.earlier("index", "index.sh", "--input", b.path("in/archives"))
	records := b.recordsOf("garden-plain.warc")
	document := func(id, text string, record int) string {
		return fmt.Sprintf(`{"id": %q, "text": %q, "timestamp": %d, "filename": "garden-plain.warc", "offset": %s, "length": %s}`+"\n",
			id, text, record, records[record].Offset, records[record].Length)
	}
	const text = "one two three four five six seven eight nine ten"
	b.write("in/documents.json", document("a", text, 0)+document("b", text+" eleven", 1)+document("c", "red green blue white black pink brown", 2))
	b.write("in/more.json", document("d", text, 3))
	b.earlier("cover", "redundancy.sh", "--documents", b.path("in/documents.json"), "--preset", "A-1")
}

// earlier makes what some cases go on from.
func (b *helperBench) earlier(name, script string, args ...string) {
	b.Helper()
	cmd := exec.Command(filepath.Join(root, "jobs", script), append(args, "--quiet", "--output", b.path("in/"+name))...)
	if said, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, said)
	}
}

// recordsOf returns where the captures of an archive file are, by the index of the inputs.
func (b *helperBench) recordsOf(archive string) (records []struct{ Filename, Offset, Length string }) {
	b.Helper()
	for line := range strings.Lines(b.read("in/index/index.cdxj")) {
		var record struct{ Filename, Offset, Length string }
		b.must(json.Unmarshal([]byte(strings.SplitN(line, " ", 3)[2]), &record))
		if record.Filename == archive {
			records = append(records, record)
		}
	}
	return records
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

// A failure is a call of a helper, from 1 on, that fails in a way.
type failure struct {
	name, words, way string
	call             int
}

// failuresOf returns each way in which each call can fail, in one order.
func failuresOf(calls map[string][]string) []failure {
	var all []failure
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		for n, words := range calls[name] {
			all = append(all, failure{name, words, "at once", n + 1})
			if writes(name, words) {
				all = append(all, failure{name, words, "late", n + 1})
			}
		}
	}
	return all
}

// drawnFailures is how many failures of a case are tried without ARCHIVESTREAM_SLOW.
const drawnFailures = 4

// TestHelperFailures lets each call fail of each helper of each job: the job has failed
// then, and nothing that looks complete is left. A run of all takes many minutes, which
// ARCHIVESTREAM_SLOW=1 asks for; else some calls are drawn of each case, by a seed that
// ARCHIVESTREAM_SEED changes.
func TestHelperFailures(t *testing.T) {
	t.Parallel()
	seed := drawnSeed(t)
	for i, c := range jobCases {
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
			all := failuresOf(calls)
			count := len(all)
			if os.Getenv("ARCHIVESTREAM_SLOW") == "" {
				rand.New(rand.NewPCG(seed, uint64(i))).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
				all = all[:min(len(all), drawnFailures)]
			}
			for _, f := range all {
				b.fails(c, f, want)
			}
			t.Logf("seed %d: %d of %d failures tried", seed, len(all), count)
		})
	}
}

// drawnSeed is the seed of what a test draws.
func drawnSeed(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("ARCHIVESTREAM_SEED")
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("ARCHIVESTREAM_SEED: %v", err)
	}
	return seed
}

// fails runs a case in which a call fails.
func (b *helperBench) fails(c jobCase, f failure, want map[string]string) {
	b.Helper()
	output := fmt.Sprintf("%s-%d-%s", f.name, f.call, strings.ReplaceAll(f.way, " ", "-"))
	b.write("gate/way", f.way)
	b.write("gate/fail."+f.name, fmt.Sprint(f.call))
	status, said, _ := b.runCase(c, output)
	b.must(os.Remove(b.path("gate/fail." + f.name)))
	switch {
	case !b.there("gate/failed"):
		b.Errorf("call %d of %s (%s) was not made", f.call, f.name, f.words)
	case status == 0:
		b.Errorf("call %d of %s failed %s (%s): exit status 0, output as it should be: %v; said %s", f.call, f.name, f.way, f.words,
			b.there(output) && cmp.Equal(want, b.tree(output)), said)
	case b.there(output + "/_SUCCESS"):
		b.Errorf("call %d of %s failed %s (%s): exit status %d, but the output is complete", f.call, f.name, f.way, f.words, status)
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
