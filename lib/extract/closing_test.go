package extract

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/warc"
)

// closings are what may stand behind the block of a record, by format: all of what
// the format asks for, a part of it, in either kind of line end, or nothing.
var closings = map[warc.Format][]string{
	warc.ARC:  {"", "\n", "\r\n", "\n\n"},
	warc.WARC: {"", "\n", "\r\n", "\r\n\r", "\n\n", "\r\n\n", "\r\n\r\n", "\r\n\r\n\r\n"},
}

// A source is a record of an archive file, with what the list says of it.
type source struct {
	file           string
	offset, length int64  // in the file, as it lies there
	url            string // of the capture
	own            string // header and block, not compressed
	block          string
	member         string // the gzip member, if it lies in one
}

// A sourceFile is an archive file that is being made.
type sourceFile struct {
	name       string
	format     warc.Format
	compressed bool
	content    []byte
	records    []source
}

// add puts a record behind the others, closed as given.
func (f *sourceFile) add(t testing.TB, url, block, closing string) {
	t.Helper()
	own := fmt.Sprintf("%s 192.0.2.1 20200102030405 text/html %d\n%s", url, len(block), block)
	if f.format == warc.WARC {
		own = fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012x>\r\n"+
			"WARC-Target-URI: %s\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s",
			len(f.records), url, len(block), block)
	}
	r := source{file: f.name, offset: int64(len(f.content)), url: url, own: own, block: block}
	stored := own + closing
	if f.compressed {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, stored)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		stored, r.member = b.String(), b.String()
	}
	f.content = append(f.content, stored...)
	r.length = int64(len(stored))
	// Of what is not compressed, what the format asks for belongs to the record.
	if most := map[warc.Format]int{warc.ARC: 1, warc.WARC: 2}[f.format]; !f.compressed {
		r.length = int64(len(own))
		for kind := range map[string]bool{"\r\n": true, "\n": true} {
			if rest := closing; strings.HasPrefix(rest, kind) {
				for range most {
					if strings.HasPrefix(rest, kind) {
						rest, r.length = rest[len(kind):], r.length+int64(len(kind))
					}
				}
				break
			}
		}
	}
	f.records = append(f.records, r)
}

// unclosed makes archive files in a folder, one for each way in which records are
// closed there: all of them, the last one too.
func unclosed(t testing.TB, dir string) []sourceFile {
	t.Helper()
	var all []sourceFile
	for _, format := range []warc.Format{warc.ARC, warc.WARC} {
		for _, compressed := range []bool{false, true} {
			for i, closing := range closings[format] {
				if compressed && closing == "\r\n\r" {
					// FastWARC takes the lone carriage return for the begin of the
					// next member's first line, in the source as in the output.
					continue
				}
				kind := warc.FileKind{Format: format, Plain: !compressed}
				f := sourceFile{name: fmt.Sprintf("closed-%d%s", i, kind.Suffix()), format: format, compressed: compressed}
				for j, text := range []string{"hello one", "hello two\n", "a line end of its own\r\n\r\n", "<p>last"} {
					url := fmt.Sprintf("http://example.org/%s/%t/%d/%d", format, compressed, i, j)
					f.add(t, url, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+text, closing)
				}
				if err := os.WriteFile(filepath.Join(dir, f.name), f.content, 0o666); err != nil {
					t.Fatal(err)
				}
				all = append(all, f)
			}
		}
	}
	return all
}

// lists are the ways in which a list can give the length of a record.
var lists = map[string]func(*source) string{
	"as it lies":  func(r *source) string { return strconv.FormatInt(r.length, 10) },
	"not known":   func(*source) string { return "-" },
	"without end": func(r *source) string { return strconv.Itoa(len(r.own)) },
}

// TestClosingOfEachRecord extracts records that are closed in every way there is and
// reads them again: with this project's reader in a row and by their places, and
// with the tools of others. The bytes of each record are those of its source, and the
// places of the manifest follow each other without a gap.
func TestClosingOfEachRecord(t *testing.T) {
	archives := t.TempDir()
	files := unclosed(t, archives)
	var made []extracted
	for said, length := range lists {
		for _, format := range []string{"same", "warc", "arc"} {
			for _, reversed := range []bool{false, true} {
				name := fmt.Sprintf("length %s, --format %s, reversed %t", said, format, reversed)
				var lines []string
				want := map[string]source{}
				for i := range files {
					for j := range files[i].records {
						r := &files[i].records[j]
						n := length(r)
						if files[i].compressed && n == strconv.Itoa(len(r.own)) {
							n = strconv.FormatInt(r.length, 10)
						}
						line := fmt.Sprintf("%s\t%s\t%d\t%s", r.url, r.file, r.offset, n)
						it := PlanLine{Archive: []byte(r.file), Offset: r.offset, Length: lengthOf(t, n), Form: "tsv", Line: []byte(line)}
						lines = append(lines, string(it.Append(nil))+"\n")
						want[r.url] = *r
					}
				}
				sort.Strings(lines)
				if reversed {
					sort.Sort(sort.Reverse(sort.StringSlice(lines)))
				}
				o := defaults()
				o.Format = format
				dir, tables, rejects := extractPlan(t, strings.Join(lines, ""), archives, "", o)
				if strings.Contains(rejects, "stage\t") {
					t.Fatalf("%s: rejects:\n%s", name, rejects)
				}
				made = append(made, checkExtracted(t, name, dir, tables, want)...)
			}
		}
	}
	askOthers(t, made)
}

// An extracted file holds the records of these URLs, in this order.
type extracted struct {
	extraction, path string
	urls             []string
	want             map[string]source
}

// TestClosingOfLargeRecords is the same for records that are copied in pieces.
func TestClosingOfLargeRecords(t *testing.T) {
	archives := t.TempDir()
	for _, format := range []warc.Format{warc.ARC, warc.WARC} {
		f := sourceFile{name: "large." + format.String(), format: format}
		want := map[string]source{}
		var plan strings.Builder
		for i := range 2 {
			f.add(t, fmt.Sprintf("http://example.org/%d", i), strings.Repeat("0123456789abcdef", maxHeld/16)+"!", "")
			r := f.records[i]
			want[r.url] = r
			line := fmt.Appendf(nil, "%s\t%s\t%d\t%d", r.url, r.file, r.offset, r.length)
			plan.Write(append((&PlanLine{Archive: []byte(r.file), Offset: r.offset, Length: r.length, Form: "tsv", Line: line}).Append(nil), '\n'))
		}
		if err := os.WriteFile(filepath.Join(archives, f.name), f.content, 0o666); err != nil {
			t.Fatal(err)
		}
		dir, tables, rejects := extractPlan(t, plan.String(), archives, "", defaults())
		if strings.Contains(rejects, "stage\t") {
			t.Fatalf("rejects:\n%s", rejects)
		}
		checkExtracted(t, f.name, dir, tables, want)
	}
}

func lengthOf(t testing.TB, n string) int64 {
	if n == "-" {
		return -1
	}
	length, err := strconv.ParseInt(n, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return length
}

// checkExtracted reads what an extraction has made of the records, by URL, and
// returns its files.
func checkExtracted(t *testing.T, name, dir, tables string, want map[string]source) (made []extracted) {
	t.Helper()
	type place struct {
		offset, length int64
		url            string
	}
	placed := map[string][]place{} // by file
	for line := range strings.Lines(tables) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] != ManifestTable {
			continue
		}
		placed[f[2]] = append(placed[f[2]], place{lengthOf(t, f[3]), lengthOf(t, f[4]), f[7]})
	}
	found := map[string]bool{}
	for file, places := range placed {
		path := filepath.Join(dir, file)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// In a row, by this project's reader.
		var urls []string
		for r, err := range warc.NewReader(bytes.NewReader(content), int64(len(content)), warc.Options{Name: file}).Records() {
			var d *warc.Defect
			if errors.As(err, &d) {
				t.Errorf("%s: %s: %v", name, file, d)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Type == warc.Warcinfo {
				continue
			}
			block, err := io.ReadAll(r.Body)
			if err != nil {
				t.Errorf("%s: %s: %s: %v", name, file, r.TargetURI(), err)
			}
			s, known := want[r.TargetURI()]
			if !known || string(block) != s.block {
				t.Errorf("%s: %s: %q has the block %q, want %q", name, file, r.TargetURI(), block, s.block)
			}
			if r.Compression == warc.Plain {
				for _, d := range r.Defects {
					t.Errorf("%s: %s: %s: %v", name, file, r.TargetURI(), d)
				}
			}
			urls = append(urls, r.TargetURI())
		}
		// By their places.
		var listed []string
		next := int64(-1)
		for _, p := range places {
			if next >= 0 && p.offset != next {
				t.Errorf("%s: %s: %s lies at %d, not at %d", name, file, p.url, p.offset, next)
			}
			next = p.offset + p.length
			bytesThere := string(content[p.offset:next])
			s := want[p.url]
			own := s.own
			if s.member != "" {
				own = s.member
			}
			if _, kind, _ := strings.Cut(s.file, "."); strings.HasSuffix(file, "."+kind) && !strings.HasPrefix(bytesThere, own) {
				t.Errorf("%s: %s: %s at %d is %q, want %q", name, file, p.url, p.offset, bytesThere, own)
			}
			listed, found[p.url] = append(listed, p.url), true
		}
		if next != int64(len(content)) {
			t.Errorf("%s: %s: the last record ends at %d of %d bytes", name, file, next, len(content))
		}
		if diff := cmp.Diff(listed, urls); diff != "" {
			t.Errorf("%s: %s:\n%s", name, file, diff)
		}
		made = append(made, extracted{name, path, listed, want})
	}
	if len(found) != len(want) {
		t.Errorf("%s: %d records, want %d", name, len(found), len(want))
	}
	return made
}

// othersRead prints path, URL and block of each record as warcio and FastWARC read
// them; the latter reads WARC alone. The files are named on standard input.
const othersRead = `
import sys
from warcio.archiveiterator import ArchiveIterator
import fastwarc.warc
def show(tool, name, url, block):
    if url and url.startswith('http:'):
        print(tool, name, url, repr(block), sep='\t')
for name in sys.stdin.read().splitlines():
    with open(name, 'rb') as f:
        for r in ArchiveIterator(f, no_record_parse=True):
            show('warcio', name, r.rec_headers.get_header('WARC-Target-URI' if r.format == 'warc' else 'uri'), r.raw_stream.read())
    if '.warc' in name:
        with open(name, 'rb') as f:
            for r in fastwarc.warc.ArchiveIterator(f, parse_http=False):
                show('fastwarc', name, r.headers.get('WARC-Target-URI'), r.reader.read())
`

// askOthers compares the blocks of the files' records with what other tools read.
func askOthers(t *testing.T, made []extracted) {
	t.Helper()
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has warcio and FastWARC")
	}
	var names strings.Builder
	var expected []string
	for _, f := range made {
		names.WriteString(f.path + "\n")
		tools := []string{"warcio"}
		if strings.Contains(filepath.Base(f.path), ".warc") {
			tools = append(tools, "fastwarc")
		}
		for _, tool := range tools {
			for _, url := range f.urls {
				quoted := strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(f.want[url].block)
				expected = append(expected, strings.Join([]string{tool, f.path, url, "b'" + quoted + "'"}, "\t"))
			}
		}
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(python, "-c", othersRead)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(names.String()), &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("%v\n%s", err, errs.String())
	}
	if diff := cmp.Diff(expected, strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")); diff != "" {
		t.Error(diff)
	}
}
