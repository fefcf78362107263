package corpus

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func collection(t *testing.T, o DocumentOptions) []documentLine {
	t.Helper()
	var out bytes.Buffer
	if err := MakeDocuments(&out, o); err != nil {
		t.Fatal(err)
	}
	var all []documentLine
	for line := range bytes.Lines(out.Bytes()) {
		var d documentLine
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func TestDocumentsAreTheSameAgain(t *testing.T) {
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := MakeDocuments(out, DocumentOptions{Documents: 300, Seed: 4, Collection: "mixed"}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("equal options made different documents")
	}
	for _, o := range []DocumentOptions{{Documents: 0, Collection: "A"}, {Documents: 1, Collection: "D"}} {
		if err := MakeDocuments(&first, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func TestMixedDocumentsHaveHeavyTailsAndBoilerplate(t *testing.T) {
	// Clusters of up to 90 documents have their boilerplate in common: fewer documents
	// than these are too few for the shares to be near their means.
	all := collection(t, DocumentOptions{Documents: 5000, Seed: 1, Collection: "mixed"})
	words, shortest, longest := 0, math.MaxInt, 0
	numbers := map[string]int32{} // of terms
	type shingle [5]int32
	last := map[shingle]int{} // document that had it last
	holders := map[shingle]int{}
	for i, d := range all {
		var s shingle
		terms := strings.Fields(d.Text)
		words += len(terms)
		shortest, longest = min(shortest, len(terms)), max(longest, len(terms))
		for j, term := range terms {
			term = strings.ToLower(strings.TrimRight(term, ",."))
			if numbers[term] == 0 {
				numbers[term] = int32(len(numbers) + 1)
			}
			copy(s[:], s[1:])
			s[4] = numbers[term]
			if before, known := last[s]; j >= 4 && (!known || before != i) {
				last[s] = i
				holders[s]++
			}
		}
	}
	if mean := words / len(all); mean < 320 || mean > 400 || shortest < minWords || longest > maxWords || longest < 1500 {
		t.Errorf("%d words on average, %d to %d", mean, shortest, longest)
	}
	common := 0
	for _, h := range holders {
		if h*10 > len(all) {
			common++
		}
	}
	if common != boilerplates*(boilerplateSize-4) {
		t.Errorf("%d shingles are in more than a tenth of the documents", common)
	}
}

// Means and deviations of the paper's Table 2.
func TestVersionsOfURLs(t *testing.T) {
	for _, c := range []struct {
		name            string
		mean, deviation float64
		least           float64
	}{{"A", 2.24, 1.24, 2}, {"B", 2.07, 1.24, 1}, {"C", 2.32, 0.47, 2}} {
		m := newDocumentMaker(DocumentOptions{Documents: 200_000, Seed: 1, Collection: c.name})
		square, least := 0.0, math.Inf(1)
		mean := float64(len(m.order)) / float64(len(m.clusters))
		for _, one := range m.clusters[:len(m.clusters)-1] { // the last one is cut
			square += (float64(one.count) - mean) * (float64(one.count) - mean)
			least = min(least, float64(one.count))
		}
		deviation := math.Sqrt(square / float64(len(m.clusters)))
		if math.Abs(mean-c.mean) > 0.02 || math.Abs(deviation-c.deviation) > 0.03 || least != c.least {
			t.Errorf("%s: %.3f versions of a URL, deviation %.3f, at least %.0f", c.name, mean, deviation, least)
		}
	}
}

func TestCollectionsHaveTheirURLsAndHosts(t *testing.T) {
	for _, name := range []string{"A", "B", "C"} {
		versions, hosts := map[string]int{}, map[string]bool{}
		first, last := int64(math.MaxInt64), int64(0)
		all := collection(t, DocumentOptions{Documents: 1000, Seed: 1, Collection: name})
		for _, d := range all {
			versions[d.URL]++
			hosts[d.Hostname] = true
			first, last = min(first, d.Timestamp), max(last, d.Timestamp)
		}
		if mean := float64(len(all)) / float64(len(versions)); mean < 1.9 || mean > 2.5 {
			t.Errorf("%s: %.2f versions of a URL", name, mean)
		}
		if (name == "C") != (len(hosts) == 1) {
			t.Errorf("%s: %d hosts", name, len(hosts))
		}
		if year := int64(366 * 86400 * 1000); (name == "B") != (last-first < year) {
			t.Errorf("%s: from %d to %d ms", name, first, last)
		}
	}
}
