// Package suite is the program archivestream: all stages, the embedded engine and the
// file operations of jobs in one executable, which looks at the name that it was called
// by. bin/NAME are links to it. It also starts the job scripts.
package suite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"archivestream/lib/stage"
)

// programName is the suite's own name.
const programName = "archivestream"

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// Main runs the program that args[0] names, or the one that args[1] does where that is
// the suite itself, and returns its exit status.
func Main(args []string) int {
	if len(args) == 0 { // a caller may give none
		args = []string{programName}
	}
	if p, ok := Find(filepath.Base(args[0])); ok {
		return p.run(args)
	}
	if len(args) < 2 {
		return list(os.Stdout, os.Stderr)
	}
	switch name := args[1]; name {
	case "--help", "-h", "help":
		return list(os.Stdout, os.Stderr)
	case "--version", "-v":
		fmt.Printf("%s %s\n", programName, stage.Version)
		return exitDone
	default:
		if p, ok := Find(name); ok {
			return p.run(args[1:])
		}
		return startJob(name, args[2:])
	}
}

func (p Program) run(args []string) int {
	if p.main != nil {
		return p.main(args)
	}
	return stage.Run(p.Command(), args)
}

// startJob puts a job script into the place of this process.
func startJob(name string, args []string) int {
	jobs, err := folder()
	if err != nil {
		return fail(exitFailed, err.Error(), "")
	}
	name = strings.TrimSuffix(name, ".sh")
	script := filepath.Join(jobs, name+".sh")
	if strings.ContainsRune(name, filepath.Separator) || !isFile(script) {
		hint := "try " + programName + " --help"
		if near := stage.Nearest(name, names(jobs)); near != "" {
			hint = "did you mean " + near + "?"
		}
		return fail(exitUsage, fmt.Sprintf("%q is no program and no job", name), hint)
	}
	err = syscall.Exec(script, append([]string{script}, args...), os.Environ())
	return fail(exitFailed, fmt.Sprintf("%s: %v", script, err), "")
}

func fail(status int, message, hint string) int {
	fmt.Fprintf(os.Stderr, "%s: error: %s\n", programName, message)
	if hint != "" {
		fmt.Fprintf(os.Stderr, "%s: hint: %s\n", programName, hint)
	}
	return status
}

// folder returns the folder of the job scripts. In a checkout it lies beside bin, which
// holds this program; where the suite is installed, in lib/archivestream.
func folder() (string, error) {
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		return "", err
	}
	for _, place := range []string{"jobs", "lib/archivestream/jobs"} {
		jobs := filepath.Join(filepath.Dir(filepath.Dir(own)), place)
		if isFile(filepath.Join(jobs, "common.bash")) {
			return jobs, nil
		}
	}
	return "", errors.New("the job scripts are not where this program lies")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// names are those of all jobs and programs.
func names(jobs string) []string {
	var all []string
	scripts, _ := filepath.Glob(filepath.Join(jobs, "*.sh")) // only fails for a bad pattern
	for _, s := range scripts {
		all = append(all, strings.TrimSuffix(filepath.Base(s), ".sh"))
	}
	for _, f := range Families {
		for _, p := range f.Programs {
			all = append(all, p.Name)
		}
	}
	return all
}

// list prints what there is, a line each.
func list(out, errw io.Writer) int {
	var b strings.Builder
	fmt.Fprintf(&b, `%[1]s %[2]s - programs for web archives: extract, index, select, derive, map

USAGE
   %[1]s JOB [OPTION]...          runs a job: its stages one after the other
   %[1]s STAGE [OPTION]...        runs one stage: lines in, lines out
   %[1]s JOB --help, STAGE --help
`, programName, stage.Version)
	jobs, err := folder()
	for _, f := range Families {
		b.WriteString("\n")
		if f.Jobs == nil {
			b.WriteString("What jobs use\n")
		}
		for _, name := range f.Jobs {
			about := ""
			if err == nil {
				about = summaryOf(filepath.Join(jobs, name+".sh"))
			}
			fmt.Fprintf(&b, "%-21s %s\n", name, about)
		}
		for _, p := range f.Programs {
			fmt.Fprintf(&b, "   %-21s %s\n", p.Name, p.Summary())
		}
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		fmt.Fprintf(errw, "%s: error: %v\n", programName, err)
		return exitFailed
	}
	return exitDone
}

// summaryOf is the first sentence of a script's manual, without its full stop.
func summaryOf(script string) string {
	content, err := os.ReadFile(script)
	if err != nil {
		return ""
	}
	lines := strings.SplitN(string(content), "\n", 4)
	var about []string
	for _, line := range lines[1:min(3, len(lines))] {
		text := strings.TrimSpace(strings.TrimPrefix(line, "#"))
		if text == "" {
			break
		}
		about = append(about, text)
	}
	return strings.TrimSuffix(strings.Join(about, " "), ".")
}
