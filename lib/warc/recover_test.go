package warc

import (
	"bytes"
	"strings"
	"testing"
)

// TestSearchAcrossWindows puts garbage before a record so that it begins around
// the ends of the windows that searching and reading use.
func TestSearchAcrossWindows(t *testing.T) {
	stored := map[string][]byte{
		"member":     gzipped(t, warcRecord(Response, "http://a/", "block")),
		"plain warc": []byte(warcRecord(Response, "http://a/", "block")),
		"plain arc":  []byte(arcRecord("http://a/", "block")),
	}
	for _, edge := range []int{searchWindow - arcLineLimit, searchWindow, 2 * (searchWindow - arcLineLimit), readWindow} {
		for n := edge - 2; n <= edge+2; n++ {
			// False starts on the way: gzip magic, names without a version.
			garbage := []byte(strings.Repeat("\x1f\x8b\x08 no \nWARC/ \nhttp: 1 \n", n/24+1))[:n]
			garbage[n-1] = '\n'
			for name, record := range stored {
				data := append(bytes.Clone(garbage), record...)
				data = append(data, record...)
				r := NewReader(bytes.NewReader(data), int64(len(data)), Options{})
				var offsets []int64
				defects := 0
				for record, err := range r.Records() {
					if err != nil {
						defects++
						continue
					}
					offsets = append(offsets, record.Offset)
				}
				if len(offsets) != 2 || offsets[0] != int64(n) || offsets[1] != int64(n+len(record)) || defects == 0 {
					t.Errorf("%s behind %d bytes of garbage: records at %v, %d defects", name, n, offsets, defects)
				}
				if name != "member" {
					continue
				}
				if at, err := FindMember(bytes.NewReader(data), int64(len(data)), 0); err != nil || at != int64(n) {
					t.Errorf("FindMember: %d, %v, want %d", at, err, n)
				}
			}
		}
	}
}

// TestRecordsAcrossTheReadWindow reads records that end around the end of the
// window of one read.
func TestRecordsAcrossTheReadWindow(t *testing.T) {
	head := len(warcRecord(Response, "http://a/", strings.Repeat("x", 100000))) - 100000
	for n := readWindow - 6; n <= readWindow+6; n++ {
		first := warcRecord(Response, "http://a/", strings.Repeat("x", n-head))
		if len(first) != n {
			t.Fatal(len(first), n)
		}
		data := []byte(first + first + warcRecord(Response, "http://b/", "b"))
		want := []int64{0, int64(n), int64(2 * n)}
		for i, p := range places(t, data) {
			if p.Offset != want[i] || i < 2 && p.Length != int64(n) {
				t.Errorf("record of %d bytes: at %d, length %d", n, p.Offset, p.Length)
			}
		}
	}
}
