package truth

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// formsWhere is what is selected in each form.
const formsWhere = `length in 1..100000 && mime != "warc/revisit" && not (filename contains "pages.warc" || filename contains "--iipc-" || filename contains "--cc-")`

// inForm selects in a form, and returns the output folder.
func inForm(t *testing.T, form string, args ...string) string {
	t.Helper()
	return run(t, "select.sh", append([]string{"--cdx", indexed(t), "--archives", theArchives(t), "--where", formsWhere, "--save", form}, args...)...)
}

// TestTruthForms reads each form in which captures and values are saved by somebody else's
// library, and holds it against the index and against hashlib.
func TestTruthForms(t *testing.T) {
	folder := theArchives(t)
	byPlace := map[string]capture{}
	var want []string
	for _, c := range captures(t, read(t, indexed(t))) {
		n, _ := strconv.Atoi(c["length"])
		if n < 1 || n > 100000 || c["mime"] == "warc/revisit" || strings.Contains(c["filename"], "pages.warc") || strings.Contains(c["filename"], "--iipc-") || strings.Contains(c["filename"], "--cc-") {
			continue
		}
		byPlace[c.place()] = c
		want = append(want, c.place())
	}
	var places strings.Builder
	for _, place := range want {
		c := byPlace[place]
		fmt.Fprintf(&places, "%s\t%s\t%s\n", filepath.Join(folder, c["filename"]), c["offset"], c["length"])
	}
	for i, line := range asked(t, places.String(), "payloads.py") {
		f := strings.Split(line, "\t")
		byPlace[want[i]]["sha1"], byPlace[want[i]]["bytes"] = f[1], f[3]
	}
	members := map[string]string{"surt": "key", "timestamp": "timestamp", "url": "url", "mime": "mime", "filename": "filename", "offset": "offset", "length": "length", "redirect": "redirect", "sha1": "sha1", "bytes": "bytes"}
	held := func(form string, r row) string {
		c, known := byPlace[r.place()]
		if !known {
			t.Errorf("%s: a row of %s", form, r.place())
			return ""
		}
		for column, member := range members {
			if _, there := r[column]; there {
				compare(t, "select/"+form+" "+column, r.place(), r.text(column), c[member])
			}
		}
		if _, there := r["status"]; there {
			compare(t, "select/"+form+" status", r.place(), strings.ReplaceAll(strings.ReplaceAll(r.text("status"), "-1", ""), "0", "o"), strings.ReplaceAll(c["status"], "0", "o"))
		}
		if _, there := r["digest"]; there {
			compare(t, "select/"+form+" digest", r.place(), r.text("digest"), strings.TrimPrefix(c["digest"], "sha1:"))
		}
		return r.place()
	}
	all := func(form string, found []string) {
		slices.Sort(found)
		slices.Sort(want)
		compare(t, "select/"+form+" rows", "- -", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
	columns := "filename, offset, length, surt, timestamp, url, mime, status = status == 0 ? -1 : status, digest, redirect, sha1 = payload.sha1, bytes = payload.length"
	for form, library := range map[string]string{"csv": "csv", "parquet": "duckdb"} {
		output := inForm(t, form, "--columns", columns, "--raw-csv")
		ending := map[string]string{"csv": ".csv.gz", "parquet": ".parquet"}[form]
		var found []string
		for _, r := range rows(t, library, output, ending) {
			found = append(found, held(form, r))
		}
		all(form, found)
	}
	var found []string
	for _, r := range rows(t, "json", inForm(t, "documents", "--enrich", "payload.sha1"), ".json.gz") {
		c := byPlace[r.place()]
		when, err := time.Parse("20060102150405", c["timestamp"])
		if err == nil {
			compare(t, "select/documents timestamp", r.place(), r.text("timestamp"), strconv.FormatInt(when.UnixMilli(), 10))
		}
		delete(r, "timestamp")
		compare(t, "select/documents id", r.place(), r.text("id"), c["filename"]+":"+c["offset"])
		found = append(found, held("documents", r))
	}
	all("documents", found)
	found = nil
	output := inForm(t, "json", "--enrich", "payload.sha1,payload.length", "--map-enrich", "payload.sha1 place = filename + ' ' + string(offset)")
	for _, r := range rows(t, "json", output, ".json.gz") {
		file, offset, _ := strings.Cut(r.text("payload.sha1.place"), " ")
		sha1 := r["payload.sha1._"]
		if sha1 == nil {
			sha1 = r["payload.sha1"]
		}
		iso := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "").Replace(r.text("record.timestamp"))
		bare := func(name string) *string {
			text := strings.TrimPrefix(r.text("record."+name), "-")
			if r.text("record."+name) == "-1" {
				text = "-1"
			}
			return &text
		}
		if file == "" {
			continue // no hash: no place below it
		}
		found = append(found, held("json", row{
			"filename": &file, "offset": &offset, "sha1": sha1, "bytes": r["payload.length"], "surt": bare("surtUrl"), "timestamp": &iso, "url": bare("originalUrl"),
			"mime": bare("mime"), "status": bare("status"), "digest": bare("digest"), "redirect": bare("redirectUrl"),
		}))
	}
	if len(found) < len(want)*9/10 {
		t.Errorf("json: %d rows of %d", len(found), len(want))
	}
}

// TestTruthCopies has the records and index lines that are saved be those of the archives
// and of the index, byte for byte.
func TestTruthCopies(t *testing.T) {
	folder := theArchives(t)
	want := map[string]capture{}
	for _, c := range captures(t, said(t, read(t, indexed(t)), bin("filter-captures"), "--form", "cdxj", "--where", formsWhere)) {
		want[c.place()] = c
	}
	for _, form := range []string{"cdxj", "cdx"} {
		text := read(t, inForm(t, form), "index."+form)
		if form == "cdxj" {
			for _, c := range captures(t, text) {
				compare(t, "select/cdxj", c.place(), fmt.Sprint(c), fmt.Sprint(want[c.place()]))
			}
		}
		compare(t, "select/"+form+" lines", "- -", strconv.Itoa(strings.Count(text, "\n")-strings.Count(text, " CDX ")), strconv.Itoa(len(want)))
	}
	output := inForm(t, "warc")
	lines := strings.Split(strings.TrimSuffix(read(t, output, "manifest.tsv"), "\n"), "\n")
	compare(t, "select/warc records", "- -", strconv.Itoa(len(lines)), strconv.Itoa(len(want)))
	for _, line := range lines {
		f := strings.Split(line, "\t")
		place := f[3] + " " + f[4]
		ours, theirs := bytesAt(t, filepath.Join(output, f[0]), f[1], f[2]), bytesAt(t, filepath.Join(folder, f[3]), f[4], want[place]["length"])
		compare(t, "select/warc bytes", place, fmt.Sprintf("%x", content(ours)), fmt.Sprintf("%x", content(theirs)))
	}
	for _, c := range captures(t, read(t, output, "index.cdxj")) {
		if _, err := os.Stat(filepath.Join(output, c["filename"])); err != nil {
			t.Error(err)
		}
	}
}

// content is what is in a member, or of a plain record what is in front of its line ends.
func content(p []byte) []byte {
	if z, err := gzip.NewReader(bytes.NewReader(p)); err == nil {
		if all, err := io.ReadAll(z); err == nil {
			p = all
		}
	}
	return bytes.TrimRight(p, "\r\n")
}

// bytesAt reads a range of a file.
func bytesAt(t *testing.T, path, offset, length string) []byte {
	t.Helper()
	at, err1 := strconv.ParseInt(offset, 10, 64)
	n, err2 := strconv.ParseInt(length, 10, 64)
	file, err := os.Open(path)
	if err != nil || err1 != nil || err2 != nil {
		t.Fatal(err, err1, err2)
	}
	defer file.Close()
	p := make([]byte, n)
	got, err := file.ReadAt(p, at)
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return p[:got]
}

// TestTruthCounts counts equal rows, of captures and of the elements of a list, as a map
// does it.
func TestTruthCounts(t *testing.T) {
	expected := map[string]int{}
	for _, r := range rows(t, "csv", inForm(t, "csv", "--raw-csv", "--columns", "mime, status"), ".csv.gz") {
		expected[r.text("mime")+" "+r.text("status")]++
	}
	for _, form := range []string{"csv", "parquet"} {
		n := 0
		for _, r := range rows(t, map[string]string{"csv": "csv", "parquet": "pyarrow"}[form], inForm(t, form, "--columns", "mime, status", "--count", "n"), "."+map[string]string{"csv": "csv.gz", "parquet": "parquet"}[form]) {
			compare(t, "select/--count "+form, "- "+r.text("mime")+" "+r.text("status"), r.text("n"), strconv.Itoa(expected[strings.TrimPrefix(r.text("mime"), "'")+" "+r.text("status")]))
			n++
		}
		compare(t, "select/--count "+form, "- rows", strconv.Itoa(n), strconv.Itoa(len(expected)))
	}
	counts := map[string]int{}
	for _, r := range rows(t, "csv", inForm(t, "csv", "--raw-csv", "--columns", "headings = payload.string.html.headings"), ".csv.gz") {
		var headings []struct {
			Level int
			Text  string
		}
		if r.text("headings") == "" {
			continue
		}
		if err := json.Unmarshal([]byte(r.text("headings")), &headings); err != nil {
			t.Fatal(err)
		}
		for _, h := range headings {
			counts[strconv.Itoa(h.Level)]++
		}
	}
	for _, r := range rows(t, "csv", inForm(t, "csv", "--each", "payload.string.html.headings", "--columns", "level = each.level", "--count", "n"), ".csv.gz") {
		compare(t, "select/--each --count", "- "+r.text("level"), r.text("n"), strconv.Itoa(counts[r.text("level")]))
		delete(counts, r.text("level"))
	}
	compare(t, "select/--each --count", "- levels", strconv.Itoa(len(counts)), "0")
}
