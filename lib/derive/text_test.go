package derive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"archivestream/lib/realdata"
	"archivestream/lib/warc"
)

// tokens are the words of a text as a set.
func tokens(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		set[word] = true
	}
	return set
}

// jaccard gives how alike two sets are, from 0 to 1.
func jaccard(a, b map[string]bool) float64 {
	both := 0
	for word := range a {
		if b[word] {
			both++
		}
	}
	if len(a)+len(b) == 0 {
		return 1
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// TestRealTexts compares the words of each text in the WET files that Common Crawl's
// extractor has made with those of ours. Its text of a chunked body has the sizes of
// the chunks, that of a compressed one is none.
func TestRealTexts(t *testing.T) {
	// What other extractors have made of these files, and the files.
	data := filepath.Dir(realdata.Wanted(t, "reference"))
	var all []float64
	missed := 0
	for reference, source := range map[string]string{
		"cc-aut-example.warc.gz.wet.gz":     "archives/archivesunleashed__aut/example.warc.gz",
		"cc-aut-example.pdf.warc.gz.wet.gz": "archives/archivesunleashed__aut/example.pdf.warc.gz",
		"cc-whirlwind.warc.gz.wet.gz":       "archives/commoncrawl__whirlwind-python/whirlwind.warc.gz",
		"cc-link-extraction-test-id.wet.gz": "reference/input/link-extraction-test-id.warc.gz",
		"cc-html-lang-attribute-id.wet.gz":  "reference/input/html-lang-attribute-id.warc.gz",
		"cc-text-extraction-test-id.wet.gz": "reference/input/text-extraction-test-id.warc.gz",
	} {
		content, err := os.ReadFile(filepath.Join(data, "reference", reference))
		if err != nil {
			t.Fatal(err)
		}
		records, _, _ := derive(t, filepath.Join(data, source))
		own := map[string]string{}
		for _, r := range records[WET] {
			own[r.header.Get("WARC-Refers-To")] = r.block
		}
		for _, r := range recordsOf(t, content) {
			if r.header.Get("WARC-Type") != warc.Conversion || strings.TrimSpace(r.block) == "" {
				continue
			}
			text, ok := own[r.header.Get("WARC-Refers-To")]
			if !ok {
				missed++
				t.Logf("%s: no text of %s, theirs is %.60q", reference, r.header.Get("WARC-Target-URI"), r.block)
			}
			all = append(all, jaccard(tokens(r.block), tokens(text)))
		}
	}
	if len(all) == 0 {
		t.Fatal("no texts")
	}
	slices.Sort(all)
	median := all[len(all)/2]
	t.Logf("%d texts, %d of them not ours; Jaccard: tenth %.3f, quarter %.3f, median %.3f", len(all), missed, all[len(all)/10], all[len(all)/4], median)
	if median < 0.95 {
		t.Errorf("the median page has %.3f of the words", median)
	}
}
