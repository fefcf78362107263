// Package jobfiles holds the file operations of job scripts, over every storage
// that lib/storage knows.
package jobfiles

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

const usage = `manage-files - file operations of job scripts, on any storage

USAGE
   manage-files COMMAND [PATH]...

COMMANDS
   expand PATH...      the files that paths, folders and globs mean: PATH TAB SIZE TAB MODIFIED (seconds since 1970)
   exists PATH         exit status 0 if there is such a file or folder, 3 if not
   cat PATH...         the files one after the other; a path of a folder means the files in it
   put PATH            standard input into a file that appears under its name when it is whole
   create PATH         standard input into a new file; exit status 3 if there is one of that name
   rename FROM TO      moves a file or folder
   publish FROM TO     moves what lies in folder FROM into folder TO, except names that begin with _ or . and empty part files
   remove PATH...      removes files and folders, all that is in them too
   version             the suite's version

EXIT STATUS
   0  done
   1  failed
   2  usage
   3  the answer is no
`

var errNo = errors.New("no")

// commands by name, with the number of paths that each takes (-1: one or more).
var commands = map[string]struct {
	paths int
	run   func(paths []string, in io.Reader, out io.Writer) error
}{
	"expand":  {-1, expand},
	"exists":  {1, exists},
	"cat":     {-1, cat},
	"put":     {1, put},
	"create":  {1, create},
	"rename":  {2, rename},
	"publish": {2, publish},
	"remove":  {-1, remove},
}

// Execute carries out one command and gives the exit status.
func Execute(args []string, in io.Reader, out, errw io.Writer) int {
	if len(args) == 2 && args[1] == "--help" {
		io.WriteString(out, usage)
		return 0
	}
	if len(args) < 2 {
		io.WriteString(errw, usage)
		return 2
	}
	if len(args) == 2 && args[1] == "version" {
		fmt.Fprintln(out, stage.Version)
		return 0
	}
	command, known := commands[args[1]]
	paths := args[2:]
	if !known || len(paths) == 0 || command.paths >= 0 && command.paths != len(paths) {
		fmt.Fprintf(errw, "manage-files: error: unusable command %q\nmanage-files: hint: try manage-files --help\n", strings.Join(args[1:], " "))
		return 2
	}
	err := command.run(paths, in, out)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNo):
		return 3
	}
	fmt.Fprintf(errw, "manage-files: error: %v\n", err)
	return 1
}

func expand(paths []string, _ io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	for _, p := range paths {
		files, err := storage.Expand(p)
		if err != nil {
			return err
		}
		for _, f := range files {
			fmt.Fprintf(w, "%s\t%d\t%d\n", f.Path, f.Size, f.ModTime.Unix())
		}
	}
	return w.Flush()
}

func exists(paths []string, _ io.Reader, _ io.Writer) error {
	found, err := storage.Exists(paths[0])
	if err == nil && !found {
		err = errNo
	}
	return err
}

func cat(paths []string, _ io.Reader, out io.Writer) error {
	for _, p := range paths {
		files, err := storage.Expand(p)
		if err != nil {
			return err
		}
		for _, file := range files {
			f, err := storage.Open(file.Path)
			if err != nil {
				return err
			}
			_, err = io.Copy(out, io.NewSectionReader(f, 0, f.Size()))
			f.Close()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func put(paths []string, in io.Reader, _ io.Writer) error {
	w, err := storage.Create(paths[0])
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, in); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}

func create(paths []string, in io.Reader, _ io.Writer) error {
	content, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	err = storage.CreateExclusive(paths[0], content)
	if errors.Is(err, fs.ErrExist) {
		return errNo
	}
	return err
}

func rename(paths []string, _ io.Reader, _ io.Writer) error {
	return storage.Rename(paths[0], paths[1])
}

// publish can be called again after it was interrupted: what has been moved is
// not there any more.
func publish(paths []string, _ io.Reader, _ io.Writer) error {
	from, to := paths[0], paths[1]
	if err := storage.MkdirAll(to); err != nil {
		return err
	}
	entries, err := storage.List(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		// A stage whose output is side files leaves an empty part file.
		if storage.Hidden(e.Name()) || e.Size == 0 && !e.IsDir && strings.HasPrefix(e.Name(), "part-") {
			continue
		}
		if err := storage.Rename(e.Path, storage.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func remove(paths []string, _ io.Reader, _ io.Writer) error {
	for _, p := range paths {
		if err := storage.RemoveAll(p); err != nil {
			return err
		}
	}
	return nil
}
