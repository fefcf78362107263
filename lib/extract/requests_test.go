package extract

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/warc"
)

// A requestCase is records of a file, one a word: TYPE ID [CONCURRENT-TO...], and what
// is expected next to the responses that are asked for.
type requestCase struct {
	name    string
	records string
	chosen  string // ids, in the order of the file
	want    string // ids of the copies in the order of the output
	lacking string // the value of the counter
}

var requestCases = []requestCase{
	{"request after", "response:a request:b:a response:c request:d:c", "a c", "a b c d", ""},
	{"request before", "request:b response:a:b metadata:m:a request:d response:c:d", "a c", "a b c d", ""},
	{"named by the request alone, before", "request:b:a response:a request:d:c response:c", "a c", "a b c d", ""},
	{"metadata between", "response:a metadata:m:a request:b:a response:c metadata:n:c request:d:c", "a c", "a b c d", ""},
	{"two responses, then both requests", "response:a response:c request:b:a request:d:c", "a c", "a b c d", ""},
	{"two requests, then both responses", "request:b request:d response:a:b response:c:d", "a c", "a b c d", ""},
	{"the second name of two", "response:a:x:b request:b", "a", "a b", ""},
	{"revisit", "revisit:a request:b:a", "a", "a b", ""},
	{"of another one", "response:a request:b:x response:c request:d:c", "a c", "a c d", "1"},
	{"no request", "response:a response:c metadata:m:c", "a c", "a c", "2"},
	{"beyond the reach", "response:a resource:1 resource:2 resource:3 request:b:a", "a", "a", "1"},
	{"at its end", "response:a resource:1 resource:2 request:b:a", "a", "a b", ""},
	{"a resource has none", "resource:a request:b:a", "a", "a", ""},
	{"asked for as well", "response:a request:b:a response:c request:d:c", "a b c", "a b c d", ""},
	{"asked for as well, before", "request:b response:a:b", "b a", "b a", ""},
	{"more than a step before", "request:b resource:large response:a:b", "a", "a b", ""},
	{"behind line ends", "response:ends request:b:ends", "ends", "ends b", ""},
	{"far away", "request:b resource:huge response:a:b", "a", "a", "1"},
}

// makeRequests writes the file of a case and returns its list.
func makeRequests(t *testing.T, file string, c *requestCase) string {
	t.Helper()
	var content, list bytes.Buffer
	noise := bytes.Repeat([]byte("\x1f\x8b\x08 WARC/1.0\r\nWARC/1.0 0123456789"), 4)
	for _, word := range strings.Fields(c.records) {
		fields := strings.Split(word, ":")
		kind, id := fields[0], fields[1]
		block := fmt.Sprintf("block of %s\r\n%s", id, noise)
		switch id {
		case "large":
			block = incompressible(50 << 10)
		case "ends": // the header says less
			block += "\n"
		case "huge":
			block = incompressible(2 << 20)
		}
		head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:id:%s>\r\nWARC-Target-URI: http://example.org/%s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n", kind, id, id)
		for _, to := range fields[2:] {
			head += fmt.Sprintf("WARC-Concurrent-To: <urn:id:%s>\r\n", to)
		}
		record := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s\r\n\r\n", head, len(strings.TrimSuffix(block, "\n")), block)
		begin := content.Len()
		if strings.HasSuffix(file, ".gz") {
			z := gzip.NewWriter(&content)
			z.Write([]byte(record))
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		} else {
			content.WriteString(record)
		}
		if strings.Contains(" "+c.chosen+" ", " "+id+" ") {
			length := content.Len() - begin
			if id == "ends" {
				length -= len("\n\r\n\r\n") // what an indexer has that believes the header
			}
			fmt.Fprintf(&list, "http://example.org/%s\t%s\t%d\t%d\n", id, filepath.Base(file), begin, length)
		}
	}
	if err := os.WriteFile(file, content.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return list.String()
}

func incompressible(n int) string {
	b := make([]byte, n)
	for i, x := 0, uint32(1); i < n; i++ {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return string(b)
}

// TestWithRequests copies the request of each response next to it: whichever of the two
// names the other, whichever stands first, also with others in between.
func TestWithRequests(t *testing.T) {
	for _, c := range requestCases {
		for _, suffix := range []string{".warc", ".warc.gz"} {
			if c.chosen == "ends" && suffix != ".warc" {
				continue // there a member has an end of its own
			}
			t.Run(c.name+suffix, func(t *testing.T) {
				dir := t.TempDir()
				list := filepath.Join(dir, "list.tsv")
				if err := os.WriteFile(list, []byte(makeRequests(t, filepath.Join(dir, "in"+suffix), &c)), 0o666); err != nil {
					t.Fatal(err)
				}
				o := defaults()
				o.WithRequests = true
				// No pair is cut by the end of a file, also where it is larger than that.
				o.MaxSize = map[bool]int64{false: 900, true: 100}[len(c.name)%2 == 0]
				made, tables, said := extractPlan(t, plan(t, list), dir, "", o)
				var got []string
				var places int
				for i := 0; ; i++ {
					ids, _ := recordIDs(t, filepath.Join(made, fmt.Sprintf("TEST-000000-%d%s", i, suffix)))
					if ids == nil {
						break
					}
					got = append(got, ids...)
				}
				if strings.Join(got, " ") != c.want {
					t.Errorf("the output has the records %q, expected %q\n%s", got, c.want, said)
				}
				if places = strings.Count(tables, "manifest.tsv\t"); places != len(strings.Fields(c.want)) {
					t.Errorf("the manifest has %d lines, expected one for each of %q:\n%s", places, c.want, tables)
				}
				if !strings.Contains(said, "requests not found") != (c.lacking == "") || c.lacking != "" && !strings.Contains(said, "requests not found,"+c.lacking+"\n") {
					t.Errorf("requests not found: expected %q of\n%s", c.lacking, said)
				}
				checkPairs(t, made, suffix)
			})
		}
	}
}

// recordIDs returns the ids of the records of a file behind its first one.
func recordIDs(t *testing.T, name string) (ids []string, records []*warc.Record) {
	t.Helper()
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r := warc.NewReader(f, info.Size(), warc.Options{})
	for record, err := r.Next(); err == nil; record, err = r.Next() {
		if len(record.Defects) > 0 {
			t.Errorf("%s: %v", name, record.Defects)
		}
		if record.Type != warc.Warcinfo {
			if block, err := io.ReadAll(record.Body); err != nil || !strings.HasPrefix(string(block), "block of") || !strings.HasSuffix(string(block), "0123456789") {
				t.Errorf("%s at %d: block %q, %v", name, record.Offset, block, err)
			}
			copied := &warc.Record{Type: record.Type, Header: append(warc.Header(nil), record.Header...)}
			ids, records = append(ids, strings.TrimPrefix(record.Header.URI("WARC-Record-ID"), "urn:id:")), append(records, copied)
		}
	}
	return ids, records
}

// checkPairs checks that no request is alone in its file.
func checkPairs(t *testing.T, dir, suffix string) {
	t.Helper()
	made, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(made) == 0 {
		t.Fatal("no output", err)
	}
	for _, name := range made {
		_, records := recordIDs(t, name)
		for _, r := range records {
			if r.Type != warc.Request {
				continue
			}
			var isNear bool
			for _, other := range records {
				isNear = isNear || belongs(r, other)
			}
			if !isNear {
				t.Errorf("%s: request %s is not in the file of its response", name, r.Header.URI("WARC-Record-ID"))
			}
		}
	}
}

// TestRequestsNeedWARC refuses requests of an output that cannot hold them.
func TestRequestsNeedWARC(t *testing.T) {
	o := Options{Format: "arc", MaxSize: 1, Verify: "none", Prefix: "TEST", WithRequests: true}
	if err := o.check(); err == nil || !strings.Contains(err.Error(), "ARC holds no requests") {
		t.Errorf("got %v", err)
	}
}
