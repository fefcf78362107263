package jobfiles

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strconv"

	"archivestream/lib/storage"
)

// Names in a job's output folder.
const (
	workName        = "_work"
	successName     = "_SUCCESS"
	descriptionName = "_job.json"
	rejectsName     = "_rejects.tsv"
)

// Names in its work folder.
const (
	inputsName     = "inputs.txt" // paths of the input files, for the stages
	sizesName      = "inputs.tsv" // PATH TAB SIZE TAB MODIFIED of each
	putName        = "put"        // folder of files that the job script has made
	publishingName = "publishing" // there as soon as a part of the output may be in its place
)

// lock takes the output folder for the process pid, and refuses one that is not
// for a job of that mode. It can be called again by the same process.
func lock(output string, o options, _ io.Writer) error {
	_, _, err := takePlace(output, o)
	return err
}

// takePlace locks one of the folders of an output and returns which: that in which the
// job works.
func takePlace(output string, o options) (f folders, place string, err error) {
	pid, err := strconv.Atoi(o.text("pid"))
	if err != nil {
		return f, "", errUsage
	}
	own, err := lockName(pid)
	if err != nil {
		return f, "", err
	}
	if f, err = foldersOf(output); err != nil {
		return f, "", err
	}
	if place, err = f.held(own); err != nil || place != "" {
		return f, place, err
	}
	// Another job may have made a folder, and ended, since it was looked for.
	for range 3 {
		before, err := f.look(own)
		if err != nil {
			return f, "", err
		}
		if place, err = f.choose(o.text("mode"), before); err != nil {
			return f, "", err
		}
		if err := f.takeLock(place, pid); err != nil {
			return f, "", err
		}
		now, err := f.look(own)
		var again string
		if err == nil {
			again, err = f.choose(o.text("mode"), now)
		}
		if err == nil && again == place {
			return f, place, nil
		}
		if err := errors.Join(err, f.unlock(own)); err != nil {
			return f, "", err
		}
	}
	return f, "", &failure{message: fmt.Sprintf("other jobs make and remove the output folder %s", output)}
}

// begin makes the folder ready in which a job works: it is locked, with --force
// emptied, and the input files are listed in its work folder. It prints a
// fingerprint of the input files and the programs, the folder, and the files. The
// answer is no where the job to be resumed is complete.
func begin(output string, o options, out io.Writer) error {
	f, place, err := takePlace(output, o)
	if err != nil {
		return err
	}
	err = prepare(f, place, o, out)
	if err == nil {
		return nil
	}
	// The caller has nothing to release then.
	pid, _ := strconv.Atoi(o.text("pid"))
	own, e := lockName(pid)
	if e == nil {
		e = f.unlock(own)
	}
	if e != nil {
		return errors.Join(err, e)
	}
	return err
}

func prepare(f folders, place string, o options, out io.Writer) error {
	// A wrong input costs nothing of what is there. That it lies in what would be
	// replaced is said first: what it is does not matter then.
	var s *sparing
	if place == f.next {
		err := f.movable()
		if err == nil {
			s, err = f.newSparing(o)
		}
		if err == nil {
			err = s.checkGiven(o["input"])
		}
		if err != nil {
			return err
		}
	}
	g, err := gather(o)
	if err != nil {
		return err
	}
	if g.isEmpty() {
		return &failure{message: "no input: the folders are empty"}
	}
	list, _ := g.list()
	if err := s.checkFound(list); err != nil {
		return err
	}
	if err := f.ready(place, o); err != nil {
		return err
	}
	work := storage.Join(place, workName)
	if err := g.spool(work); err != nil {
		if o.text("mode") != "resume" {
			err = errors.Join(err, storage.RemoveAll(work)) // there is nothing else in it
		}
		return err
	}
	list, others := g.list()
	h := sha256.New()
	h.Write(list)
	h.Write(others)
	for _, p := range o["program"] {
		// A program that is not there is noticed when it is started.
		if info, err := storage.Stat(p); err == nil {
			fmt.Fprintf(h, "%s %d %d\n", p, info.Size, info.ModTime.UnixNano())
		}
	}
	var paths bytes.Buffer
	for line := range bytes.Lines(list) {
		path, _, _ := bytes.Cut(line, []byte("\t"))
		paths.Write(path)
		paths.WriteByte('\n')
	}
	if err := keepOrWrite(storage.Join(work, sizesName), list); err != nil {
		return err
	}
	if err := keepOrWrite(storage.Join(work, inputsName), paths.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%x\n%s\n%s\n%s", h.Sum(nil), place, g.answer(), list)
	return err
}

// ready goes on where an earlier job was killed while its output came into its place,
// and empties what a new one works in.
func (f folders) ready(place string, o options) error {
	pid, _ := strconv.Atoi(o.text("pid"))
	own, err := lockName(pid)
	if err != nil {
		return err
	}
	now, err := f.look(own)
	if err != nil {
		return err
	}
	mode := o.text("mode")
	if mode == "force" {
		if !now.isFinal && now.isAside {
			if err := storage.Rename(f.aside, f.final); err != nil {
				return err
			}
		}
		if err := empty(place, own); err != nil {
			return &failure{message: fmt.Sprintf("the folder %s cannot be emptied: %v", place, err)}
		}
		return nil
	}
	if now.isWhole {
		if err := f.finish(); err != nil {
			return err
		}
		if mode == "new" {
			return f.refuseThere()
		}
	}
	if mode != "resume" {
		return nil
	}
	done, err := storage.Exists(storage.Join(place, successName))
	if err != nil {
		return err
	}
	if !done && !now.isWhole {
		return nil
	}
	for _, step := range []func() error{
		func() error { return storage.RemoveAll(storage.Join(f.final, workName)) },
		f.removeAside,
		func() error { return errNo },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// keepOrWrite leaves a file that holds the content as it is: a list of inputs can
// be an input itself, whose date counts when its tasks are to be resumed.
func keepOrWrite(name string, content []byte) error {
	if old, err := readAll(name); err == nil && bytes.Equal(old, content) {
		return nil
	}
	w, err := storage.CreateData(name)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Close()
}

func readAll(name string) ([]byte, error) {
	f, err := storage.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
}

// empty removes all but the lock from an output folder, and first what tells that
// it is complete: a job that is killed here leaves no such thing.
func empty(output, own string) error {
	if err := storage.RemoveAll(storage.Join(output, successName)); err != nil {
		return err
	}
	entries, err := storage.List(output)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == own {
			continue
		}
		if err := storage.RemoveAll(e.Path); err != nil {
			return err
		}
	}
	return nil
}

// abandon releases the output folder of a job that has failed or was stopped, and ends
// first what it has left running.
func abandon(output string, o options, out io.Writer) error {
	pid, err := strconv.Atoi(o.text("pid"))
	if err != nil {
		return errUsage
	}
	if err := endLeftovers(pid); err != nil {
		return err
	}
	return release(output, o, out)
}

// release gives the output folder free, if this process holds it. With unused=1
// nothing is there that could be resumed, and the folder goes too that a job has made
// which does not resume another.
func release(output string, o options, _ io.Writer) error {
	pid, err := strconv.Atoi(o.text("pid"))
	if err != nil {
		return errUsage
	}
	own, err := lockName(pid)
	if err != nil {
		return err
	}
	f, err := foldersOf(output)
	if err != nil {
		return err
	}
	place, err := f.held(own)
	if err != nil || place == "" {
		return err
	}
	if o.text("unused") != "" && o.text("mode") != "resume" {
		whole, err := storage.Exists(storage.Join(place, successName))
		if err == nil && !whole {
			err = storage.RemoveAll(place)
		}
		if err != nil || !whole {
			return err
		}
	}
	return storage.RemoveAll(storage.Join(place, own))
}
