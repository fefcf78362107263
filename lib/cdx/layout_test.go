package cdx

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// whole is a capture with a value in every field.
func whole() *Capture {
	b := func(s string) []byte { return []byte(s) }
	return &Capture{
		Key: b("com,a)/"), Timestamp: b("20200102030405"), URL: b("http://a.com/"), Mime: b("text/html"), Status: b("200"),
		Digest: b("sha1:D"), Redirect: b("/b"), Meta: b("AF"), Filename: b("f.warc.gz"), Offset: 7, Length: 9,
		MimeDetected: b("text/plain"), Charset: b("UTF-8"), Languages: b("eng"), Truncated: b("length"), RequestBody: b("q=1"), Method: b("POST"),
	}
}

func TestLayouts(t *testing.T) {
	for _, step := range []struct {
		layout Layout
		header string
		want   string
	}{
		{LayoutCDXJ, "", `com,a)/ 20200102030405 {"url": "http://a.com/", "mime": "text/html", "status": "200", "digest": "sha1:D", "length": "9", "offset": "7", "filename": "f.warc.gz", "requestBody": "q=1", "method": "POST"}`},
		{LayoutCC, "", `com,a)/ 20200102030405 {"url": "http://a.com/", "mime": "text/html", "mime-detected": "text/plain", "status": "200", "digest": "D", "length": "9", "offset": "7", "filename": "f.warc.gz", "charset": "UTF-8", "languages": "eng", "truncated": "length", "redirect": "/b"}`},
		{LayoutAll, "", `com,a)/ 20200102030405 {"url": "http://a.com/", "mime": "text/html", "mime-detected": "text/plain", "status": "200", "digest": "sha1:D", "length": "9", "offset": "7", "filename": "f.warc.gz", "charset": "UTF-8", "languages": "eng", "truncated": "length", "redirect": "/b", "robotflags": "AF", "requestBody": "q=1", "method": "POST"}`},
		{LayoutCDX11, " CDX N b a m s k r M S V g", "com,a)/ 20200102030405 http://a.com/ text/html 200 D /b AF 9 7 f.warc.gz"},
		{LayoutCDX9, " CDX N b a m s k r V g", "com,a)/ 20200102030405 http://a.com/ text/html 200 D /b 7 f.warc.gz"},
	} {
		if got := string(step.layout.Append(nil, whole())); got != step.want {
			t.Errorf("%s:\ngot  %s\nwant %s", step.layout, got, step.want)
		}
		if got := step.layout.HeaderLine(); got != step.header {
			t.Errorf("%s: header line %q, want %q", step.layout, got, step.header)
		}
		if parsed, err := ParseLayout(string(step.layout)); err != nil || parsed != step.layout {
			t.Errorf("%s: parsed as %q, %v", step.layout, parsed, err)
		}
	}
	if l, err := ParseLayout("cdx"); err == nil {
		t.Errorf("cdx was taken for %q", l)
	}
}

// TestWhatHasNoValueIsLeftOut also holds the writer to fields that would tear a
// line apart.
func TestWhatHasNoValueIsLeftOut(t *testing.T) {
	bare := &Capture{Filename: []byte("f"), Offset: 0, Length: -1}
	object := &Capture{Key: []byte("!"), URL: []byte("{"), Filename: []byte("f"), Length: -1}
	odd := &Capture{
		Key: []byte("!a b\n"), Timestamp: []byte("2020"), URL: []byte("http://a/é \"\\\t\x00\x7f😀\xff"), Status: []byte("-"),
		Digest: []byte("md5:x"), Filename: []byte("a b"), Length: 0,
	}
	for _, step := range []struct {
		layout  Layout
		capture *Capture
		want    string
	}{
		{LayoutCDXJ, bare, `- - {"offset": "0", "filename": "f"}`},
		{LayoutAll, bare, `- - {"offset": "0", "filename": "f"}`},
		{LayoutCDX11, bare, "- - - - - - - - - 0 f"},
		{LayoutCDX9, object, "%21 - %7B - - - - 0 f"},
		{LayoutCDXJ, odd, `%21a%20b%0A 2020 {"url": "http://a/\u00e9 \"\\\t\u0000\u007f\ud83d\ude00\ufffd", "status": "-", "digest": "md5:x", "length": "0", "offset": "0", "filename": "a b"}`},
		{LayoutCDX9, odd, "%21a%20b%0A 2020 http://a/é%20\"\\%09%00%7F😀\xff - %2D md5:x - 0 a%20b"},
	} {
		if got := string(step.layout.Append(nil, step.capture)); got != step.want {
			t.Errorf("%s:\ngot  %s\nwant %s", step.layout, got, step.want)
		}
	}
}

// TestLayoutsAreReadAgain parses each layout's line and writes it once more.
func TestLayoutsAreReadAgain(t *testing.T) {
	for _, layout := range layouts {
		p := Parser{}
		var c Capture
		if header := layout.HeaderLine(); header != "" {
			if err := p.Parse([]byte(header), &c); !errors.Is(err, ErrNoCapture) || p.Header != layout.Form() {
				t.Errorf("%s: header read as %q, %v", layout, p.Header, err)
			}
		}
		line := layout.Append(nil, whole())
		if err := p.Parse(line, &c); err != nil {
			t.Errorf("%s: %v", layout, err)
			continue
		}
		if diff := cmp.Diff(string(line), string(layout.Append(nil, &c))); diff != "" {
			t.Errorf("%s:\n%s", layout, diff)
		}
	}
}

// FuzzLayouts writes a capture with fields of any bytes in all layouts: each must
// be one line that is read as the same capture.
func FuzzLayouts(f *testing.F) {
	f.Add([]byte("k|2020|http://a/|text/html|200|D|/r|AF|f.warc|q|POST"), int64(5), int64(-1))
	f.Add([]byte("!| |\"\\|\x00|-|\xff|\t\r\n|é|😀|\u2028|\x7f"), int64(0), int64(1))
	f.Fuzz(func(t *testing.T, fields []byte, offset, length int64) {
		part := bytes.Split(append(fields, "|||||||||||"...), []byte("|"))
		c := Capture{
			Key: part[0], Timestamp: part[1], URL: part[2], Mime: part[3], Status: part[4], Digest: part[5], Redirect: part[6],
			Meta: part[7], Filename: append(part[8], 'f'), RequestBody: part[9], Method: part[10],
			Offset: offset & 0xffffffff, Length: length%1e9 | -(length >> 63 & 1),
		}
		for _, layout := range layouts {
			line := layout.Append(nil, &c)
			if bytes.ContainsAny(line, "\t\r\n\x00") {
				t.Fatalf("%s: torn line %q", layout, line)
			}
			p := Parser{}
			if layout.Form() != FormCDXJ {
				p.Header = layout.Form()
			} else if object := line[bytes.IndexByte(line, '{'):]; bytes.IndexByte(part[0], '{') < 0 && bytes.IndexByte(part[1], '{') < 0 && !json.Valid(object) {
				t.Fatalf("no JSON: %q", line)
			}
			var again Capture
			if err := p.Parse(line, &again); err != nil {
				t.Fatalf("%s: %q: %v", layout, line, err)
			}
			if again.Offset != c.Offset || layout != LayoutCDX9 && again.Length != c.Length {
				t.Fatalf("%s: %q: offset %d, length %d", layout, line, again.Offset, again.Length)
			}
			if second := layout.Append(nil, &again); !bytes.Equal(line, second) {
				t.Fatalf("%s: %q became %q", layout, line, second)
			}
		}
	})
}
