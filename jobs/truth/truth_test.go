// Package truth holds every value that a job makes against an independent answer:
// Python's zlib and hashlib on the bytes at a capture's place, warcio, FastWARC,
// Resiliparse, lxml, pyarrow, DuckDB, or a slow program in testdata that knows nothing
// of how the jobs do it. The archives are those of ARCHIVESTREAM_DATA and of testdata.
//
// `make test-truth` runs it and prints what was compared. A difference fails a test
// unless a line of differences.tsv has its reason (lib/realdata says where that lies, and
// how such a line looks).
package truth

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// root is the project's folder.
var root = func() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// TestMain builds the programs once, and prints the table at the end.
func TestMain(m *testing.M) {
	build := exec.Command("make", "-s", "-C", root)
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "the programs could not be built:", err)
		os.Exit(1)
	}
	status := m.Run()
	if !tabulate() && status == 0 { // before the archives go, by which it asks for differences
		status = 1
	}
	if scratch != "" {
		os.RemoveAll(scratch)
	}
	os.Exit(status)
}

// tabulate writes the table into the file that ARCHIVESTREAM_TRUTH names.
func tabulate() bool {
	name := os.Getenv("ARCHIVESTREAM_TRUTH")
	if name == "" {
		return true
	}
	var table bytes.Buffer
	ok := report.write(&table)
	if err := os.WriteFile(name, table.Bytes(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return false
	}
	return ok
}

// python returns a python that has the tools of scripts/python-tools.sh.
func python(t *testing.T) string {
	t.Helper()
	if os.Getenv("ARCHIVESTREAM_TRUTH") == "" {
		t.Skip("make test-truth runs it")
	}
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has the tools of scripts/python-tools.sh")
	}
	return python
}

// said runs a command, which must end with status 0, and returns its output.
func said(t *testing.T, input, command string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(command, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %.300s: %v\n%.2000s%.2000s", filepath.Base(command), strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

// asked runs a program of testdata, and returns the lines that it prints.
func asked(t *testing.T, input, script string, args ...string) []string {
	t.Helper()
	out := said(t, input, python(t), append([]string{"-W", "ignore", filepath.Join("testdata", script)}, args...)...)
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// run runs a job, and returns its output folder.
func run(t *testing.T, script string, args ...string) string {
	t.Helper()
	output := filepath.Join(t.TempDir(), "output")
	said(t, "", filepath.Join(root, "jobs", script), append([]string{"--quiet", "--output", output}, args...)...)
	return output
}

// read returns the content of a file.
func read(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// scratch is a folder for what several tests share; TestMain removes it.
var scratch string

// archiveName matches the names of archive files that the programs read.
var archiveName = regexp.MustCompile(`\.(arc|warc|wat|wet)(\.gz)?(\.open)?$`)

// archives returns a folder with links to all archive files, each under the name of its
// own folder and its own, since many have the same.
var archives = sync.OnceValues(func() (string, error) {
	var err error
	if scratch, err = os.MkdirTemp("", "truth"); err != nil {
		return "", err
	}
	folder := filepath.Join(scratch, "archives")
	if err := os.Mkdir(folder, 0o777); err != nil {
		return "", err
	}
	for _, tree := range []string{os.Getenv("ARCHIVESTREAM_DATA"), filepath.Join(root, "testdata", "archives"), filepath.Join(root, "testdata", "odd")} {
		if tree == "" {
			continue
		}
		if tree, err = filepath.EvalSymlinks(tree); err != nil {
			return "", err
		}
		err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !archiveName.MatchString(path) {
				return err
			}
			link := filepath.Join(folder, linkName(tree, path, 2))
			if _, err := os.Lstat(link); err == nil {
				link = filepath.Join(folder, linkName(tree, path, 1000))
			}
			return os.Symlink(path, link)
		})
		if err != nil {
			return "", err
		}
	}
	return folder, nil
})

// linkName is the name of an archive file among all of them: the last elements of its
// path.
func linkName(tree, path string, elements int) string {
	name, err := filepath.Rel(filepath.Dir(tree), path)
	if err != nil {
		panic(err) // both are absolute
	}
	parts := strings.Split(name, string(filepath.Separator))
	return strings.Join(parts[max(0, len(parts)-elements):], "--")
}

// theArchives is archives for a test.
func theArchives(t *testing.T) string {
	t.Helper()
	python(t)
	folder, err := archives()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// index is an index of all archives with all that a capture can have.
var index = sync.OnceValues(func() (string, error) {
	folder, err := archives()
	if err != nil {
		return "", err
	}
	output := filepath.Join(scratch, "index")
	out, err := exec.Command(filepath.Join(root, "jobs", "index.sh"), "--quiet", "--format", "cdxj-all", "--input", folder, "--output", output).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("index.sh: %w\n%s", err, out)
	}
	return filepath.Join(output, "index.cdxj"), nil
})

// indexed is index for a test.
func indexed(t *testing.T) string {
	t.Helper()
	python(t)
	path, err := index()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
