package jobfiles

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"archivestream/lib/storage"
)

// statusRejects is the exit status of a job that is done, but with too many
// rejects.
const statusRejects = 3

// ending is the end of a job, in steps that can be done again: a job that is
// killed in between is resumed by doing all of them.
type ending struct {
	folders
	place, work string // where the job works
	options     options
	made        made
	counters    []counter
	seconds     []timing // of the stages
	rejects     int64
	warnings    int64
	reasons     []reason
	status      int
}

// end publishes what the job's stages have made, writes _rejects.tsv, _job.json
// and _SUCCESS, and gives the output folder free. It prints the exit status of
// the job and the numbers of its rejects and warnings.
func end(output string, o options, out io.Writer) error {
	e, err := newEnding(output, o)
	if err != nil {
		return err
	}
	for _, step := range e.steps() {
		if err := step(); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(out, e.status, e.rejects, e.warnings)
	return err
}

func newEnding(output string, o options) (*ending, error) {
	pid, err := strconv.Atoi(o.text("pid"))
	if err != nil {
		return nil, errUsage
	}
	own, err := lockName(pid)
	if err != nil {
		return nil, err
	}
	f, err := foldersOf(output)
	if err != nil {
		return nil, err
	}
	place, err := f.held(own)
	if err != nil {
		return nil, err
	}
	if place == "" {
		return nil, &failure{message: fmt.Sprintf("the output folder %s is no longer this job's: its lock is gone", output)}
	}
	return &ending{folders: f, place: place, work: storage.Join(place, workName), options: o}, nil
}

func (e *ending) steps() []func() error {
	steps := []func() error{e.readStages, e.collectRejects, e.useful, e.keepMade}
	for _, stage := range e.options["publish"] {
		steps = append(steps, func() error { return e.publish(stage) })
	}
	steps = append(steps, e.publishPut, e.putRejects, e.describe, e.settle,
		func() error { return e.put(successName, func(io.Writer) error { return nil }) },
		func() error { return storage.Sync(e.place) },
		func() error { return storage.RemoveAll(e.work) })
	if e.place == e.next {
		steps = append(steps, e.setAside, e.moveIn, e.removeAside)
	}
	return append(steps, func() error { return release(e.output, e.options, nil) })
}

// readStages takes counters and times from the marks of the finished stages:
// a line with the stage's fingerprint, its seconds, its counters, and "done".
func (e *ending) readStages() error {
	for _, stage := range e.options["stage"] {
		mark, err := readAll(storage.Join(e.work, stage+".done"))
		if err != nil {
			return fmt.Errorf("stage %s: %w", stage, err)
		}
		lines := strings.Split(strings.TrimSuffix(string(mark), "\n"), "\n")
		last := len(lines) - 1
		if last < 2 || lines[last] != "done" {
			return fmt.Errorf("stage %s: its mark of %d lines is not complete", stage, len(lines))
		}
		e.seconds = append(e.seconds, timing{stage, lines[1]})
		for _, line := range lines[2:last] {
			c, err := parseCounter(line)
			if err != nil {
				return fmt.Errorf("stage %s: %w", stage, err)
			}
			e.counters = append(e.counters, c)
			switch c.name {
			case "rejected":
				e.rejects += c.value
			case "warnings":
				e.warnings += c.value
			}
		}
	}
	if e.tooManyRejects() {
		e.status = statusRejects
	}
	return nil
}

func parseCounter(line string) (c counter, err error) {
	f := strings.Split(line, "\t")
	if len(f) != 4 {
		return c, fmt.Errorf("no counter: %q", line)
	}
	c.stage, c.group, c.name = f[0], f[1], f[2]
	c.value, err = strconv.ParseInt(f[3], 10, 64)
	return c, err
}

// tooManyRejects compares with --max-rejects: a number, or a percentage of the
// job's records.
func (e *ending) tooManyRejects() bool {
	limit := e.options.text("max-rejects")
	if limit == "" {
		return false
	}
	text, percent := strings.CutSuffix(limit, "%")
	most, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return true
	}
	if percent {
		records, _ := strconv.ParseInt(e.options.text("records"), 10, 64)
		return e.rejects*100 > most*records
	}
	return e.rejects > most
}

// published returns what is published of STAGE, STAGE/FOLDER or STAGE=FOLDER, and the
// folder that it goes into.
func (e *ending) published(stage string) (from, into string) {
	into = e.place
	if name, folder, ok := strings.Cut(stage, "="); ok {
		stage, into = name, storage.Join(into, folder)
	} else if _, folder, ok := strings.Cut(stage, "/"); ok {
		into = storage.Join(into, folder)
	}
	return storage.Join(e.work, stage), into
}

// publish moves the output of a stage, or of STAGE/FOLDER that folder, to the
// job's; with STAGE=FOLDER it becomes a folder there.
func (e *ending) publish(stage string) error {
	from, into := e.published(stage)
	return publish([]string{from, into}, nil, nil)
}

// publishPut moves what the job script itself has put there.
func (e *ending) publishPut() error {
	put := storage.Join(e.work, putName)
	there, err := storage.Exists(put)
	if err != nil || !there {
		return err
	}
	return publish([]string{put, e.place}, nil, nil)
}

// syncs is how many files are forced to the disk at once: a file system puts what
// waits together into one commit of its journal.
const syncs = 16

// settle forces what the job has made to the disk, so that _SUCCESS holds after a
// loss of power too. What the stages leave for each other is not worth that: it is
// made again.
func (e *ending) settle() error {
	var group sync.WaitGroup
	names, failures := make(chan string), make(chan error, syncs)
	for range syncs {
		group.Go(func() {
			var failed error
			for name := range names {
				failed = errors.Join(failed, storage.Sync(name))
			}
			failures <- failed
		})
	}
	err := e.walk(e.place, func(name string) { names <- name })
	close(names)
	group.Wait()
	close(failures)
	for failed := range failures {
		err = errors.Join(err, failed)
	}
	return err
}

// walk visits what a folder of the output holds, and then the folder itself.
func (e *ending) walk(dir string, visit func(name string)) error {
	entries, err := storage.List(dir)
	if err != nil {
		return err
	}
	for _, x := range entries {
		switch {
		case x.Path == e.work:
		case x.IsDir:
			if err := e.walk(x.Path, visit); err != nil {
				return err
			}
		default:
			visit(x.Path)
		}
	}
	visit(dir)
	return nil
}

// put writes a file of the output. It is written in the work folder first, where a
// kill leaves what nobody takes for a result.
func (e *ending) put(name string, content func(io.Writer) error) error {
	if err := e.write(storage.Join(e.work, name), content); err != nil {
		return err
	}
	return e.move(name)
}

// move gives a file of the work folder its place in the output.
func (e *ending) move(name string) error {
	return storage.Rename(storage.Join(e.work, name), storage.Join(e.place, name))
}

func (e *ending) write(name string, content func(io.Writer) error) error {
	w, err := storage.CreateData(name)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if err := errors.Join(content(b), b.Flush()); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Close()
}
