package warc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recordOf is a record as a reader gives it.
func recordOf(t testing.TB, head, block string) *Record {
	t.Helper()
	r, err := ParseHead([]byte(head))
	if err != nil {
		t.Fatal(err)
	}
	r.Body = strings.NewReader(block)
	return r
}

func converted(t testing.TB, r *Record, kind FileKind) (string, error) {
	t.Helper()
	c := NewConverter()
	defer c.Close()
	section, err := c.Convert(r, kind)
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(section)
	if err != nil {
		t.Fatal(err)
	}
	return string(content), nil
}

// withoutID takes out the line with the record's id.
func withoutID(record string) string {
	before, rest, ok := strings.Cut(record, "WARC-Record-ID: <urn:uuid:")
	if !ok {
		return record
	}
	_, after, _ := strings.Cut(rest, "\r\n")
	return before + after
}

func lines(s ...string) string { return strings.Join(s, "\r\n") }

func TestARCToWARC(t *testing.T) {
	const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhello"
	for _, test := range []struct {
		name, line, block string
		want              string
	}{
		{
			"response", "http://a.example/ 192.0.2.1 20210304050607 text/html 50\n", page,
			lines("WARC/1.0", "WARC-Type: response", "WARC-Target-URI: http://a.example/",
				"WARC-Date: 2021-03-04T05:06:07Z", "WARC-IP-Address: 192.0.2.1",
				"WARC-Block-Digest: sha1:4ENXDWJ5NSHRUTU6IOG7NJ4VCLA6W6MP",
				"WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
				"WARC-Truncated: unspecified",
				"ARC-Header-Line: http://a.example/ 192.0.2.1 20210304050607 text/html 50",
				"Content-Type: application/http; msgtype=response", "Content-Length: 49", "", page+"\r\n\r\n"),
		},
		{
			"name lookup", "dns:a.example 192.0.2.53 20210304050607 text/dns 5\n", "hello",
			lines("WARC/1.0", "WARC-Type: resource", "WARC-Target-URI: dns:a.example",
				"WARC-Date: 2021-03-04T05:06:07Z", "WARC-IP-Address: 192.0.2.53",
				"WARC-Block-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
				"WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
				"ARC-Header-Line: dns:a.example 192.0.2.53 20210304050607 text/dns 5",
				"Content-Type: text/dns", "Content-Length: 5", "", "hello\r\n\r\n"),
		},
		{
			"no status line, spaces in the URL, unknown address and type",
			"http://a.example/a b 0.0.0.0 20210304050607 no-type 5\n", "hello",
			lines("WARC/1.0", "WARC-Type: resource", "WARC-Target-URI: http://a.example/a%20b",
				"WARC-Date: 2021-03-04T05:06:07Z",
				"WARC-Block-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
				"WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
				"ARC-Header-Line: http://a.example/a b 0.0.0.0 20210304050607 no-type 5",
				"Content-Type: application/octet-stream", "Content-Length: 5", "", "hello\r\n\r\n"),
		},
		{
			"file description", "filedesc://x.arc 0.0.0.0 20210304050607 text/plain 300\n",
			"1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n" +
				`<?xml version="1.0" encoding="ISO-8859-1"?><arcmetadata xmlns:dc="d" xmlns:arc="a">` +
				"<arc:software>Crawler\n 1.0</arc:software><dc:description>caf\xe9 &amp; bar</dc:description>" +
				"<arc:empty/><dc:format>ARC file version 1.1</dc:format></arcmetadata>\n",
			lines("WARC/1.0", "WARC-Type: warcinfo", "WARC-Date: 2021-03-04T05:06:07Z",
				"WARC-Block-Digest: sha1:I472UYT5XUYQID26Z7IGGM2HNK6FRJUC",
				"ARC-Header-Line: filedesc://x.arc 0.0.0.0 20210304050607 text/plain 300",
				"Content-Type: application/warc-fields", "Content-Length: 158", "",
				"software: Crawler 1.0", "description: café & bar", "format: WARC File Format 1.0",
				"conformsTo: http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf", "\r\n\r\n"),
		},
	} {
		got, err := converted(t, recordOf(t, test.line, test.block), FileKind{WARC, true})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, withoutID(got)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
		if again, err := converted(t, recordOf(t, test.line, test.block), FileKind{WARC, true}); err != nil || again != got {
			t.Errorf("%s: the second conversion differs: %v", test.name, err)
		}
		member, err := converted(t, recordOf(t, test.line, test.block), FileKind{WARC, false})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, inflated(t, []byte(member))); diff != "" {
			t.Errorf("%s, compressed:\n%s", test.name, diff)
		}
	}
}

func TestARCDates(t *testing.T) {
	for date, want := range map[string]string{
		"20210304050607":     "2021-03-04T05:06:07Z",
		"2016020900":         "2016-02-09T00:00:00Z",
		"200011101120":       "2000-11-10T11:20:00Z",
		"2000111011204":      "2000-11-10T11:20:40Z",
		"201512000000000":    "2015-12-01T00:00:00Z",
		"20150000000000":     "2015-01-01T00:00:00Z",
		"2000082305410049":   "2000-08-23T05:41:00Z",
		"200009180023002953": "2000-09-18T00:23:00Z",
		"20160211000000jpg":  "2016-02-11T00:00:00Z",
		"201602090":          "",
		"":                   "",
		"20210230000000":     "",
		"20210304250607":     "",
		"2021-03-04T05:06":   "",
		"9a71e62bb2c0a1a2":   "",
	} {
		got := ""
		if d, ok := arcTime(date); ok {
			got = d.Format("2006-01-02T15:04:05Z")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", date, got, want)
		}
	}
}

func warcHead(fields ...string) string {
	return "WARC/1.0\r\n" + strings.Join(fields, "\r\n") + "\r\n\r\n"
}

func TestWARCToARC(t *testing.T) {
	date := "WARC-Date: 2021-03-04T05:06:07.891Z"
	for _, test := range []struct {
		name, head, block string
		want, reason      string
	}{
		{
			name: "response",
			head: warcHead("WARC-Type: response", "WARC-Target-URI: <http://a.example/>", date,
				"WARC-IP-Address: 192.0.2.1", "Content-Type: application/http;msgtype=response", "Content-Length: 61"),
			block: "HTTP/1.1 200 OK\r\nCONTENT-TYPE: text/html; charset=utf-8\r\n\r\nhi",
			want: "http://a.example/ 192.0.2.1 20210304050607 text/html 61\n" +
				"HTTP/1.1 200 OK\r\nCONTENT-TYPE: text/html; charset=utf-8\r\n\r\nhi\n",
		},
		{
			name: "resource without address",
			head: warcHead("WARC-Type: resource", "WARC-Target-URI: ftp://a.example/a b", date,
				"Content-Type: text/plain", "Content-Length: 2"),
			block: "hi", want: "ftp://a.example/a%20b 0.0.0.0 20210304050607 text/plain 2\nhi\n",
		},
		{
			name: "response without a content type",
			head: warcHead("WARC-Type: response", "WARC-Target-URI: http://a.example/", date,
				"WARC-IP-Address: fe80::1%eth0", "Content-Type: application/http", "Content-Length: 19"),
			block: "HTTP/1.0 200 OK\n\nhi", want: "http://a.example/ fe80::1 20210304050607 no-type 19\nHTTP/1.0 200 OK\n\nhi\n",
		},
		{
			name: "request", reason: "only responses",
			head: warcHead("WARC-Type: request", "WARC-Target-URI: http://a.example/", date, "Content-Length: 0"),
		},
		{
			name: "revisit", reason: "only responses",
			head: warcHead("WARC-Type: revisit", "WARC-Target-URI: http://a.example/", date, "Content-Length: 0"),
		},
		{
			name: "segment", reason: "segment",
			head: warcHead("WARC-Type: response", "WARC-Target-URI: http://a.example/", date, "WARC-Segment-Number: 1", "Content-Length: 0"),
		},
		{
			name: "no URL", reason: "no WARC-Target-URI",
			head: warcHead("WARC-Type: resource", date, "Content-Length: 0"),
		},
		{
			name: "no date", reason: `date ""`,
			head: warcHead("WARC-Type: resource", "WARC-Target-URI: http://a.example/", "Content-Length: 0"),
		},
	} {
		got, err := converted(t, recordOf(t, test.head, test.block), FileKind{ARC, true})
		if test.reason != "" {
			var e *ConversionError
			if !errors.As(err, &e) || e.To != ARC || !strings.Contains(e.Reason, test.reason) {
				t.Errorf("%s: error %v, want one with %q", test.name, err, test.reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestConvertPassesErrorsOn(t *testing.T) {
	c := NewConverter()
	defer c.Close()
	broken := errors.New("broken")
	r := recordOf(t, "http://a.example/ 0.0.0.0 20210304050607 text/html 9\n", "")
	r.Body = io.MultiReader(strings.NewReader("HTTP/1.0"), &failing{broken})
	if _, err := c.Convert(r, FileKind{WARC, false}); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the body", err)
	}
	var e *ConversionError
	r = recordOf(t, "http://a.example/ 0.0.0.0 20219904050607 text/html 9\n", "")
	if _, err := c.Convert(r, FileKind{WARC, false}); !errors.As(err, &e) || e.Reason != `date "20219904050607"` {
		t.Errorf("error %v for a date that is none", err)
	}
	if _, err := c.Convert(r, FileKind{ARC, false}); !errors.As(err, &e) {
		t.Errorf("error %v for a record of the same format", err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// TestConvertAnySize converts blocks around the size from which temporary files
// are used, there and back.
func TestConvertAnySize(t *testing.T) {
	c := NewConverter()
	defer c.Close()
	const head = "HTTP/1.0 200 OK\r\nContent-Type: text/x\r\n\r\n"
	content := append([]byte(head), make([]byte, spoolMemory)...)
	// Numbers from a linear congruence do not compress.
	for i, x := len(head), uint32(1); i < len(content); i++ {
		x = x*1664525 + 1013904223
		content[i] = byte(x >> 24)
	}
	for _, size := range []int{len(head), spoolMemory - 1, spoolMemory, spoolMemory + 1, len(content), 100} {
		block := content[:size]
		var arc bytes.Buffer
		line := &ARCLine{URL: "http://a.example/", IP: "192.0.2.1", Date: "20210304050607", ContentType: "text/x"}
		if _, _, err := NewWriter(&arc, WriterOptions{Plain: true}).WriteARC(line, bytes.NewReader(block), int64(size)); err != nil {
			t.Fatal(err)
		}
		there, err := c.Convert(readBack(t, bytes.NewReader(arc.Bytes())), FileKind{WARC, false})
		if err != nil {
			t.Fatal(err)
		}
		var warc bytes.Buffer
		if n, err := io.Copy(&warc, there); err != nil || n != there.Size() {
			t.Fatal(n, err)
		}
		r := readBack(t, bytes.NewReader(warc.Bytes()))
		found, err := Verify(r, "")
		if err != nil || len(found) > 0 {
			t.Errorf("%d bytes: %v, %v", size, found, err)
		}
		back, err := c.Convert(readBack(t, bytes.NewReader(warc.Bytes())), FileKind{ARC, true})
		if err != nil {
			t.Fatal(err)
		}
		again, err := io.ReadAll(back)
		if err != nil || !bytes.Equal(again, arc.Bytes()) {
			t.Errorf("%d bytes: there and back makes %d bytes of %d, %v", size, len(again), arc.Len(), err)
		}
	}
}

// readBack reads the record that a file begins with.
func readBack(t testing.TB, file *bytes.Reader) *Record {
	t.Helper()
	r, err := NewRandomReader().ReadAt(file, file.Size(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRecordWithoutURL reads ARC lines that begin with a space or have nothing but a
// control character for URL: such a record has no WARC form, or a sound one.
func TestRecordWithoutURL(t *testing.T) {
	for _, url := range []string{"", " ", "\x0c", "\r"} {
		data := []byte(url + " 192.0.2.1 20210304050607 text/html 5\nhello\n")
		r, err := NewRandomReader().ReadAt(bytes.NewReader(data), int64(len(data)), 0)
		if err != nil {
			t.Errorf("%q: %v", url, err)
			continue
		}
		_, err = converted(t, r, FileKind{WARC, true})
		var e *ConversionError
		if err != nil && !errors.As(err, &e) || url == "" && err == nil {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func FuzzConvertARC(f *testing.F) {
	f.Add("http://a.example/a b 192.0.2.1 20210304050607 text/html 5", []byte("HTTP/1.0 200 OK\n\nhi"))
	f.Add("dns:a.example 0.0.0.0 2016020900 text/dns 5", []byte("hello"))
	f.Add("http://a.example/\x0c - 20160211000000jpg a b 5", []byte("HTTP/1.0"))
	f.Add("filedesc://x 0.0.0.0 20210304050607 text/plain 5", []byte("1 0 x\n<a><b>c</b><d"))
	c := NewConverter()
	f.Cleanup(func() { c.Close() })
	f.Fuzz(func(t *testing.T, line string, block []byte) {
		r, err := ParseHead([]byte(line + "\n"))
		if err != nil || r.Format != ARC {
			return
		}
		r.Body = bytes.NewReader(block)
		section, err := c.Convert(r, FileKind{WARC, true})
		if err != nil {
			var e *ConversionError
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			return
		}
		content, err := io.ReadAll(section)
		if err != nil {
			t.Fatal(err)
		}
		made := readBack(t, bytes.NewReader(content))
		if made.Type == Warcinfo {
			return
		}
		if found, err := Verify(made, ""); err != nil || len(found) > 0 {
			t.Fatalf("%v, %v in %q", found, err, content)
		}
		if !bytes.HasSuffix(content, append(block, "\r\n\r\n"...)) || made.Date() != r.Date() {
			t.Fatalf("block or date is lost in %q", content)
		}
		made = readBack(t, bytes.NewReader(content))
		if _, err := c.Convert(made, FileKind{ARC, true}); err != nil {
			t.Fatalf("no way back: %v of %q", err, content)
		}
	})
}

func BenchmarkConvert(b *testing.B) {
	head := "http://a.example/ 192.0.2.1 20210304050607 text/html 16000\n"
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + strings.Repeat("<p>some text of a page, and more</p>\n", 430)
	for _, plain := range []bool{true, false} {
		name := "gzip"
		if plain {
			name = "plain"
		}
		b.Run(name, func(b *testing.B) {
			c := NewConverter()
			defer c.Close()
			r := recordOf(b, head, "")
			body := strings.NewReader(block)
			r.Body = body
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(block)
				if _, err := c.Convert(r, FileKind{WARC, plain}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
