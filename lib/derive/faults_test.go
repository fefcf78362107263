package derive

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/stage"
	"archivestream/lib/warc"
)

// A derived record is one of a WAT, WET or META file.
type derived struct {
	header warc.Header
	block  string
}

// derive makes all derivatives of an archive file and gives the records of each kind,
// without the first one, the index and what is rejected.
func derive(t testing.TB, path string) (records map[string][]derived, index, rejects string) {
	t.Helper()
	dir := t.TempDir()
	command := stage.Command{Name: "derive-archives", Run: func(t *stage.Task) error {
		return Archives(t, Options{Make: []string{WAT, WET, META, CDXJ}, Emit: true})
	}}
	var out, errs bytes.Buffer
	if status := stage.Execute(command, []string{command.Name, "--output", dir}, strings.NewReader(path+"\n"), &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	records = map[string][]derived{}
	for _, kind := range []string{WAT, WET, META} {
		content, err := os.ReadFile(filepath.Join(dir, kind, strings.TrimSuffix(filepath.Base(path), ".gz")+"."+kind+".gz"))
		if err != nil {
			t.Fatal(err)
		}
		records[kind] = recordsOf(t, content)[1:]
	}
	return records, out.String(), errs.String()
}

func recordsOf(t testing.TB, content []byte) []derived {
	t.Helper()
	var all []derived
	for r, err := range warc.NewReader(bytes.NewReader(content), int64(len(content)), warc.Options{}).Records() {
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, derived{slices.Clone(r.Header), string(block)})
	}
	return all
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

const garden = "The garden lies behind the house, and everybody who has seen it knows that it is most beautiful in summer."

// A sent is what a server has sent, as it is in an archive file.
type sent struct {
	name     string // of the URL
	head     string // HTTP fields
	body     string
	without  string // a field of the record that it has not
	date     string // of the record
	brackets bool   // around the URI
	text     string // that WET has; empty: none
}

func chunked(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(part), part)
	}
	return b.String() + "0\r\n\r\n"
}

const (
	page  = "<html><head><title>Garden</title></head><body><p>" + garden + "</p></body></html>"
	shown = "Garden\n" + garden
	image = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"
	docx  = "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x13\x00\x00\x00[Content_Types].xml<?xml version=\"1.0\"?>" + garden
)

// peers are the faults of other extractors, one of which each of these shows.
var peers = []sent{
	{name: "chunked", head: "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n", body: chunked(page[:70], page[70:]), text: shown},
	{name: "gzip", head: "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", body: gzipped(page), text: shown},
	{name: "both", head: "Content-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", body: chunked(gzipped(page)), text: shown},
	{name: "no-id", head: "Content-Type: text/html\r\n", body: page, without: "WARC-Record-ID", text: shown},
	{name: "bad-date", head: "Content-Type: text/html\r\n", body: page, date: "yesterday", text: shown},
	{name: "wget", head: "Content-Type: text/html\r\n", body: page, brackets: true, text: shown},
	{name: "plain", head: "Content-Type: text/plain; charset=utf-8\r\n", body: garden, text: garden},
	{name: "image", head: "Content-Type: image/png\r\n", body: image},
	{name: "disguised", head: "Content-Type: text/html\r\n", body: image},
	{name: "docx", head: "Content-Type: application/vnd.openxmlformats-officedocument.wordprocessingml.document\r\n", body: docx},
}

func (s *sent) url() string { return "http://example.org/" + s.name }

func (s *sent) message() string { return "HTTP/1.1 200 OK\r\n" + s.head + "\r\n" + s.body }

func (s *sent) warc(i int) string {
	url, date := s.url(), "2021-02-03T04:05:06Z"
	if s.brackets {
		url = "<" + url + ">"
	}
	if s.date != "" {
		date = s.date
	}
	head := "WARC/1.0\r\nWARC-Type: response\r\n"
	if s.without != "WARC-Record-ID" {
		head += fmt.Sprintf("WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n", i)
	}
	return head + fmt.Sprintf("WARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		url, date, len(s.message()), s.message())
}

func (s *sent) arc() string {
	return fmt.Sprintf("%s 192.0.2.1 20210203040506 text/html %d\n%s\n", s.url(), len(s.message()), s.message())
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const warcinfo = "software: crawler\r\nformat: last line"

// TestPeersFaults derives records that other extractors make mistakes with.
func TestPeersFaults(t *testing.T) {
	file := fmt.Sprintf("WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-999999999999>\r\nWARC-Date: 2021-02-03T04:05:06Z\r\nContent-Type: application/warc-fields\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(warcinfo), warcinfo)
	version := "1 0 Organization\nURL IP-address Archive-date Content-type Archive-length\n"
	arc := fmt.Sprintf("filedesc://x.arc 0.0.0.0 20210203040506 text/plain %d\n%s\n", len(version), version)
	for i := range peers {
		file += peers[i].warc(i)
		arc += peers[i].arc()
	}
	for name, content := range map[string]string{"x.warc": file, "x.arc": arc} {
		records, index, _ := derive(t, write(t, name, content))
		if len(records[WAT]) != len(peers)+1 {
			t.Errorf("%s: %d records in WAT", name, len(records[WAT]))
		}
		if name == "x.warc" && !strings.Contains(records[WAT][0].block, `"format":"last line"`) {
			t.Errorf("the last line of the header is lost: %s", records[WAT][0].block)
		}
		for i := range peers {
			peers[i].check(t, name, records, index)
		}
	}
}

func (s *sent) check(t *testing.T, name string, records map[string][]derived, index string) {
	t.Helper()
	of := func(kind string) *derived {
		for i, r := range records[kind] {
			if strings.Trim(r.header.Get("WARC-Target-URI"), "<>") == s.url() {
				return &records[kind][i]
			}
		}
		return &derived{}
	}
	if text := strings.TrimSpace(of(WET).block); text != s.text {
		t.Errorf("%s: %s: text %q", name, s.name, text)
	}
	for _, kind := range []string{WAT, META} {
		r := of(kind)
		if uri := r.header.Get("WARC-Target-URI"); uri != s.url() {
			t.Errorf("%s: %s: %s has the URI %q", name, s.name, kind, uri)
		}
		if date := r.header.Get("WARC-Date"); date != "2021-02-03T04:05:06Z" {
			t.Errorf("%s: %s: %s has the date %q", name, s.name, kind, date)
		}
		if r.header.Get("WARC-Refers-To") == "" {
			t.Errorf("%s: %s: %s refers to nothing", name, s.name, kind)
		}
	}
	if told := strings.Contains(of(META).block, "Languages-"); told != (s.text != "") {
		t.Errorf("%s: %s: %s", name, s.name, of(META).block)
	}
	if s.date == "" && !strings.Contains(index, `"`+s.url()+`"`) {
		t.Errorf("%s: %s is not in the index", name, s.name)
	}
}

// FuzzArchive derives small archive files, whatever they are: each record that the
// reader gives has one in the WAT file, and each file is the same when made again.
func FuzzArchive(f *testing.F) {
	for i := range peers {
		f.Add([]byte(peers[i].warc(i)))
		f.Add([]byte(peers[i].arc()))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		want := 0
		for r, err := range warc.NewReader(bytes.NewReader(content), int64(len(content)), warc.Options{}).Records() {
			if err != nil {
				continue
			}
			if _, err := io.Copy(io.Discard, r.Body); err == nil {
				want++
			}
		}
		path := write(t, "x.warc", string(content))
		records, index, _ := derive(t, path)
		if len(records[WAT]) != want {
			t.Fatalf("%d records of %d", len(records[WAT]), want)
		}
		if _, again, _ := derive(t, path); again != index {
			t.Fatalf("%s\nand then\n%s", index, again)
		}
	})
}
