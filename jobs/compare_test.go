package jobs

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/corpus"
)

// bench is a copy of the project with jobs and programs only, in which a test may
// put another program into a program's place, a corpus, and a folder for
// temporary files that has to be empty in the end.
type bench struct {
	*testing.T
	dir string // of everything
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t, t.TempDir()}
	for _, dir := range []string{"bin", "tmp", "gate"} {
		b.must(os.Mkdir(b.path(dir), 0o777))
	}
	b.must(os.Symlink(filepath.Join(root, "jobs"), b.path("jobs")))
	b.addPrograms("manage-files", "run-streaming", "parse-captures", "drop-duplicates", "cut-splits", "extract-records", "write-tables")
	_, err := corpus.Make(b.path("corpus"), corpus.Options{Records: 900, Seed: 1, Files: 8, Hosts: 40, Format: "both",
		Compress: true, MinSize: 2000, MaxSize: 40000, Lists: true, Pick: 500})
	b.must(err)
	return b
}

// addPrograms puts programs into the bench's bin: a copy of all, since one that is built
// anew meanwhile must not change the stages' fingerprints, under each of these names.
func (b *bench) addPrograms(names ...string) {
	b.Helper()
	all := b.path("archivestream")
	if !b.there("archivestream") {
		content, err := os.ReadFile(filepath.Join(root, "bin", "archivestream"))
		b.must(err)
		b.must(os.WriteFile(all, content, 0o777))
	}
	for _, name := range names {
		b.must(os.Link(all, b.path("bin/"+name)))
	}
}

// newProject is a bench without a corpus, and with all programs.
func newProject(t *testing.T) *bench {
	t.Helper()
	b := &bench{t, t.TempDir()}
	for _, dir := range []string{"bin", "tmp"} {
		b.must(os.Mkdir(b.path(dir), 0o777))
	}
	b.must(os.Symlink(filepath.Join(root, "jobs"), b.path("jobs")))
	programs, err := os.ReadDir(filepath.Join(root, "bin"))
	b.must(err)
	for _, p := range programs {
		b.must(os.Symlink(filepath.Join(root, "bin", p.Name()), b.path("bin/"+p.Name())))
	}
	return b
}

// of is the bench in a subtest.
func (b *bench) of(t *testing.T) *bench { return &bench{t, b.dir} }

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) write(name, content string) string {
	b.Helper()
	b.must(os.MkdirAll(filepath.Dir(b.path(name)), 0o777))
	b.must(os.WriteFile(b.path(name), []byte(content), 0o666))
	return b.path(name)
}

// copy puts a file or folder of testdata there, under its own name.
func (b *bench) copy(name string) string {
	b.Helper()
	b.must(exec.Command("cp", "-r", filepath.Join(root, "testdata", name), b.dir).Run())
	return b.path(name)
}

func (b *bench) read(name string) string {
	b.Helper()
	content, err := os.ReadFile(b.path(name))
	b.must(err)
	return string(content)
}

// job is a run of jobs/extract.sh, the leader of a process group.
type job struct {
	*exec.Cmd
	output string // folder
	said   bytes.Buffer
	done   chan struct{} // closed when it has ended
}

// begin starts the job in a process group of its own.
func (b *bench) begin(output string, command *exec.Cmd, environment ...string) *job {
	b.Helper()
	j := &job{Cmd: command, output: output, done: make(chan struct{})}
	j.Stdout, j.Stderr = &j.said, &j.said
	j.Env = append(append(os.Environ(), "TMPDIR="+b.path("tmp")), environment...)
	j.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	b.must(j.Start())
	go func() {
		j.Wait()
		close(j.done)
	}()
	b.Cleanup(func() {
		select {
		case <-j.done:
		default:
			syscall.Kill(-j.Process.Pid, syscall.SIGKILL)
			<-j.done
		}
	})
	return j
}

// start begins the job on the corpus. Its record files are of 400 kB, which makes
// six of the picked captures.
func (b *bench) start(output string, args ...string) *job {
	b.Helper()
	args = append([]string{"--output", b.path(output), "--archives", b.path("corpus/archives"), "--max-size", "400KB"}, args...)
	return b.begin(output, exec.Command(b.path("jobs/extract.sh"), args...))
}

// end waits for the job and checks its exit status.
func (b *bench) end(j *job, status int) {
	b.Helper()
	<-j.done
	if got := j.ProcessState.ExitCode(); got != status {
		b.Fatalf("exit status %d instead of %d: %s", got, status, j.said.String())
	}
}

// run runs the job to its end and gives what it has made.
func (b *bench) run(output string, args ...string) map[string]string {
	b.Helper()
	b.end(b.start(output, args...), 0)
	return b.tree(output)
}

// tree gives the files in a folder, by name: texts as they are, and of other
// files length and digest. _job.json is left out, which has the times.
func (b *bench) tree(dir string) map[string]string {
	b.Helper()
	files := map[string]string{}
	b.must(filepath.WalkDir(b.path(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "_job.json" {
			return err
		}
		name, err := filepath.Rel(b.path(dir), path)
		b.must(err)
		content, err := os.ReadFile(path)
		files[name] = string(content)
		if strings.Contains(name, ".warc") || strings.Contains(name, ".arc") || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".parquet") {
			files[name] = fmt.Sprintf("%d bytes, sha256 %x", len(content), sha256.Sum256(content))
		}
		return err
	}))
	return files
}

// record is one that was extracted: where it came from, and its bytes' digest.
type record struct {
	Archive string
	Offset  int64
	URL     string
	Sum     [sha256.Size]byte
}

// records gives those that the manifest names, in its order, with the bytes that
// lie where it says.
func (b *bench) records(output string) []record {
	b.Helper()
	var all []record
	for _, f := range fields(b.read(output+"/manifest.tsv"), 6) {
		all = append(all, record{f[3], number(f[4]), f[5], b.sum(output+"/"+f[0], number(f[1]), number(f[2]))})
	}
	return all
}

// listed gives the records that a list of four fields names, with the bytes that
// lie there in the archives.
func (b *bench) listed(list string) []record {
	b.Helper()
	var all []record
	for _, f := range fields(b.read(list), 4) {
		all = append(all, record{f[1], number(f[2]), f[0], b.sum("corpus/archives/"+f[1], number(f[2]), number(f[3]))})
	}
	return all
}

// sum is the digest of bytes in a file.
func (b *bench) sum(name string, offset, length int64) [sha256.Size]byte {
	b.Helper()
	f, err := os.Open(b.path(name))
	b.must(err)
	defer f.Close()
	content := make([]byte, length)
	_, err = f.ReadAt(content, offset)
	b.must(err)
	return sha256.Sum256(content)
}

func fields(text string, n int) [][]string {
	var lines [][]string
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) == n {
			lines = append(lines, f)
		}
	}
	return lines
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1 // which no offset or length is
	}
	return n
}

// bySource sorts records by where they came from.
func bySource(records []record) []record {
	slices.SortStableFunc(records, func(a, b record) int {
		if c := strings.Compare(a.Archive, b.Archive); c != 0 {
			return c
		}
		return int(a.Offset - b.Offset)
	})
	return records
}

// same reports how two outputs differ.
func (b *bench) same(what string, want, got any) {
	b.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		b.Errorf("%s: -want +got\n%s", what, diff)
	}
}

// description is what the tests need of _job.json.
type description struct {
	Job, Engine string
	Command     []string
	Status      int
	Rejects     int
	Inputs      []struct {
		Path string
		Size int64
	}
	Seconds  map[string]float64
	Counters map[string]map[string]map[string]int64
}

func (b *bench) description(output string) description {
	b.Helper()
	var d description
	if err := json.Unmarshal([]byte(b.read(output+"/_job.json")), &d); err != nil {
		b.Fatalf("_job.json: %v", err)
	}
	return d
}

// extractedName is what the files of an extraction are called.
var extractedName = regexp.MustCompile(`^EXTRACT-[0-9a-f]{12}-([0-9]{6})-[0-9]+\.w?arc(\.gz)?$`)

// splits gives the numbers of the tasks that made files.
func splits(tree map[string]string) []string {
	var numbers []string
	for name := range tree {
		if m := extractedName.FindStringSubmatch(name); m != nil {
			numbers = append(numbers, m[1])
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// TestExtractIsReproducible runs the job on one list in many ways that must not
// change the records that it takes.
func TestExtractIsReproducible(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	list := b.path("corpus/pick.cdxj")
	want := b.run("once", "--input", list)
	listed := b.listed("corpus/pick.tsv")
	sorted := bySource(slices.Clone(listed))
	b.same("records", sorted, bySource(b.records("once")))
	b.same("again", want, b.run("again", "--input", list))
	if n := len(splits(want)); n < 5 {
		t.Errorf("%d splits are too few to show anything", n)
	}
	for _, c := range []struct {
		name   string
		args   []string
		splits int
	}{
		{"maps-1", []string{"--maps", "1"}, 1},
		{"maps-7", []string{"--maps", "7"}, 7},
		{"reducers-3", []string{"--reducers", "3"}, 0},
		{"speculative", []string{"-D", "mapreduce.map.speculative=true"}, 0},
		{"tasks-of-the-list", []string{"-D", "mapreduce.job.maps=7"}, 0},
		{"one-slot", []string{"-D", "mapreduce.local.map.tasks.maximum=1"}, 0},
	} {
		tree := b.run(c.name, append([]string{"--input", list}, c.args...)...)
		b.same(c.name, sorted, bySource(b.records(c.name)))
		b.same(c.name+": index", strings.Count(want["index.cdxj"], "\n"), strings.Count(tree["index.cdxj"], "\n"))
		if n := len(splits(tree)); c.splits > 0 && n != c.splits {
			t.Errorf("%s: %d splits", c.name, n)
		}
		if c.splits == 0 && c.name != "reducers-3" {
			b.same(c.name, want, tree)
		}
	}
	b.run("input", "--input", list, "--order", "input")
	b.same("order of the list", listed, b.inOrder("input", listed))
	b.run("input-maps-7", "--input", list, "--order", "input", "--maps", "7")
	b.same("order of the list, 7 maps", listed, b.inOrder("input-maps-7", listed))
}

// inOrder gives an output's records by task. ARC and WARC records of a task go
// to different files, so that only those of one kind are in order; they are
// merged by the list's order, which fails when one of the kinds is not in it.
func (b *bench) inOrder(output string, listed []record) []record {
	b.Helper()
	kinds := map[bool][]record{}
	for _, r := range b.records(output) {
		warc := strings.Contains(r.Archive, ".warc")
		kinds[warc] = append(kinds[warc], r)
	}
	var merged []record
	for _, r := range listed {
		warc := strings.Contains(r.Archive, ".warc")
		if len(kinds[warc]) > 0 && kinds[warc][0] == r {
			merged, kinds[warc] = append(merged, r), kinds[warc][1:]
		}
	}
	return merged
}
