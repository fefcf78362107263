package jobfiles

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

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
	publishingName = "publishing" // there as soon as a part of the output may be in its place
)

// lock takes the output folder for the process pid, and refuses one that is not
// for a job of that mode. It can be called again by the same process.
func lock(output string, o options, _ io.Writer) error {
	pid, err := strconv.Atoi(o.text("pid"))
	if err != nil {
		return errUsage
	}
	mode := o.text("mode")
	own, err := lockName(pid)
	if err != nil {
		return err
	}
	before, err := storage.List(output)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &failure{message: fmt.Sprintf("the output folder %s cannot be looked at: %v", output, err)}
	}
	there := err == nil
	if there && !held(before, own) {
		if err := refuse(output, mode, before); err != nil {
			return err
		}
	}
	if err := takeLock(output, pid); err != nil {
		return err
	}
	if there || mode != "new" {
		return nil
	}
	// Another job may have made the folder, and ended, since it was looked for.
	now, err := storage.List(output)
	if err == nil && len(now) > 1 {
		err = refuse(output, mode, now)
	}
	if err != nil {
		return errors.Join(err, storage.RemoveAll(storage.Join(output, own)))
	}
	return nil
}

// held says whether the lock is among the entries.
func held(entries []storage.Info, own string) bool {
	for _, e := range entries {
		if e.Name() == own {
			return true
		}
	}
	return false
}

// refuse says why a job must not work in a folder that is there.
func refuse(output, mode string, entries []storage.Info) error {
	switch mode {
	case "new":
		return &failure{message: fmt.Sprintf("the output folder %s exists", output),
			hint: "--force replaces it, --resume goes on with an interrupted job", status: statusUsage}
	case "force":
		for _, e := range entries {
			if name := e.Name(); name == descriptionName || name == workName || strings.HasPrefix(name, lockPrefix) {
				return nil
			}
		}
		return &failure{message: fmt.Sprintf("the output folder %s was not made by a job", output),
			hint: "remove it by hand, or choose another", status: statusUsage}
	}
	return nil
}

// begin makes the output folder ready for a job: it is locked, with --force
// emptied, and the input files are listed in the work folder. It prints a
// fingerprint of the input files and the programs, and the files. The answer is
// no where the job to be resumed is complete.
func begin(output string, o options, out io.Writer) error {
	if err := lock(output, o, nil); err != nil {
		return err
	}
	err := prepare(output, o, out)
	if err == nil {
		return nil
	}
	// The caller has nothing to release then.
	o["unused"] = []string{"1"}
	if e := release(output, o, nil); e != nil {
		return errors.Join(err, e)
	}
	return err
}

func prepare(output string, o options, out io.Writer) error {
	pid, _ := strconv.Atoi(o.text("pid"))
	own, err := lockName(pid)
	if err != nil {
		return err
	}
	// A wrong input costs nothing of what is there.
	var list bytes.Buffer
	if err := expand(o["input"], nil, &list); err != nil {
		return err
	}
	if list.Len() == 0 {
		return &failure{message: "no input: the folders are empty"}
	}
	work := storage.Join(output, workName)
	switch o.text("mode") {
	case "force":
		if err := empty(output, own); err != nil {
			return &failure{message: fmt.Sprintf("the output folder %s cannot be replaced: %v", output, err)}
		}
	case "resume":
		done, err := storage.Exists(storage.Join(output, successName))
		if err != nil {
			return err
		}
		if done {
			if err := storage.RemoveAll(work); err != nil {
				return err
			}
			return errNo
		}
	}
	h := sha256.New()
	h.Write(list.Bytes())
	for _, p := range o["program"] {
		// A program that is not there is noticed when it is started.
		if info, err := storage.Stat(p); err == nil {
			fmt.Fprintf(h, "%s %d %d\n", p, info.Size, info.ModTime.UnixNano())
		}
	}
	var paths bytes.Buffer
	for line := range bytes.Lines(list.Bytes()) {
		path, _, _ := bytes.Cut(line, []byte("\t"))
		paths.Write(path)
		paths.WriteByte('\n')
	}
	if err := keepOrWrite(storage.Join(work, sizesName), list.Bytes()); err != nil {
		return err
	}
	if err := keepOrWrite(storage.Join(work, inputsName), paths.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%x\n%s", h.Sum(nil), list.Bytes())
	return err
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
// nothing is there that could be resumed, and the folder that the job has made
// goes too.
func release(output string, o options, _ io.Writer) error {
	pid, err := strconv.Atoi(o.text("pid"))
	if err != nil {
		return errUsage
	}
	own, err := lockName(pid)
	if err != nil {
		return err
	}
	name := storage.Join(output, own)
	if there, err := storage.Exists(name); err != nil || !there {
		return err
	}
	if o.text("mode") == "new" && o.text("unused") != "" {
		return storage.RemoveAll(output)
	}
	return storage.RemoveAll(name)
}
