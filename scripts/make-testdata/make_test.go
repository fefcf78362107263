package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/warc"

	"github.com/google/go-cmp/cmp"
)

const kept = "../../testdata"

// crawled says whether a file was made by wget.
func crawled(name string) bool {
	return strings.HasPrefix(name, "crawl-") || strings.HasPrefix(name, "wget-")
}

// tree gives the files below a folder but for the tests' scripts.
func tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "script" {
			return fs.SkipDir
		}
		// Known differences from other tools are written by hand.
		if d.IsDir() || d.Name() == "differences.tsv" {
			return nil
		}
		name, _ := filepath.Rel(dir, path)
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestTheFilesAreWhatTheProgramMakes makes all files anew out of the crawl that
// is kept.
func TestTheFilesAreWhatTheProgramMakes(t *testing.T) {
	want, dir := tree(t, kept), t.TempDir()
	for name, content := range want {
		if !crawled(filepath.Base(name)) {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := makeAll(dir, false); err != nil {
		t.Fatal(err)
	}
	got := tree(t, dir)
	for name := range got {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s is not what the program makes: %d bytes, %d made", name, len(want[name]), len(got[name]))
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is not made by the program", name)
		}
	}
	total := 0
	for _, content := range want {
		total += len(content)
	}
	if total > 1_500_000 {
		t.Errorf("%d bytes are too many to ship", total)
	}
}

// TestTheListsFitTheArchives follows each line of each list to its record.
func TestTheListsFitTheArchives(t *testing.T) {
	files := tree(t, kept)
	for _, list := range []string{"captures.cdxj", "captures.cdx", "captures9.cdx", "captures.tsv", "crawl-2020.cdx", "crawl-2021.cdx"} {
		var parser cdx.Parser
		var c cdx.Capture
		lines := strings.Split(strings.TrimSuffix(string(files[list]), "\n"), "\n")
		found := 0
		for _, line := range lines {
			if err := parser.Parse([]byte(line), &c); err == cdx.ErrNoCapture {
				continue
			} else if err != nil {
				t.Fatalf("%s: %q: %v", list, line, err)
			}
			found++
			content := files["archives/"+string(c.Filename)]
			x, file, size := warc.NewRandomReader(), bytes.NewReader(content), int64(len(content))
			length, err := recordLength(x, content, c.Offset)
			if err != nil || c.Length >= 0 && c.Length != length {
				t.Errorf("%s: %q: the record is %d bytes long, %v", list, line, length, err)
			}
			r, err := x.ReadAt(file, size, c.Offset)
			if err != nil {
				t.Fatalf("%s: %q: %v", list, line, err)
			}
			if r.TargetURI() != string(c.URL) {
				t.Errorf("%s: %q: the record is of %s", list, line, r.TargetURI())
			}
			if mismatches, err := warc.Verify(r, string(c.Digest)); err != nil || len(mismatches) > 0 {
				t.Errorf("%s: %q: %v, %v", list, line, mismatches, err)
			}
		}
		if found == 0 || sort.StringsAreSorted(lines) {
			t.Errorf("%s: %d captures, in order", list, found)
		}
	}
}

// TestPywbFindsTheSameCaptures compares the lists with pywb's indexer, which
// knows neither the blank lines behind plain records nor the status of revisits,
// and has wget's own records in its lists.
func TestPywbFindsTheSameCaptures(t *testing.T) {
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has pywb")
	}
	files := tree(t, kept)
	var theirs []string
	for name := range files {
		if filepath.Dir(name) != "archives" || strings.Contains(name, "one-member") {
			continue
		}
		cmd := exec.Command(python, "-c", "import sys; from pywb.indexer.cdxindexer import main; main(sys.argv[1:])", "-j", filepath.Join(kept, name))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		theirs = append(theirs, essence(t, string(out))...)
	}
	ours := essence(t, string(files["captures.cdxj"]))
	sort.Strings(ours)
	sort.Strings(theirs)
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Error(diff)
	}
}

// essence gives the lines' fields that pywb and we must agree on.
func essence(t *testing.T, lines string) []string {
	t.Helper()
	var found []string
	for line := range strings.Lines(lines) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		timestamp, object, _ := strings.Cut(rest, " ")
		var fields struct{ URL, Mime, Digest, Offset, Filename string }
		if err := json.Unmarshal([]byte(object), &fields); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if !strings.HasPrefix(fields.URL, "metadata:") {
			found = append(found, strings.Join([]string{key, timestamp, fields.URL, fields.Mime, fields.Digest, fields.Offset, fields.Filename}, " "))
		}
	}
	return found
}

// TestTheReaderGetsAllThatCanBeHad reads the odd archives and compares what is
// found with their index.
func TestTheReaderGetsAllThatCanBeHad(t *testing.T) {
	files := tree(t, kept)
	for line := range strings.Lines(string(files["odd.tsv"])) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		content := files["odd/"+fields[0]]
		var records, lost int
		for r, err := range warc.NewReader(bytes.NewReader(content), int64(len(content)), warc.Options{Name: fields[0]}).Records() {
			if err != nil {
				var d *warc.Defect
				if !errors.As(err, &d) {
					t.Fatal(err)
				}
				if d.Lost {
					lost++
				}
				continue
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil || r.Damaged() {
				lost++
				continue
			}
			records++
		}
		if got := []string{fmt.Sprint(records), fmt.Sprint(lost)}; !slices.Equal(got, fields[1:3]) {
			t.Errorf("%s (%s): %s records and %s lost; got %s and %s", fields[0], fields[3], fields[1], fields[2], got[0], got[1])
		}
	}
}
