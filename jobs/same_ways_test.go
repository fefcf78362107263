package jobs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A probe is a case that is being checked.
type probe struct {
	*same
	c      *drawnCase
	dir    string // of its own
	random *random
	files  []string // archive files, by their paths
	made   int      // folders
	served bool     // stages run in a process that runs many
}

// A way is a way to run the same thing.
type way struct {
	name string
	env  []string
	args []string

	failing bool          // the first attempt of each task fails
	killed  time.Duration // after which the job is killed, and resumed; 0: it is not
}

// processors are the ways that are one for each program.
var processors = []way{
	{name: "GODEBUG=cpu.all=off", env: []string{"GODEBUG=cpu.all=off"}},
	{name: "GOMAXPROCS=1", env: []string{"GOMAXPROCS=1"}},
	{name: "GOMAXPROCS=5, GOGC=5", env: []string{"GOMAXPROCS=5", "GOGC=5"}},
}

// An outcome is what a program has made.
type outcome struct {
	Status  int
	Out     string
	Rejects []string
	Files   map[string]string // side files, with their content
	says    string
}

// errUsage is a case that no program takes: an error of this test.
var errUsage = errors.New("a usage error")

// folder makes a new folder.
func (p *probe) folder() (string, error) {
	p.made++
	dir := filepath.Join(p.dir, fmt.Sprintf("made%03d", p.made))
	return dir, os.Mkdir(dir, 0o777)
}

// stage runs a program on lines.
func (p *probe) stage(w way, in []byte, name string, args ...string) (*outcome, error) {
	dir, err := p.folder()
	if err != nil {
		return nil, err
	}
	rejects := filepath.Join(p.dir, fmt.Sprintf("rejects%03d", p.made))
	args = slices.Concat(args, w.args, []string{"--output", dir, "--rejects", rejects})
	o := &outcome{}
	if p.served {
		o.Status, o.Out, o.says, err = p.servers.run(w.env, in, append([]string{name}, args...))
	} else {
		err = p.program(o, w, in, name, args)
	}
	if err != nil {
		return nil, err
	}
	if o.Status == 2 {
		return nil, fmt.Errorf("%w: %s %q: %s", errUsage, name, args, o.says)
	}
	if o.Status > 1 || o.Status < 0 || strings.Contains(o.says, "DATA RACE") {
		return nil, fmt.Errorf("%s (%s) %q: status %d: %.5000s", name, w.name, args, o.Status, o.says)
	}
	if o.Rejects, err = sortedLines(rejects); err != nil {
		return nil, err
	}
	o.Files, err = contents(dir)
	return o, err
}

// program runs a program as a process of its own.
func (p *probe) program(o *outcome, w way, in []byte, name string, args []string) error {
	command := exec.Command(filepath.Join(root, "bin", name), args...)
	var out, errs bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(in), &out, &errs
	command.Env, command.Dir = append(os.Environ(), w.env...), p.dir
	err := command.Run()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		return err
	}
	o.Status, o.Out, o.says = command.ProcessState.ExitCode(), out.String(), errs.String()
	return nil
}

func sortedLines(path string) ([]string, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	all := slices.Collect(strings.Lines(string(content)))
	slices.Sort(all)
	return all, err
}

// contents gives the files below a folder, by name.
func contents(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir+"/")] = string(content)
		return err
	})
	return all, err
}

// sorted does what LC_ALL=C sort does.
func sorted(parts ...string) []byte {
	var all []string
	for _, part := range parts {
		all = slices.AppendSeq(all, strings.Lines(part))
	}
	slices.Sort(all)
	return []byte(strings.Join(all, ""))
}

// differ says how two outcomes differ, nil where they do not; n is what is counted
// as compared.
func (p *probe) differ(way string, n int, want, got any) error {
	p.count(way, n)
	if !reflect.DeepEqual(want, got) {
		diff := cmp.Diff(want, got, cmpopts.EquateEmpty())
		if diff == "" {
			return nil
		}
		return fmt.Errorf("%s: it differs (-as usual +so):\n%.4000s", way, diff)
	}
	return nil
}

func (p *probe) count(way string, n int) {
	p.mu.Lock()
	p.compared[way] += n
	p.mu.Unlock()
}

// sameStage runs a program as usual and on other ways, and gives what it makes.
func (p *probe) sameStage(in []byte, ways []way, name string, args ...string) (*outcome, error) {
	want, err := p.stage(way{name: "as usual"}, in, name, args...)
	if err != nil {
		return nil, err
	}
	for _, w := range ways {
		got, err := p.stage(w, in, name, args...)
		if err != nil {
			return nil, err
		}
		if err := p.differ(name+": "+w.name, 1, want.plain(), got.plain()); err != nil {
			return nil, err
		}
	}
	return want, nil
}

// plain is what is compared of an outcome, not what a program says.
func (o *outcome) plain() any {
	return struct {
		Status  int
		Out     string
		Rejects []string
		Files   map[string]string
	}{o.Status, o.Out, o.Rejects, o.Files}
}

// pieces cuts lines into so many parts, as an engine does.
func pieces(lines []byte, n int) []string {
	all := slices.Collect(strings.Lines(string(lines)))
	var parts []string
	for i := range n {
		if part := all[i*len(all)/n : (i+1)*len(all)/n]; len(part) > 0 {
			parts = append(parts, strings.Join(part, ""))
		}
	}
	return parts
}

// inPieces runs a program on parts of the lines, and gives what all make, one after
// the other.
func (p *probe) inPieces(in []byte, n int, name string, args ...string) (*outcome, error) {
	whole := &outcome{}
	for _, part := range pieces(in, n) {
		o, err := p.stage(way{name: "in parts"}, []byte(part), name, args...)
		if err != nil {
			return nil, err
		}
		whole.Status = max(whole.Status, o.Status)
		whole.Out += o.Out
		whole.Rejects = append(whole.Rejects, o.Rejects...)
	}
	slices.Sort(whole.Rejects)
	return whole, nil
}

// job runs a job script and gives the files that it makes. The jobs that this one has
// made before lie elsewhere, and none of its files names its own folder.
func (p *probe) job(w way, script string, args ...string) (*outcome, error) {
	dir, err := p.folder()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "output")
	args = slices.Concat([]string{"--quiet", "--output", dir}, args, w.args)
	project := root
	if w.failing {
		if project, err = p.failing(); err != nil {
			return nil, err
		}
	}
	command := exec.Command(filepath.Join(project, "jobs", script), args...)
	command.Env = append(os.Environ(), w.env...)
	said, err := w.start(dir, command)
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		return nil, err
	}
	o := &outcome{Status: command.ProcessState.ExitCode(), says: string(said)}
	if o.Status > 3 || o.Status < 0 || o.Status == 2 || bytes.Contains(said, []byte("DATA RACE")) {
		return nil, fmt.Errorf("%s (%s) %q: status %d: %.5000s", script, w.name, args, o.Status, said)
	}
	if o.Status == 1 { // what it leaves is for --resume
		return o, nil
	}
	if o.Files, err = contents(dir); err != nil {
		return nil, err
	}
	delete(o.Files, "_job.json")
	o.Rejects = slices.Sorted(strings.Lines(o.Files["_rejects.tsv"]))
	delete(o.Files, "_rejects.tsv")
	return o, nil
}

// sameJob runs a job as usual and on other ways.
func (p *probe) sameJob(script string, args []string, ways ...way) (*outcome, error) {
	want, err := p.job(way{name: "as usual"}, script, args...)
	if err != nil {
		return nil, err
	}
	for _, w := range ways {
		got, err := p.job(w, script, args...)
		if err != nil {
			return nil, err
		}
		if err := p.differ(script+": "+w.name, len(want.Files), want.plain(), got.plain()); err != nil {
			return nil, fmt.Errorf("%s %q: %w; it said %.2000s%.2000s", script, args, err, want.says, got.says)
		}
	}
	return want, nil
}
