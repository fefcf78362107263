package corpus

import (
	"bytes"
	"encoding/json"
	"math"
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
	all := collection(t, DocumentOptions{Documents: 1500, Seed: 1, Collection: "mixed"})
	words, shortest, longest := 0, math.MaxInt, 0
	holders := map[string]int{}
	for _, d := range all {
		seen := map[string]bool{}
		terms := bytes.Fields([]byte(d.Text))
		words += len(terms)
		shortest, longest = min(shortest, len(terms)), max(longest, len(terms))
		for j := 0; j+5 <= len(terms); j++ {
			shingle := string(bytes.ToLower(bytes.Map(letters, bytes.Join(terms[j:j+5], []byte{' '}))))
			if !seen[shingle] {
				seen[shingle] = true
				holders[shingle]++
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

func letters(r rune) rune {
	if r == ',' || r == '.' {
		return -1
	}
	return r
}

// Table 2 of the paper has 2.24 versions of a URL on average, with a deviation of 1.24.
func TestVersionsOfURLs(t *testing.T) {
	for _, name := range []string{"A", "B", "C"} {
		versions := map[string]float64{}
		hosts := map[string]bool{}
		all := collection(t, DocumentOptions{Documents: 4000, Seed: 1, Collection: name})
		for _, d := range all {
			versions[d.URL]++
			hosts[d.Hostname] = true
		}
		mean := float64(len(all)) / float64(len(versions))
		square := 0.0
		for _, n := range versions {
			square += (n - mean) * (n - mean)
		}
		if deviation := math.Sqrt(square / float64(len(versions))); mean < 2.1 || mean > 2.4 || deviation < 0.9 || deviation > 1.5 {
			t.Errorf("%s: %.2f versions of a URL, deviation %.2f", name, mean, deviation)
		}
		if (name == "C") != (len(hosts) == 1) {
			t.Errorf("%s: %d hosts", name, len(hosts))
		}
	}
}
