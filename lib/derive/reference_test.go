package derive

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"archivestream/lib/realdata"
	"archivestream/lib/warc"
)

// envelopes gives the JSON of a WAT file by the offsets of the records that it is of.
func envelopes(t *testing.T, path string) map[string]map[string]any {
	t.Helper()
	content, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	info, err := content.Stat()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]any{}
	reader := warc.NewReader(content, info.Size(), warc.Options{})
	for {
		r, err := reader.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			continue
		}
		var e map[string]any
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprint(e["Container"].(map[string]any)["Offset"])] = e
	}
}

// ours gives the envelopes that we write for an archive file.
func ours(t *testing.T, path string) map[string]map[string]any {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]any{}
	reader := warc.NewReader(file, info.Size(), warc.Options{})
	c := newRecord()
	c.want = pageParts
	var w jsonWriter
	for r, err := range reader.Records() {
		if err != nil {
			t.Log(err)
			continue
		}
		if err := c.read(r, reader); err != nil {
			t.Log(err)
			continue
		}
		c.name = filepath.Base(path)
		w.envelope(c)
		var e map[string]any
		if err := json.Unmarshal(w.b, &e); err != nil {
			t.Fatalf("offset %d: %v", r.Offset, err)
		}
		all[fmt.Sprint(r.Offset)] = e
	}
	return all
}

// A comparison counts the fields of two WAT files that are equal, and tells the others.
type comparison struct {
	equal, pages, samePages int
	unexplained             map[string]string
}

func (c *comparison) compare(path string, reference, own any) {
	a, isObject := reference.(map[string]any)
	b, isToo := own.(map[string]any)
	if !isObject || !isToo {
		if reflect.DeepEqual(reference, own) {
			c.equal++
		} else if reasonFor(path) == "" {
			c.unexplained[path] = fmt.Sprintf("%.200v, ours %.200v", reference, own)
		}
		return
	}
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	for name := range names {
		c.compare(path+"/"+name, a[name], b[name])
	}
}

// unescaped undoes the character references in all texts of a page's envelope, which
// the IIPC's extractor leaves as they are.
func unescaped(v any) any {
	switch v := v.(type) {
	case string:
		return html.UnescapeString(v)
	case []any:
		for i := range v {
			v[i] = unescaped(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = unescaped(v[name])
		}
	}
	return v
}

// links gives the links of a page as a set.
func links(e map[string]any) map[string]bool {
	set := map[string]bool{}
	for _, name := range []string{"Envelope", "Payload-Metadata", "HTTP-Response-Metadata", "HTML-Metadata"} {
		e, _ = e[name].(map[string]any)
	}
	list, _ := e["Links"].([]any)
	for _, l := range list {
		link := l.(map[string]any)
		set[fmt.Sprint(link["path"], " ", link["url"], link["href"])] = true
	}
	return set
}

// TestRealReferences compares each field of the WAT files that Common Crawl's extractor
// and that of the IIPC have made with what we make of the same archive files.
func TestRealReferences(t *testing.T) {
	// What other extractors have made of these files, and the files.
	data := filepath.Dir(realdata.Wanted(t, "reference"))
	c := comparison{unexplained: map[string]string{}}
	for reference, source := range map[string]string{
		"cc-aut-example.arc.gz.wat.gz":                "archives/archivesunleashed__aut/example.arc.gz",
		"cc-aut-example.warc.gz.wat.gz":               "archives/archivesunleashed__aut/example.warc.gz",
		"cc-aut-example.pdf.warc.gz.wat.gz":           "archives/archivesunleashed__aut/example.pdf.warc.gz",
		"cc-whirlwind.warc.gz.wat.gz":                 "archives/commoncrawl__whirlwind-python/whirlwind.warc.gz",
		"cc-clueweb-quirk.warc.gz.wat.gz":             "archives/chatnoir-eu__chatnoir-resiliparse/clueweb-quirk.warc.gz",
		"cc-example-iana.org-chunked.warc.wat.gz":     "archives/webrecorder__warcio/example-iana.org-chunked.warc",
		"cc-link-extraction-test-id.wat.gz":           "reference/input/link-extraction-test-id.warc.gz",
		"cc-html-lang-attribute-id.wat.gz":            "reference/input/html-lang-attribute-id.warc.gz",
		"cc-meta-itemprop-id.wat.gz":                  "reference/input/meta-itemprop-id.warc.gz",
		"cc-text-extraction-test-id.wat.gz":           "reference/input/text-extraction-test-id.warc.gz",
		"cc-transfer_compression_gzip.warc.gz.wat.gz": "archives/netarchivesuite__solrwayback/transfer_compression_gzip.warc.gz",
		"cc-transfer_compression_none.warc.gz.wat.gz": "archives/netarchivesuite__solrwayback/transfer_compression_none.warc.gz",
		"iipc-aut-example.arc.gz.wat.gz":              "archives/archivesunleashed__aut/example.arc.gz",
		"iipc-aut-example.warc.gz.wat.gz":             "archives/archivesunleashed__aut/example.warc.gz",
		"iipc-aut-example.pdf.warc.gz.wat.gz":         "archives/archivesunleashed__aut/example.pdf.warc.gz",
		"iipc-whirlwind.warc.gz.wat.gz":               "archives/commoncrawl__whirlwind-python/whirlwind.warc.gz",
		"iipc-link-extraction-test-id.wat.gz":         "reference/input/link-extraction-test-id.warc.gz",
		"iipc-html-lang-attribute-id.wat.gz":          "reference/input/html-lang-attribute-id.warc.gz",
		"iipc-meta-itemprop-id.wat.gz":                "reference/input/meta-itemprop-id.warc.gz",
		"iipc-text-extraction-test-id.wat.gz":         "reference/input/text-extraction-test-id.warc.gz",
	} {
		theirs, own := envelopes(t, filepath.Join(data, "reference", reference)), ours(t, filepath.Join(data, source))
		if len(theirs) == 0 {
			t.Errorf("%s: no records", reference)
		}
		for offset, e := range theirs {
			if own[offset] == nil {
				t.Errorf("%s: no record at %s", source, offset)
				continue
			}
			if strings.HasPrefix(reference, "iipc-") {
				unescaped(e)
			}
			c.compare("", e, own[offset])
			if set := links(e); len(set) > 0 {
				c.pages++
				if reflect.DeepEqual(set, links(own[offset])) {
					c.samePages++
				} else {
					realdata.Differ(t, "derive/links", reference+" "+offset, fmt.Sprint(links(own[offset])), fmt.Sprint(set))
				}
			}
		}
	}
	for path, what := range c.unexplained {
		t.Errorf("%s: %s", path, what)
	}
	t.Logf("%d fields are equal; %d of %d pages have the same set of links", c.equal, c.samePages, c.pages)
	if c.equal < 70000 || c.samePages < 530 {
		t.Errorf("%d fields are equal; %d of %d pages have the same set of links", c.equal, c.samePages, c.pages)
	}
}
