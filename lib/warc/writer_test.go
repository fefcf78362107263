package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
)

var testDate = time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC)

func testHeader(url string) Header {
	h := Header{
		{"WARC-Type", Resource}, {"WARC-Target-URI", url},
		{"WARC-Date", "2021-03-04T05:06:07Z"}, {"Content-Type", "text/plain"},
	}
	h.Add("WARC-Record-ID", RecordID(h))
	return h
}

func inflated(t *testing.T, member []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(member))
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false)
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestWriterWritesWARC(t *testing.T) {
	const want = "WARC/%s\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\n" +
		"WARC-Date: 2021-03-04T05:06:07Z\r\nContent-Type: text/plain\r\n" +
		"WARC-Record-ID: <urn:uuid:6023213e-acf7-542e-abf5-2036711326ba>\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
	for _, version := range []string{"1.0", "1.1"} {
		for _, plain := range []bool{true, false} {
			var out bytes.Buffer
			w := NewWriter(&out, WriterOptions{Plain: plain, Version: version})
			var previous int64
			for range 2 {
				offset, written, err := w.WriteRecord(testHeader("http://a.example/"), strings.NewReader("hello"), 5)
				if err != nil {
					t.Fatal(err)
				}
				if offset != previous || offset+written != int64(out.Len()) {
					t.Errorf("record at %d, %d bytes; want at %d, up to %d", offset, written, previous, out.Len())
				}
				got := out.String()[offset:]
				if !plain {
					got = inflated(t, []byte(got))
				}
				if diff := cmp.Diff(fmt.Sprintf(want, version), got); diff != "" {
					t.Errorf("version %s, plain %t:\n%s", version, plain, diff)
				}
				previous = int64(out.Len())
			}
		}
	}
}

func TestWriterWritesARC(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{Plain: true})
	line := ARCLine{URL: "http://a.example/", IP: "192.0.2.1", Date: "20210304050607", ContentType: "text/html"}
	if _, _, err := w.WriteARC(&line, strings.NewReader("HTTP/1.0 200 OK\r\n\r\n"), 19); err != nil {
		t.Fatal(err)
	}
	want := "http://a.example/ 192.0.2.1 20210304050607 text/html 19\nHTTP/1.0 200 OK\r\n\r\n\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestARCHeadIsThatOfTheInternetArchive holds the header record to the form that
// the Internet Archive's files have.
func TestARCHeadIsThatOfTheInternetArchive(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{})
	h := &FileHead{Format: ARC, Filename: "x.arc.gz", Date: testDate}
	n, err := w.WriteHead(h)
	if err != nil || n != int64(out.Len()) {
		t.Fatalf("%d bytes, %v", n, err)
	}
	member := "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\x03\x08\x00LX\x04\x00\x00\x00\x00\x00"
	if got := out.String()[:len(member)]; got != member {
		t.Errorf("gzip header % x, want % x", got, member)
	}
	want := "filedesc://x.arc.gz 0.0.0.0 20210304050607 text/plain 76\n" +
		"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n"
	got := inflated(t, out.Bytes())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, behind, _ := strings.Cut(got, "\n")
	if len(behind) != 76+len("\n") {
		t.Errorf("%d bytes behind the first line, which says 76", len(behind))
	}
}

func TestWriterRefusesWhatTheFormatForbids(t *testing.T) {
	without := func(name string) Header {
		var h Header
		for _, f := range testHeader("http://a.example/") {
			if f.Name != name {
				h = append(h, f)
			}
		}
		return h
	}
	with := func(name, value string) Header {
		h := testHeader("http://a.example/")
		h.Set(name, value)
		return h
	}
	for _, test := range []struct {
		name    string
		header  Header
		version string
		want    string
	}{
		{"no type", without("WARC-Type"), "", "no WARC-Type"},
		{"no id", without("WARC-Record-ID"), "", "no WARC-Record-ID"},
		{"no date", without("WARC-Date"), "", "no WARC-Date"},
		{"no target", without("WARC-Target-URI"), "", "no WARC-Target-URI for a resource record"},
		{"line end in a value", with("X-Note", "a\r\nb"), "", `field "X-Note" cannot be written`},
		{"colon in a name", with("X:Note", "a"), "", `field "X:Note" cannot be written`},
		{"local time", with("WARC-Date", "2021-03-04T05:06:07+01:00"), "1.1", "WARC-Date"},
		{"fraction in 1.0", with("WARC-Date", "2021-03-04T05:06:07.5Z"), "1.0", "whole seconds"},
		{"fraction in 1.1", with("WARC-Date", "2021-03-04T05:06:07.5Z"), "1.1", ""},
		{"wrong length", with("Content-Length", "6"), "", "Content-Length 6 of a block of 5 bytes"},
		{"right length", with("Content-Length", "5"), "", ""},
	} {
		var out bytes.Buffer
		w := NewWriter(&out, WriterOptions{Version: test.version})
		_, _, err := w.WriteRecord(test.header, strings.NewReader("hello"), 5)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
		if out.Len() != 0 {
			t.Errorf("%s: %d bytes written", test.name, out.Len())
		}
	}
	sound := ARCLine{URL: "http://a.example/", IP: "0.0.0.0", Date: "20210304050607", ContentType: "text/html"}
	for _, breakIt := range []func(*ARCLine){
		func(a *ARCLine) { a.URL = "http://a.example/a b" },
		func(a *ARCLine) { a.URL = "" },
		func(a *ARCLine) { a.IP = "" },
		func(a *ARCLine) { a.Date = "2021\n" },
		func(a *ARCLine) { a.ContentType = "" },
		func(a *ARCLine) { a.ContentType = "text/html " },
	} {
		a := sound
		breakIt(&a)
		if _, _, err := NewWriter(io.Discard, WriterOptions{}).WriteARC(&a, nil, 0); err == nil {
			t.Errorf("%+v: no error", a)
		}
	}
}

func TestWriterStaysBrokenAfterAShortBlock(t *testing.T) {
	w := NewWriter(io.Discard, WriterOptions{})
	_, _, err := w.WriteRecord(testHeader("http://a.example/"), strings.NewReader("hell"), 5)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v for a block that ends early", err)
	}
	if _, _, again := w.WriteRecord(testHeader("http://a.example/"), strings.NewReader("hello"), 5); again != err {
		t.Errorf("error %v behind a broken record, want %v", again, err)
	}
}

func TestSpoolGivesBackWhatItTook(t *testing.T) {
	content := make([]byte, spoolMemory+100)
	for i := range content {
		content[i] = byte(i * 7 / 5)
	}
	var s spool
	defer s.close()
	for _, size := range []int{0, 1, spoolMemory - 1, spoolMemory, spoolMemory + 1, spoolMemory + 100, 10} {
		s.reset()
		// Writes that end at, before and behind the memory's end.
		for rest := content[:size]; len(rest) > 0; {
			n := min(len(rest), 1<<20-1)
			if _, err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		for _, offset := range []int{0, size / 2, max(size-1, 0), size} {
			got, err := io.ReadAll(s.section(int64(offset)))
			if err != nil || !bytes.Equal(got, content[offset:size]) {
				t.Errorf("%d bytes from %d on: %d bytes, %v", size, offset, len(got), err)
			}
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	block := bytes.Repeat([]byte("<p>some text of a page, and some more of it</p>\n"), 300)
	for _, plain := range []bool{true, false} {
		b.Run(fmt.Sprintf("plain=%t", plain), func(b *testing.B) {
			w := NewWriter(io.Discard, WriterOptions{Plain: plain})
			h := testHeader("http://a.example/")
			r := bytes.NewReader(block)
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for b.Loop() {
				r.Reset(block)
				if _, _, err := w.WriteRecord(h, r, int64(len(block))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
