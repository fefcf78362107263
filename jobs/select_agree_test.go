package jobs

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/cdx"
)

// A selected is the output of a run of jobs/select.sh.
type selected struct {
	t        *testing.T
	dir      string
	messages string
}

// selectTo runs jobs/select.sh to its end.
func selectTo(t *testing.T, args ...string) *selected {
	t.Helper()
	s := &selected{t: t, dir: filepath.Join(t.TempDir(), "out")}
	cmd := exec.Command(filepath.Join(root, "jobs", "select.sh"), append([]string{"--output", s.dir}, args...)...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("select.sh %q: %v\n%s", args, err, messages.String())
	}
	s.messages = messages.String()
	return s
}

// parts returns the text of all files whose names match, inflated.
func (s *selected) parts(pattern string) string {
	s.t.Helper()
	names, err := filepath.Glob(filepath.Join(s.dir, pattern))
	if err != nil {
		s.t.Fatal(err)
	}
	var all bytes.Buffer
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".gz") {
			all.Write(data)
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			_, err = io.Copy(&all, z)
		}
		if err != nil {
			s.t.Fatalf("%s: %v", name, err)
		}
	}
	return all.String()
}

// rejects returns the reasons, one for each reject.
func (s *selected) rejects() (reasons []string) {
	s.t.Helper()
	for line := range strings.Lines(s.parts("_rejects.tsv")) {
		reasons = append(reasons, strings.Split(line, "\t")[1])
	}
	return reasons
}

// smallIndex indexes the archives of testdata, and returns the captures.
func smallIndex(t *testing.T) []*cdx.Capture {
	t.Helper()
	out := filepath.Join(t.TempDir(), "index")
	cmd := exec.Command(filepath.Join(root, "jobs", "index.sh"), "--quiet", "--input", smallArchives, "--output", out, "--format", "cdxj-all")
	if message, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	text, err := os.ReadFile(filepath.Join(out, "index.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*cdx.Capture
	var parser cdx.Parser
	for line := range bytes.Lines(text) {
		c := new(cdx.Capture)
		if err := parser.Parse(bytes.TrimSuffix(line, []byte("\n")), c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

var smallArchives = filepath.Join(root, "testdata", "archives")

// writeIndex writes captures as an index of a layout.
func writeIndex(t *testing.T, layout cdx.Layout, all []*cdx.Capture) string {
	t.Helper()
	var lines []string
	for _, c := range all {
		lines = append(lines, string(layout.Append(nil, c)))
	}
	slices.Sort(lines)
	if header := layout.HeaderLine(); header != "" {
		lines = append([]string{header}, lines...)
	}
	name := filepath.Join(t.TempDir(), "index"+layout.Extension())
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// ways are selections whose values and records come from archives, in a pipe and on an
// engine.
var ways = [][]string{
	{"--columns", "url,title=payload.string.html.title,sha1=payload.sha1", "--save", "csv"},
	{"--enrich", "payload.sha1", "--small", "0"},
	{"--save", "warc"}, {"--save", "warc", "--small", "0"},
	{"--keep", "payload.length >= 0", "--save", "cdxj"},
}

// TestRecordsOfOtherCapturesAreRejected gives lines the place of another record: none
// of them has a row, and both URLs or dates are told.
func TestRecordsOfOtherCapturesAreRejected(t *testing.T) {
	t.Parallel()
	all := smallIndex(t)
	slices.SortStableFunc(all, func(a, b *cdx.Capture) int { return bytes.Compare(a.Filename, b.Filename) })
	var swapped []*cdx.Capture
	for i := 0; i+1 < len(all); i += 2 {
		a, b := *all[i], all[i+1]
		sameSecond := bytes.Equal(a.URL, b.URL) && bytes.Equal(a.Timestamp, b.Timestamp)
		if !bytes.Equal(a.Filename, b.Filename) || sameSecond || string(a.Mime) == "warc/revisit" || string(b.Mime) == "warc/revisit" {
			continue
		}
		a.Offset, a.Length = b.Offset, b.Length
		swapped = append(swapped, &a)
	}
	if len(swapped) < 30 {
		t.Fatalf("%d lines are too few", len(swapped))
	}
	sound := all[slices.IndexFunc(all, func(c *cdx.Capture) bool { return string(c.Status) == "200" })]
	reason := regexp.MustCompile(`^(url mismatch: the index says [a-z]+:\S+, the record [a-z]+:\S+|date mismatch: the index says \d{14}, the record \d{4}\S+)$`)
	for _, layout := range []cdx.Layout{cdx.LayoutAll, cdx.LayoutCDX11, cdx.LayoutCDX9} {
		index := writeIndex(t, layout, append(slices.Clone(swapped), sound))
		for _, way := range ways {
			s := selectTo(t, append([]string{"--cdx", index, "--archives", smallArchives}, way...)...)
			reasons := s.rejects()
			if len(reasons) != len(swapped) {
				t.Errorf("%s %q: %d of %d are rejected", layout, way, len(reasons), len(swapped))
			}
			for _, r := range reasons {
				if !reason.MatchString(r) {
					t.Fatalf("%s %q: %s", layout, way, r)
				}
			}
			left := s.parts("part-*.json.gz") + s.parts("index.cdxj") + strings.TrimPrefix(s.parts("part-*.csv.gz"), "url,title,sha1\r\n")
			if strings.Count(left, "\n") != 1 || !strings.Contains(left, string(sound.URL)) {
				t.Errorf("%s %q: %.300s", layout, way, left)
			}
		}
		s := selectTo(t, "--cdx", writeIndex(t, layout, all), "--archives", smallArchives, "--enrich", "payload.length", "--verify", "digest")
		if reasons := s.rejects(); len(reasons) > 0 {
			t.Errorf("%s: lines as they are: %q", layout, reasons[0])
		}
	}
}

// TestPayloadsWithOtherDigestsAreRejected where that is asked for.
func TestPayloadsWithOtherDigestsAreRejected(t *testing.T) {
	t.Parallel()
	var wrong []*cdx.Capture
	var sound *cdx.Capture
	for _, c := range smallIndex(t) {
		if string(c.Status) == "200" && string(c.Mime) == "text/html" && len(wrong) < 30 {
			c.Digest = []byte("sha1:AAAAAA" + string(c.Digest[len("sha1:AAAAAA"):]))
			wrong = append(wrong, c)
		} else if string(c.Status) == "200" {
			sound = c
		}
	}
	index := writeIndex(t, cdx.LayoutAll, append(slices.Clone(wrong), sound))
	for _, way := range ways {
		args := append([]string{"--cdx", index, "--archives", smallArchives}, way...)
		if reasons := selectTo(t, args...).rejects(); len(reasons) > 0 {
			t.Errorf("%q, not asked for: %s", way, reasons[0])
		}
		reasons := selectTo(t, append(args, "--verify", "digest")...).rejects()
		if len(reasons) != len(wrong) {
			t.Errorf("%q: %d of %d are rejected", way, len(reasons), len(wrong))
		}
		for _, r := range reasons {
			if !strings.HasPrefix(r, "digest mismatch: digest of the list sha1:AAAAAA") || !strings.Contains(r, ", but the data have sha1:") {
				t.Errorf("%q: %s", way, r)
			}
		}
	}
}

// TestOriginalsAreHeldAgainstTheirLines has an index whose originals are of another
// second than their records.
func TestOriginalsAreHeldAgainstTheirLines(t *testing.T) {
	t.Parallel()
	all := smallIndex(t)
	revisits := 0
	for _, c := range all {
		if string(c.Mime) == "warc/revisit" {
			revisits++
		}
	}
	args := []string{"--archives", smallArchives, "--where", `mime == "warc/revisit"`, "--columns", "url,sha1=payload.sha1", "--save", "csv", "--verify", "digest"}
	right := selectTo(t, append([]string{"--cdx", writeIndex(t, cdx.LayoutAll, all)}, args...)...)
	rows := strings.Split(strings.TrimSpace(right.parts("part-*.csv.gz")), "\r\n")
	if len(right.rejects()) > 0 || len(rows) != revisits+1 || revisits < 10 {
		t.Fatalf("%d rows of %d revisits, %q", len(rows), revisits, right.rejects())
	}
	for _, row := range rows {
		if strings.HasSuffix(row, ",") || strings.Contains(row, "da39a3ee5e6b4b0d3255bfef95601890afd80709") {
			t.Errorf("no payload: %s", row)
		}
	}
	sound := *all[0]
	if sound.Timestamp = slices.Clone(sound.Timestamp); string(sound.Mime) == "warc/revisit" {
		t.Fatal("the first capture is a revisit")
	}
	for _, c := range all {
		if string(c.Mime) != "warc/revisit" {
			c.Timestamp = fmt.Appendf(nil, "1999%s", c.Timestamp[4:])
		}
	}
	sound.URL = append(sound.URL, "#sound"...) // one that is not rejected
	args[3] += ` || url endsWith "#sound"`
	for _, small := range []string{"64MB", "0"} {
		moved := selectTo(t, append([]string{"--cdx", writeIndex(t, cdx.LayoutAll, append(all, &sound)), "--small", small}, args...)...)
		reasons := moved.rejects()
		if len(reasons) != revisits {
			t.Errorf("%d of %d are rejected", len(reasons), revisits)
		}
		for _, r := range reasons {
			if !strings.HasPrefix(r, "date mismatch: the index says 1999") {
				t.Error(r)
			}
		}
	}
}
