package derive

import (
	"slices"
	"strconv"
	"testing"

	"archivestream/lib/realdata"
	"archivestream/lib/soft404"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// TestRealSoft404 scores the real pages with status 200.
func TestRealSoft404(t *testing.T) {
	names := realdata.Archives(t)
	c := newRecord()
	c.want = pageParts
	seen := map[string]bool{}
	pages := 0
	thresholds := []float64{0.5, 0.6, 0.7, 0.8, 0.9}
	missing := make([]int, len(thresholds))
	for _, name := range names {
		file, err := storage.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		reader := warc.NewReader(file, file.Size(), warc.Options{Name: name})
		for r, err := range reader.Records() {
			if err != nil || c.read(r, reader) != nil {
				continue
			}
			a := c.analyse()
			if len(a.soft404) == 0 || seen[string(c.text)] {
				continue
			}
			seen[string(c.text)] = true
			pages++
			score, err := strconv.ParseFloat(string(a.soft404), 64)
			if err != nil {
				t.Fatal(err)
			}
			for i, threshold := range thresholds {
				if score >= threshold {
					missing[i]++
				}
			}
			if score >= soft404.Threshold {
				t.Logf("%.4f %s: %q, %d bytes of text", score, r.TargetURI(), c.title, len(c.text))
			}
		}
		file.Close()
	}
	t.Logf("%d pages, of which there score %g and above: %d", pages, thresholds, missing)
	i := slices.Index(thresholds, soft404.Threshold)
	realdata.Enough(t, pages >= 300 && missing[i]*100 <= 2*pages, "%d of %d pages score %g and above", missing[i], pages, soft404.Threshold)
}
