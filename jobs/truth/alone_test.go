package truth

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// alonePaths are all values that can be derived, those with an argument with one of each.
var alonePaths = []string{
	"httpHeader", "httpStatusLine", "recordHeader", "payload", "payload.length", "payload.charset", "payload.mime",
	"payload.md5", "payload.sha1", "payload.sha256", "payload.image.width", "payload.image.height", "payload.pdf",
	"payload.string", "payload.string.length", "payload.string.md5", "payload.string.sha1", "payload.string.sha256",
	"payload.string.html.title", "payload.string.html.title.length", "payload.string.html.title.entities", "payload.string.html.text",
	"payload.string.html.text.language", "payload.string.html.text.languages", "payload.string.html.text.entities", "payload.string.html.maintext",
	"payload.string.html.maintext.language", "payload.string.html.links", "payload.string.html.links.length", "payload.string.html.meta",
	"payload.string.html.headings", "payload.string.html.lang", "payload.string.html.canonical", "payload.string.html(a[href])",
	"payload.string.html(a[href]).attribute(href)", "payload.string.html(h1).first", "payload.string.html(h2).text", "payload.string.json(.)",
	"payload.string.json(Envelope.WARC-Header-Metadata.WARC-Type)", "payload.string.xml(rss/channel/item/title)", "payload.string.xml(feed/entry/link/@href)",
}

// TestTruthAlone derives each value alone, which must be as where all are derived: of the
// archives of testdata, and of a ninth of the records of the real ones.
func TestTruthAlone(t *testing.T) {
	folder := theArchives(t)
	captures := []string{}
	for line := range strings.Lines(said(t, read(t, indexed(t)), bin("filter-captures"), "--where", `not (filename contains "pages.warc")`)) {
		f := strings.Split(line, "\t")
		offset, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		if ours := strings.HasPrefix(f[0], "archives--garden") || strings.HasPrefix(f[0], "archives--c") || strings.HasPrefix(f[0], "odd--"); ours || offset%9 == 1 {
			captures = append(captures, line)
		}
	}
	slices.Sort(captures)
	plan := strings.Join(captures, "")
	derive := func(paths string) []map[string]any {
		var all []map[string]any
		for line := range strings.Lines(said(t, plan, bin("enrich-captures"), "--archives", folder, "--enrich", paths)) {
			x, decoder := map[string]any{}, json.NewDecoder(strings.NewReader(line))
			decoder.UseNumber()
			if err := decoder.Decode(&x); err != nil {
				t.Fatalf("%v: %.300s", err, line)
			}
			all = append(all, x)
		}
		return all
	}
	together := derive(strings.Join(alonePaths, ","))
	if len(together) < len(captures)*9/10 || len(captures) < 400 {
		t.Fatalf("%d records of %d captures", len(together), len(captures))
	}
	for _, path := range alonePaths {
		found := 0
		alone := derive(path)
		if len(alone) != len(together) {
			t.Fatalf("%s: %d records, together %d", path, len(alone), len(together))
		}
		for i, x := range alone {
			ours, theirs := valueAt(t, x, path), valueAt(t, together[i], path)
			if ours != "null" {
				found++
			}
			compare(t, "select/"+path+" alone", "- "+path+" "+fmt.Sprint(x["record"]), ours, theirs)
		}
		if found == 0 {
			t.Errorf("%s: no record has it", path)
		}
	}
}

// valueAt is the value at a path, as JSON: under _ where others start from it.
func valueAt(t *testing.T, x any, path string) string {
	t.Helper()
	for _, name := range elements(path) {
		object, _ := x.(map[string]any)
		x = object[name]
	}
	if object, ok := x.(map[string]any); ok {
		if own, started := object["_"]; started {
			x = own
		}
	}
	out, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// elements are those of a path; a dot in brackets does not part them.
func elements(path string) []string {
	var all []string
	depth, begin := 0, 0
	for i, c := range path {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case '.':
			if depth == 0 {
				all, begin = append(all, path[begin:i]), i+1
			}
		}
	}
	return append(all, path[begin:])
}
