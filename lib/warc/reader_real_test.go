package warc

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// realFiles gives the archive files below ARCHIVESTREAM_DATA.
func realFiles(t *testing.T) []string {
	dir := os.Getenv("ARCHIVESTREAM_DATA")
	if dir == "" {
		t.Skip("ARCHIVESTREAM_DATA names no folder of real archive files")
	}
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimSuffix(strings.TrimSuffix(path, ".open"), ".gz")
		if err == nil && !d.IsDir() && (strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".arc")) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("%s holds no archive files", dir)
	}
	return files
}

// readAll reads a whole file and gives its sound records, those that are cut
// off, and its defects.
func readAll(t testing.TB, data []byte) (sound, cut int, defects []*Defect) {
	t.Helper()
	r := NewReader(bytes.NewReader(data), int64(len(data)), Options{Name: "test"})
	for record, err := range r.Records() {
		if d, ok := err.(*Defect); ok {
			defects = append(defects, d)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, record.Body)
		defects = append(defects, record.Defects...)
		if err != nil || record.Damaged() {
			cut++
			continue
		}
		if n != record.ContentLength {
			t.Errorf("record at %d: body of %d bytes, ContentLength %d", record.Offset, n, record.ContentLength)
		}
		sound++
	}
	return sound, cut, defects
}

// TestRealArchives reads every archive of a folder and finds at least the
// records that warcio does.
func TestRealArchives(t *testing.T) {
	counts := map[string]int{}
	files := realFiles(t)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sound, cut, defects := readAll(t, data)
		counts[f] = sound + cut
		for _, d := range defects {
			t.Logf("%s: %v", filepath.Base(f), d)
		}
	}
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python with warcio to compare with")
	}
	const count = `
import json, sys
from warcio.archiveiterator import ArchiveIterator
for name in sys.stdin.read().split("\n"):
    n = 0
    try:
        with open(name, "rb") as f:
            for record in ArchiveIterator(f, no_record_parse=True):
                record.raw_stream.read()
                n += 1
    except Exception:
        pass
    print(json.dumps([name, n]))
`
	cmd := exec.Command(python, "-c", count)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	checked := 0
	for line := range strings.Lines(string(out)) {
		var row [2]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		name, theirs := row[0].(string), int(row[1].(float64))
		checked++
		if counts[name] < theirs {
			t.Errorf("%s: %d records, warcio has %d", name, counts[name], theirs)
		}
	}
	if checked != len(files) {
		t.Errorf("warcio looked at %d of %d files", checked, len(files))
	}
}
