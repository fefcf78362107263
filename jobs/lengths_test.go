package jobs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWrongLengthsAreReadAlike takes records whose headers are wrong about their length
// through all jobs: what index lists is extracted as it lies there, in either format and
// verified, and select derives the values of the same block from the source and from
// what was extracted.
func TestWrongLengthsAreReadAlike(t *testing.T) {
	t.Parallel()
	odd := filepath.Join(root, "testdata", "odd")
	names := []string{
		"length-huge.warc.gz", "length-long.arc", "length-long.arc.gz", "length-long.warc", "length-long.warc.gz", "length-negative.warc.gz",
		"length-none.warc.gz", "length-short.arc.gz", "length-short.warc", "length-short.warc.gz",
	}
	dir := t.TempDir()
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(odd, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	body := bodyOfThird(t, filepath.Join(odd, "length-short.warc.gz"))
	index := runJob(t, "index.sh", "--input", dir)
	if rejects, err := os.ReadFile(filepath.Join(index, "_rejects.tsv")); err != nil || bytes.Count(rejects, []byte("bad-length")) != len(names) {
		t.Errorf("%v, rejects %s", err, rejects)
	}
	list := filepath.Join(index, "index.cdxj")
	values := selectedBodies(t, list, dir)
	if n := strings.Count(strings.Join(values, ""), body); n != len(names) {
		t.Errorf("%d of %d records with a wrong length have the hash of the whole body", n, len(names))
	}
	for _, options := range [][]string{nil, {"--verify", "url"}, {"--verify", "digest"}, {"--format", "warc"}, {"--format", "arc"}} {
		extracted := runJob(t, "extract.sh", append([]string{"--input", list, "--archives", dir}, options...)...)
		if rejects, err := os.ReadFile(filepath.Join(extracted, "_rejects.tsv")); err != nil || bytes.Count(rejects, []byte("\n")) > 1 {
			t.Errorf("%v: %v, rejects %s", options, err, rejects)
			continue
		}
		got := selectedBodies(t, filepath.Join(extracted, "index.cdxj"), extracted)
		if !slices.Equal(got, values) {
			t.Errorf("%v: values of what was extracted:\n%s\nwant\n%s", options, strings.Join(got, "\n"), strings.Join(values, "\n"))
		}
		if options == nil {
			e := &extraction{t, dir, extracted}
			e.wantRecordBytes(&extraction{t, dir, index})
		}
	}
}

// bodyOfThird returns the hash and the length of the body of the record of /1.
func bodyOfThird(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	_, record, _ := bytes.Cut(all, []byte("http://garden.example/1\r\n"))
	record, _, _ = bytes.Cut(record, []byte("\r\n\r\nWARC/1.0"))
	_, block, _ := bytes.Cut(record, []byte("\r\n\r\n"))
	_, body, ok := bytes.Cut(block, []byte("\r\n\r\n"))
	if !ok {
		t.Fatalf("no record in %s", name)
	}
	sum := sha1.Sum(body)
	return fmt.Sprint(hex.EncodeToString(sum[:]), " ", len(body))
}

// selectedBodies derives hash and length of each capture of a list, in the order of these.
func selectedBodies(t *testing.T, list, archives string) []string {
	t.Helper()
	output := runJob(t, "select.sh", "--cdx", list, "--archives", archives, "--save", "csv", "--columns", "url, sha1 = payload.sha1, length = payload.length")
	var all []string
	for _, row := range tableRows(t, filepath.Join(output, "part-00000.csv.gz")) {
		all = append(all, row["url"]+" "+row["sha1"]+" "+row["length"])
	}
	slices.Sort(all)
	return all
}

// wantRecordBytes holds each extracted record, inflated, against the bytes that an
// index names.
func (e *extraction) wantRecordBytes(index *extraction) {
	e.Helper()
	lengths := map[string]string{}
	for _, l := range index.index() {
		lengths[l.Filename+" "+l.Offset] = l.Length
	}
	plain := func(p []byte) []byte {
		if isMember(p) {
			p = inflated(e.T, p)
		}
		return bytes.TrimRight(p, "\r\n") // an index counts the line ends after a plain record or not
	}
	for _, p := range e.manifest() {
		length := number(lengths[fmt.Sprint(p.Source, " ", p.SourceOffset)])
		want := plain(cut(e.T, filepath.Join(e.archives, p.Source), p.SourceOffset, length))
		if got := plain(cut(e.T, filepath.Join(e.output, p.File), p.Offset, p.Length)); !bytes.Equal(got, want) {
			e.Errorf("%s at %d is not the record of %s at %d", p.File, p.Offset, p.Source, p.SourceOffset)
		}
	}
}
