// Package jobfiles holds the file operations of job scripts, over every storage
// that lib/storage knows, and what begins and ends every job: the lock of the
// output folder, the list of inputs, publication, _rejects.tsv and _job.json.
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
   manage-files COMMAND OUTPUT NAME=VALUE...

COMMANDS
   expand PATH...   the files that paths, folders and globs mean: PATH TAB SIZE
                    TAB MODIFIED (seconds since 1970)
   exists PATH      exit status 0 if there is such a file or folder, 3 if not
   matches GLOB     exit status 0 if the glob finds a file or folder, 3 if not
   cat PATH...      the files one after the other; a path of a folder means the
                    files in it
   put PATH         standard input into a file that appears under its name when
                    it is whole
   rename FROM TO   moves a file or folder
   publish FROM TO  moves what lies in folder FROM into folder TO, except names
                    that begin with _ or . and empty part files
   remove PATH...   removes files and folders, all that is in them too
   ship FILE FOLDER
                    copies a program into FOLDER, under a name with its digest,
                    unless it is there; prints the path
   version          the suite's version

COMMANDS OF A JOB, for its folder OUTPUT
   lock      makes OUTPUT that of the process pid, if a job may work there: job,
             mode (new, resume, force), pid
   begin     lock, and a folder made ready that becomes OUTPUT: OUTPUT itself,
             or one beside it where that replaces an earlier one; prints a
             fingerprint of inputs and programs, that folder, what the job has
             to know of its inputs (lib/jobfiles/gather.go), an empty line, and
             the inputs as expand does, with a word for the kind of each; exit
             status 3 if a job to be resumed is complete: as for lock, and
             engine, program..., input..., option and takes (the option that
             gave the inputs, and what they must be), kind... (ROLE TAB OPTION
             TAB PATH of an input of another option), also... (the same of what
             is no input), reads... (what else the job reads, none of which may
             be in OUTPUT), earlier... (results that it adds to), only... (names
             in OUTPUT beside which there must be no other)
   end       publishes what the stages have made, writes _rejects.tsv, _job.json
             and _SUCCESS, gives it all its place and releases OUTPUT; prints
             the exit status of the job and the number of rejects: job, engine,
             pid, started (seconds since 1970), records, max-rejects, and
             stage..., publish... (STAGE, STAGE/FOLDER or STAGE=FOLDER),
             command... (its words)
   names     refuses two archive files of one name among those of a list, and
             names that an index cannot hold: list, hint, layout=NAME (default
             cdxj), and relative-to=DIR or full-paths=1; stems=FILE is where the
             list goes, with what the names of derivatives begin with
   archives  writes a path index, sorted, and refuses two archive files of one
             name: to, hint, and path-index=FILE, archives=PATH..., list=FILE
   release   ends what the process pid has left running and gives OUTPUT free,
             if it holds it: mode, pid, and unused=1 where nothing can be
             resumed

EXIT STATUS
   0  done
   1  failed
   2  usage
   3  the answer is no
   75 another job is at work in the output folder
`

// Exit statuses of the program.
const (
	statusFailed = 1
	statusUsage  = 2
	statusNo     = 3
	statusBusy   = 75 // EX_TEMPFAIL of sysexits.h: it may work later
)

var (
	errNo    = errors.New("no")
	errUsage = errors.New("usage")
)

// A failure is told to the user of the job.
type failure struct {
	message, hint string
	status        int // 0: statusFailed
}

func (f *failure) Error() string { return f.message }

// options are those of a job's commands: NAME=VALUE, a name as often as wanted.
type options map[string][]string

// text gives the last value of a name.
func (o options) text(name string) string {
	if v := o[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// commands by name, with the number of paths that each takes (-1: one or more).
var commands = map[string]struct {
	paths int
	run   func(paths []string, in io.Reader, out io.Writer) error
}{
	"expand":  {-1, expand},
	"exists":  {1, exists},
	"matches": {1, matches},
	"cat":     {-1, cat},
	"put":     {1, put},
	"rename":  {2, rename},
	"publish": {2, publish},
	"remove":  {-1, remove},
	"ship":    {2, ship},
}

// jobCommands by name. They take the job's output folder.
var jobCommands = map[string]func(output string, o options, out io.Writer) error{
	"lock": lock, "begin": begin, "end": end, "release": abandon, "names": names, "archives": archives,
}

// Execute carries out one command and gives the exit status.
func Execute(args []string, in io.Reader, out, errw io.Writer) int {
	if len(args) == 2 && args[1] == "--help" {
		io.WriteString(out, usage)
		return 0
	}
	if len(args) < 2 {
		io.WriteString(errw, usage)
		return statusUsage
	}
	if len(args) == 2 && args[1] == "version" {
		fmt.Fprintln(out, stage.Version)
		return 0
	}
	name, err := "manage-files", errUsage
	command, known := commands[args[1]]
	paths := args[2:]
	switch {
	case known && len(paths) > 0 && (command.paths < 0 || command.paths == len(paths)):
		err = command.run(paths, in, out)
	case jobCommands[args[1]] != nil && len(paths) > 0:
		o := options{}
		for _, word := range paths[1:] {
			key, value, _ := strings.Cut(word, "=")
			o[key] = append(o[key], value)
		}
		if job := o.text("job"); job != "" {
			name = job
		}
		err = jobCommands[args[1]](paths[0], o, out)
	}
	return report(name, args[1:], err, errw)
}

// report tells what went wrong in the voice of the job, and gives the exit status.
func report(name string, words []string, err error, errw io.Writer) int {
	var f *failure
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintf(errw, "%s: error: unusable command %q\n%s: hint: try manage-files --help\n", name, strings.Join(words, " "), name)
		return statusUsage
	case errors.As(err, &f):
		fmt.Fprintf(errw, "%s: error: %v\n", name, err)
		if f.hint != "" {
			fmt.Fprintf(errw, "%s: hint: %s\n", name, f.hint)
		}
		return max(f.status, statusFailed)
	case err == errNo:
		return statusNo
	}
	fmt.Fprintf(errw, "%s: error: %v\n", name, err)
	return statusFailed
}

func expand(paths []string, _ io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	for _, p := range paths {
		files, err := storage.Expand(p)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := listable(f.Path); err != nil {
				return err
			}
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

// matches reports whether a glob finds anything.
func matches(paths []string, _ io.Reader, _ io.Writer) error {
	_, err := storage.Expand(paths[0])
	if errors.Is(err, fs.ErrNotExist) {
		return errNo
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
			if _, err := storage.Copy(out, file.Path); err != nil {
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
		if !goesOut(e) {
			continue
		}
		if err := storage.Rename(e.Path, storage.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// goesOut reports whether what lies in a stage's output is published. A stage whose
// output is side files leaves an empty part file.
func goesOut(e storage.Info) bool {
	return !storage.Hidden(e.Name()) && (e.Size > 0 || e.IsDir || !strings.HasPrefix(e.Name(), "part-"))
}

func remove(paths []string, _ io.Reader, _ io.Writer) error {
	for _, p := range paths {
		if err := storage.RemoveAll(p); err != nil {
			return err
		}
	}
	return nil
}
