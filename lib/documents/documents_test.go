package documents

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

// oracle cuts a text as the package's documentation says, without any short way.
func oracle(text []byte) []string {
	var all []string
	pieces := words.FromBytes(norm.NFC.Bytes(bytes.ToValidUTF8(text, []byte("\ufffd"))))
	for pieces.Next() {
		piece := string(pieces.Value())
		if strings.IndexFunc(piece, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0 {
			all = append(all, norm.NFC.String(strings.Map(unicode.ToLower, piece)))
		}
	}
	return all
}

func terms(text []byte) []string {
	var all []string
	var t Terms
	t.Reset(text)
	for term := t.Next(); term != nil; term = t.Next() {
		all = append(all, string(term))
	}
	return all
}

func TestTerms(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                   nil,
		" ... _ --":                          nil,
		"The quick (\"brown\") fox":          {"the", "quick", "brown", "fox"},
		"can't 3.14 1,000;5 a.b:c d:4":       {"can't", "3.14", "1,000;5", "a.b:c", "d", "4"},
		"snake_case_1 __x__ a. 'b' c.\u00e9": {"snake_case_1", "__x__", "a", "b", "c.é"},
		"Cafe\u0301 CAF\u00c9 na\u00efve":    {"café", "café", "naïve"},
		"日本 ひらがな カタカナ":                       {"日", "本", "ひ", "ら", "が", "な", "カタカナ"},
		"it\u2019s \u00a0x":                  {"it\u2019s", "x"},
		"\xff\xfe a\x80b":                    {"a", "b"},
	} {
		if diff := cmp.Diff(want, terms([]byte(text))); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("a.\u0301b x\u200d1,\u0660 =\u0338c \U0001F1E9\U0001F1EA 'n\u2019t")
	f.Add("A1_2.b'c:d,e;f \u05d0\"\u05d0 \ufeffx y\u00ad.z")
	f.Fuzz(func(t *testing.T, text string) {
		if diff := cmp.Diff(oracle([]byte(text)), terms([]byte(text))); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	})
}

func TestTermsOfRandomTexts(t *testing.T) {
	runes := []rune("aAzZ09__..''::,,;; \t-\"/é\u0301ßİ\u0130日\u200d\u00ad\u2019\u0660\u05d0カ\U0001F1E9ǅΣ\ufffd\u00a0\u2028")
	const seed = 1
	random := rand.New(rand.NewPCG(seed, 0))
	for range 30000 {
		var b []rune
		for range random.IntN(12) {
			b = append(b, runes[random.IntN(len(runes))])
		}
		if diff := cmp.Diff(oracle([]byte(string(b))), terms([]byte(string(b)))); diff != "" {
			t.Fatalf("seed %d: %q: %s", seed, string(b), diff)
		}
	}
}

// sets gives the shingles of a text the slow way, as texts.
func sets(text string, size int) map[string]bool {
	all := oracle([]byte(text))
	set := map[string]bool{}
	if len(all) > 0 && len(all) < size {
		set[strings.Join(all, " ")] = true
	}
	for i := 0; i+size <= len(all); i++ {
		set[strings.Join(all[i:i+size], " ")] = true
	}
	return set
}

func TestShinglesAreSets(t *testing.T) {
	const seed = 7
	random := rand.New(rand.NewPCG(seed, 0))
	for _, bits := range []int{64, 128} {
		for _, size := range []int{1, 2, 5, 9} {
			s := NewShingler(size, bits)
			seen := map[string]string{} // words to shingle
			for range 300 {
				var b strings.Builder
				for range random.IntN(60) {
					b.WriteString(string(rune('a'+random.IntN(3))) + " ")
				}
				want := sets(b.String(), size)
				got := s.Set([]byte(b.String()), 0)
				if len(got) != len(want)*s.Width() {
					t.Fatalf("seed %d: %d bits, k = %d, %q: %d shingles instead of %d", seed, bits, size, b.String(), len(got)/s.Width(), len(want))
				}
				for shingle := range want {
					one := NewShingler(size, bits).Set([]byte(shingle), 0)
					key := string(appendWords(nil, one))
					if other, ok := seen[key]; len(one) != s.Width() || ok && other != shingle {
						t.Fatalf("%q and %q have the same representation", shingle, other)
					}
					seen[key] = shingle
					if !contains(got, one) {
						t.Fatalf("%q is not among the shingles of %q", shingle, b.String())
					}
				}
			}
		}
	}
}

func appendWords(dst []byte, set []uint64) []byte {
	for _, w := range set {
		for range 8 {
			dst = append(dst, byte(w))
			w >>= 8
		}
	}
	return dst
}

func contains(set, one []uint64) bool {
	for i := 0; i < len(set); i += len(one) {
		if slices.Equal(set[i:i+len(one)], one) {
			return true
		}
	}
	return false
}

func TestLongTextsAndKeys(t *testing.T) {
	var b bytes.Buffer
	for i := range 40000 {
		b.WriteString(string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576)) + " ")
	}
	s := NewShingler(5, 64)
	first := slices.Clone(s.Set(b.Bytes(), 1))
	if len(first) != 40000-4 || s.Terms() != 40000 {
		t.Errorf("%d shingles of %d terms", len(first), s.Terms())
	}
	second := slices.Clone(s.Set(b.Bytes(), 2))
	slices.Sort(first)
	slices.Sort(second)
	for _, w := range first {
		if _, found := slices.BinarySearch(second, w); found {
			t.Fatal("two keys have a shingle in common")
		}
	}
	if small := s.Set([]byte("one two"), 1); len(small) != 1 {
		t.Errorf("%d shingles of a text with fewer terms", len(small))
	}
}

func TestObject(t *testing.T) {
	var o Object
	err := o.Parse([]byte(` {"id":"a\u00e9\ud83d\ude00\ud800","n":12,"f":1.50,"big":9007199254740993,"t":true,"z":null,"m":{"x":[1,{"y":"q"}],"k":-3},"n":13} `))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Value{
		"id":    {Kind: String, Text: "aé😀\ufffd"},
		"n":     {Kind: Integer, Int: 13},
		"f":     {Kind: Float, Float: 1.5},
		"big":   {Kind: Integer, Int: 9007199254740993},
		"t":     {Kind: Bool, Int: 1},
		"z":     {},
		"m":     {},
		"m.k":   {Kind: Integer, Int: -3},
		"m.x.y": {},
		"none":  {},
	} {
		got := o.Attribute(strings.Split(path, "."))
		if got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
		if back := Decode(got.Append(nil)); back != got {
			t.Errorf("%s came back as %+v", path, back)
		}
	}
}

func TestMalformedLinesSayWhere(t *testing.T) {
	for line, want := range map[string]string{
		``:                 `byte 1: the line ends; a JSON object is wanted`,
		`[]`:               `byte 1: a JSON object is wanted`,
		`{"a":1`:           `byte 7: the line ends; a comma or } is wanted`,
		`{"a" 1}`:          `byte 6: a colon is wanted`,
		`{"a":01}`:         `byte 7: a comma or } is wanted`,
		`{"a":"x}`:         `byte 9: the line ends; a string has no closing quotation mark`,
		"{\"a\":\"\x01\"}": `byte 7: a control character stands in a string`,
		`{"a":"\q"}`:       `byte 8: no such escape`,
		`{"a":"\u12"}`:     `byte 8: four hexadecimal digits are wanted behind \u`,
		`{"a":1,}`:         `byte 8: a name in quotation marks is wanted`,
		`{"a":[1}`:         `byte 8: a comma or ] is wanted`,
		`{"a":1} x`:        `byte 9: something follows the object`,
		`{"a":nil}`:        `byte 6: a value is wanted`,
	} {
		var o Object
		if err := o.Parse([]byte(line)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"a":"b\u00e9\ud800","c":[1.5e3,-0,{"d":null}],"a":true}`))
	f.Add([]byte(`{"":"\\\"",` + "\r\n\t" + `"x":{}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var o Object
		err := o.Parse(line)
		var want map[string]json.RawMessage
		wantErr := json.Unmarshal(line, &want)
		if bytes.Equal(bytes.TrimSpace(line), []byte("null")) {
			return // an empty map for encoding/json
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, but encoding/json: %v", line, err, wantErr)
		}
		if err != nil {
			return
		}
		for name, raw := range want {
			if strings.ContainsRune(name, unicode.ReplacementChar) {
				continue // or what is no UTF-8
			}
			if got := o.Raw(name); !bytes.Equal(got, raw) {
				t.Fatalf("%q: %q is %q instead of %q", line, name, got, raw)
			}
			var text string
			if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
				continue
			}
			if got, _ := AppendString(nil, o.Raw(name)); strings.ToValidUTF8(string(got), "") != strings.ToValidUTF8(strings.ReplaceAll(text, "\ufffd", "\ufffd"), "") && !strings.Contains(text, "\ufffd") {
				t.Fatalf("%q: %q is %q instead of %q", line, name, got, text)
			}
		}
	})
}

func BenchmarkSet(b *testing.B) {
	text := []byte(strings.Repeat("The quick brown fox, it's said, jumps over 13 lazy dogs. ", 40))
	for i := 0; i+20 < len(text); i += 20 {
		text[i] = byte('a' + i%26)
	}
	s := NewShingler(5, 64)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Set(text, 0)
	}
}
