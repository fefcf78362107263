package jobs

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/realdata"
	"archivestream/lib/warc"
)

// TestRealExtraction extracts every record of real archives and reads the
// output with our own reader.
func TestRealExtraction(t *testing.T) {
	t.Parallel()
	dir := realdata.Folder(t)
	records := readOurs(t, dir, realFiles(t, dir, ".arc", ".warc")...)
	e := runExtraction(t, dir, "--input", listOf(t, records), "--max-size", "4MB")
	e.wantSourceBytes()
	e.wantGzip()
	e.wantRejects(records, func(*known) string { return "" })
	sources := map[string]int{} // number of records at each place, those inside their member too
	for _, k := range records {
		sources[k.at()]++
	}
	want, got := map[string]int{}, map[string]int{}
	for _, p := range e.manifest() {
		want[p.File] += sources[at(p.Source, p.SourceOffset)]
		delete(sources, at(p.Source, p.SourceOffset))
	}
	if len(sources) > 0 {
		t.Errorf("not extracted: %v", sources)
	}
	for _, f := range e.files() {
		want[filepath.Base(f)]++ // its header record
		got[filepath.Base(f)] = len(readOurs(t, e.output, filepath.Base(f)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records in each file: -want +got\n%s", diff)
	}
	t.Logf("%d records, %d rejected, %d files", len(e.manifest()), len(e.rejects()), len(e.files()))
}

// TestRealConversion makes WARC of all real ARC files, for warcio and FastWARC.
func TestRealConversion(t *testing.T) {
	t.Parallel()
	dir := realdata.Folder(t)
	python := pythonTools(t)
	records := readOurs(t, dir, realFiles(t, dir, ".arc")...)
	e := runExtraction(t, dir, "--input", listOf(t, records), "--format", "warc", "--max-size", "4MB")
	e.wantGzip()
	e.wantRejects(records, (*known).noWARC)
	if out := said(t, "", python, append([]string{"-m", "warcio.cli", "check"}, e.files()...)...); out != "" {
		t.Errorf("warcio check says\n%s", out)
	}
	// FastWARC does not see where an HTTP head ends without carriage returns,
	// and takes the payload for empty.
	var unsplit, none []string
	for _, p := range e.manifest() {
		if r, block := recordAt(t, filepath.Join(e.output, p.File), p.Offset); r.Type == warc.Response && endsInLineFeeds(block) {
			unsplit = append(unsplit, at(p.File, p.Offset))
		}
	}
	e.wantVerdicts("warcio", readBy(t, python, "warcio", "", e.files()...), none)
	e.wantVerdicts("FastWARC", readBy(t, python, "fastwarc", "", e.files()...), unsplit)
	t.Logf("%d records, %d of them with an HTTP head that FastWARC does not split off", len(e.manifest()), len(unsplit))
}

// wantRejects compares the rejected lines with those records of which why gives
// a reason.
func (e *extraction) wantRejects(records []known, why func(*known) string) {
	e.Helper()
	want, got := map[string]string{}, map[string]string{}
	for i := range records {
		if reason := why(&records[i]); reason != "" && !records[i].Inner {
			want[records[i].line()] = reason
		}
	}
	for _, r := range e.rejects() {
		got[r.Line] = r.Reason
	}
	for i := range records {
		k := &records[i]
		if line := k.line(); !k.Inner && got[line] != want[line] {
			realdata.Differ(e, "extract/rejects", at(filepath.Base(k.Source), k.SourceOffset), got[line], want[line])
		}
		delete(got, k.line())
	}
	if len(got) > 0 {
		e.Errorf("rejected without having been asked for: %v", got)
	}
}

// wantVerdicts wants a library to find the records of the manifest, behind a
// header record in each file, and to say of none but these that a digest is wrong.
func (e *extraction) wantVerdicts(library string, found []foreign, wrong []string) {
	e.Helper()
	var want, places, failed []string
	for _, f := range e.files() {
		want = append(want, at(filepath.Base(f), 0))
	}
	for _, p := range e.manifest() {
		want = append(want, at(p.File, p.Offset))
	}
	for _, r := range found {
		places = append(places, at(r.File, r.Offset))
		if r.Digest == "FAIL" {
			failed = append(failed, at(r.File, r.Offset))
		}
	}
	slices.Sort(want)
	slices.Sort(places)
	if diff := cmp.Diff(want, places); diff != "" {
		e.Errorf("%s: records: -want +got\n%s", library, diff)
	}
	if diff := cmp.Diff(wrong, failed); diff != "" {
		e.Errorf("%s: wrong digests: -want +got\n%s", library, diff)
	}
}

// endsInLineFeeds says whether a message's head ends in two line feeds.
func endsInLineFeeds(message []byte) bool {
	bare, full := bytes.Index(message, []byte("\n\n")), bytes.Index(message, []byte("\r\n\r\n"))
	return bare >= 0 && (full < 0 || bare < full)
}

// recordAt reads the record at an offset of a file.
func recordAt(t *testing.T, path string, offset int64) (*warc.Record, []byte) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r, err := warc.RecordAt(file, info.Size(), offset)
	if err != nil {
		t.Fatalf("%s at %d: %v", path, offset, err)
	}
	block, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatalf("%s at %d: %v", path, offset, err)
	}
	return r, block
}

// message is what a record must keep in every form.
type message struct {
	URL   string
	Date  time.Time
	Block string // SHA-1
}

func messageAt(t *testing.T, path string, offset int64) message {
	t.Helper()
	r, block := recordAt(t, path, offset)
	return message{r.TargetURI(), r.Date().Truncate(time.Second), fmt.Sprintf("%x", sha1.Sum(block))}
}

// TestRealRoundTrip makes ARC of all real WARC files that have an ARC form, and
// WARC of these again.
func TestRealRoundTrip(t *testing.T) {
	t.Parallel()
	dir := realdata.Folder(t)
	records := slices.DeleteFunc(readOurs(t, dir, realFiles(t, dir, ".warc")...), func(k known) bool {
		return k.Type != warc.Response && k.Type != warc.Resource
	})
	arcs := runExtraction(t, dir, "--input", listOf(t, records), "--format", "arc", "--max-size", "4MB")
	arcs.wantGzip()
	arcs.wantRejects(records, (*known).noARC)
	var list []known
	sources := map[string]place{}
	for _, p := range arcs.manifest() {
		list = append(list, known{place: place{Length: p.Length, Source: p.File, SourceOffset: p.Offset, URL: p.URL}})
		sources[at(p.File, p.Offset)] = p
	}
	warcs := runExtraction(t, arcs.output, "--input", listOf(t, list), "--format", "warc", "--max-size", "4MB")
	if rejects := warcs.rejects(); len(rejects) > 0 || len(warcs.manifest()) != len(list) {
		t.Errorf("%d records of %d, rejected: %v", len(warcs.manifest()), len(list), rejects)
	}
	for _, p := range warcs.manifest() {
		source := sources[at(p.Source, p.SourceOffset)]
		want := messageAt(t, filepath.Join(dir, source.Source), source.SourceOffset)
		want.URL = strings.ReplaceAll(want.URL, " ", "%20") // which a line of ARC cannot hold
		if diff := cmp.Diff(want, messageAt(t, filepath.Join(warcs.output, p.File), p.Offset)); diff != "" {
			t.Errorf("%s at %d: -want +got\n%s", source.Source, source.SourceOffset, diff)
		}
	}
	t.Logf("%d records, %d rejected", len(list), len(arcs.rejects()))
}

// TestRealVerification compares the records that --verify digest rejects with
// those of which warcio says that a digest is wrong.
func TestRealVerification(t *testing.T) {
	t.Parallel()
	dir := realdata.Folder(t)
	python := pythonTools(t)
	files := realFiles(t, dir, ".warc")
	records := slices.DeleteFunc(readOurs(t, dir, files...), func(k known) bool { return k.Compression == warc.Shared })
	e := runExtraction(t, dir, "--input", listOf(t, records), "--verify", "digest")
	wrong := map[string]string{} // by line, as we say it
	for _, r := range e.rejects() {
		if strings.HasPrefix(r.Reason, "digest mismatch: ") {
			wrong[r.Line] = r.Reason
		}
	}
	verdicts := map[string]string{}
	for _, f := range fields(said(t, strings.Join(files, "\n"), python, filepath.Join(root, "jobs", "testdata", "read_records.py"), "warcio-verdicts", dir), 3) {
		verdicts[f[0]+" "+f[1]] = f[2]
	}
	counts := map[string]int{}
	e.wantRejects(records, func(k *known) string {
		verdict, ours := verdicts[k.at()], wrong[k.line()]
		counts[verdict]++
		if k.LengthFault != "" { // warcio cuts the block, or reads what is not of it
			return ours
		}
		if (verdict == "FAIL") != (ours != "") && verdict != "" {
			realdata.Differ(t, "extract/verdicts", at(filepath.Base(k.Source), k.SourceOffset), ours, verdict)
		}
		return ours
	})
	realdata.Enough(t, counts["pass"] > 0 && counts["FAIL"] > 0, "verdicts: %v", counts)
	t.Logf("what warcio says: %v", counts)
}
