package jobs

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSelectedValuesAreThoseOfTheRecord holds hash and title of each selected capture
// against those that the standard library makes of the bytes at the capture's place. A
// revisit whose original is not looked for has none, whatever its mime says.
func TestSelectedValuesAreThoseOfTheRecord(t *testing.T) {
	t.Parallel()
	files := []string{archiveWithEmptyPayloads(t)}
	for _, name := range []string{"converted.warc.gz", "crawl-2020.warc.gz", "garden-plain.arc", "garden-plain.warc", "garden.arc.gz", "garden.warc.gz"} {
		files = append(files, filepath.Join(root, "testdata", "archives", name))
	}
	revisits := 0
	for _, file := range files {
		archive, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		output := runJob(t, "select.sh", "--archives", file, "--revisits", "keep", "--save", "csv",
			"--columns", "offset, sha1 = payload.sha1, title = payload.string.html.title, mime")
		rows := tableRows(t, filepath.Join(output, "part-00000.csv.gz"))
		if len(rows) < 20 {
			t.Fatalf("%s: %d rows", file, len(rows))
		}
		for _, row := range rows {
			offset, err := strconv.ParseInt(row["offset"], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if isRevisit(t, archive[offset:]) {
				if row["sha1"] != "" || row["title"] != "" {
					t.Errorf("%s at %d: a revisit without its original has %q and %q", filepath.Base(file), offset, row["sha1"], row["title"])
				}
				revisits++
				continue
			}
			payload := payloadAt(t, archive[offset:])
			if sum := sha1.Sum(payload); row["sha1"] != hex.EncodeToString(sum[:]) {
				t.Errorf("%s at %d: sha1 %s, want that of %d bytes: %x", filepath.Base(file), offset, row["sha1"], len(payload), sum)
			}
			title := ""
			if m := titleElement.FindSubmatch(payload); m != nil {
				title = string(m[1])
			}
			if row["mime"] == "text/html" && row["title"] != title {
				t.Errorf("%s at %d: title %q, want %q", filepath.Base(file), offset, row["title"], title)
			}
		}
	}
	if revisits == 0 {
		t.Error("no record is a revisit")
	}
}

// isRevisit reports whether the record that p begins with is a WARC record of that type.
func isRevisit(t *testing.T, p []byte) bool {
	t.Helper()
	if p[0] == 0x1f {
		z, err := gzip.NewReader(bytes.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		if p, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	head, _, _ := bytes.Cut(p, []byte("\r\n\r\n"))
	return bytes.HasPrefix(head, []byte("WARC/")) && bytes.Contains(head, []byte("\r\nWARC-Type: revisit"))
}

var titleElement = regexp.MustCompile(`(?s)<title>([^<&]*)</title>`)

// archiveWithEmptyPayloads makes a WARC file of pages that have to be decoded, with
// redirects between them that have no payload.
func archiveWithEmptyPayloads(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "made.warc.gz")
	var out bytes.Buffer
	for i := range 200 {
		head, body := "HTTP/1.1 302 Found\r\nLocation: /", ""
		if i%3 != 1 {
			head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252"
			body = fmt.Sprintf("<title>Page %d</title>%s", i, strings.Repeat(fmt.Sprintf("%d gr\xf6\xdfer ", i*i), 37*i%5000))
		}
		block := head + "\r\n\r\n" + body
		z := gzip.NewWriter(&out)
		fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/%d\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, len(block), block)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// tableRows reads a table in CSV.
func tableRows(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range cells[1:] {
		row := map[string]string{}
		for i, cell := range line {
			row[cells[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// payloadAt reads the record that bytes of an archive file begin with by the standard
// library alone, and gives its payload without codings.
func payloadAt(t *testing.T, p []byte) []byte {
	t.Helper()
	if p[0] == 0x1f {
		z, err := gzip.NewReader(bytes.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		if p, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	head, block, _ := bytes.Cut(p, []byte("\n"))
	isResponse := bytes.HasPrefix(head, []byte("http"))
	words := strings.Fields(string(head))
	length := words[len(words)-1]
	if bytes.HasPrefix(p, []byte("WARC/")) {
		head, block, _ = bytes.Cut(p, []byte("\r\n\r\n"))
		isResponse = bytes.Contains(head, []byte("WARC-Type: response")) || bytes.Contains(head, []byte("WARC-Type: revisit"))
		length = string(regexp.MustCompile(`Content-Length: (\d+)`).FindSubmatch(head)[1])
	}
	n, err := strconv.Atoi(length)
	if err != nil {
		t.Fatal(err)
	}
	if block = block[:n]; !isResponse || !bytes.HasPrefix(block, []byte("HTTP/")) {
		return block
	}
	httpHead, body, _ := bytes.Cut(block, []byte("\r\n\r\n"))
	if len(body) == 0 { // of a revisit
		return body
	}
	if bytes.Contains(httpHead, []byte("Transfer-Encoding: chunked")) {
		response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(response.Body); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Contains(httpHead, []byte("Content-Encoding: gzip")) {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return body
}
