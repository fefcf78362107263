package truth

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// A row is one of a table, by column; a nil stands for no value.
type row map[string]*string

func (r row) text(name string) string {
	if r[name] == nil {
		return ""
	}
	return *r[name]
}

// place names the record of a row.
func (r row) place() string { return r.text("filename") + " " + r.text("offset") }

// rows reads the tables in a folder by somebody else's library.
func rows(t *testing.T, library, folder, ending string) []row {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "part-*"+ending))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no table", folder)
	}
	var all []row
	for _, line := range asked(t, "", "rows.py", append([]string{library}, files...)...) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		all = append(all, r)
	}
	return all
}

// TestTruthHashes holds the hashes of all payloads against Python's of the bytes at the
// capture's place.
func TestTruthHashes(t *testing.T) {
	folder := theArchives(t)
	index := indexed(t)
	output := run(t, "select.sh", "--cdx", index, "--archives", folder, "--revisits", "keep", "--save", "parquet", "--columns",
		"filename, offset, length, bytes = payload.length, md5 = payload.md5, sha1 = payload.sha1, sha256 = payload.sha256, title = payload.string.html.title")
	found := rows(t, "pyarrow", output, ".parquet")
	var places strings.Builder
	for _, r := range found {
		fmt.Fprintf(&places, "%s\t%s\t%s\n", filepath.Join(folder, r.text("filename")), r.text("offset"), r.text("length"))
	}
	for i, line := range asked(t, places.String(), "payloads.py") {
		r, f := found[i], strings.Split(line, "\t")
		for n, column := range []string{"md5", "sha1", "sha256", "bytes"} {
			compare(t, "select/payload."+column, r.place(), r.text(column), f[n])
		}
		compare(t, "index/length", r.place(), r.text("length"), f[4])
	}
	if lines := strings.Count(read(t, index), "\n"); lines < len(found) || len(found) == 0 {
		t.Errorf("%d rows of %d index lines", len(found), lines)
	}
}

// jsonPaths and xmlPaths are those that contents.py has.
var (
	jsonPaths = []string{
		".", "Envelope.WARC-Header-Metadata.WARC-Type", "Container.Offset", "Envelope.Payload-Metadata.HTTP-Response-Metadata.HTML-Metadata.Links[1].url",
		"Envelope.Payload-Metadata.HTTP-Response-Metadata.Headers", "[0]", "[0].id",
	}
	xmlPaths = []string{
		"rss/channel/item/title", "rss/channel/item/link", "rss/channel/title", "rss/channel/image/url", "feed/entry/link/@href", "html/head/title",
		"html/head/link/@href", "svg/@viewBox", "svg/g/path/@d",
	}
)

// init names the values of JSON and XML documents by their paths.
func init() {
	for function, paths := range map[string][]string{"json": jsonPaths, "xml": xmlPaths} {
		for _, path := range paths {
			name := function + "(" + path + ")"
			valueColumns[name] = "value(" + strconv.Quote("payload.string."+name) + ")"
		}
	}
}

// valueColumns are what select is asked for, by the names that values.py has for them.
// The text of a page is compared without white space: where it stands is tested in
// lib/webpage.
var valueColumns = map[string]string{
	"statusline":     `httpStatusLine`,
	"httpheader":     `httpHeader`,
	"recordheader":   `recordHeader`,
	"charset":        `payload.charset`,
	"width":          `payload.image.width`,
	"height":         `payload.image.height`,
	"length":         `payload.string.length`,
	"string":         `payload.string.sha1`,
	"html.title":     `payload.string.html.title`,
	"html.lang":      `payload.string.html.lang`,
	"html.canonical": `payload.string.html.canonical`,
	"html.links":     `payload.string.html.links`,
	"html.meta":      `payload.string.html.meta`,
	"html.headings":  `payload.string.html.headings`,
	"html.text":      `payload.string.html.text`,
	"html.anchors":   `value("payload.string.html(a[href]).attribute(href)")`,
	"html.h1":        `value("payload.string.html(h1).first")`,
	"mime":           `payload.mime`,
	"language":       `payload.string.html.text.language`,
	"maintext":       `payload.string.html.maintext`,
	"entities":       `payload.string.html.title.entities`,
	"meta.length":    `payload.string.html.meta.length`,
	"title.length":   `payload.string.html.title.length`,
	"title.md5":      `payload.string.html.title.md5`,
	"title.sha1":     `payload.string.html.title.sha1`,
	"title.sha256":   `payload.string.html.title.sha256`,
	"string.md5":     `payload.string.md5`,
	"string.sha256":  `payload.string.sha256`,

	"html(h2.text)":       `value("payload.string.html(h2).text")`,
	"html(img.attribute)": `value("payload.string.html(img[src]).attribute(src)")`,
	"html(description)":   `value("payload.string.html(meta[name=description]).attribute(content)")`,
	"html(div-p.first)":   `value("payload.string.html(div > p).first")`,
	"html(only-child)":    `value("payload.string.html(li > a:only-child).text")`,
	"html(rel)":           `value("payload.string.html(a[rel=nofollow])")`,
	"html(neighbours)":    `value("payload.string.html(td + td).length")`,
}

// TestTruthValues holds what can be derived from the records of all archives against
// other libraries.
func TestTruthValues(t *testing.T) {
	folder := theArchives(t)
	columns := "filename, offset, length_ = length"
	for name, expression := range valueColumns {
		columns += "\n" + columnName(name) + " = " + expression
	}
	output := run(t, "select.sh", "--cdx", indexed(t), "--archives", folder, "--revisits", "keep", "--save", "parquet", "--columns", columns)
	found := rows(t, "pyarrow", output, ".parquet")
	var places strings.Builder
	for _, r := range found {
		fmt.Fprintf(&places, "%s\t%s\t%s\t%s\t%t\n", filepath.Join(folder, r.text("filename")), r.text("offset"), r.text("length_"), r.text(columnName("charset")), r.sampled(t))
	}
	for i, line := range asked(t, places.String(), "values.py") {
		var theirs map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &theirs); err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		r := found[i]
		if r.sampled(t) {
			compareMaintext(t, r, theirs["html.text"])
		}
		for name := range valueColumns {
			if value, known := theirs[name]; known {
				ours := r[columnName(name)]
				compare(t, "select/"+name, r.place(), lines(normal(t, name, ours, value)), lines(plain(t, value)))
			}
		}
	}
}

// sampled reports whether values are compared that take others' libraries long: what a
// payload holds besides a page, of a ninth of the records.
func (r row) sampled(t *testing.T) bool {
	t.Helper()
	offset, err := strconv.Atoi(r.text("offset"))
	if err != nil {
		t.Fatal(err)
	}
	return offset%9 == 1 && !strings.Contains(r.text("filename"), "pages.warc")
}

// compareMaintext holds each line of the main text of a page against all text of the page.
func compareMaintext(t *testing.T, r row, page json.RawMessage) {
	t.Helper()
	var text string
	if page == nil || json.Unmarshal(page, &text) != nil {
		return
	}
	for line := range strings.Lines(r.text(columnName("maintext"))) {
		bare := *normalText(line)
		found := "not on the page"
		if strings.Contains(text, bare) {
			found = bare
		}
		compare(t, "select/html.maintext", r.place(), bare, found)
	}
}

// normalText is a text without white space and control characters.
func normalText(text string) *string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, text)
	return &text
}

// columnName is the name of a value's column, which needs no quotes.
func columnName(value string) string { return hex.EncodeToString([]byte(value)) }

// lines makes line feeds of the line ends in an answer, in JSON or not: values of
// attributes are as written, a browser's parser changes line ends in them.
func lines(answer string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", `\r\n`, `\n`, `\r`, `\n`).Replace(answer)
}

// plain returns a JSON value as text: a string as it is, nothing for null and for an
// empty list, objects with sorted members.
func plain(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var x any
	if err := json.Unmarshal(raw, &x); err != nil {
		t.Fatalf("%v: %.300s", err, raw)
	}
	switch x := x.(type) {
	case nil:
		return ""
	case string:
		return x
	case []any:
		if len(x) == 0 {
			return ""
		}
	}
	out, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// normal returns our value in the form of values.py's.
func normal(t *testing.T, name string, ours *string, theirs json.RawMessage) string {
	t.Helper()
	if ours == nil {
		return ""
	}
	switch name {
	case "html.text":
		return *normalText(*ours)
	case "html.links":
		var links []struct{ Path, URL string }
		if err := json.Unmarshal([]byte(*ours), &links); err != nil {
			t.Fatal(err)
		}
		set := []string{}
		for _, l := range links {
			if !strings.HasSuffix(l.Path, "@/onclick") && l.Path != "STYLE/#text" {
				set = append(set, l.Path+" "+l.URL)
			}
		}
		slices.Sort(set)
		out, err := json.Marshal(slices.Compact(set))
		if err != nil {
			t.Fatal(err)
		}
		return plain(t, out)
	}
	if first := theirs[0]; first == '[' || first == '{' || first == '"' && strings.HasPrefix(name, "json") && len(*ours) > 0 && (*ours)[0] == '"' && json.Valid([]byte(*ours)) {
		return plain(t, []byte(*ours))
	}
	return *ours
}
