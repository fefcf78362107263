package jobfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"archivestream/lib/storage"
)

// The folders of a job's output. A job makes a new output in its place. What takes
// the place of an earlier output (--force) is made beside it, in next; when it is
// complete the earlier one is put aside, the new one gets its name, and the earlier
// one is removed. At each moment one of the two is complete, under its own name or
// as next with _SUCCESS in it, and the start of another job goes on from there.
//
// The lock of a job lies in the folder that it makes, and comes into its place with
// it. Who looks for locks looks into next first: so it misses none.
type folders struct {
	output string // as the user names it
	parent string // with a slash at its end
	final  string // without links
	next   string
	aside  string
}

func foldersOf(output string) (folders, error) {
	final, err := storage.Real(output)
	if err != nil {
		return folders{}, &failure{message: fmt.Sprintf("the output folder %s cannot be looked at: %v", output, err)}
	}
	if info, err := storage.Stat(final); err == nil && !info.IsDir {
		return folders{}, &failure{message: fmt.Sprintf("the output folder %s is a file", output), hint: "give a folder", status: statusUsage}
	}
	i := strings.LastIndexByte(final, '/')
	dir, name := final[:i+1], final[i+1:]
	if name == "" {
		return folders{}, &failure{message: fmt.Sprintf("the output folder %s is the root of all", output),
			hint: "give a folder below it", status: statusUsage}
	}
	return folders{output: output, parent: dir, final: final, next: dir + "." + name + ".new", aside: dir + "." + name + ".old"}, nil
}

// A state is what is there of the folders.
type state struct {
	final, next      []storage.Info // entries, without the lock own
	isFinal, isNext  bool           // the folder is there, with more than the lock own
	isAside, isWhole bool           // aside is there; next is complete
}

func (f folders) look(own string) (s state, err error) {
	if s.next, err = entriesBut(f.next, own); err != nil {
		return s, err
	}
	if s.final, err = entriesBut(f.final, own); err != nil {
		return s, err
	}
	s.isFinal, s.isNext = s.final != nil, s.next != nil
	for _, e := range s.next {
		s.isWhole = s.isWhole || e.Name() == successName
	}
	s.isAside, err = storage.Exists(f.aside)
	return s, err
}

// entriesBut lists a folder; nil is one that is not there, or holds the lock alone.
func entriesBut(dir, own string) ([]storage.Info, error) {
	entries, err := storage.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &failure{message: fmt.Sprintf("the output folder %s cannot be looked at: %v", dir, err)}
	}
	others := make([]storage.Info, 0, len(entries))
	for _, e := range entries {
		if e.Name() != own {
			others = append(others, e)
		}
	}
	if len(others) == 0 && len(entries) > 0 {
		return nil, nil
	}
	return others, nil
}

// choose returns the folder that a job of a mode works in, or why there is none.
func (f folders) choose(mode string, s state) (string, error) {
	if !s.isFinal && s.isAside && !s.isWhole {
		return "", &failure{message: fmt.Sprintf("the output folder %s is not there, and what it was is in %s", f.output, f.aside),
			hint: "rename that folder, or remove it", status: statusUsage}
	}
	switch mode {
	case "new":
		if !s.isFinal && s.isWhole {
			return f.next, nil
		}
		if s.isFinal {
			return "", f.refuseThere()
		}
		if s.isNext {
			return "", &failure{message: fmt.Sprintf("an interrupted job that replaces the output folder %s has left %s", f.output, f.next),
				hint: "--resume goes on with it, --force begins anew", status: statusUsage}
		}
	case "force":
		if s.isFinal {
			if err := f.replaceable(s.final); err != nil {
				return "", err
			}
		}
		if s.isFinal || s.isNext {
			return f.next, nil
		}
	case "resume":
		if s.isNext {
			return f.next, nil
		}
	default:
		return "", errUsage
	}
	return f.final, nil
}

func (f folders) refuseThere() error {
	return &failure{message: fmt.Sprintf("the output folder %s exists", f.output),
		hint: "--force replaces it, --resume goes on with an interrupted job", status: statusUsage}
}

// replaceable returns why the folder that has these entries must not be replaced: only
// what a job has made can be.
func (f folders) replaceable(entries []storage.Info) error {
	made, err := isOutput(f.final, entries)
	if err != nil {
		return err
	}
	if !made {
		return &failure{message: fmt.Sprintf("the output folder %s was not made by a job", f.output),
			hint: "remove it by hand, or choose another", status: statusUsage}
	}
	other, err := foreign(f.final, entries)
	if err != nil || other == "" {
		return err
	}
	return &failure{message: fmt.Sprintf("the output folder %s cannot be replaced: the job that made it has not made all that is in %s", f.output, other),
		hint: "move that away, or choose another folder", status: statusUsage}
}

// isOutput reports whether a folder is a job's output: complete, or interrupted.
func isOutput(dir string, entries []storage.Info) (bool, error) {
	onlyLocks := len(entries) > 0
	for _, e := range entries {
		switch name := e.Name(); {
		case name == descriptionName && !e.IsDir:
			d, err := readDescription(dir)
			if err != nil || d.Job != "" {
				return err == nil, err
			}
		case name == workName && e.IsDir:
			if there, err := storage.Exists(storage.Join(e.Path, sizesName)); err != nil || there {
				return there, err
			}
		case strings.HasPrefix(name, lockPrefix):
			continue
		}
		onlyLocks = onlyLocks && strings.HasPrefix(e.Name(), lockPrefix)
	}
	return onlyLocks, nil
}

// movable returns why the output cannot be renamed: a mounted folder cannot.
func (f folders) movable() error {
	if storage.IsURI(f.final) {
		return nil
	}
	var folder, above syscall.Stat_t
	if err := syscall.Stat(f.final, &folder); err != nil {
		return nil // there is nothing to rename
	}
	if err := syscall.Stat(f.parent, &above); err != nil || folder.Dev == above.Dev {
		return err
	}
	return &failure{message: fmt.Sprintf("the output folder %s cannot be replaced: it is the root of a file system", f.output),
		hint: "choose a folder below it", status: statusUsage}
}

// setAside makes room for next.
func (f folders) setAside() error {
	entries, err := entriesBut(f.final, "")
	if err != nil || entries == nil {
		return err
	}
	if err := f.replaceable(entries); err != nil {
		return err
	}
	if err := f.removeAside(); err != nil {
		return err
	}
	return storage.Rename(f.final, f.aside)
}

// moveIn gives next its place.
func (f folders) moveIn() error {
	there, err := storage.Exists(f.next)
	if err != nil || !there {
		return err
	}
	if err := storage.Rename(f.next, f.final); err != nil {
		return err
	}
	return storage.Sync(f.parent)
}

// removeAside removes the earlier output. What shows that it is one goes last: a kill in
// between leaves what can be removed.
func (f folders) removeAside() error {
	entries, err := entriesBut(f.aside, "")
	if err != nil || entries == nil {
		return err
	}
	made, err := isOutput(f.aside, entries)
	if err != nil {
		return err
	}
	if !made && len(entries) > 0 && (len(entries) > 1 || entries[0].Name() != workName) {
		return &failure{message: fmt.Sprintf("%s is in the way, which was not made by a job", f.aside), hint: "rename it"}
	}
	for _, e := range entries {
		if name := e.Name(); name != descriptionName && name != workName {
			if err := storage.RemoveAll(e.Path); err != nil {
				return err
			}
		}
	}
	if err := storage.RemoveAll(storage.Join(f.aside, workName)); err != nil {
		return err
	}
	return storage.RemoveAll(f.aside)
}

// finish goes on where a job was killed whose output is complete.
func (f folders) finish() error {
	for _, step := range []func() error{
		func() error { return storage.RemoveAll(storage.Join(f.next, workName)) },
		f.setAside, f.moveIn, f.removeAside,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
