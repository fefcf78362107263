package language

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/abadojack/whatlanggo"
)

// same compares what is told with what whatlanggo says. It decides by chance between
// languages that are equally near, with confidence 0.
func same(t *testing.T, own *teller, text []byte) (told bool) {
	t.Helper()
	code, confidence := own.tell(text)
	info := whatlanggo.Detect(string(text))
	want := ""
	if info.Lang >= 0 {
		want = info.Lang.Iso6393()
	}
	if confidence != info.Confidence || code != want && confidence != 0 {
		t.Fatalf("%q: %s %v, whatlanggo says %s %v", text, code, confidence, want, info.Confidence)
	}
	return code != ""
}

// TestTellAsWhatlanggo compares texts of each profile's trigrams, of two profiles and of
// any characters.
func TestTellAsWhatlanggo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	own := newTeller()
	rows := bytes.Split(bytes.TrimSuffix(embedded, []byte("\n")), []byte("\n"))
	runes := make([][]rune, len(rows))
	for i, row := range rows {
		if runes[i] = []rune(string(bytes.Split(row, []byte("\t"))[2])); len(runes[i]) != 3*profileLength {
			t.Fatalf("%.20q: %d characters", row, len(runes[i]))
		}
	}
	told := 0
	for round := range 10 * len(rows) {
		var text []byte
		first, second := runes[round%len(rows)], runes[r.IntN(len(rows))]
		for size := 1 + r.IntN(900); len(text) < size; {
			from := first
			if r.IntN(4) == 0 {
				from = second
			}
			at := 3 * r.IntN(1+r.IntN(profileLength))
			text = append(text, string(from[at:at+3])...)
		}
		if same(t, own, text) {
			told++
		}
	}
	if told < 8*len(rows) {
		t.Errorf("%d texts told", told)
	}
	for range 2000 {
		var text []rune
		for range r.IntN(200) {
			text = append(text, rune(r.IntN([...]int{0x80, 0x600, 0x3200, 0x10000, 0x2fa20}[r.IntN(5)])))
		}
		same(t, own, []byte(string(text)))
	}
	for _, text := range samples {
		same(t, own, []byte(text))
	}
	same(t, own, []byte("\x00\x00\x00\x00 a\x00\xff\xfeb"))
}

func FuzzTell(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	own := newTeller()
	f.Fuzz(func(t *testing.T, text []byte) { same(t, own, text[:min(len(text), chunkBytes)]) })
}

func BenchmarkDetect(b *testing.B) {
	text := bytes.Repeat([]byte(samples["eng"]+" "+samples["fra"]+" "), 40)
	for b.Loop() {
		Detect(text)
	}
}
