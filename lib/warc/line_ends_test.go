package warc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told reads a file and returns its records and defects, one a line.
func told(t *testing.T, file io.ReaderAt, size int64) (all []string) {
	t.Helper()
	for record, err := range NewReader(file, size, Options{}).Records() {
		if err != nil {
			all = append(all, err.Error())
			continue
		}
		block, err := io.ReadAll(record.Body)
		all = append(all, fmt.Sprintf("%s %q %v", record.TargetURI(), block, err))
	}
	return all
}

// TestRecordAfterCRAlone reads a record whose line ends are all CR, between others: it
// is told, and those after it are read.
func TestRecordAfterCRAlone(t *testing.T) {
	before, damaged := warcRecord(Response, "http://a/", "first"), strings.ReplaceAll(warcRecord(Response, "http://b/", "second"), "\r\n", "\r")
	after := warcRecord(Response, "http://c/", "third") + warcRecord(Response, "http://d/", "fourth")
	where := map[bool]string{false: "archive: offset 122: bad-header: lines of the record header end in CR alone", true: "archive: offset 0: bad-header: lines of the record header end in CR alone (at 122 in the gzip member)"}
	for compressed, defect := range where {
		file := []byte(before + damaged + after)
		if compressed {
			file = gzipped(t, string(file))
		}
		want := []string{`http://a/ "first" <nil>`, defect, `http://c/ "third" <nil>`, `http://d/ "fourth" <nil>`}
		if diff := cmp.Diff(want, told(t, bytes.NewReader(file), int64(len(file)))); diff != "" {
			t.Errorf("compressed %v: -want +got\n%s", compressed, diff)
		}
	}
}

// lineEnds is a file that begins and ends with a record; all between are line ends.
type lineEnds struct {
	record string
	size   int64
}

func (f *lineEnds) ReadAt(p []byte, offset int64) (int, error) {
	n := int(max(0, min(int64(len(p)), f.size-offset)))
	for at := 0; at < n; {
		at += copy(p[at:n], manyEnds)
	}
	for _, at := range []int64{0, f.size - int64(len(f.record))} {
		for i := max(at, offset); i < min(at+int64(len(f.record)), offset+int64(n)); i++ {
			p[i-offset] = f.record[i-at]
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

var manyEnds = bytes.Repeat([]byte{'\n'}, 64<<10)

// TestManyLineEnds reads line ends between records, as many as take minutes one by one.
func TestManyLineEnds(t *testing.T) {
	record := warcRecord(Response, "http://a/", "block")
	f := &lineEnds{record, 1 << 30}
	between := f.size - 2*int64(len(record))
	want := []string{`http://a/ "block" <nil>`, fmt.Sprintf("archive: offset %d: garbage: %d bytes of line ends", len(record), between), `http://a/ "block" <nil>`}
	if diff := cmp.Diff(want, told(t, f, f.size)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, size := range []int{manyLineEnds, manyLineEnds + 1, maxMember + 5} {
		file := gzipped(t, record+strings.Repeat("\n", size), record)
		want := []string{`http://a/ "block" <nil>`, `http://a/ "block" <nil>`}
		if size > manyLineEnds {
			want = []string{want[0], fmt.Sprintf("archive: offset 0: garbage: %d bytes of line ends (at %d in the gzip member)", size, len(record)), want[1]}
		}
		if diff := cmp.Diff(want, told(t, bytes.NewReader(file), int64(len(file)))); diff != "" {
			t.Errorf("%d: -want +got\n%s", size, diff)
		}
	}
	if _, err := NewRandomReader().Head(f, f.size, int64(len(record))); err == nil || !strings.Contains(err.Error(), "no record begins within") {
		t.Errorf("Head: %v", err)
	}
}
