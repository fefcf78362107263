package cdx

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// flat is a capture's fields as text, for comparison.
type flat struct {
	Form                                                     Form
	Key, Timestamp, URL, Mime, Status, Digest, Red, Meta, In string
	Offset, Length                                           int64
}

func flatten(c *Capture) flat {
	return flat{c.Form, string(c.Key), string(c.Timestamp), string(c.URL), string(c.Mime), string(c.Status),
		string(c.Digest), string(c.Redirect), string(c.Meta), string(c.Filename), c.Offset, c.Length}
}

func TestFormIsRecognisedLineByLine(t *testing.T) {
	var p Parser
	var c Capture
	for _, step := range []struct {
		line string
		want flat
	}{
		{"http://a/ b\ta.warc.gz\t12\t34", flat{Form: FormTSV, URL: "http://a/ b", In: "a.warc.gz", Offset: 12, Length: 34}},
		{"http://a/\ta.warc.gz\t12\t-", flat{Form: FormTSV, URL: "http://a/", In: "a.warc.gz", Offset: 12, Length: -1}},
		{`com,a)/ 20200101000000 {"url": "http://a.com/", "offset": "5", "length": 7, "filename": "x y.warc"}`,
			flat{Form: FormCDXJ, Key: "com,a)/", Timestamp: "20200101000000", URL: "http://a.com/", In: "x y.warc", Offset: 5, Length: 7}},
		{`com,a)/ 2020 {"url":"http:\/\/a.com\/\u00e9","mime":null,"offset":0,"x":{"filename":"no","y":[1,"}"]},"filename":"f"}` + "\r",
			flat{Form: FormCDXJ, Key: "com,a)/", Timestamp: "2020", URL: "http://a.com/é", In: "f", Offset: 0, Length: -1}},
		{"com,a)/ 20200101000000 http://a.com/ text/html 200 DIGEST - - 34 12 a.arc.gz",
			flat{Form: form11, Key: "com,a)/", Timestamp: "20200101000000", URL: "http://a.com/", Mime: "text/html", Status: "200", Digest: "DIGEST", In: "a.arc.gz", Offset: 12, Length: 34}},
		{"com,a)/ 20200101000000 http://a.com/ text/html 302 DIGEST http://b/ 12 a.arc.gz",
			flat{Form: form9, Key: "com,a)/", Timestamp: "20200101000000", URL: "http://a.com/", Mime: "text/html", Status: "302", Digest: "DIGEST", Red: "http://b/", In: "a.arc.gz", Offset: 12, Length: -1}},
		{"com,a)/ 20200101000000 http://a.com/ text/html 200 DIGEST - A 12 a.arc.gz",
			flat{Form: form10, Key: "com,a)/", Timestamp: "20200101000000", URL: "http://a.com/", Mime: "text/html", Status: "200", Digest: "DIGEST", Meta: "A", In: "a.arc.gz", Offset: 12, Length: -1}},
	} {
		if err := p.Parse([]byte(step.line), &c); err != nil {
			t.Errorf("%s: %v", step.line, err)
		} else if diff := cmp.Diff(step.want, flatten(&c)); diff != "" {
			t.Errorf("%s:\n%s", step.line, diff)
		}
	}
}

func TestFieldsOfCommonCrawl(t *testing.T) {
	var p Parser
	var c Capture
	line := `org,a)/ 20240101000000 {"url": "http://a.org/", "mime": "text/html", "mime-detected": "application/xhtml+xml", "status": "200", ` +
		`"digest": "D", "length": "5", "offset": "7", "filename": "f", "charset": "UTF-8", "languages": "eng,spa", "truncated": "length"}`
	if err := p.Parse([]byte(line), &c); err != nil {
		t.Fatal(err)
	}
	got := []string{string(c.MimeDetected), string(c.Charset), string(c.Languages), string(c.Truncated)}
	if diff := cmp.Diff([]string{"application/xhtml+xml", "UTF-8", "eng,spa", "length"}, got); diff != "" {
		t.Error(diff)
	}
	if err := p.Parse([]byte("k 2020 u m 200 d - 12 f"), &c); err != nil || c.MimeDetected != nil || c.Truncated != nil {
		t.Errorf("kept from the line before: %q, %q, %v", c.MimeDetected, c.Truncated, err)
	}
}

func TestHeaderDecidesOrder(t *testing.T) {
	var p Parser
	var c Capture
	for _, passed := range []string{"", "!meta {}", " CDX g V S a b N"} {
		if err := p.Parse([]byte(passed), &c); !errors.Is(err, ErrNoCapture) {
			t.Errorf("%q: %v", passed, err)
		}
	}
	if err := p.Parse([]byte("f.warc.gz 1 2 http://a/ 2020 a)/"), &c); err != nil {
		t.Fatal(err)
	}
	want := flat{Form: " gVSabN", Key: "a)/", Timestamp: "2020", URL: "http://a/", In: "f.warc.gz", Offset: 1, Length: 2}
	if diff := cmp.Diff(want, flatten(&c)); diff != "" {
		t.Error(diff)
	}
	if err := p.Parse([]byte("f.warc.gz 1 2 http://a/ 2020"), &c); err == nil || err.Error() != "5 fields, the header line has 6" {
		t.Errorf("too few fields: %v", err)
	}
	if form, ok := Header([]byte(" CDX N bb")); ok {
		t.Errorf("header with a field of two letters: %q", form)
	}
}

func TestBadLinesAreRejectedWithTheReason(t *testing.T) {
	for line, want := range map[string]string{
		"http://a/\ta.warc.gz\t12":                        "3 fields separated by tabs, want 4",
		"URL\tfile\toffset\tlength":                       `offset "offset" is not a number of bytes`,
		"u\tf\t-1\t5":                                     `offset "-1" is not a number of bytes`,
		"u\tf\t9999999999999999999\t5":                    `offset "9999999999999999999" is not a number of bytes`,
		"u\t\t1\t5":                                       "no archive file",
		"one two three":                                   "(3 found)",
		`k 2020 {"offset": 1}`:                            "no archive file",
		`k 2020 {"filename": "f"}`:                        "no offset",
		`k 2020 {"filename": "f", "offset": `:             "json: no value",
		`k 2020 {"filename": "f", "offset": "1"`:          "json: the object does not end",
		`k 2020 {"filename": "f\q", "offset": 1}`:         "json: bad escape in a string",
		`k 2020 {"filename": "f", "offset": 1} x`:         "json: text behind the object",
		`k 2020 {"filename": "f", "offset": 1e3}`:         `offset "1e3" is not a number of bytes`,
		"k\x01 2020 {\"filename\": \"f\", \"offset\": 1}": "control character in the key",
	} {
		var p Parser
		var c Capture
		if err := p.Parse([]byte(line), &c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

func TestAppendCDXJ(t *testing.T) {
	for line, want := range map[string]string{
		`k 2020 {"x": [1,` + "\t" + `2], "length": "9", "url": "http://\u00e9/", "filename": "old", "offset": 3, "z": true}`: `k 2020 {"x": [1,2], "url": "http://\u00e9/", "z": true, "length": "20", "offset": "10", "filename": "new \"x\".gz"}`,
		"k 2020 http://é/ text/html 200 D - - 9 3 old":                                                                       `k 2020 {"url": "http://é/", "mime": "text/html", "status": "200", "digest": "D", "length": "20", "offset": "10", "filename": "new \"x\".gz"}`,
		"k 2020 - - - - http://r/ A 9 3 old":                                                                                 `k 2020 {"redirect": "http://r/", "robotflags": "A", "length": "20", "offset": "10", "filename": "new \"x\".gz"}`,
		`k 2020 {"filename": "f", "x": 1, "\u006fffset": 7, "x": 2, "\u0078": 3, "offset": 1}`:                               `k 2020 {"\u0078": 3, "length": "20", "offset": "10", "filename": "new \"x\".gz"}`,
		`k 2020 {"filename": "f", "offset": 1}`:                                                                              `k 2020 {"length": "20", "offset": "10", "filename": "new \"x\".gz"}`,
	} {
		var p Parser
		var c Capture
		if err := p.Parse([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if got := string(c.AppendCDXJ(nil, `new "x".gz`, 10, 20)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", line, got, want)
		}
	}
}

// FuzzParse holds the parser to what a caller relies on: no panic, and of every
// line that it accepts an index line can be written that it reads again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"http://a/\ta.warc.gz\t12\t34", " CDX N b a m s k r M S V g\nk 2020 http://a/ text/html 200 D - - 9 3 f",
		`k 2020 {"filename": "f", "offset": 1, "n": {"a": [1, "}"]}}`, "k 2020 u m 200 d - 12 f", "!x", "\t\t\t", `k 2 {"filename":"\ud800","offset":"1"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Parser
		var c, again Capture
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			if p.Parse(line, &c) != nil || c.Form == FormTSV {
				continue
			}
			out := c.AppendCDXJ(nil, "new", 5, 6)
			if bytes.ContainsAny(out, "\t\n\r") {
				t.Fatalf("%q became the torn line %q", line, out)
			}
			if len(c.Key) == 0 || len(c.Timestamp) == 0 || bytes.ContainsAny(c.Key, " !") || bytes.ContainsAny(c.Timestamp, " ") {
				continue
			}
			if object := out[bytes.IndexByte(out, '{'):]; bytes.IndexByte(c.Key, '{') < 0 && !json.Valid(bytes.ToValidUTF8(object, []byte("?"))) && bytes.IndexByte(c.Timestamp, '{') < 0 {
				t.Fatalf("%q became %q, which is no JSON", line, out)
			}
			if err := FormCDXJ.Parse(out, &again); err != nil || again.Offset != 5 || again.Length != 6 || string(again.Filename) != "new" {
				t.Fatalf("%q became %q, read as %+v, %v", line, out, again, err)
			}
		}
	})
}

// TestHeader has lines that are CDX headers and such that are none. One of a million
// fields is none: it took minutes, and each line after it as many steps.
func TestHeader(t *testing.T) {
	for line, want := range map[string]Form{
		" CDX N b a m s k r M S V g":    " NbamskrMSVg",
		" CDX N b a m s k r M S V g \r": " NbamskrMSVg",
		"\tCDX\tN\tb":                   "\tNb",
		" CDX N":                        " N",
		" CDX N  b":                     "",
		" CDX Nb":                       "",
		" CDX ":                         "",
		" CDX":                          "",
		"CDX N b":                       " Nb",
		"CDX Nb":                        "",
		"CDX" + strings.Repeat(" N", maxFields+1): "",
		" CDX N bb":                                "",
		" CDX" + strings.Repeat(" N", maxFields):   Form(" " + strings.Repeat("N", maxFields)),
		" CDX" + strings.Repeat(" N", maxFields+1): "",
		" CDX" + strings.Repeat(" N", 1_000_000):   "",
	} {
		form, ok := Header([]byte(line))
		if form != want || ok != (want != "") {
			t.Errorf("%.80q: %q, %v, want %q", line, form, ok, want)
		}
	}
}

// TestNamesAreUTF8 refuses by name what CDXJ and paths on Hadoop cannot hold, in each form.
func TestNamesAreUTF8(t *testing.T) {
	for _, line := range []string{
		"http://a/\ta\xff.warc.gz\t12\t34",
		"com,a)/ 20200101000000 http://a.com/ text/html 200 DIGEST - - 34 12 a\xff.warc.gz",
		"com,a)/ 20200101000000 {\"url\": \"http://a.com/\", \"offset\": 5, \"filename\": \"a\xff.warc.gz\"}",
	} {
		var p Parser
		var c Capture
		if err := p.Parse([]byte(line), &c); err == nil || err.Error() != `archive file name that is not UTF-8: "a\xff.warc.gz"` {
			t.Errorf("%q: %v", line, err)
		}
	}
}
