package selection

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

// TestRevisitsGetThePlaceOfTheirOriginal compares the join, whole and with the wanted
// digests only, and the search with a loop over all captures.
func TestRevisitsGetThePlaceOfTheirOriginal(t *testing.T) {
	all := captures(3000)
	for i, c := range all {
		switch i % 3 {
		case 0:
			c.URL, c.Key = all[i%90].URL, all[i%90].Key
			c.Digest = append([]byte("same"), c.Key...)
		case 1:
			c.Digest = fmt.Appendf(nil, "sha1:D%d", i)
		case 2:
			c.Digest = fmt.Appendf(nil, "D%d", i%100)
		}
	}
	index := indexOf(cdx.LayoutCDXJ, all)
	plan, _ := run(t, index, filterOf(FilterOptions{Where: `host == "a.example.com" || digest == ""`}))
	slices.Sort(plan)
	bare := func(c *cdx.Capture) string { return strings.TrimPrefix(string(c.Digest), "sha1:") }
	originalOf := func(revisit *cdx.Capture, sameURL bool) *cdx.Capture {
		var best *cdx.Capture
		for _, c := range all {
			if IsRevisit(c) || bare(c) != bare(revisit) || sameURL && string(c.Key) != string(revisit.Key) {
				continue
			}
			order := func(c *cdx.Capture) string {
				p := extract.PlanLine{Archive: c.Filename, Offset: c.Offset, Line: c.Key}
				return string(p.Append(append(slices.Clone(c.Timestamp), '\t')))
			}
			if best == nil || order(c) < order(best) {
				best = c
			}
		}
		return best
	}
	var want, wantSearched []string
	same, other, none := 0, 0, 0
	for _, line := range plan {
		var p extract.PlanLine
		var c cdx.Capture
		if err := p.Parse([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if err := p.Form.Parse(p.Line, &c); err != nil {
			t.Fatal(err)
		}
		searched, joined := line, line
		if IsRevisit(&c) {
			place := func(o *cdx.Capture) string {
				p := p
				p.Archive, p.Offset, p.Length = o.Filename, o.Offset, o.Length
				p.Original = fmt.Appendf(nil, "%s %s", o.Timestamp, o.URL)
				return string(p.Append(nil))
			}
			if o := originalOf(&c, true); o != nil {
				searched = place(o)
				joined = searched
				same++
			} else if o := originalOf(&c, false); o != nil {
				joined = place(o)
				other++
			} else {
				none++
			}
		}
		want, wantSearched = append(want, joined), append(wantSearched, searched)
	}
	if same < 5 || other < 5 || none < 5 {
		t.Fatalf("%d originals of the same URL, %d of others, %d revisits without: too few to tell anything", same, other, none)
	}
	dir := t.TempDir()
	planFile, indexFile := filepath.Join(dir, "plan.tsv"), filepath.Join(dir, "index.cdxj")
	planText := strings.Join(plan, "\n") + "\n"
	for name, text := range map[string]string{planFile: planText, indexFile: index} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	for _, wanted := range []string{"", planFile} {
		lines, _ := run(t, planText+index, func(task *stage.Task) error { return FindOriginals(task, nil, OriginalOptions{Wanted: wanted}) })
		slices.Sort(lines)
		got, _ := run(t, strings.Join(lines, "\n")+"\n", ResolveRevisits)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("wanted %q:\n%s", wanted, diff)
		}
	}
	got, errs := run(t, planText, func(task *stage.Task) error {
		return FindOriginals(task, nil, OriginalOptions{Indexes: []string{indexFile}})
	})
	if diff := cmp.Diff(wantSearched, got); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(errs, "unresolved,") {
		t.Errorf("nothing is unresolved: %s", errs)
	}
}

// TestLongLinesAreToldOnce leaves those of an index to the stage that has read it before,
// and tells those of a plan.
func TestLongLinesAreToldOnce(t *testing.T) {
	find := func(task *stage.Task) error { return FindOriginals(task, nil, OriginalOptions{}) }
	long := strings.Repeat("x", 300) + "\n"
	for file, want := range map[string]bool{"/data/index.cdxj": false, "/out/_work/plan/part-00000": true} {
		t.Setenv("mapreduce_map_input_file", file)
		var stdout, stderr bytes.Buffer
		if status := stage.Execute(stage.Command{Name: "stage", Run: find}, []string{"stage", "--max-line", "200"}, strings.NewReader(long), &stdout, &stderr); status != 0 {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		if got := strings.Contains(stderr.String(), "longest line"); got != want {
			t.Errorf("%s: a long line is rejected: %v\n%s", file, got, stderr.String())
		}
	}
}
