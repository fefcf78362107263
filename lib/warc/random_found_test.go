package warc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// misledFile makes a file of three records, of which the second claims a length.
func misledFile(t *testing.T, claim string, compressed bool) (file []byte, offset int64) {
	t.Helper()
	first, last := warcRecord(Response, "http://a/", "first"), warcRecord(Response, "http://c/", "third")
	second := "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://b/\r\n" + claim + "\r\n0123456789\r\n\r\n"
	if compressed {
		before := gzipped(t, first)
		return append(before, gzipped(t, second, last)...), int64(len(before))
	}
	return []byte(first + second + last), int64(len(first))
}

// TestLengthIsTheSameForAllReaders holds what a Reader, RecordAt and BlockOf make of a
// record against one another, whatever its header says of its length.
func TestLengthIsTheSameForAllReaders(t *testing.T) {
	for claim, misled := range map[string]bool{
		"Content-Length: 10\r\n": false, "Content-Length: 3\r\n": true, "Content-Length: 0\r\n": true,
		"Content-Length: 100\r\n": true, "Content-Length: 99999999999\r\n": true, "Content-Length: -1\r\n": true, "": true, "Content-Length: x\r\n": true,
	} {
		for _, compressed := range []bool{false, true} {
			file, offset := misledFile(t, claim, compressed)
			record, err := RecordAt(bytes.NewReader(file), int64(len(file)), offset)
			if err != nil {
				t.Fatalf("%q, compressed %v: %v", claim, compressed, err)
			}
			block, err := io.ReadAll(record.Body)
			if err != nil || string(block) != "0123456789" || record.IsMisled() != misled || record.ContentLength != 10 {
				t.Errorf("%q, compressed %v: block %q, %v, defects %v", claim, compressed, block, err, record.Defects)
			}
			head, wrong, err := ParseHeader(record.Head)
			if err != nil || (wrong == nil) != (head.ContentLength >= 0) {
				t.Fatalf("%q: %v, %v, %d", claim, err, wrong, head.ContentLength)
			}
			rest := "0123456789\r\n\r\n"
			if compressed {
				rest += warcRecord(Response, "http://c/", "third")
			}
			cut, d := BlockOf([]byte(rest), WARC, head.ContentLength)
			if string(cut) != "0123456789" || cap(cut) != 10 || (wrong != nil || d != nil) != misled {
				t.Errorf("%q, compressed %v: BlockOf %q, %v", claim, compressed, cut, d)
			}
			checkDoubt(t, file, offset, misled)
		}
	}
}

// checkDoubt reads the record by its header alone: a wrong one must be noticed.
func checkDoubt(t *testing.T, file []byte, offset int64, misled bool) {
	t.Helper()
	record, err := NewRandomReader().ReadAt(bytes.NewReader(file), int64(len(file)), offset)
	if err == nil {
		_, err = io.Copy(io.Discard, record.Body)
	}
	if d := (*Defect)(nil); misled && !errors.As(err, &d) || !misled && err != nil {
		t.Errorf("misled %v: %v", misled, err)
	}
}

func TestRecordAtOfNothing(t *testing.T) {
	file := []byte(warcRecord(Response, "http://a/", "first") + strings.Repeat("garbage\n", 9) + warcRecord(Response, "http://b/", "second"))
	for offset, kind := range map[int64]DefectKind{int64(len(file)): Truncated, 3: Garbage} {
		if record, err := RecordAt(bytes.NewReader(file), int64(len(file)), offset); err == nil || err.(*Defect).Kind != kind {
			t.Errorf("at %d: %v, %v, want %s", offset, record, err, kind)
		}
	}
}
