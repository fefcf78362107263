package warc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/realdata"
)

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

// realRecord is what a reader says of a record, space in its URI as %20.
type realRecord struct {
	Offset, Length int64
	URI            string
}

// TestRealArchives reads every archive of a folder and finds at least the
// records that warcio does, at the same places and with the same URIs.
func TestRealArchives(t *testing.T) {
	ours := map[string][]realRecord{}
	files := realdata.Archives(t)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(bytes.NewReader(data), int64(len(data)), Options{Name: f})
		for record, err := range r.Records() {
			if d, ok := err.(*Defect); ok {
				t.Log(d)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, record.Body) // what is missing is a defect of the record or comes next
			x := realRecord{record.Offset, record.Length, strings.ReplaceAll(record.TargetURI(), " ", "%20")}
			if record.Compression != Member || record.Damaged() {
				x.Length = -1 // warcio leaves out the blank lines, or counts what it skipped
			}
			ours[f] = append(ours[f], x)
		}
	}
	for name, theirs := range warcioRecords(t, files) {
		got := ours[name]
		if len(got) == 0 || len(got) > len(theirs) {
			continue // warcio has stopped, or found nothing but damage
		}
		for i := range got {
			if got[i].Length < 0 {
				theirs[i].Length = -1
			}
		}
		if diff := cmp.Diff(theirs, got); diff != "" {
			realdata.Differ(t, "warc/records", filepath.Base(name)+" -", fmt.Sprint(got), fmt.Sprint(theirs))
		}
	}
}

// warcioRecords gives the records that warcio finds in each file before it gives
// up.
func warcioRecords(t *testing.T, files []string) map[string][]realRecord {
	t.Helper()
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python with warcio to compare with")
	}
	const list = `
import json, sys
from warcio.archiveiterator import ArchiveIterator
for name in sys.stdin.read().split("\n"):
    records = []
    try:
        with open(name, "rb") as f:
            it = ArchiveIterator(f, no_record_parse=True)
            for record in it:
                it.read_to_end(record)
                headers = record.rec_headers
                uri = headers.get_header("WARC-Target-URI") or headers.get_header("uri") or ""
                records.append({"Offset": it.get_record_offset(), "Length": it.get_record_length(), "URI": uri.replace(" ", "%20")})
    except Exception:
        pass
    print(json.dumps([name, records]))
`
	cmd := exec.Command(python, "-c", list)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	cmd.Stderr = io.Discard // warnings
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]realRecord{}
	for line := range strings.Lines(string(out)) {
		var name string
		var records []realRecord
		if err := json.Unmarshal([]byte(line), &[]any{&name, &records}); err != nil {
			t.Fatal(err)
		}
		found[name] = records
	}
	if len(found) != len(files) {
		t.Fatalf("warcio looked at %d of %d files", len(found), len(files))
	}
	return found
}
