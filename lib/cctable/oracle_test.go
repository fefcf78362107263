package cctable

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// otherLines are captures that crawls have too, of hosts that check_table.py
// can take apart.
var otherLines = []string{
	`[2001:db8::1]:8080)/ 20200101000000 {"url": "http://[2001:db8::1]:8080/", "offset": "1", "length": "1", "filename": "f"}`,
	`192.0.2.1)/ 20200101000000 {"url": "http://192.0.2.1/?", "offset": "1", "length": "1", "filename": "f"}`,
	`com,a,b,c,d,e,f)/x 19960101000000 {"url": "https://f.e.d.c.b.a.com:443/x?a=b#c", "status": "301", "redirect": "http://a.com/é", "offset": "99999999999", "filename": "f"}`,
	`de,xn--bcher-kva)/ 20200229235959 {"url": "http://BÜCHER.de./", "mime": "warc/revisit", "status": "-", "digest": "sha1:ABC", "offset": "1", "length": "1", "filename": "f", "truncated": "length"}`,
	`dns:www.a.com 20200101000000 {"url": "dns:www.a.com", "mime": "text/dns", "offset": "1", "length": "1", "filename": "f"}`,
	`io,github)/ 20200101000000 {"url": "http://github.io", "offset": "1", "length": "1", "filename": "f"}`,
	`io,github,user)/ 20200101000000 {"url": "http://me:pw@user.github.io/?", "charset": "", "offset": "1", "length": "1", "filename": "f"}`,
	`localhost)/ 20200101000000 {"url": "http://localhost/", "status": "200", "mime": "-", "offset": "1", "length": "1", "filename": "f"}`,
}

// TestTablesReadByOthers has pyarrow and DuckDB read a table and compare it with
// the lines that it was made of. A query by registered domain must touch only
// the row groups that have it: its filters say which, and so do the bounds of the
// keys. The bounds of the domains themselves let through one row group of each
// top-level domain, since those are written forward.
func TestTablesReadByOthers(t *testing.T) {
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has pyarrow and duckdb")
	}
	lines := append(madeLines(20_000), otherLines...)
	sort.Strings(lines)
	const domain = "housesenate7.gov"
	lines = append(lines, line("gov,housesenate7", "www.housesenate7.gov", 1))
	sort.Strings(lines)
	dir := t.TempDir()
	list := filepath.Join(dir, "lines.cdxj")
	if err := os.WriteFile(list, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{
		{RowGroupRows: 500, Segment: "none"},
		{RowGroupRows: 500, Segment: "none", Compression: Gzip, BloomFilter: true},
		{Segment: "none"},
	} {
		var table bytes.Buffer
		if left := writeLines(t, &table, o, lines); len(left) > 0 {
			t.Fatal(left)
		}
		name := filepath.Join(dir, "table.parquet")
		if err := os.WriteFile(name, table.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(python, filepath.Join("testdata", "check_table.py"), name, list, domain)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var got struct{ Groups, Bounds, Keys, Needed, Filters, Count int }
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%+v: %v\n%s", o, err, out)
		}
		if got.Count == 0 || got.Needed == 0 || got.Filters != got.Needed || got.Keys != got.Needed || got.Groups < 40 && o.RowGroupRows > 0 || got.Bounds > 10 {
			t.Errorf("%+v: query by registered domain: %+v", o, got)
		}
		t.Logf("%+v: %+v", o, got)
	}
}
