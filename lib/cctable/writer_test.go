package cctable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"archivestream/lib/cdx"
)

func open(tb testing.TB, table []byte) *parquet.File {
	tb.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(table), int64(len(table)))
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// readRows calls f with each row.
func readRows(tb testing.TB, file *parquet.File, f func(row *schemaRow)) {
	tb.Helper()
	reader := parquet.NewGenericReader[schemaRow](file)
	rows := make([]schemaRow, 1)
	for {
		n, err := reader.Read(rows)
		if n == 1 {
			f(&rows[0])
			rows[0] = schemaRow{}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// groupRows gives the number of rows of each row group.
func groupRows(f *parquet.File) []int64 {
	var rows []int64
	for _, group := range f.Metadata().RowGroups {
		rows = append(rows, group.NumRows)
	}
	return rows
}

// line gives a line of CDXJ for the n-th page of a host.
func line(key, host string, n int) string {
	return fmt.Sprintf(`%s)/%07d 20200101000000 {"url": "http://%s/%07d", "status": "200", "offset": "%d", "length": "1", "filename": "f"}`, key, n, host, n, n)
}

func TestRowGroupsEnd(t *testing.T) {
	hosts := func(counts ...int) (lines []string) {
		for i, n := range counts {
			tld := []string{"com", "edu", "gov", "org"}[i]
			for j := range n {
				lines = append(lines, line(tld+",a", "a."+tld, j))
			}
		}
		return lines
	}
	for _, test := range []struct {
		rows  int
		lines []string
		want  []int64
	}{
		{8, nil, nil},
		{8, hosts(1), []int64{1}},
		{8, hosts(7), []int64{7}},
		{8, hosts(8), []int64{8}},
		{8, hosts(9), []int64{8, 1}},
		{1, hosts(3), []int64{1, 1, 1}},
		{8, hosts(1, 7), []int64{8}},          // less than a quarter before the other domain
		{8, hosts(2, 7), []int64{2, 7}},       // a quarter
		{8, hosts(1, 1, 1, 1), []int64{2, 2}}, // small ones share
		{256, hosts(257), []int64{256, 1}},    // batches of 256
		{DefaultRowGroupRows, hosts(20_001), []int64{20_001}},
	} {
		var table bytes.Buffer
		writeLines(t, &table, Options{RowGroupRows: test.rows}, test.lines)
		f := open(t, table.Bytes())
		if diff := cmp.Diff(test.want, groupRows(f)); diff != "" {
			t.Errorf("%d lines, row groups of %d:\n%s", len(test.lines), test.rows, diff)
		}
		if f.NumRows() != int64(len(test.lines)) {
			t.Errorf("%d rows of %d lines", f.NumRows(), len(test.lines))
		}
	}
}

// TestPageIndexHoldsItsPages reads every page and compares it with what the
// index and the footer say of it, which engines rely on to leave pages out.
func TestPageIndexHoldsItsPages(t *testing.T) {
	lines := madeLines(45_000)
	long := "http://a.zz/" + strings.Repeat("\u00ff", 200)
	lines = append(lines, `zz,a)/`+strings.Repeat("\u00ff", 200)+` 20200101000000 {"url": "`+long+`", "offset": 1, "filename": "f"}`)
	var table bytes.Buffer
	writeLines(t, &table, Options{RowGroupRows: 30_000}, lines)
	f := open(t, table.Bytes())
	pages, rows := 0, int64(0)
	for i, group := range f.RowGroups() {
		for j, chunk := range group.ColumnChunks() {
			name := schema.Columns()[j][0]
			index, err := chunk.ColumnIndex()
			if err != nil {
				t.Fatal(err)
			}
			statistics := f.Metadata().RowGroups[i].Columns[j].MetaData.Statistics
			compare := chunk.Type().Compare
			reader, nulls := chunk.Pages(), int64(0)
			for n := 0; ; n++ {
				page, err := reader.ReadPage()
				if err != nil {
					if n != index.NumPages() {
						t.Errorf("%s: %d pages, the index has %d", name, n, index.NumPages())
					}
					break
				}
				pages++
				nulls += page.NumNulls()
				if page.NumRows() > pageRows {
					t.Errorf("%s: page of %d rows", name, page.NumRows())
				}
				least, most, ok := page.Bounds()
				if !ok {
					if !index.NullPage(n) || page.NumNulls() != page.NumRows() {
						t.Errorf("%s: page %d has no bounds but is not null", name, n)
					}
					continue
				}
				if index.NullPage(n) || compare(index.MinValue(n), least) > 0 || compare(index.MaxValue(n), most) < 0 {
					t.Errorf("%s: page %d has values from %v to %v, the index %v to %v", name, n, least, most, index.MinValue(n), index.MaxValue(n))
				}
				low, high := chunk.Type().Kind().Value(statistics.MinValue), chunk.Type().Kind().Value(statistics.MaxValue)
				if compare(low, least) > 0 || compare(high, most) < 0 {
					t.Errorf("%s: page %d has values from %v to %v, the footer %v to %v", name, n, least, most, low, high)
				}
			}
			if err := reader.Close(); err != nil {
				t.Fatal(err)
			}
			if nulls != statistics.NullCount {
				t.Errorf("%s: %d nulls, the footer has %d", name, nulls, statistics.NullCount)
			}
		}
		rows += group.NumRows()
	}
	if pages < 100 || rows != int64(len(lines)) {
		t.Errorf("%d pages, %d rows of %d lines", pages, rows, len(lines))
	}
}

func TestBloomFiltersHoldTheirValues(t *testing.T) {
	lines := madeLines(5_000)
	for _, withURL := range []bool{false, true} {
		var table bytes.Buffer
		writeLines(t, &table, Options{RowGroupRows: 2_000, BloomFilter: withURL}, lines)
		f := open(t, table.Bytes())
		falsely := 0
		for _, group := range f.RowGroups() {
			filters := map[string]parquet.BloomFilter{}
			for j, chunk := range group.ColumnChunks() {
				if filter := chunk.BloomFilter(); filter != nil {
					filters[schema.Columns()[j][0]] = filter
				}
			}
			if (filters["url"] != nil) != withURL || filters["url_host_name"] == nil || filters["url_host_registered_domain"] == nil {
				t.Fatalf("filters of %v", filters)
			}
			rows := parquet.NewGenericRowGroupReader[schemaRow](group)
			for {
				read := make([]schemaRow, 1)
				if n, _ := rows.Read(read); n == 0 {
					break
				}
				row := read[0]
				for column, value := range map[string]string{"url": row.URL, "url_host_name": row.HostName, "url_host_registered_domain": row.RegisteredDomain} {
					filter := filters[column]
					if filter == nil || value == "" {
						continue
					}
					if found, err := filter.Check(parquet.ValueOf(value)); !found || err != nil {
						t.Fatalf("%s is not in the filter of %s: %v", value, column, err)
					}
					if found, _ := filter.Check(parquet.ValueOf(value + "!")); found {
						falsely++
					}
				}
			}
		}
		if falsely > 15_000/20 {
			t.Errorf("%d values found that are not there", falsely)
		}
	}
}

func TestFooter(t *testing.T) {
	for compression, want := range map[Compression]format.CompressionCodec{"": format.Zstd, Zstd: format.Zstd, Gzip: format.Gzip} {
		var table, again bytes.Buffer
		lines := madeLines(1_000)
		writeLines(t, &table, Options{Compression: compression, BloomFilter: true}, lines)
		writeLines(t, &again, Options{Compression: compression, BloomFilter: true}, lines)
		if !bytes.Equal(table.Bytes(), again.Bytes()) {
			t.Errorf("%s: equal rows made other bytes", compression)
		}
		meta := open(t, table.Bytes()).Metadata()
		if meta.CreatedBy != "archivestream version 1 (build cctable)" {
			t.Errorf("created by %s", meta.CreatedBy)
		}
		for _, group := range meta.RowGroups {
			if diff := cmp.Diff([]format.SortingColumn{{ColumnIdx: 0}}, []format.SortingColumn(group.SortingColumns)); diff != "" {
				t.Error(diff)
			}
			for _, column := range group.Columns {
				if column.MetaData.Codec != want {
					t.Errorf("%v: codec %v", column.MetaData.PathInSchema, column.MetaData.Codec)
				}
				for _, encoding := range column.MetaData.Encoding {
					if encoding != format.Plain && encoding != format.RLE && encoding != format.RLEDictionary {
						t.Errorf("%v: encoding %v", column.MetaData.PathInSchema, encoding)
					}
				}
				for _, pages := range column.MetaData.EncodingStats {
					if pages.PageType != format.DataPage && pages.PageType != format.DictionaryPage {
						t.Errorf("%v: page %v", column.MetaData.PathInSchema, pages.PageType)
					}
				}
			}
		}
	}
}

func TestErrorsOfACaptureLeaveTheFileWhole(t *testing.T) {
	lines := []string{line("com,a", "a.com", 1), strings.Replace(line("com,a", "a.com", 2), "a.com", "?", 1), strings.Replace(line("com,a", "a.com", 3), "http://", "urn:", 1),
		strings.Replace(line("com,a", "a.com", 4), "20200101000000", "2020", 1), line("com,a", "a.com", 5)}
	var table bytes.Buffer
	left := writeLines(t, &table, Options{}, lines)
	if len(left) != 3 || !errors.Is(left[0], ErrCapture) || !errors.Is(left[1], ErrNoRow) || !errors.Is(left[2], ErrCapture) {
		t.Errorf("left out: %v", left)
	}
	if f := open(t, table.Bytes()); f.NumRows() != 2 {
		t.Errorf("%d rows, want 2", f.NumRows())
	}
}

func TestErrorsOfTheFile(t *testing.T) {
	if _, err := NewWriter(nil, Options{Compression: "lzo"}); err == nil || err.Error() != `unknown compression "lzo", want zstd or gzip` {
		t.Error(err)
	}
	if _, err := NewWriter(nil, Options{RowGroupRows: -1}); err == nil || err.Error() != "row groups of -1 rows" {
		t.Error(err)
	}
	var table bytes.Buffer
	w, err := NewWriter(&table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, second := capture(), capture()
	second.Key = []byte("org,a")
	if err := w.Write(&first); err != nil || w.Rows() != 1 {
		t.Errorf("%v, %d rows", err, w.Rows())
	}
	for _, step := range []func() error{func() error { return w.Write(&second) }, func() error { return w.Write(&first) }, w.Close} {
		if err := step(); !errors.Is(err, ErrOrder) {
			t.Errorf("%v, want ErrOrder", err)
		}
	}

	full := errors.New("disk full")
	w, err = NewWriter(failingWriter{full}, Options{RowGroupRows: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 20_000 {
		if err = w.Write(&first); err != nil {
			break
		}
	}
	if !errors.Is(err, full) || !errors.Is(w.Write(&first), full) || !errors.Is(w.Close(), full) {
		t.Errorf("%v, want %v", err, full)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestLongTexts(t *testing.T) {
	const count = 600
	var table bytes.Buffer
	w, err := NewWriter(&table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := func(i, length int) string { return fmt.Sprintf("/%03d", i) + strings.Repeat("x", length-4) }
	for i := range count {
		c := capture()
		c.Key, c.URL = []byte(path(i, maxText)), []byte("http://a.com"+path(i, maxText-12))
		if err := w.Write(&c); err != nil {
			t.Fatal(err)
		}
		for _, field := range []*[]byte{&c.Key, &c.URL, &c.Redirect} {
			for _, length := range []int{maxText + 1, 1 << 20} {
				before := *field
				*field = []byte("http://a.com" + path(i, length-12))
				if err := w.row.Set(&c); !errors.Is(err, ErrCapture) {
					t.Fatalf("text of %d bytes: %v", length, err)
				}
				*field = before
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := open(t, table.Bytes())
	if diff := cmp.Diff([]int64{171, 171, 171, 87}, groupRows(f)); diff != "" { // of 192 KiB each
		t.Error(diff)
	}
	read := 0
	readRows(t, f, func(row *schemaRow) {
		if row.Path != path(read, maxText-12) || row.SURTKey != path(read, maxText) {
			t.Fatalf("row %d: path of %d bytes, key of %d", read, len(row.Path), len(row.SURTKey))
		}
		read++
	})
	if read != count {
		t.Errorf("%d rows", read)
	}
}

// FuzzWrite holds the writer to what a task relies on: whatever the lines, a
// file that can be read, with a row for each capture that it took.
func FuzzWrite(f *testing.F) {
	f.Add([]byte(line("com,a", "a.com", 1) + "\n" + line("com,b", "b.com", 1)))
	f.Add([]byte(`dns:a 20200101000000 {"url": "dns:a", "offset": 1, "filename": "f"}`))
	f.Add([]byte("a 20200101000000 http://\xff:1/?\xe9 - - sha1:X - - 5 3 f\nb 20200101000000 HTTP:///[::1]:9 - 404 X r A - 3 segments/a/robotstxt/f"))
	f.Add([]byte("a 20200101000000 http://1.2/ - - - - - - 3 f\na 2 http://a/ - - - - - - 3 f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var table bytes.Buffer
		w, err := NewWriter(&table, Options{RowGroupRows: 2, BloomFilter: true})
		if err != nil {
			t.Fatal(err)
		}
		var parser cdx.Parser
		var c cdx.Capture
		var want []string
		for text := range bytes.SplitSeq(data, []byte("\n")) {
			if parser.Parse(text, &c) != nil {
				continue
			}
			switch err := w.Write(&c); {
			case err == nil:
				want = append(want, strings.ToValidUTF8(string(c.Filename), "?"))
			case errors.Is(err, ErrOrder):
				return
			case !errors.Is(err, ErrCapture) && !errors.Is(err, ErrNoRow):
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var got []string
		readRows(t, open(t, table.Bytes()), func(row *schemaRow) {
			if row.HostName == "" || row.Protocol == "" || strings.ToValidUTF8(row.URL, "") != row.URL || strings.ToValidUTF8(row.HostName, "") != row.HostName {
				t.Fatalf("row %+v", row)
			}
			got = append(got, row.Filename)
		})
		if len(got) != len(want) {
			t.Fatalf("%d rows of %d captures", len(got), len(want))
		}
	})
}
