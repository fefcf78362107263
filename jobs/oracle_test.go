package jobs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/stage"
)

// pythonTools gives a python that has warcio, FastWARC and pywb.
func pythonTools(t *testing.T) string {
	t.Helper()
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has warcio, FastWARC and pywb")
	}
	return python
}

// said runs a command that has to end with status 0 and gives its output.
func said(t *testing.T, input string, command string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(command, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("%s %s: %v\n%s%s", filepath.Base(command), strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

// extraction is what a run of jobs/extract.sh has made of a folder of archives.
type extraction struct {
	*testing.T
	archives, output string // folders
}

func runExtraction(t *testing.T, archives string, args ...string) *extraction {
	t.Helper()
	e := &extraction{t, archives, filepath.Join(t.TempDir(), "output")}
	said(t, "", filepath.Join(root, "jobs", "extract.sh"), append([]string{"--quiet", "--archives", archives, "--output", e.output}, args...)...)
	if t.Failed() {
		t.FailNow()
	}
	return e
}

func (e *extraction) read(name string) string {
	e.Helper()
	content, err := os.ReadFile(filepath.Join(e.output, name))
	if err != nil {
		e.Fatal(err)
	}
	return string(content)
}

// files gives the paths of the archive files made, whose names have one of the
// suffixes, all of them without any.
func (e *extraction) files(suffixes ...string) []string {
	e.Helper()
	found, err := filepath.Glob(filepath.Join(e.output, "EXTRACT-*"))
	if err != nil {
		e.Fatal(err)
	}
	return slices.DeleteFunc(found, func(path string) bool {
		return len(suffixes) > 0 && !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(path, s) })
	})
}

// A place is a line of manifest.tsv.
type place struct {
	File           string
	Offset, Length int64
	Source         string
	SourceOffset   int64
	URL            string
}

func (e *extraction) manifest() []place {
	e.Helper()
	text := e.read("manifest.tsv")
	var places []place
	for _, f := range fields(text, 6) {
		places = append(places, place{f[0], number(f[1]), number(f[2]), f[3], number(f[4]), f[5]})
	}
	if lines := strings.Count(text, "\n"); len(places) != lines || lines == 0 {
		e.Fatalf("%d of %d lines of manifest.tsv have 6 fields", len(places), lines)
	}
	return places
}

// A reject is a line of _rejects.tsv.
type reject struct{ Stage, Reason, Line string }

func (e *extraction) rejects() []reject {
	e.Helper()
	text := e.read("_rejects.tsv")
	var all []reject
	for _, f := range fields(text, 3) {
		reason, err := stage.AppendUnescaped(nil, []byte(f[1]))
		if err != nil {
			e.Fatal(err)
		}
		line, err := stage.AppendUnescaped(nil, []byte(f[2]))
		if err != nil {
			e.Fatal(err)
		}
		all = append(all, reject{f[0], string(reason), string(line)})
	}
	if lines := strings.Count(text, "\n"); len(all) != lines {
		e.Fatalf("%d of %d lines of _rejects.tsv have 3 fields", len(all), lines)
	}
	return all
}

// reasons counts rejects by their reason.
func reasons(rejects []reject) map[string]int {
	counts := map[string]int{}
	for _, r := range rejects {
		counts[r.Reason]++
	}
	return counts
}

// cut gives the bytes of a range of a file; fewer where the file ends.
func cut(t *testing.T, path string, offset, length int64) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.NewSectionReader(file, offset, length))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func isMember(p []byte) bool { return bytes.HasPrefix(p, []byte{0x1f, 0x8b}) }

// wantSourceBytes compares each record with its source's bytes. After one that is
// not compressed may stand the line ends that its source does not have. One that is not
// as long as its header says is compressed.
func (e *extraction) wantSourceBytes() {
	e.Helper()
	for _, p := range e.manifest() {
		got := cut(e.T, filepath.Join(e.output, p.File), p.Offset, p.Length)
		if strings.HasSuffix(p.File, ".gz") && !isMember(cut(e.T, filepath.Join(e.archives, p.Source), p.SourceOffset, 3)) {
			member := inflated(e.T, got)
			if want := cut(e.T, filepath.Join(e.archives, p.Source), p.SourceOffset, int64(len(member))); !bytes.Equal(member, want) {
				e.Errorf("%s at %d: not the bytes of %s at %d", p.File, p.Offset, p.Source, p.SourceOffset)
			}
			continue
		}
		want := cut(e.T, filepath.Join(e.archives, p.Source), p.SourceOffset, p.Length)
		same := 0
		for same < min(len(got), len(want)) && got[same] == want[same] {
			same++
		}
		added := string(got[same:])
		closed := added == "" || !strings.HasSuffix(p.File, ".gz") && strings.HasSuffix("\r\n\r\n", added)
		if int64(len(got)) != p.Length || !closed {
			e.Errorf("%s at %d: not the bytes of %s at %d", p.File, p.Offset, p.Source, p.SourceOffset)
		}
	}
}

// wantGzip lets gzip test the files that are compressed.
func (e *extraction) wantGzip() {
	e.Helper()
	if files := e.files(".gz"); len(files) > 0 {
		said(e.T, "", "gzip", append([]string{"-t"}, files...)...)
	}
}

// A foreign is a record as read by somebody else's library.
type foreign struct {
	File   string
	Offset int64
	Type   string
	URL    string
	Block  string // SHA-1
	Digest string // pass, FAIL or none
}

// readBy runs testdata/read_records.py.
func readBy(t *testing.T, python, library, input string, files ...string) []foreign {
	t.Helper()
	args := append([]string{filepath.Join(root, "jobs", "testdata", "read_records.py"), library}, files...)
	var records []foreign
	for _, f := range fields(said(t, input, python, args...), 6) {
		records = append(records, foreign{f[0], number(f[1]), f[2], f[3], f[4], f[5]})
	}
	return records
}

// indexLine is a line of index.cdxj.
type indexLine struct {
	Timestamp, URL, Mime, Status, Filename, Offset, Length string
}

func (e *extraction) index() []indexLine {
	e.Helper()
	var lines []indexLine
	for line := range strings.Lines(e.read("index.cdxj")) {
		parts := strings.SplitN(line, " ", 3)
		l := indexLine{Timestamp: parts[1]}
		if err := json.Unmarshal([]byte(parts[2]), &l); err != nil {
			e.Fatalf("%s: %v", line, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// TestOracles lets other programs read what the extraction makes, in each format.
func TestOracles(t *testing.T) {
	t.Parallel()
	python := pythonTools(t)
	for _, format := range []string{"same", "warc", "arc"} {
		t.Run(format, func(t *testing.T) {
			e := runExtraction(t, filepath.Join(root, "testdata", "archives"), "--input", filepath.Join(root, "testdata", "captures.cdxj"),
				"--format", format, "--max-size", "60KB")
			if len(e.files()) < 4 {
				t.Errorf("too few files to show anything: %v", e.files())
			}
			e.wantGzip()
			if format == "same" {
				e.wantSourceBytes()
			}
			e.wantRecords(python)
			e.wantIndex(python)
			if rejects := e.rejects(); format != "arc" && len(rejects) > 0 {
				t.Errorf("rejected: %v", rejects)
			} else if diff := cmp.Diff(map[string]int{"revisit record has no arc form: only responses and resources have one": 34}, reasons(rejects)); format == "arc" && diff != "" {
				t.Errorf("rejected: -want +got\n%s", diff)
			}
		})
	}
}

// wantRecords has warcio and FastWARC find the records of the manifest, in its
// order, behind a header record in each file, with the blocks that warcio finds
// at their places in the source.
func (e *extraction) wantRecords(python string) {
	e.Helper()
	if out := said(e.T, "", python, append([]string{"-m", "warcio.cli", "check"}, e.files()...)...); out != "" {
		e.Errorf("warcio check says\n%s", out)
	}
	var sources strings.Builder
	for _, p := range e.manifest() {
		fmt.Fprintf(&sources, "%s\t%d\n", filepath.Join(e.archives, p.Source), p.SourceOffset)
	}
	blocks := readBy(e.T, python, "warcio-at", sources.String())
	e.wantFound("warcio", readBy(e.T, python, "warcio", "", e.files()...), e.files(), blocks)
	if files := e.files(".warc", ".warc.gz"); len(files) > 0 { // FastWARC does not read ARC
		e.wantFound("FastWARC", readBy(e.T, python, "fastwarc", "", files...), files, blocks)
	}
	e.wantWarcioIndex(said(e.T, "", python, append([]string{"-m", "warcio.cli", "index", "-f", "offset,length"}, e.files()...)...))
}

// wantFound compares the records that a library finds in some of the files with
// the manifest, and their blocks with those of the manifest's lines.
func (e *extraction) wantFound(library string, found []foreign, files []string, blocks []foreign) {
	e.Helper()
	type line struct{ Record, Block string }
	var want, got []line
	for i, p := range e.manifest() {
		if slices.Contains(files, filepath.Join(e.output, p.File)) && i < len(blocks) {
			want = append(want, line{fmt.Sprintf("%s %d %s", p.File, p.Offset, p.URL), blocks[i].Block})
		}
	}
	heads := 0
	for _, r := range found {
		if r.Digest == "FAIL" {
			e.Errorf("%s: a digest in %s at %d is wrong", library, r.File, r.Offset)
		}
		if r.Offset == 0 {
			heads++
		} else {
			got = append(got, line{fmt.Sprintf("%s %d %s", r.File, r.Offset, r.URL), r.Block})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		e.Errorf("records that %s finds: -want +got\n%s", library, diff)
	}
	if heads != len(files) || len(got) == 0 {
		e.Errorf("%s finds %d records, and %d header records in %d files", library, len(got), heads, len(files))
	}
}

// wantWarcioIndex compares warcio's own index with offsets and lengths of the
// manifest. It leaves the blank lines behind plain records out of the lengths.
func (e *extraction) wantWarcioIndex(index string) {
	e.Helper()
	var want, got []string
	for line := range strings.Lines(index) {
		var l struct{ Offset, Length string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			e.Fatalf("warcio index: %s: %v", line, err)
		}
		if l.Offset != "0" {
			got = append(got, l.Offset+" "+l.Length)
		}
	}
	for _, p := range e.manifest() {
		length := p.Length
		switch {
		case strings.HasSuffix(p.File, ".arc"):
			length--
		case strings.HasSuffix(p.File, ".warc"):
			length -= 4
		}
		want = append(want, fmt.Sprintf("%d %d", p.Offset, length))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		e.Errorf("offsets and lengths: -manifest +warcio index\n%s", diff)
	}
}

// wantIndex checks that index.cdxj is sorted, has a line for each line of the
// manifest, and that warcio finds a record of the URL where each of them points.
func (e *extraction) wantIndex(python string) {
	e.Helper()
	text := e.read("index.cdxj")
	cmd := exec.Command("sort", "-c", filepath.Join(e.output, "index.cdxj"))
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	if out, err := cmd.CombinedOutput(); err != nil {
		e.Errorf("index.cdxj: %s", out)
	}
	var want, got []string
	for _, p := range e.manifest() {
		want = append(want, fmt.Sprintf("%s %d %d %s", p.File, p.Offset, p.Length, p.URL))
	}
	var at strings.Builder
	lines := e.index()
	for _, l := range lines {
		got = append(got, fmt.Sprintf("%s %s %s %s", l.Filename, l.Offset, l.Length, l.URL))
		fmt.Fprintf(&at, "%s\t%s\n", filepath.Join(e.output, l.Filename), l.Offset)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || text == "" {
		e.Errorf("index.cdxj: -manifest +index\n%s", diff)
	}
	found := readBy(e.T, python, "warcio-at", at.String())
	if len(found) != len(lines) {
		e.Fatalf("warcio finds %d records of %d", len(found), len(lines))
	}
	for i, l := range lines {
		if found[i].URL != l.URL {
			e.Errorf("%s at %s: a record of %s, the index says %s", l.Filename, l.Offset, found[i].URL, l.URL)
		}
	}
}
