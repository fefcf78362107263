package jobs

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/stage/stagetest"
)

// objectIn returns the JSON object that a line ends in, nil where there is none.
func objectIn(line []byte) []byte {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 || line[len(line)-1] != '}' || line[0] == '!' {
		return nil // headers of UKVS are not JSON
	}
	for at := 0; ; at++ {
		i := bytes.IndexByte(line[at:], '{')
		if i < 0 {
			return nil
		}
		if at += i; at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
			continue
		}
		if json.Valid(line[at:]) {
			return line[at:]
		}
	}
}

// wantStrictJSON reads all JSON of the files below a folder: whole files .json, and
// objects that lines end in, in gzip files too. It returns how many values there were
// by ending of the file.
func wantStrictJSON(t *testing.T, dir string) map[string]int {
	t.Helper()
	seen := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if z, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
			if content, err = io.ReadAll(z); err != nil {
				return nil // archives that are damaged on purpose
			}
		}
		kind := filepath.Ext(strings.TrimSuffix(path, ".gz"))
		if kind == ".json" {
			seen[kind]++
			if err := stagetest.StrictJSON(content); err != nil && len(bytes.TrimSpace(content)) > 0 {
				if lines := bytes.Split(bytes.TrimSpace(content), []byte("\n")); len(lines) < 2 || !json.Valid(lines[0]) {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
		for line := range bytes.Lines(content) {
			if object := objectIn(line); object != nil {
				seen[kind]++
				if err := stagetest.StrictJSON(object); err != nil {
					t.Errorf("%s: %v: %.300q", path, err, object)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}
