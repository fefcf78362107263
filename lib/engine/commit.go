package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The work folder OUTPUT/_temporary:
//
//	lock            held by the running engine
//	state.json      fingerprint of the job and how far it is
//	attempts/ID/    one running attempt: output/, runs/, folder/, temporary/, stderr
//	tasks/ID/       the attempt that won, renamed: output/, runs/, counters.json
const (
	workName     = "_temporary"
	successName  = "_SUCCESS"
	lockName     = "lock"
	stateName    = "state.json"
	countersName = "counters.json"
	outputName   = "output" // what the task commits
	runsName     = "runs"   // sorted lines for the reducers
)

// workFolder is where a job's attempts live until the job is committed.
type workFolder struct {
	output  string // of the job
	root    string
	created string // topmost folder that the job made; "" where OUTPUT was there
	lock    *os.File
	state   workState
}

// workState is kept in state.json.
type workState struct {
	Fingerprint string `json:"fingerprint"`
	// Phase is running, then committing from the first file that is moved to
	// its place on, then committed.
	Phase string `json:"phase"`
	// Counters are the job's, from committing on: what the tasks have counted goes
	// with them before the run can say it.
	Counters map[string]map[string]int64 `json:"counters,omitempty"`
}

const (
	phaseRunning    = "running"
	phaseCommitting = "committing"
	phaseCommitted  = "committed"
)

// openWork makes the output folder, or takes over what a killed run of the
// same job left there.
func openWork(output, fingerprint string, resume bool) (*workFolder, error) {
	w := &workFolder{output: output, root: filepath.Join(output, workName)}
	w.created = missingParent(output)
	if err := os.MkdirAll(filepath.Dir(output), 0o777); err != nil {
		return nil, err
	}
	err := os.Mkdir(output, 0o777)
	if errors.Is(err, fs.ErrExist) {
		w.created = ""
		err = w.checkExisting(resume)
	}
	if err == nil {
		err = w.takeLock()
	}
	if err != nil {
		return nil, err
	}
	if err := w.takeState(fingerprint); err != nil {
		w.unlock()
		return nil, err
	}
	return w, nil
}

// missingParent is the topmost folder on the way to path that is not there.
func missingParent(path string) string {
	for {
		parent := filepath.Dir(path)
		if _, err := os.Stat(parent); err == nil || parent == path {
			return path
		}
		path = parent
	}
}

func (w *workFolder) checkExisting(resume bool) error {
	exists := fmt.Errorf("output folder %s already exists", w.output)
	entries, err := os.ReadDir(w.output)
	if err != nil {
		return exists
	}
	left := false
	for _, e := range entries {
		left = left || e.Name() == workName
	}
	switch {
	case left && w.isLocked():
		return w.busy()
	case left && !resume:
		return withHint(exists, "a killed run left its state there: -D %s=true goes on with it, or remove the folder", keyResume)
	case left || resume && len(entries) == 0:
		return nil
	}
	return withHint(exists, "remove it or name another one")
}

// isLocked says whether a run holds the work folder.
func (w *workFolder) isLocked() bool {
	f, err := os.Open(filepath.Join(w.root, lockName))
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}

func (w *workFolder) busy() error {
	return withHint(fmt.Errorf("another run works on %s", w.output), "wait for it, or name another output folder")
}

func (w *workFolder) takeLock() error {
	if err := os.MkdirAll(w.root, 0o777); err != nil {
		return err
	}
	name := filepath.Join(w.root, lockName)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	refused := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	held, errHeld := f.Stat()
	there, errThere := os.Stat(name)
	// The holder may have ended and removed the file in between.
	if refused != nil || errHeld != nil || errThere != nil || !os.SameFile(held, there) {
		f.Close()
		return w.busy()
	}
	w.lock = f
	return nil
}

func (w *workFolder) unlock() {
	if w.lock != nil {
		w.lock.Close()
		w.lock = nil
	}
}

// takeState keeps the committed tasks of an earlier run of the same job and
// removes those of another job.
func (w *workFolder) takeState(fingerprint string) error {
	content, err := os.ReadFile(filepath.Join(w.root, stateName))
	if err == nil {
		err = json.Unmarshal(content, &w.state)
	}
	if err == nil && w.state.Fingerprint == fingerprint {
		return os.RemoveAll(filepath.Join(w.root, "attempts"))
	}
	if err == nil && w.state.Phase != phaseRunning {
		return withHint(fmt.Errorf("output folder %s holds part of another job's output", w.output), "remove it or name another one")
	}
	if err != nil && w.created == "" {
		if err := w.checkOnlyWork(); err != nil {
			return err
		}
	}
	for _, part := range []string{"attempts", "tasks"} {
		if err := os.RemoveAll(filepath.Join(w.root, part)); err != nil {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(w.root, "tasks"), 0o777); err != nil {
		return err
	}
	w.state = workState{Fingerprint: fingerprint}
	return w.setPhase(phaseRunning)
}

// checkOnlyWork refuses an output folder that holds more than a work folder
// without state: it is complete, or nobody knows whose files those are.
func (w *workFolder) checkOnlyWork() error {
	entries, err := os.ReadDir(w.output)
	if err != nil || len(entries) <= 1 {
		return err
	}
	if _, err := os.Stat(filepath.Join(w.output, successName)); err == nil {
		if err := os.RemoveAll(w.root); err != nil {
			return err
		}
		return withHint(fmt.Errorf("output folder %s already exists", w.output), "it is complete: remove it or name another one")
	}
	return withHint(fmt.Errorf("output folder %s holds files of an unknown run", w.output), "remove it or name another one")
}

func (w *workFolder) setPhase(phase string) error {
	w.state.Phase = phase
	return writeJSON(filepath.Join(w.root, stateName), w.state)
}

func writeJSON(name string, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", content, 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func (w *workFolder) task(id string) string    { return filepath.Join(w.root, "tasks", id) }
func (w *workFolder) attempt(id string) string { return filepath.Join(w.root, "attempts", id) }

// finished gives the counters of a task that an earlier run committed.
func (w *workFolder) finished(id string) (map[string]map[string]int64, bool) {
	content, err := os.ReadFile(filepath.Join(w.task(id), countersName))
	var sums map[string]map[string]int64
	if err != nil || json.Unmarshal(content, &sums) != nil {
		return nil, false
	}
	return sums, true
}

// commitTask makes an attempt the one that counts, by one rename.
func (w *workFolder) commitTask(attempt, task string) error {
	return os.Rename(w.attempt(attempt), w.task(task))
}

// commit keeps the job's counters and moves what the tasks made into the output folder.
// Two tasks that made a file of the same name are an error, found before anything is
// moved.
func (w *workFolder) commit(tasks []string, totals *counters) error {
	if w.state.Phase == phaseRunning {
		w.state.Counters = totals.sums
	}
	if w.state.Phase != phaseCommitted {
		if err := w.move(tasks); err != nil {
			return err
		}
		if err := w.setPhase(phaseCommitted); err != nil {
			return err
		}
	}
	for _, step := range w.lastSteps() {
		if err := step(); err != nil {
			return err
		}
	}
	w.unlock()
	return nil
}

// lastSteps are what is left to do when all files are in their places. Wherever a run is
// killed, it can be gone on with by state.json, or the output has its mark already.
func (w *workFolder) lastSteps() []func() error {
	remove := func(part string) func() error {
		return func() error { return os.RemoveAll(filepath.Join(w.root, part)) }
	}
	mark := func() error { return os.WriteFile(filepath.Join(w.output, successName), nil, 0o666) }
	return []func() error{remove("attempts"), remove("tasks"), mark, remove(lockName), remove(stateName), remove("")}
}

func (w *workFolder) move(tasks []string) error {
	if w.state.Phase == phaseRunning {
		if err := w.checkNames(tasks); err != nil {
			return err
		}
		if err := w.setPhase(phaseCommitting); err != nil {
			return err
		}
	}
	for _, id := range tasks {
		root := filepath.Join(w.task(id), outputName)
		err := walkOutput(root, func(name string, folder bool) error {
			target := filepath.Join(w.output, name)
			if folder {
				return os.MkdirAll(target, 0o777)
			}
			return os.Rename(filepath.Join(root, name), target)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkNames finds names that two tasks want, or that cannot be in an output.
func (w *workFolder) checkNames(tasks []string) error {
	type owner struct {
		task   string
		folder bool
	}
	owners := map[string]owner{}
	for _, id := range tasks {
		err := walkOutput(filepath.Join(w.task(id), outputName), func(name string, folder bool) error {
			first, _, _ := strings.Cut(name, string(filepath.Separator))
			if first == workName || first == successName {
				return fmt.Errorf("%s wrote a side file %s, a name that is the engine's own", id, name)
			}
			other, taken := owners[name]
			if taken && !(folder && other.folder) {
				return withHint(fmt.Errorf("%s and %s both wrote %s", other.task, id, name),
					"name side files by the task's number (mapreduce_task_partition) and kind")
			}
			owners[name] = owner{id, folder}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// walkOutput visits everything under root by its name relative to it, folders
// before what they hold. A root that is not there holds nothing.
func walkOutput(root string, visit func(name string, folder bool) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if path == root {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return visit(name, d.IsDir())
	})
}

// discard removes everything that the job made, or, where keep is true, all
// but the committed tasks.
func (w *workFolder) discard(keep bool) error {
	defer w.unlock()
	if keep {
		return os.RemoveAll(filepath.Join(w.root, "attempts"))
	}
	if w.created != "" {
		return w.removeCreated()
	}
	// The folder was there: it held state of ours, or nothing.
	return os.RemoveAll(w.output)
}

// removeCreated removes the output folder, and the folders above that were
// made for it as long as nobody else has put anything there.
func (w *workFolder) removeCreated() error {
	err := os.RemoveAll(w.output)
	for dir := w.output; err == nil && dir != w.created; {
		dir = filepath.Dir(dir)
		if os.Remove(dir) != nil {
			break
		}
	}
	return err
}
