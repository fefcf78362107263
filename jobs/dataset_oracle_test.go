package jobs

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// published is what a run of jobs/dataset.sh has made.
type published struct {
	*testing.T
	python, output string
}

// A told record is one of an archive file or derivative as somebody else's library
// reads it.
type told struct {
	By, File, Type string
	Offset         int64
	Size           int // of the payload; of the block where there is no HTTP
	Headers        map[string]string
	WAT            *struct {
		Container struct {
			Filename, Offset string
		}
		Envelope struct {
			WARC    map[string]any `json:"WARC-Header-Metadata"`
			ARC     map[string]any `json:"ARC-Header-Metadata"`
			Payload struct {
				HTTP struct {
					Message struct{ Status string } `json:"Response-Message"`
				} `json:"HTTP-Response-Metadata"`
			} `json:"Payload-Metadata"`
		}
	}
	META *struct {
		Type      map[string]string `json:"Identified-Payload-Type"`
		PUID      string            `json:"Preservation-Identifier"`
		Languages struct {
			Reliable  bool
			Languages []struct {
				Code string `json:"code-iso-639-3"`
			}
		} `json:"Languages-archivestream"`
		Soft404 *float64 `json:"Soft-404-Detected"`
	}
	Text, Sum string
}

// pages are of more languages and domains than those of testdata's archives; two say
// that nothing is there.
var morePages = []struct{ url, title, text string }{
	{"http://www.senate.gov/", "Hearings", "The committee will hold a hearing on the budget of the coming year, and everybody who wants to speak about it has to say so before Friday."},
	{"http://www.senate.gov/gone", "Page not found", "Page not found\nSorry, the page that you are looking for does not exist or was moved."},
	{"http://www.nps.gov/espanol", "Parques", "Los parques nacionales pertenecen a todos, y quienes los visitan encuentran montañas, bosques y ríos que no han cambiado desde hace muchos siglos."},
	{"http://www.nps.gov/missing", "404 Not Found", "404 Not Found\nThe requested page could not be found on this server."},
	{"http://jardin.gouv.fr/", "Le jardin", "Le jardin se trouve derrière la maison, et ceux qui l'ont vu savent qu'il est le plus beau en été, quand toutes les fleurs sont ouvertes."},
	{"http://xn--80ai1b.xn--p1ai/", "Сад", "Сад находится за домом, и тот, кто его видел, знает, что летом он особенно красив и что гулять в нём любят все."},
}

// writeMorePages writes an archive file of them.
func writeMorePages(t *testing.T) string {
	t.Helper()
	var file strings.Builder
	for i, p := range morePages {
		page := fmt.Sprintf("<html lang=und><title>%s</title><p>%s</p></html>\n", p.title, strings.ReplaceAll(p.text, "\n", "</p><p>"))
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", len(page), page)
		fmt.Fprintf(&file, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Target-URI: %s\r\n"+
			"WARC-Date: 20%02d-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, p.url, 16+i, len(block), block)
	}
	name := filepath.Join(t.TempDir(), "more.warc")
	if err := os.WriteFile(name, []byte(file.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestOracleDataset has warcio, FastWARC, pywb and DuckDB read a dataset.
func TestOracleDataset(t *testing.T) {
	t.Parallel()
	x := &published{t, pythonTools(t), filepath.Join(t.TempDir(), "output")}
	archives := filepath.Join(root, "testdata", "archives")
	// No offset leads to the records of the files of one gzip member: other readers
	// do not accept these.
	said(t, "", filepath.Join(root, "jobs", "dataset.sh"), "--quiet", "--crawl", "T", "--output", x.output, "--shards", "2", "--segment-size", "2",
		"--partition", "IA="+archives+"/c*", "--partition", "LOC="+archives+"/garden.*", "--partition", "LOC="+archives+"/garden-plain*", "--partition", "LOC="+writeMorePages(t))
	if t.Failed() {
		t.FailNow()
	}
	var sources []told
	derived := map[string][]told{} // by library and kind
	for line := range strings.Lines(x.ask("records", "")) {
		var r told
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if kind := r.kind(); kind == "warc" {
			sources = append(sources, r)
		} else {
			derived[r.By+" "+kind] = append(derived[r.By+" "+kind], r)
		}
	}
	for _, by := range []string{"warcio", "FastWARC"} {
		for _, kind := range []string{"wat", "wet", "meta"} {
			x.wantDerived(by, kind, derived[by+" "+kind], sources)
		}
	}
	x.wantChecked()
	x.wantIndexed(slices.Concat(derived["warcio wat"], derived["warcio wet"], derived["warcio meta"]))
	t.Run("questions", func(t *testing.T) { (&published{t, x.python, x.output}).wantAnswers(derived["warcio meta"], sources) })
	t.Run("replay", func(t *testing.T) { (&published{t, x.python, x.output}).wantReplayed() })
}

// wantChecked has warcio check the digests of the derivatives.
func (x *published) wantChecked() {
	x.Helper()
	args := []string{"-m", "warcio.cli", "check"}
	for _, kind := range []string{"wat", "wet", "meta"} {
		files, err := filepath.Glob(filepath.Join(x.output, "crawl-data", "T", "segments", "*", kind, "*.gz"))
		if err != nil || len(files) < 8 {
			x.Errorf("%d %s files: %v", len(files), kind, err)
		}
		args = append(args, files...)
	}
	if out := said(x.T, "", x.python, args...); out != "" {
		x.Errorf("warcio check says\n%s", out)
	}
}

// ask runs testdata/read_dataset.py.
func (x *published) ask(command, input string) string {
	x.Helper()
	out := said(x.T, input, x.python, "-W", "ignore", filepath.Join(root, "jobs", "testdata", "read_dataset.py"), command, x.output)
	if x.Failed() {
		x.FailNow()
	}
	return out
}

// kind gives the folder that the record's file is in.
func (r *told) kind() string { return path.Base(path.Dir(r.File)) }

// id gives the name that derivatives have for a record.
func (r *told) id() string {
	if id := r.Headers["WARC-Record-ID"]; id != "" {
		return id
	}
	return fmt.Sprintf("<urn:arc:%s:%d>", path.Base(r.File), r.Offset)
}

// derivative gives the name of the derivative of the record's file.
func (r *told) derivative(kind string) string {
	return strings.TrimSuffix(strings.Replace(r.File, "/warc/", "/"+kind+"/", 1), ".gz") + "." + kind + ".gz"
}

// url gives the URL of a record, for a warcinfo record its file's name.
func (r *told) url() string {
	for _, name := range []string{"WARC-Target-URI", "uri", "WARC-Filename"} {
		if url := r.Headers[name]; url != "" {
			return url
		}
	}
	return ""
}

// moment gives 14 digits.
func (r *told) moment() string {
	date := r.Headers["WARC-Date"] + r.Headers["archive-date"]
	return strings.NewReplacer("-", "", ":", "", "T", "", "Z", "").Replace(date)
}

// derivable says whether a kind of derivative has a record of this one, in WET if it
// has a text.
func (r *told) derivable(kind string) bool {
	return kind == "wat" || (r.Type == "response" || r.Type == "resource") && !strings.HasPrefix(r.url(), "dns:") && r.Size > 0
}

// detail gives what WAT says of a record: archive file, offset, type, HTTP status.
func (r *told) detail() string {
	if r.WAT == nil {
		return ""
	}
	kind := "ARC"
	if r.WAT.Envelope.WARC != nil {
		kind = fmt.Sprint(r.WAT.Envelope.WARC["WARC-Type"])
	}
	return strings.Join([]string{r.WAT.Container.Filename, r.WAT.Container.Offset, kind, r.WAT.Envelope.Payload.HTTP.Message.Status}, " ")
}

// envelopeType gives the type that WAT has for a record of an archive file.
func (r *told) envelopeType() string {
	if r.Headers["WARC-Type"] == "" {
		return "ARC"
	}
	return r.Type
}

// wantDerived compares the records that a library reads in the files of a kind with
// the archive files' records that they are of.
func (x *published) wantDerived(by, kind string, derived, sources []told) {
	x.Helper()
	type line struct{ File, RefersTo, URL, Moment, Detail string }
	var want, got []line
	has := map[string]bool{}
	infos := 0
	for _, r := range derived {
		if r.Type == "warcinfo" {
			infos++
			continue
		}
		x.wantContent(&r, kind)
		refersTo := r.Headers["WARC-Refers-To"]
		has[r.File+refersTo] = true
		got = append(got, line{r.File, refersTo, r.url(), r.moment(), r.detail()})
	}
	files := map[string]bool{}
	for _, s := range sources {
		file := s.derivative(kind)
		files[file] = true
		if s.derivable(kind) && (kind != "wet" || has[file+s.id()]) {
			l := line{file, s.id(), s.url(), s.moment(), ""}
			if kind == "wat" {
				l.Detail = fmt.Sprintf("%s %d %s %s", path.Base(s.File), s.Offset, s.envelopeType(), s.Headers["status"])
			}
			want = append(want, l)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) < 100 || infos != len(files) {
		x.Errorf("%s reads %d records and %d of warcinfo in the %d %s files: -sources +derived\n%.3000s", by, len(got), infos, len(files), kind, diff)
	}
}

// wantContent checks what a record of a kind holds.
func (x *published) wantContent(r *told, kind string) {
	x.Helper()
	wanted := map[string]string{"wat": "metadata", "wet": "conversion", "meta": "metadata"}[kind]
	ok := r.Type == wanted
	switch kind {
	case "wat":
		ok = ok && r.WAT != nil && (r.WAT.Envelope.WARC != nil) != (r.WAT.Envelope.ARC != nil)
	case "wet":
		ok = ok && strings.TrimSpace(r.Text) != ""
	case "meta":
		ok = ok && r.META != nil && r.META.Type["archivestream"] != ""
	}
	if !ok {
		x.Errorf("%s: %s at %d: %+v", r.By, r.File, r.Offset, r)
	}
}

// wantIndexed compares the index that pywb makes of derivatives with their records.
func (x *published) wantIndexed(derived []told) {
	x.Helper()
	var want, got []string
	for _, r := range derived {
		if r.Type != "warcinfo" && r.url() != "" { // others it leaves out
			want = append(want, fmt.Sprintf("%s %d %s %s %s", r.File, r.Offset, r.moment(), r.url(), r.Headers["Content-Type"]))
		}
	}
	for line := range strings.Lines(x.ask("index", "")) {
		parts := strings.SplitN(line, " ", 3)
		l := indexLine{Timestamp: parts[1]}
		if err := json.Unmarshal([]byte(parts[2]), &l); err != nil {
			x.Fatalf("%s: %v", line, err)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s", l.Filename, l.Offset, l.Timestamp, l.URL, l.Mime))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
		x.Errorf("index of the derivatives: -warcio +pywb\n%.3000s", diff)
	}
}
