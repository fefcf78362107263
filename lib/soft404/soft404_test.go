package soft404

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A judged page is one of testdata/pages.txt: pages as servers, content management
// systems and sites show them, written down without a look at what the model has
// learned from.
type judged struct {
	title, text string
	missing     bool
}

func heldOut(t testing.TB) []judged {
	t.Helper()
	content, err := os.ReadFile("testdata/pages.txt")
	if err != nil {
		t.Fatal(err)
	}
	var pages []judged
	for line := range strings.Lines(string(content)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			t.Fatalf("not three fields: %q", line)
		}
		pages = append(pages, judged{f[1], strings.ReplaceAll(f[2], " / ", "\n"), f[0] == "1"})
	}
	return pages
}

// TestHeldOutPages measures what doc.go states.
func TestHeldOutPages(t *testing.T) {
	s := NewScorer()
	var found, wrong, missed int
	for _, p := range heldOut(t) {
		score := s.Score([]byte(p.title), []byte(p.text))
		switch {
		case p.missing && score >= Threshold:
			found++
		case p.missing:
			missed++
			t.Logf("missed: %.3f %s: %.60q", score, p.title, p.text)
		case score >= Threshold:
			wrong++
			t.Logf("wrong: %.3f %s: %.60q", score, p.title, p.text)
		}
	}
	precision := float64(found) / float64(found+wrong)
	recall := float64(found) / float64(found+missed)
	t.Logf("precision %.3f, recall %.3f", precision, recall)
	if precision < 0.9 || recall < 0.8 {
		t.Errorf("precision %.3f, recall %.3f: at least 0.9 and 0.8 are wanted", precision, recall)
	}
}

func TestScoreIsTheSameAgain(t *testing.T) {
	s := NewScorer()
	for _, p := range heldOut(t) {
		first := NewScorer().Score([]byte(p.title), []byte(p.text))
		if again := s.Score([]byte(p.title), []byte(p.text)); again != first {
			t.Errorf("%q: %v, then %v", p.title, first, again)
		}
	}
}

// The model is looked up by hashes; names are the reference.
func TestScoreByNames(t *testing.T) {
	weights := map[string]float64{}
	for line := range strings.Lines(string(embedded)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		weight, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		weights[name] = weight
	}
	if len(weights) < 1000 {
		t.Fatalf("only %d features", len(weights))
	}
	s := NewScorer()
	for _, p := range heldOut(t) {
		seen := map[string]bool{}
		sum := 0.0
		Features([]byte(p.title), []byte(p.text), func(name []byte) {
			if weight, ok := weights[string(name)]; ok && !seen[string(name)] {
				seen[string(name)] = true
				sum += weight
			}
		})
		want := 1 / (1 + math.Exp(-(weights[Bias] + sum/math.Sqrt(float64(max(1, len(seen)))))))
		if got := s.Score([]byte(p.title), []byte(p.text)); math.Abs(got-want) > 1e-12 {
			t.Errorf("%q scores %v, by names %v", p.title, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, table := range []string{"w:word\tmuch\n", "w\t1\n", "word:w\t1\n", "w:word\t1\nw:word\t2\n"} {
		if _, err := parse([]byte(table)); err == nil || !strings.Contains(err.Error(), "soft404.tsv") {
			t.Errorf("%q: %v", table, err)
		}
	}
}

func TestFeatures(t *testing.T) {
	var names []string
	Features([]byte("Error 404"), []byte("Not Found\nMarch 12, 页面"), func(name []byte) { names = append(names, string(name)) })
	want := []string{
		"t:error", "t:^ error", "t:404", "t:error 404", "t:404 $",
		"l:not", "l:^ not", "w:not", "l:found", "l:not found", "w:found", "w:not found",
		"l:march", "l:^ march", "w:march", "l:#", "l:march #", "w:#", "w:march #",
		"l:页", "l:# 页", "w:页", "w:# 页", "l:面", "l:页 面", "w:面", "w:页 面",
		"n:3",
	}
	if got := strings.Join(names, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("features\n%s", got)
	}
}

func TestOnlyTheFirstWordsCount(t *testing.T) {
	text := strings.Repeat("word ", maxWords)
	s := NewScorer()
	a := s.Score(nil, []byte(text))
	if b := s.Score(nil, []byte(text+"\nPage not found. The page you are looking for does not exist.")); a != b {
		t.Errorf("%v with %d words, %v with more", a, maxWords, b)
	}
}

func FuzzScore(f *testing.F) {
	f.Add([]byte("404"), []byte("page\nnot found"))
	f.Add([]byte("\xff\xe9"), []byte("页\xe9面 ́"))
	s := NewScorer()
	f.Fuzz(func(t *testing.T, title, text []byte) {
		if score := s.Score(title, text); !(score >= 0 && score <= 1) {
			t.Errorf("score %v", score)
		}
	})
}

func BenchmarkScore(b *testing.B) {
	text := []byte(strings.Repeat("The committee met to discuss the budget of 2012.\n", 120))
	s := NewScorer()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s.Score([]byte("Annual budget"), text)
	}
}
