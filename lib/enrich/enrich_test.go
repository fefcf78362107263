package enrich

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

// An archive is a WARC file that tests put records into, with its plan.
type archive struct {
	file bytes.Buffer
	plan []string
}

const archiveName = "archive.warc.gz"

// add adds a response as a gzip member of its own. http is the block.
func (a *archive) add(t testing.TB, url, mime, http string) {
	t.Helper()
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2016-01-17T11:32:53Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(a.plan), len(http), http)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	a.raw(t, url, mime, member.Bytes())
}

// raw adds bytes and the line of a plan for them.
func (a *archive) raw(t testing.TB, url, mime string, record []byte) {
	t.Helper()
	key := "com,example)/" + strings.TrimPrefix(url, "http://example.com/")
	line := fmt.Sprintf("%s 20160117113253 %s %s 200 RKMS6XLYED4G8POFQUIN37WDEWYLD9Z - - %d %d %s", key, url, mime, len(record), a.file.Len(), archiveName)
	p := extract.PlanLine{Archive: []byte(archiveName), Offset: int64(a.file.Len()), Length: int64(len(record)), Form: " NbamskrMSVg", Line: []byte(line)}
	a.plan = append(a.plan, string(p.Append(nil)))
	a.file.Write(record)
}

// result is what a run of the mapper has made.
type result struct {
	dir, out, rejects, messages string
	err                         error
}

// run runs the mapper over the archive.
func (a *archive) run(t testing.TB, o MapperOptions) result {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, archiveName), a.file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if o.Limit == 0 {
		o.Limit = 1 << 20
	}
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	r := result{dir: t.TempDir()}
	rejects := filepath.Join(r.dir, "rejects")
	var stdout, stderr bytes.Buffer
	c := stage.Command{Name: "enrich-captures", Run: func(task *stage.Task) error {
		archives, err := extract.OpenPlan(folder, "")
		if err != nil {
			return err
		}
		defer archives.Close()
		r.err = Captures(task, archives, o)
		return r.err
	}}
	stage.Execute(c, []string{"enrich-captures", "--output", r.dir, "--rejects", rejects}, strings.NewReader(strings.Join(a.plan, "\n")+"\n"), &stdout, &stderr)
	if b, err := os.ReadFile(rejects); err == nil {
		r.rejects = string(b)
	}
	r.out, r.messages = stdout.String(), stderr.String()
	return r
}

// derive gives the JSON of the only record of an archive.
func derive(t *testing.T, http string, o Options) string {
	t.Helper()
	var a archive
	a.add(t, "http://example.com/jcd1", "text/html", http)
	r := a.run(t, MapperOptions{Options: o, Workers: 1})
	if r.err != nil || r.rejects != "" {
		t.Fatalf("%v, %s", r.err, r.rejects)
	}
	return r.out
}

const jcd1 = `{"surtUrl":"com,example)/jcd1","timestamp":"2016-01-17T11:32:53Z","originalUrl":"http://example.com/jcd1","mime":"text/html","status":200,"digest":"RKMS6XLYED4G8POFQUIN37WDEWYLD9Z","redirectUrl":"-","meta":"-"}`

const page = "HTTP/1.1 200 OK\r\nDate: Sun, 17 Jan 2016 11:32:53 GMT\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n<html>...</html>"

// TestListingsOfThePaper holds the output against the listings of Holzmann, Goel,
// Anand: ArchiveSpark (JCDL 2016), section 4.
func TestListingsOfThePaper(t *testing.T) {
	for _, test := range []struct{ name, enrich, want string }{
		{"nothing", "", `{"record":` + jcd1 + `}`},
		{"response", "response", `{"record":` + jcd1 +
			`,"recordHeader":{"WARC-Type":"response","WARC-Target-URI":"http://example.com/jcd1","WARC-Date":"2016-01-17T11:32:53Z","WARC-Record-ID":"<urn:uuid:00000000-0000-0000-0000-000000000000>","Content-Type":"application/http; msgtype=response","Content-Length":"116"}` +
			`,"httpHeader":{"Date":"Sun, 17 Jan 2016 11:32:53 GMT","Connection":"close","Content-Type":"text/html"},"payload":"bytes(length: 16)"}`},
		{"string content", "string", `{"record":` + jcd1 + `,"payload":{"string":"<html>...</html>"}}`},
		{"string and length", "string,string.length", `{"record":` + jcd1 + `,"payload":{"string":{"_":"<html>...</html>","length":16}}}`},
		{"length alone", "length", `{"record":` + jcd1 + `,"payload":{"string":{"length":16}}}`},
		{"payload, too", "payload,payload.string,payload.string.length", `{"record":` + jcd1 + `,"payload":{"_":"bytes(length: 16)","string":{"_":"<html>...</html>","length":16}}}`},
		{"entities", "payload.string.html.title.entities", `{"record":` + jcd1 + `}`},
	} {
		got := derive(t, page, Options{Enrich: []string{test.enrich}})
		if diff := cmp.Diff(test.want+"\n", got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

const rich = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=ISO-8859-1\r\nX: 1\r\nX: 2\r\n\r\n" +
	"<html lang=de><head><title>Gr\xfc\xdfe aus Bad Homburg</title><meta name=a content=b><link rel=canonical href=/c></head>" +
	"<body><h1>One</h1><h2>Two</h2><a href=\"/x?a&amp;b\">Link <b>text</b></a><p>17 January 2016, Anna von Berg, anna@example.com</body></html>"

func TestEnrichments(t *testing.T) {
	for _, test := range []struct{ enrich, want string }{
		{"title", `"payload":{"string":{"html":{"title":"Grüße aus Bad Homburg"}}}`},
		{"title.length", `"payload":{"string":{"html":{"title":{"length":21}}}}`},
		{"payload.charset,lang,canonical", `"payload":{"charset":"windows-1252","string":{"html":{"lang":"de","canonical":"/c"}}}`},
		{"headings", `"payload":{"string":{"html":{"headings":[{"level":1,"text":"One"},{"level":2,"text":"Two"}]}}}`},
		{"meta", `"payload":{"string":{"html":{"meta":[{"name":"a","content":"b"}]}}}`},
		{"links", `"payload":{"string":{"html":{"links":[{"path":"LINK@/href","url":"/c","rel":"canonical"},{"path":"A@/href","url":"/x?a&b","text":"Link text"}]}}}`},
		{"links.length", `"payload":{"string":{"html":{"links":{"length":2}}}}`},
		{"html(h1, h2)", `"payload":{"string":{"html(h1, h2)":[{"attributes":{},"text":"One"},{"attributes":{},"text":"Two"}]}}`},
		{"html(a[href])", `"payload":{"string":{"html(a[href])":[{"attributes":{"href":"/x?a&b"},"text":"Link text"}]}}`},
		{"html(h1).first,html(h2).text,html(a).attribute(href)", `"payload":{"string":{"html(h1)":{"first":"One"},"html(h2)":{"text":["Two"]},"html(a)":{"attribute(href)":["/x?a&b"]}}}`},
		{"text", `"payload":{"string":{"html":{"text":"Grüße aus Bad Homburg\nOne\nTwo\nLink text\n17 January 2016, Anna von Berg, anna@example.com\n"}}}`},
		{"text.entities", `"payload":{"string":{"html":{"text":{"entities":{"names":[{"text":"Bad Homburg","count":1},{"text":"Anna von Berg","count":1}],"dates":[{"text":"17 January 2016","count":1}],"emails":[{"text":"anna@example.com","count":1}]}}}}}`},
		{"httpStatusLine,httpHeader", `"httpStatusLine":"HTTP/1.1 200 OK","httpHeader":{"Content-Type":"text/html; charset=ISO-8859-1","X":["1","2"]}`},
		{"mime", `"payload":{"mime":"text/html"}`},
		{"image.width", ``},
	} {
		got := strings.TrimSuffix(strings.TrimPrefix(derive(t, rich, Options{Enrich: []string{test.enrich}}), `{"record":`+jcd1), "}\n")
		if diff := cmp.Diff(test.want, strings.TrimPrefix(got, ",")); diff != "" {
			t.Errorf("%s:\n%s", test.enrich, diff)
		}
	}
}

func TestDocumentsOfOtherKinds(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n"
	for _, test := range []struct{ http, enrich, want string }{
		{fmt.Sprintf(head, "application/json") + `{"a":{"b":[1,{"c":"d"}]},"e":null}`, "json(a.b[1].c),json(a.b[0]),json(a.b),json(no)", `"payload":{"string":{"json(a.b[1].c)":"d","json(a.b[0])":1,"json(a.b)":[1,{"c":"d"}]}}`},
		{fmt.Sprintf(head, "application/json") + `{"a":`, "json(a)", `"error":{"payload.string.json(a)":"not a JSON document"}`},
		{fmt.Sprintf(head, "text/xml") + `<?xml version="1.0" encoding="x"?><rss><channel><item id="1"><title>A &amp; B</title></item><item id="2"><title>C<b>D</b></title></item></channel></rss>`, "xml(rss/channel/item/title),xml(rss/channel/item/@id)", `"payload":{"string":{"xml(rss/channel/item/title)":["A & B","CD"],"xml(rss/channel/item/@id)":["1","2"]}}`},
		{fmt.Sprintf(head, "text/xml") + "<a b='1\r\n\t2'/>", "xml(a/@b)", `"payload":{"string":{"xml(a/@b)":["1  2"]}}`},
		{fmt.Sprintf(head, "text/xml") + `<a><b>c</b></d`, "xml(a/b)", `"payload":{"string":{"xml(a/b)":["c"]}},"error":{"payload.string.xml(a/b)":"damaged XML document"}`},
		{fmt.Sprintf(head, "image/gif") + "GIF89a\x10\x00\x20\x00\x00\x00\x00", "image.width,image.height", `"payload":{"image":{"width":16,"height":32}}`},
		{fmt.Sprintf(head, "image/webp") + "RIFF\x1a\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x0f\x00\x00\x1f\x00\x00\x00\x00", "image.width,image.height", `"payload":{"image":{"width":16,"height":32}}`},
		{"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00", "length", `"payload":{"string":{"length":0}},"error":{"payload":"gzip: unexpected EOF"}`},
		{"HTTP/1.1 200 OK\r\n\r\n<body><noscript><a href=x>X</a></noscript>", "html(a[href]).first", `"payload":{"string":{"html(a[href])":{"first":"X"}}}`},
		{"HTTP/1.1 200 OK\r\n\r\n<h1>One<br>two<div>three</div>four</h1>", "html(h1).first", `"payload":{"string":{"html(h1)":{"first":"One two three four"}}}`},
		{"HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\n<h1>One</h1>", "httpStatusLine,httpHeader,string", `"httpStatusLine":"HTTP/1.1 200 OK","httpHeader":{"A":"b"},"payload":{"string":"<h1>One</h1>"}`},
		{"HTTP/1.0 400 \xea\xa5\r\n\r\n", "httpStatusLine", `"httpStatusLine":"HTTP/1.0 400 ê¥"`},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n9\r\nwor", "payload.sha1,payload.string.md5,payload.length,string", `"payload":{"string":{"_":"hellowor"}},"error":{"payload":"chunked: unexpected EOF"}`},
	} {
		got := strings.TrimSuffix(strings.TrimPrefix(derive(t, test.http, Options{Enrich: []string{test.enrich}}), `{"record":`+jcd1), "}\n")
		if diff := cmp.Diff(test.want, strings.TrimPrefix(got, ",")); diff != "" {
			t.Errorf("%s:\n%s", test.enrich, diff)
		}
	}
}

func TestMapAndKeep(t *testing.T) {
	got := derive(t, rich, Options{
		Enrich:    []string{"title"},
		MapEnrich: []string{`payload.string.html.title shout = upper(title)` + "\n" + `title words = split(payload.string.html.title, " ")`, `title.shout size = len(payload.string.html.title.shout)`},
		Keep:      []string{`payload.string.html.title.words[0] == "Grüße" && status == 200`, `value("payload.string.html(h1).first") == "One"`},
	})
	want := `{"record":` + jcd1 + `,"payload":{"string":{"html":{"title":{"_":"Grüße aus Bad Homburg","shout":{"_":"GRÜSSE AUS BAD HOMBURG","size":22},"words":["Grüße","aus","Bad","Homburg"]}}}}}` + "\n"
	want = strings.ReplaceAll(want, "GRÜSSE", "GRÜßE")
	want = strings.ReplaceAll(want, `"size":22`, `"size":21`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, keep := range []string{`status == 404`, `payload.string.html.title contains "no"`, `payload.string.length < 10`, `payload.image.width > 1`} {
		if got := derive(t, rich, Options{Keep: []string{keep}}); got != "" {
			t.Errorf("%s: %s", keep, got)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		o    MapperOptions
		want string
	}{
		{MapperOptions{Options: Options{Enrich: []string{"nothing"}}}, "nothing is called nothing"},
		{MapperOptions{Options: Options{Enrich: []string{"payload.title"}}}, "title cannot be derived from payload"},
		{MapperOptions{Options: Options{Enrich: []string{"html"}}}, "no value of its own"},
		{MapperOptions{Options: Options{Enrich: []string{"html(h1"}}}, "not closed"},
		{MapperOptions{Options: Options{Enrich: []string{"html([)"}}}, "selector"},
		{MapperOptions{Options: Options{Keep: []string{"status =="}}}, "--keep"},
		{MapperOptions{Options: Options{MapEnrich: []string{"title = 1"}}}, "PATH NAME = "},
		{MapperOptions{Options: Options{Keep: []string{"no.such.path == 1"}}}, "nothing is called no"},
		{MapperOptions{Save: "xls"}, "--save"},
		{MapperOptions{Save: "json", Options: Options{Columns: []string{"a"}}}, "--columns"},
		{MapperOptions{Save: "csv", Options: Options{Columns: []string{"= 1"}}}, "--columns"},
	} {
		var a archive
		a.add(t, "http://example.com/", "text/html", page)
		if r := a.run(t, test.o); r.err == nil || !strings.Contains(r.err.Error(), test.want) || !strings.Contains(r.messages, "hint") {
			t.Errorf("%+v: %v", test.o, r.err)
		}
	}
}

// TestOrderAndWorkers holds the output of many records against that of one worker.
func TestOrderAndWorkers(t *testing.T) {
	var a archive
	for i := range 1000 {
		a.add(t, fmt.Sprintf("http://example.com/%04d", i), "text/html", fmt.Sprintf("HTTP/1.1 200 OK\r\n\r\n<title>Page %d</title>%s", i, strings.Repeat("text ", i)))
	}
	one := a.run(t, MapperOptions{Options: Options{Enrich: []string{"title,text,text.length"}}, Workers: 1})
	four := a.run(t, MapperOptions{Options: Options{Enrich: []string{"title,text,text.length"}}, Workers: 4})
	if one.out != four.out || strings.Count(one.out, "\n") != 1000 {
		t.Fatalf("%d and %d lines", strings.Count(one.out, "\n"), strings.Count(four.out, "\n"))
	}
	at := 0
	for line := range strings.Lines(one.out) {
		var x struct {
			Payload struct {
				String struct {
					HTML struct {
						Title string
						Text  struct {
							Value  string `json:"_"`
							Length int
						}
					} `json:"html"`
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		h := &x.Payload.String.HTML
		if h.Title != fmt.Sprintf("Page %d", at) || h.Text.Length != len(h.Text.Value) {
			t.Fatalf("line %d: %.200s", at, line)
		}
		at++
	}
}

func TestDamage(t *testing.T) {
	var a archive
	a.add(t, "http://example.com/1", "text/html", rich)
	a.raw(t, "http://example.com/2", "text/html", []byte("\x1f\x8b\x08\x00 no deflate data"))
	a.add(t, "http://example.com/3", "text/html", rich)
	a.add(t, "http://example.com/4", "text/html", rich)
	var other archive
	other.add(t, "http://example.com/5", "text/html", rich)
	member := other.file.Bytes()
	a.raw(t, "http://example.com/5", "text/html", member[:len(member)-20])
	a.raw(t, "http://example.com/6", "text/html", []byte("neither gzip nor WARC\r\n\r\n"))
	missing := extract.PlanLine{Archive: []byte("no.warc.gz"), Length: 10, Form: cdx.FormTSV, Line: []byte("http://example.com/7\tno.warc.gz\t0\t10")}
	a.plan = append(a.plan, string(missing.Append(nil)), "no line of a plan")
	r := a.run(t, MapperOptions{Options: Options{Enrich: []string{"length"}}, Workers: 2})
	if r.err != nil || strings.Count(r.out, "\n") != 4 || strings.Count(r.rejects, "\n") != 4 {
		t.Errorf("%v\n%s\n%s", r.err, r.out, r.rejects)
	}
	for _, want := range []string{"damaged gzip member", "archive file not found", "record header", "not a line of an extraction plan"} {
		if !strings.Contains(r.rejects, want) {
			t.Errorf("no reject says %q:\n%s", want, r.rejects)
		}
	}
	if !strings.Contains(r.out, `"error":{"payload":"the gzip member is cut off"}`) {
		t.Error(r.out)
	}
}

func TestLimit(t *testing.T) {
	var a archive
	a.add(t, "http://example.com/1", "text/html", "HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("a", 5000))
	r := a.run(t, MapperOptions{Options: Options{Enrich: []string{"length"}}, Limit: 1000})
	if want := `"payload":{"string":{"length":1000}},"error":{"payload":"larger than the limit"}}` + "\n"; !strings.HasSuffix(r.out, want) {
		t.Errorf("%s", r.out)
	}
}
