package enrich

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/realdata"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// planOf lists the records of an archive file as a plan.
func planOf(t *testing.T, name string) *archive {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a := new(archive)
	a.file.Write(content)
	f, err := storage.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for record, err := range warc.NewReader(f, f.Size(), warc.Options{Name: name}).Records() {
		if err != nil {
			continue
		}
		if record.InnerOffset > 0 || record.Length <= 0 {
			continue
		}
		url := record.TargetURI()
		if strings.ContainsAny(url, "\t\n") || url == "" {
			url = "-"
		}
		p := extract.PlanLine{Archive: []byte(archiveName), Offset: record.Offset, Length: record.Length, Form: cdx.FormTSV, Line: fmt.Appendf(nil, "%s\t%s\t%d\t%d", url, archiveName, record.Offset, record.Length)}
		a.plan = append(a.plan, string(p.Append(nil)))
	}
	return a
}

// TestRealRecords derives everything from each record of the real archives: each is
// there as a line of JSON, or rejected with a reason.
func TestRealRecords(t *testing.T) {
	records, rejected, titles, texts := 0, 0, 0, 0
	for _, name := range realdata.Archives(t) {
		a := planOf(t, name)
		if len(a.plan) == 0 {
			continue
		}
		r := a.run(t, MapperOptions{Workers: 2, Limit: 16 << 20, Options: Options{Enrich: []string{
			"response,payload.charset,payload.mime,payload.sha1,image.width,image.height,string.length,title,text,links,meta,headings,lang,canonical,maintext,text.languages",
		}}})
		if r.err != nil {
			t.Fatalf("%s: %v", name, r.err)
		}
		lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
		if r.out == "" {
			lines = nil
		}
		if got := len(lines) + strings.Count(r.rejects, "\n"); got != len(a.plan) {
			t.Errorf("%s: %d lines and rejects of %d records", name, got, len(a.plan))
		}
		for _, line := range lines {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: %.300s", name, line)
			}
			titles += strings.Count(line, `"title":"`)
			texts += strings.Count(line, `"text":{"_":"`) + strings.Count(line, `"html":{"text":"`)
		}
		records += len(lines)
		rejected += strings.Count(r.rejects, "\n")
	}
	t.Logf("%d records, %d rejected, %d titles, %d texts", records, rejected, titles, texts)
	realdata.Enough(t, records >= 2000 && titles >= 100 && rejected*20 <= records, "%d records, %d rejected, %d titles", records, rejected, titles)
}

// TestRealTextOfWET holds the text of a page against Common Crawl's WET file.
func TestRealTextOfWET(t *testing.T) {
	found := false
	for _, name := range realdata.Archives(t) {
		if filepath.Base(name) != "whirlwind.warc.gz" {
			continue
		}
		found = true
		wet, err := os.ReadFile(strings.TrimSuffix(name, ".gz") + ".wet")
		if err != nil {
			t.Fatal(err)
		}
		_, conversion, _ := strings.Cut(string(wet), "WARC-Type: conversion")
		_, want, _ := strings.Cut(conversion, "\r\n\r\n")
		r := planOf(t, name).run(t, MapperOptions{Save: "", Options: Options{Enrich: []string{"text"}, Keep: []string{`payload.string.html.title != nil`}}})
		var record struct {
			Payload struct {
				String struct {
					HTML struct{ Text string } `json:"html"`
				}
			}
		}
		if err := json.Unmarshal([]byte(r.out), &record); err != nil {
			t.Fatalf("%v: %.300s", err, r.out)
		}
		if got := strings.TrimSpace(record.Payload.String.HTML.Text); got != strings.TrimSpace(want) {
			t.Errorf("%d bytes, want %d", len(got), len(want))
		}
	}
	if !found {
		t.Skip("the folder of crawl files holds no whirlwind.warc.gz")
	}
}
