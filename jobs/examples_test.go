package jobs

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"archivestream/lib/manuals"
	"archivestream/lib/stage"
	"archivestream/lib/suite"
)

// TestHelpFits holds that help fits 80 columns, save what cannot be broken.
func TestHelpFits(t *testing.T) {
	long := func(name, help string) {
		for line := range strings.Lines(help) {
			line = strings.TrimSuffix(line, "\n")
			if utf8.RuneCountInString(line) > 80 && len(strings.Fields(line)) > 3 {
				t.Errorf("%s --help has a line of %d columns: %s", name, utf8.RuneCountInString(line), line)
			}
		}
	}
	for _, f := range suite.Families {
		for _, p := range f.Programs {
			var out strings.Builder
			if p.Command == nil {
				said, err := exec.Command(filepath.Join(root, "bin", p.Name), "--help").Output()
				if err != nil {
					t.Errorf("%s --help: %v", p.Name, err)
				}
				out.Write(said)
			} else if status := stage.Execute(p.Command(), []string{p.Name, "--help"}, strings.NewReader(""), &out, &out); status != 0 {
				t.Errorf("%s --help: status %d", p.Name, status)
			}
			if out.Len() == 0 {
				t.Errorf("%s --help prints nothing", p.Name)
			}
			long(p.Name, out.String())
		}
	}
	scripts, err := filepath.Glob(filepath.Join(root, "jobs", "*.sh"))
	if err != nil || len(scripts) == 0 {
		t.Fatal(err)
	}
	for _, script := range scripts {
		out, err := exec.Command(script, "--help").Output()
		if err != nil {
			t.Errorf("%s --help: %v", script, err)
		}
		long(filepath.Base(script), string(out))
	}
}

// publicPages is an archive of pages under public names, which testdata has none of: the
// graph of the web has no others. They are as many as a map needs to become small.
func publicPages() []byte {
	var b bytes.Buffer
	member := gzip.NewWriter(&b)
	page := func(number int, url, html string) {
		http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
		member.Reset(&b)
		fmt.Fprintf(member, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
			"WARC-Date: 2019-05-01T10:%02d:%02dZ\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			number, number/60, number%60, url, len(http), http)
		member.Close() // writes to memory
	}
	page(0, "http://www.example.org/", `<title>Org</title><a href="http://www.example.com/">com</a>`)
	page(1, "http://www.example.com/", `<title>Com</title><a href="http://www.example.org/">org</a>`)
	for i := 2; i < 1000; i++ {
		page(i, fmt.Sprintf("http://www.example.org/pages/%d", i), fmt.Sprintf("<title>Page %d</title>", i))
	}
	return b.Bytes()
}

// exampleFolder makes a folder with what the examples read, under the names that they
// have there: testdata/examples.sh makes it with the stages.
func exampleFolder(t *testing.T) string {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("testdata", "examples.sh"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "warcs"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "warcs", "public.warc.gz"), publicPages(), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := example(dir, `bash "$0"`, script); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return dir
}

// example runs a command line in a folder, where bin and jobs are at hand, and returns
// what it prints on standard output. It is an error, with what it says on standard error,
// if it fails or a stage of it rejects a line.
func example(dir, command string, args ...string) (string, error) {
	top, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	cmd := exec.Command("bash", append([]string{"-o", "pipefail", "-c", command}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(top, "bin")+":"+os.Getenv("PATH"), "TESTDATA="+filepath.Join(top, "testdata"))
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if err == nil && strings.Contains(errs.String(), ",rejected,") {
		err = errors.New("lines were rejected")
	}
	if err != nil {
		return "", fmt.Errorf("%w\n%.2000s", err, errs.String())
	}
	return out.String(), nil
}

// longAgo is when the files were made that an example finds.
var longAgo = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// copyOfFiles returns a folder with copies of the files of another, all made long ago.
func copyOfFiles(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	eachFile(t, dir, func(path string, _ fs.FileInfo) {
		if err := os.Chtimes(path, longAgo, longAgo); err != nil {
			t.Fatal(err)
		}
	})
	return dir
}

// wantMade reports whether an example has made files, of which none is empty.
func wantMade(t *testing.T, command, dir string) bool {
	t.Helper()
	some := false
	eachFile(t, dir, func(path string, info fs.FileInfo) {
		if info.ModTime().Equal(longAgo) {
			return
		}
		some = true
		if info.Size() == 0 {
			t.Errorf("%s: %s is empty", command, path)
		}
	})
	return some
}

// eachFile calls a function for each regular file in a folder.
func eachFile(t *testing.T, dir string, call func(path string, info fs.FileInfo)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			call(path, info)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestExamplesOfStages runs the example in the help of every stage, each in a folder of
// its own. Each ends well, and prints or makes something; no file that it makes is empty.
func TestExamplesOfStages(t *testing.T) {
	t.Parallel()
	files := exampleFolder(t)
	for _, f := range suite.Families {
		for _, p := range f.Programs {
			if p.Command == nil {
				continue
			}
			t.Run(p.Name, func(t *testing.T) {
				c := p.Command()
				if !strings.Contains(c.Example, p.Name) {
					t.Fatalf("the example %q does not run the stage", c.Example)
				}
				dir := copyOfFiles(t, files)
				if p.Name == "order-sets" { // makes the folder that others read
					if err := os.RemoveAll(filepath.Join(dir, "sets", "sets")); err != nil {
						t.Fatal(err)
					}
				}
				printed, err := example(dir, c.Example)
				if err != nil {
					t.Fatalf("%s: %v", c.Example, err)
				}
				if made := wantMade(t, c.Example, dir); !made && printed == "" && !strings.HasPrefix(c.Output, "Counters") {
					t.Errorf("%s: it prints and makes nothing", c.Example)
				}
			})
		}
	}
}

// TestExamplesOfJobs runs the example of every job's manual, all in one folder, since
// some read what others make. Each makes its output, and rejects nothing.
func TestExamplesOfJobs(t *testing.T) {
	t.Parallel()
	dir := exampleFolder(t)
	pages, err := manuals.Pages(filepath.Join(root, "jobs"))
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]string{}
	for _, p := range pages {
		for _, s := range p.Sections {
			if s.Title == "Example" && strings.HasPrefix(s.Lines[0], "jobs/") {
				examples[p.Name] = strings.ReplaceAll(strings.Join(s.Lines, "\n"), "jobs/", top+"/jobs/")
			}
		}
	}
	var ran []string
	run := func(name string) {
		command := examples[name]
		ran = append(ran, name)
		delete(examples, name)
		if _, err := example(dir, command); err != nil {
			t.Errorf("%s: %v", command, err)
			return
		}
		_, output, _ := strings.Cut(command, "--output ")
		output = filepath.Join(dir, strings.Fields(output)[0])
		if _, err := os.Stat(filepath.Join(output, "_SUCCESS")); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		if rejects, err := os.ReadFile(filepath.Join(output, "_rejects.tsv")); err != nil || len(rejects) > 0 {
			t.Errorf("%s: rejects, %v:\n%s", command, err, rejects)
		}
	}
	// Those that make what others read come first.
	for _, name := range []string{"derive", "dataset", "mementomap"} {
		run(name)
	}
	for name := range examples {
		run(name)
	}
	for _, f := range suite.Families {
		for _, name := range f.Jobs {
			if !slices.Contains(ran, name) {
				t.Errorf("the manual of %s has no example", name)
			}
		}
	}
}
