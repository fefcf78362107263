package enrich

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// plain adds a response that is not compressed.
func (a *archive) plain(t testing.TB, url, mime, http string) {
	t.Helper()
	a.raw(t, url, mime, fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(http), http))
}

// A made is a record of mixed with what must be derived from it.
type made struct{ http, sha1, title string }

// mixed makes records of which each third has an empty payload, and the others one in
// an encoding and a coding that are decoded into a buffer, or neither.
func mixed(t testing.TB, n int) []made {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var all []made
	for i := range n {
		if i%3 == 1 {
			sum := sha1.Sum(nil)
			status := []string{"302 Found\r\nLocation: /x", "304 Not Modified", "200 OK\r\nContent-Type: text/html; charset=iso-8859-1", "200 OK\r\nTransfer-Encoding: chunked"}[random.IntN(4)]
			all = append(all, made{"HTTP/1.1 " + status + "\r\n\r\n", hex.EncodeToString(sum[:]), ""})
			continue
		}
		title := fmt.Sprintf("Grüße Nr. %d", i)
		text := "<html><title>" + title + "</title><p>" + strings.Repeat(strconv.Itoa(random.IntN(1e9))+" größer ", random.IntN(4000))
		charset := []string{"utf-8", "windows-1252"}[random.IntN(2)]
		if charset == "windows-1252" {
			var err error
			if text, err = charmap.Windows1252.NewEncoder().String(text); err != nil {
				t.Fatal(err)
			}
		}
		head, body, sum := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset="+charset, text, sha1.Sum([]byte(text))
		if random.IntN(3) == 0 {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write([]byte(body))
			z.Close()
			head, body = head+"\r\nContent-Encoding: gzip", b.String()
		}
		if random.IntN(3) == 0 {
			head, body = head+"\r\nTransfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
		}
		all = append(all, made{head + "\r\n\r\n" + body, hex.EncodeToString(sum[:]), title})
	}
	return all
}

// TestEmptyPayloadBetweenOthers derives from records of which some have an empty
// payload: what is derived from the others must be their own, whichever of the values
// come first, and whether the records are compressed or not.
func TestEmptyPayloadBetweenOthers(t *testing.T) {
	records := mixed(t, 300)
	for _, form := range []string{"compressed", "plain", "both"} {
		var a archive
		for i, m := range records {
			url := fmt.Sprintf("http://example.com/%d", i)
			if form == "plain" || form == "both" && i%5 < 2 {
				a.plain(t, url, "text/html", m.http)
			} else {
				a.add(t, url, "text/html", m.http)
			}
		}
		for _, columns := range []string{
			"sha1 = payload.sha1, title = payload.string.html.title",
			"title = payload.string.html.title, sha1 = payload.sha1",
			"length = payload.string.length, title = payload.string.html.title, text = payload.string.html.text, sha1 = payload.sha1",
		} {
			for _, workers := range []int{1, 3} {
				r := a.run(t, MapperOptions{Save: "csv", Workers: workers, Options: Options{Columns: []string{columns}}})
				if r.err != nil || r.rejects != "" {
					t.Fatalf("%s, %q, %d workers: %v, rejects %.300s", form, columns, workers, r.err, r.rejects)
				}
				rows := readCSV(t, r.dir)
				if len(rows) != 1+len(records) {
					t.Fatalf("%d rows of %d records", len(rows)-1, len(records))
				}
				wrong, names := 0, rows[0]
				for i, row := range rows[1:] {
					got := made{"", row[slices.Index(names, "sha1")], row[slices.Index(names, "title")]}
					if got.sha1 != records[i].sha1 || got.title != records[i].title {
						if wrong++; wrong == 1 {
							t.Errorf("%s, %q, %d workers: record %d has %q and %q, want %q and %q", form, columns, workers, i, got.sha1, got.title, records[i].sha1, records[i].title)
						}
					}
				}
				if wrong > 0 {
					t.Errorf("%s, %q, %d workers: %d of %d rows are wrong", form, columns, workers, wrong, len(records))
				}
			}
		}
	}
}

// readCSV reads the only table of a folder.
func readCSV(t *testing.T, dir string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(unzipped(t, filepath.Join(dir, "part-00000.csv.gz")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestLengthOfTheHeader derives from records that are longer or shorter than their
// header says: all of the block is taken, and the record says so; what the end of the
// archive cuts off has no hash.
func TestLengthOfTheHeader(t *testing.T) {
	const block = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it"
	record := func(length string) string {
		return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.com/a\r\n" + length + "\r\n" + block + "\r\n\r\n"
	}
	sum := sha1.Sum([]byte("all of it"))
	whole := `"sha1":"` + hex.EncodeToString(sum[:]) + `"`
	for _, test := range []struct{ record, value, message string }{
		{record("Content-Length: 54\r\n"), whole, ""},
		{record("Content-Length: 50\r\n"), whole, "bad-length: the header says 50 bytes, the block has 54"},
		{record("Content-Length: 99\r\n"), whole, "bad-length: the header says 99 bytes, the block has 54"},
		{record(""), whole, "bad-length: no Content-Length"},
	} {
		for _, compressed := range []bool{false, true} {
			var a archive
			raw := []byte(test.record)
			if compressed {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				z.Write(raw)
				z.Close()
				raw = b.Bytes()
			}
			a.raw(t, "http://example.com/a", "text/plain", raw)
			a.file.WriteString("WARC/1.0\r\n") // of the next one
			r := a.run(t, MapperOptions{Workers: 1, Options: Options{Enrich: []string{"payload.sha1"}}})
			if r.err != nil || r.rejects != "" || !strings.Contains(r.out, test.value) || strings.Contains(r.out, `"error"`) != (test.message != "") || !strings.Contains(r.out, test.message) {
				t.Errorf("%.90q, compressed %v: %v, %s%s", test.record, compressed, r.err, r.out, r.rejects)
			}
		}
	}
	var a archive
	a.raw(t, "http://example.com/a", "text/plain", []byte(strings.TrimSpace(record("Content-Length: 99\r\n"))))
	if r := a.run(t, MapperOptions{Workers: 1, Options: Options{Enrich: []string{"payload.sha1"}}}); strings.Contains(r.out, "\"sha1\"") || !strings.Contains(r.out, "the record is cut off") {
		t.Errorf("of an archive that ends: %s", r.out)
	}
}
