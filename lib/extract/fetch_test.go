package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
)

// TestFetchGivesTheBytesOfEachRecord compares what a plan fetches with the archive
// files, and gives a reason where there is no record.
func TestFetchGivesTheBytesOfEachRecord(t *testing.T) {
	const root = "../../testdata"
	list, err := os.ReadFile(filepath.Join(root, "captures.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	bad := []string{
		`a 2020 {"filename": "missing.warc.gz", "offset": "1", "length": "2"}`,
		`a 2020 {"filename": "crawl-2020.warc.gz", "offset": "100000000", "length": "2"}`,
		`a 2020 {"filename": "crawl-2020.warc.gz", "offset": "0", "length": "200000000"}`,
	}
	var plan []string
	var parser cdx.Parser
	var c cdx.Capture
	for _, line := range append(strings.Split(strings.TrimSpace(string(list)), "\n"), bad...) {
		if err := parser.Parse([]byte(line), &c); err != nil || !InRange(&c) {
			t.Fatal(line, err)
		}
		p := PlanLine{Archive: c.Filename, Offset: c.Offset, Length: c.Length, Form: c.Form, Line: []byte(line)}
		plan = append(plan, string(p.Append(nil)))
	}
	slices.Sort(plan)
	archives, err := OpenPlan(filepath.Join(root, "archives"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer archives.Close()
	found, reasons := 0, map[string]int{}
	run(t, strings.Join(plan, "\n")+"\n", func(task *stage.Task) error {
		return Fetch(task, archives, func(f *Fetched) error {
			if !bytes.Contains(append(list, strings.Join(bad, "\n")...), f.Line) {
				t.Errorf("not a line of the list: %s", f.Line)
			}
			if f.Err != nil {
				reason, _, _ := strings.Cut(f.Err.Error(), ":")
				reasons[reason]++
				return nil
			}
			content, err := os.ReadFile(f.Archive)
			if err != nil {
				return err
			}
			if want := content[f.Capture.Offset : f.Capture.Offset+f.Capture.Length]; !bytes.Equal(want, f.Bytes) {
				t.Errorf("%s: %d bytes, want %d", f.Line, len(f.Bytes), len(want))
			}
			found++
			return nil
		})
	})
	if want := len(plan) - len(bad); found != want {
		t.Errorf("%d records, want %d", found, want)
	}
	for _, reason := range []string{"archive file not found", "offset past the end", "length past the end"} {
		if reasons[reason] != 1 {
			t.Errorf("%d captures with %q", reasons[reason], reason)
		}
	}
}
