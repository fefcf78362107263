package enrich

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzJSON holds the strings that are written against encoding/json.
func FuzzJSON(f *testing.F) {
	f.Add([]byte("a\"b\\c\n\r\t\x00\x1f\x7f\xffé\U0001F600\xe2\x80\xa8"))
	f.Fuzz(func(t *testing.T, text []byte) {
		raw := appendString(nil, text)
		var got string
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		want := string([]rune(string(text))) // each wrong byte is one U+FFFD
		if got != want || !utf8.Valid(raw) || strings.ContainsAny(string(raw), "\n\r") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// FuzzRecord derives everything from a record: the output is JSON on one line.
func FuzzRecord(f *testing.F) {
	f.Add([]byte("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 30\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n<title>x</title>"), "text/html")
	f.Add([]byte("http://example.com/ 1.2.3.4 20200101000000 text/html 20\nHTTP/1.1 200 OK\n\n{}"), "application/json")
	plan, err := newPlan(Options{Enrich: []string{
		"response,httpStatusLine,payload.charset,payload.mime,payload.md5,image.width,string,string.length,title,text,links,meta,headings,lang,canonical,maintext,text.languages,title.entities",
		"html(a).attribute(href),html(p).first,json(a[0].b),xml(a/b)",
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte, mime string) {
		line := "com,example)/ 20160117113253 http://example.com/ " + strings.Map(func(r rune) rune {
			if r <= ' ' {
				return '_'
			}
			return r
		}, mime) + "x 200 RKMS6XLYED4G8POFQUIN37WDEWYLD9Z - - 10 0 a.warc.gz"
		r, err := newRecord(plan, 1<<20, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.reset(&job{form: " NbamskrMSVg", line: []byte(line), raw: raw}) != nil {
			return
		}
		r.compute()
		if r.failed != nil {
			return
		}
		out := r.appendRecord(nil)
		if !json.Valid(out) || strings.ContainsAny(string(out), "\n\r") {
			t.Fatalf("%s", out)
		}
	})
}
