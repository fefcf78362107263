package language

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A profile is a line of profiles.tsv.
type profile struct {
	script, code string
	weights      map[string]int // of trigrams and letters
}

// readProfiles weighs them anew, as the comment of flat says.
func readProfiles(t testing.TB) []profile {
	t.Helper()
	var all []profile
	for line := range strings.Lines(string(embedded)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		runes := []rune(f[2])
		if len(f) != 3 || len(runes) != 900 {
			t.Fatalf("%.20q: %d fields, %d characters", line, len(f), len(runes))
		}
		p := profile{f[0], f[1], map[string]int{}}
		letters, sum := map[rune]float64{}, 0.0
		for i := 0; i < len(runes); i += 3 {
			p.weights[string(runes[i:i+3])] = int(math.Round(256 * math.Log(1030/float64(i/3+30))))
			for _, r := range runes[i : i+3] {
				letters[r] += 1 / float64(i/3+30)
				sum += 1 / float64(i/3+30)
			}
		}
		for r, n := range letters {
			if r > 127 {
				p.weights[string(r)] = int(math.Round(256 * 2 * math.Log(1+1000*n/sum)))
			}
		}
		all = append(all, p)
	}
	return all
}

// featuresOf gives the trigrams and letters of a text, each once.
func featuresOf(text string) map[string]bool {
	runes := []rune{' '}
	for _, r := range text {
		if unicode.In(r, stops...) {
			r = ' '
		}
		runes = append(runes, unicode.ToLower(r))
	}
	features := map[string]bool{}
	runes = append(runes, ' ')
	for i := range runes[2:] {
		three := runes[i : i+3]
		if three[1] == ' ' && (three[0] == ' ' || three[2] == ' ') {
			continue
		}
		features[string(three)] = true
		if three[1] > 127 {
			features[string(three[1])] = true
		}
	}
	return features
}

// wantLikeliest compares what is told with sums made one by one.
func wantLikeliest(t *testing.T, own *teller, profiles []profile, text string) (sure bool) {
	t.Helper()
	code, confidence := own.tell([]byte(text))
	s, ok := own.tally.most()
	if !ok || scripts[s].code != "" {
		if want := ""; ok && (code != scripts[s].code || confidence != 1) || !ok && code != want {
			t.Fatalf("%q: %s %v", text, code, confidence)
		}
		return ok
	}
	features := featuresOf(text)
	var sums []int
	scores := map[string]int{}
	for _, p := range profiles {
		if p.script == scripts[s].name {
			sum := 0
			for feature := range features {
				sum += p.weights[feature]
			}
			scores[p.code] = sum
			sums = append(sums, sum)
		}
	}
	slices.Sort(sums)
	best, second := sums[len(sums)-1], sums[len(sums)-2]
	want := min(float64(best-second)/2560, 1)
	if float64(best) < 0.45*256*float64(len(features)) {
		want = 0
	}
	if best == 0 && code != "" || best > 0 && scores[code] != best || math.Abs(confidence-want) > 1e-9 {
		t.Fatalf("%q: %s %v; by hand %v, confidence %v", text, code, confidence, scores, want)
	}
	return confidence >= 0.5
}

// TestTell compares texts of each profile's trigrams, of two profiles and of any
// characters with sums by hand.
func TestTell(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	own, profiles := newTeller(), readProfiles(t)
	rows := bytes.Split(bytes.TrimSuffix(embedded, []byte("\n")), []byte("\n"))
	sure := 0
	for round := range 3 * len(rows) {
		var text []rune
		first, second := bytes.Runes(rows[round%len(rows)]), bytes.Runes(rows[r.IntN(len(rows))])
		for size := 1 + r.IntN(300); len(text) < size; {
			from := first[len(first)-900:]
			if r.IntN(4) == 0 {
				from = second[len(second)-900:]
			}
			at := 3 * r.IntN(1+r.IntN(300))
			text = append(text, from[at:at+3]...)
		}
		if wantLikeliest(t, own, profiles, string(text)) {
			sure++
		}
	}
	if sure < 2*len(rows) {
		t.Errorf("%d texts are told for sure", sure)
	}
	for range 500 {
		var text []rune
		for range r.IntN(200) {
			text = append(text, rune(1+r.IntN([...]int{0x80, 0x600, 0x3200, 0xd000, 0x2fa20}[r.IntN(5)])))
		}
		wantLikeliest(t, own, profiles, strings.ToValidUTF8(string(text), "?"))
	}
	for _, text := range samples {
		wantLikeliest(t, own, profiles, text)
	}
}

// TestHanWithKana: a Japanese text may have more Chinese characters than others.
func TestHanWithKana(t *testing.T) {
	own := newTeller()
	for text, want := range map[string]string{
		"歩道を走る自動配達ロボ、サンフランシスコ市が走行禁止を検討": "jpn", "東京都知事選挙の投票日": "jpn",
		"产品的简报和公告提交该申请后无法进行更改": "cmn", "日本动画の名称在中国也很受欢迎": "cmn",
	} {
		if code, _ := own.tell([]byte(text)); code != want {
			t.Errorf("%s: %s", text, code)
		}
	}
}

func FuzzTell(f *testing.F) {
	for _, text := range samples {
		f.Add(text)
	}
	own, profiles := newTeller(), readProfiles(f)
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) && !strings.ContainsRune(text, 0) {
			wantLikeliest(t, own, profiles, text[:len(cut([]byte(text), 0))])
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	text := bytes.Repeat([]byte(samples["eng"]+" "+samples["fra"]+" "), 40)
	for b.Loop() {
		Detect(text)
	}
}
