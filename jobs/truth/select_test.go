package truth

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A row is one of a table, by column; a nil stands for no value.
type row map[string]*string

func (r row) text(name string) string {
	if r[name] == nil {
		return ""
	}
	return *r[name]
}

// place names the record of a row.
func (r row) place() string { return r.text("filename") + " " + r.text("offset") }

// rows reads the tables in a folder by somebody else's library.
func rows(t *testing.T, library, folder, ending string) []row {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "part-*"+ending))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no table", folder)
	}
	var all []row
	for _, line := range asked(t, "", "rows.py", append([]string{library}, files...)...) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		all = append(all, r)
	}
	return all
}

// indexed returns an index of all archive files.
func indexed(t *testing.T) string {
	t.Helper()
	return filepath.Join(run(t, "index.sh", "--input", theArchives(t)), "index.cdxj")
}

// TestTruthHashes holds the hashes of all payloads against Python's of the bytes at the
// capture's place.
func TestTruthHashes(t *testing.T) {
	folder := theArchives(t)
	index := indexed(t)
	output := run(t, "select.sh", "--cdx", index, "--archives", folder, "--revisits", "keep", "--save", "parquet", "--columns",
		"filename, offset, length, bytes = payload.length, md5 = payload.md5, sha1 = payload.sha1, sha256 = payload.sha256, title = payload.string.html.title")
	found := rows(t, "pyarrow", output, ".parquet")
	var places strings.Builder
	for _, r := range found {
		fmt.Fprintf(&places, "%s\t%s\t%s\n", filepath.Join(folder, r.text("filename")), r.text("offset"), r.text("length"))
	}
	for i, line := range asked(t, places.String(), "payloads.py") {
		r, f := found[i], strings.Split(line, "\t")
		for n, column := range []string{"md5", "sha1", "sha256", "bytes"} {
			compare(t, "select/payload."+column, r.place(), r.text(column), f[n])
		}
		compare(t, "index/length", r.place(), r.text("length"), f[4])
	}
	if lines := strings.Count(read(t, index), "\n"); lines < len(found) || len(found) == 0 {
		t.Errorf("%d rows of %d index lines", len(found), lines)
	}
}
