package warc

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pythonTools gives a python that has warcio and FastWARC.
func pythonTools(t *testing.T) string {
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has warcio and FastWARC")
	}
	return python
}

func output(t *testing.T, command string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(command, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("%s %s: %v\n%s%s", filepath.Base(command), strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

// oracleRecords are written into each file, which gets a head of its own. Those
// of ARC are converted for WARC files and the reverse.
var oracleRecords = []struct{ line, block string }{
	{"http://a.example/ 192.0.2.1 20210304050607 text/html 0\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello</p>"},
	{"http://a.example/chunked 192.0.2.1 20210304050608 text/html 0\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"},
	{"http://a.example/empty 192.0.2.1 20210304050609 text/html 0\n", "HTTP/1.1 204 No Content\r\n\r\n"},
	{"dns:a.example 192.0.2.53 20210304050610 text/dns 0\n", "20210304050610\na.example. 60 IN A 192.0.2.1\n"},
	{"ftp://a.example/file 192.0.2.1 20210304050611 no-type 0\n", "the content\nof a file"},
	{"http://a.example/large 192.0.2.1 20210304050612 application/octet-stream 0\n",
		"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n" + strings.Repeat("0123456789abcdef", spoolMemory/16)},
}

// writeOracleFile makes a file of the kind in the folder.
func writeOracleFile(t *testing.T, dir string, kind FileKind) string {
	t.Helper()
	path := filepath.Join(dir, "made"+kind.Suffix())
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRollingWriter(RollingOptions{
		MaxSize: 1 << 30,
		Create: func(int, FileKind) (OutputFile, string, error) {
			return osFile{file}, filepath.Base(path), nil
		},
		Head: func(string) (FileHead, error) {
			return FileHead{Date: testDate, Fields: Header{{"software", "archivestream"}, {"format", "WARC File Format 1.0"}}}, nil
		},
	})
	c := NewConverter()
	defer c.Close()
	for _, o := range oracleRecords {
		record := recordOf(t, o.line, o.block)
		if kind.Format == ARC {
			_, err = r.WriteARC(kind.Plain, record.ARC, record.Body, int64(len(o.block)))
		} else if section, convertErr := c.Convert(record, kind); convertErr == nil {
			_, err = r.CopyRawFrom(kind, section, section.Size(), "")
		} else {
			err = convertErr
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

type osFile struct{ *os.File }

func (f osFile) Abort() error { return f.File.Close() }

func TestGzipAcceptsWhatIsWritten(t *testing.T) {
	for _, format := range []Format{ARC, WARC} {
		output(t, "gzip", "-t", writeOracleFile(t, t.TempDir(), FileKind{format, false}))
	}
}

// warcioLines prints what warcio finds in the records of a file.
const warcioLines = `
import sys
from warcio.archiveiterator import ArchiveIterator
with open(sys.argv[1], 'rb') as f:
    for r in ArchiveIterator(f, check_digests='raise'):
        size = len(r.raw_stream.read())
        print(r.rec_type, r.rec_headers.get_header('WARC-Target-URI' if r.format == 'warc' else 'uri'),
              r.http_headers.get_statuscode() if r.http_headers else '-', size)
`

func TestWarcioReadsWhatIsWritten(t *testing.T) {
	python := pythonTools(t)
	for _, kind := range []FileKind{{WARC, false}, {WARC, true}, {ARC, false}, {ARC, true}} {
		path := writeOracleFile(t, t.TempDir(), kind)
		got := strings.Split(strings.TrimSpace(output(t, python, "-c", warcioLines, path)), "\n")
		large := "http://a.example/large 200 4194304"
		want := []string{
			"warcinfo None - 55",
			"response http://a.example/ 200 12", "response http://a.example/chunked 200 15", "response http://a.example/empty 204 0",
			"resource dns:a.example - 44", "resource ftp://a.example/file - 21", "response " + large,
		}
		if kind.Format == ARC {
			want = []string{
				"arc_header filedesc://" + filepath.Base(path) + " - 0",
				"response http://a.example/ 200 12", "response http://a.example/chunked 200 15", "response http://a.example/empty 204 0",
				"response dns:a.example - 44", "response ftp://a.example/file - 21", "response " + large,
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v:\n%s", kind, diff)
		}
		index := output(t, python, "-m", "warcio.cli", "index", "-f", "offset,length", path)
		if n := strings.Count(index, "\n"); n != len(want) {
			t.Errorf("%v: warcio index has %d lines, want %d", kind, n, len(want))
		}
		if kind.Format == WARC {
			output(t, python, "-m", "warcio.cli", "check", path)
		}
	}
}

// fastwarcLines prints what FastWARC finds in the records of a file.
const fastwarcLines = `
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
with open(sys.argv[1], 'rb') as f:
    for r in ArchiveIterator(f, parse_http=False):
        verified = r.verify_block_digest() if 'WARC-Block-Digest' in r.headers else None
        print([n for n in dir(WarcRecordType) if getattr(WarcRecordType, n) == r.record_type][0], r.headers.get('WARC-Target-URI'), r.content_length, verified)
`

func TestFastWARCReadsWhatIsWritten(t *testing.T) {
	python := pythonTools(t)
	want := []string{"warcinfo None 55 True"}
	for _, o := range oracleRecords {
		r := recordOf(t, o.line, o.block)
		kind := Resource
		if strings.HasPrefix(o.block, "HTTP/") {
			kind = Response
		}
		want = append(want, strings.Join([]string{kind, r.ARC.URL, strconv.Itoa(len(o.block)), "True"}, " "))
	}
	for _, plain := range []bool{false, true} {
		path := writeOracleFile(t, t.TempDir(), FileKind{WARC, plain})
		got := strings.Split(strings.TrimSpace(output(t, python, "-c", fastwarcLines, path)), "\n")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("plain %t:\n%s", plain, diff)
		}
	}
}
