package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"archivestream/lib/realdata"
)

// TestRealConvert converts all records of real files, to WARC and to ARC, and
// lets warcio read what has come out, where there is a python that has it.
func TestRealConvert(t *testing.T) {
	files := realdata.Archives(t)
	for _, format := range []Format{WARC, ARC} {
		out := filepath.Join(t.TempDir(), "converted."+format.String()+".gz")
		file, err := os.Create(out)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		head := &FileHead{Format: format, Filename: filepath.Base(out), Date: testDate}
		if _, err := head.WriteTo(file); err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for _, name := range files {
			convertReal(t, name, format, file, counts)
		}
		t.Logf("to %v: %v", format, counts)
		realdata.Enough(t, counts["converted"] > 0, "nothing to convert to %v", format)
		python := os.Getenv("ARCHIVESTREAM_PYTHON")
		if python == "" {
			continue
		}
		index := output(t, python, "-m", "warcio.cli", "index", "-f", "offset", out)
		if n := strings.Count(index, "\n"); n != counts["converted"]+1 {
			t.Errorf("%v: warcio finds %d records, want %d", format, n, counts["converted"]+1)
		}
		if format == WARC {
			output(t, python, "-m", "warcio.cli", "check", out)
		}
	}
}

// convertReal converts the records of a file that are of the other format,
// counts them, or why there is no such form, and reads them back.
func convertReal(t *testing.T, name string, format Format, out io.Writer, counts map[string]int) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c := NewConverter()
	defer c.Close()
	for record, err := range NewReader(bytes.NewReader(data), int64(len(data)), Options{Name: name}).Records() {
		if err != nil || record.Format == format {
			continue
		}
		block, err := io.ReadAll(record.Body)
		if err != nil {
			continue
		}
		record.Body = bytes.NewReader(block)
		made, err := c.Convert(record, FileKind{format, false})
		var none *ConversionError
		if errors.As(err, &none) {
			counts[none.Reason]++
			continue
		}
		if err != nil {
			t.Fatalf("%s at %d: %v", name, record.Offset, err)
		}
		if _, err := io.Copy(out, made); err != nil {
			t.Fatal(err)
		}
		counts["converted"]++
		r, err := NewRandomReader().ReadAt(made, made.Size(), 0)
		if err != nil {
			t.Fatalf("%s at %d: %v", name, record.Offset, err)
		}
		if r.Type == Warcinfo {
			continue
		}
		if found, err := Verify(r, ""); err != nil || len(found) > 0 {
			t.Errorf("%s at %d: %v, %v", name, record.Offset, found, err)
		}
		if r.ContentLength != int64(len(block)) || r.Date() != record.Date().Truncate(time.Second) {
			t.Errorf("%s at %d: %d bytes of %v, want %d of %v", name, record.Offset, r.ContentLength, r.Date(), len(block), record.Date())
		}
	}
}

// warcioVerdicts prints what warcio says of the digests in a file.
const warcioVerdicts = `
import sys
from warcio.archiveiterator import ArchiveIterator
with open(sys.argv[1], 'rb') as f:
    records = ArchiveIterator(f, check_digests=True)
    for r in records:
        while r.raw_stream.read(65536): pass
        print(records.get_record_offset(), r.digest_checker.passed is not False)
`

// TestRealDigests compares what is said of the digests in real files with what
// warcio says.
func TestRealDigests(t *testing.T) {
	files := realdata.Archives(t)
	python := pythonTools(t)
	verdicts := map[string]int{}
	for _, name := range files {
		if !strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".warc") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ours := map[string]string{}
		for record, err := range NewReader(bytes.NewReader(data), int64(len(data)), Options{Name: name}).Records() {
			if err != nil || record.Compression == Shared { // of which several begin at one offset
				continue
			}
			if found, err := Verify(record, ""); err == nil {
				ours[fmt.Sprint(record.Offset)] = map[bool]string{true: "True", false: "False"}[len(found) == 0]
			}
		}
		// warcio stops at the first damaged record.
		theirs, _ := exec.Command(python, "-c", warcioVerdicts, name).Output()
		for line := range strings.Lines(string(theirs)) {
			offset, verdict, _ := strings.Cut(strings.TrimSpace(line), " ")
			got, ok := ours[offset]
			if ok && got != verdict {
				realdata.Differ(t, "warc/digest", filepath.Base(name)+" "+offset, got, verdict)
			}
			verdicts[got]++
		}
	}
	t.Logf("%v", verdicts)
	realdata.Enough(t, verdicts["True"] > 0 && verdicts["False"] > 0, "digests: %v", verdicts)
}
