package coverage

import (
	"math/big"
	"strings"
	"testing"

	"archivestream/lib/documents"
)

func parse(t *testing.T, source string) *Relation {
	t.Helper()
	r, err := Parse(source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return r
}

// TestThresholdsAreExact compares the integer arithmetic with fractions, at the least
// number of shared shingles that is enough and its neighbours.
func TestThresholdsAreExact(t *testing.T) {
	for _, threshold := range []string{"0.8", "0.7", "2/3", "1", "0.1", "0.333333333"} {
		want, _ := new(big.Rat).SetString(threshold)
		for measure, share := range map[string]func(o, a, b int64) *big.Rat{
			"containment(a, b)": func(o, a, _ int64) *big.Rat { return big.NewRat(o, a) },
			"containment(b, a)": func(o, _, b int64) *big.Rat { return big.NewRat(o, b) },
			"jaccard(a, b)":     func(o, a, b int64) *big.Rat { return big.NewRat(o, a+b-o) },
			"dice(a, b)":        func(o, a, b int64) *big.Rat { return big.NewRat(2*o, a+b) },
		} {
			r := parse(t, measure+" >= "+threshold)
			for a := 1; a <= 60; a++ {
				for b := 1; b <= 60; b++ {
					least := r.Demand(a, b)
					for o := max(0, least-1); o <= min(least+1, a, b); o++ {
						enough := share(int64(o), int64(a), int64(b)).Cmp(want) >= 0
						if r.Enough(o, a, b) != enough || (o >= least) != enough {
							t.Fatalf("%s: %d of %d and %d shingles: enough %v, least %d", r, o, a, b, r.Enough(o, a, b), least)
						}
					}
				}
			}
		}
	}
}

func TestErrorsShowThePlace(t *testing.T) {
	for source, want := range map[string]string{
		"":                                                  "empty",
		"jaccard(a, b) >= 0.8 &&":                           "(1:",
		"jaccard(a, b) > 0.8":                               "must be >= a threshold (1:15)",
		"jaccard(a, b) >= 1.5":                              "more than 0 and at most 1",
		"jaccard(a, b) >= 0":                                "more than 0 and at most 1",
		"jaccard(a, b) >= 0.1234567891":                     "nine decimals",
		"jaccard(a, b) >= a.x":                              "must be a constant",
		"jaccard(a, a) >= 0.5":                              "jaccard(a, b)",
		"cosine(a, b) >= 0.5":                               "cosine is no measure",
		"max(a, b) >= 0.5":                                  "no such measure",
		"a.x == b.x":                                        "a content constraint is missing",
		"jaccard(a, b) >= 0.5 || a.x == b.x":                "joined by && only",
		"jaccard(a, b) >= 0.5 && c.x == 1":                  "attributes are a.NAME and b.NAME (1:25)",
		"jaccard(a, b) >= 0.5 && a == b":                    "an attribute of a is wanted",
		"jaccard(a, b) >= 0.5 && a.x":                       "two sides",
		"jaccard(a, b) >= 0.5 && a.x in [1]":                "compares nothing",
		"jaccard(a, b) >= 0.5 && a.x == 1 + dice(a, b)":     "cannot be calculated with",
		"jaccard(a, b) >= 0.5 && a.x == b.y % 2":            "cannot be part of a term",
		"jaccard(a, b) >= 0.5 && a[1] == 2":                 "the name of an attribute",
		"jaccard(a, b) >= 0.5 && not (a.x == 1)":            "a constraint is wanted",
		"jaccard(a, b) >= 0.5 && (a.x == 1 ? true : false)": "a constraint is wanted",
	} {
		if _, err := Parse(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
}

func integer(n int64) documents.Value { return documents.Value{Kind: documents.Integer, Int: n} }
func text(s string) documents.Value   { return documents.Value{Kind: documents.String, Text: s} }

func TestMetadata(t *testing.T) {
	missing := documents.Value{}
	for _, c := range []struct {
		source string
		a, b   documents.Value
		want   bool
	}{
		{"a.x == b.x", integer(1), documents.Number(1), true},
		{"a.x == b.x", integer(1), text("1"), false},
		{"a.x != b.x", integer(1), text("1"), true},
		{"a.x != b.x", missing, integer(1), false},
		{"a.x == b.x", missing, missing, false},
		{"a.x < b.x", text("B"), text("a"), true},
		{"a.x + 1 <= b.x", integer(1<<62 + 1), integer(1<<62 + 2), true},
		{"a.x + 1 <= b.x", integer(1<<62 + 2), integer(1<<62 + 2), false},
		{"a.x * a.x > b.x", integer(1 << 40), integer(1 << 62), true},
		{"a.x / 2 == b.x", integer(3), documents.Number(1.5), true},
		{"a.x / 0 == b.x", integer(3), integer(0), false},
		{"-a.x == b.x", integer(3), integer(-3), true},
		{"a.x - b.x >= -86400000", integer(0), integer(86400000), true},
		{"a.x == true", documents.Value{Kind: documents.Bool, Int: 1}, missing, true},
		{"1 < a.x && a.x < 3", integer(2), missing, true},
	} {
		r := parse(t, "jaccard(a, b) >= 0.5 && "+c.source)
		if got := r.Holds([]documents.Value{c.a}, []documents.Value{c.b}); got != c.want {
			t.Errorf("%s with %+v, %+v: %v", c.source, c.a, c.b, got)
		}
	}
}

func TestKeysAndWhoTakesPart(t *testing.T) {
	r := parse(t, `jaccard(a, b) >= 0.5 && a.x == b.x && b.y == "v" && a.x + 1 == b.y`)
	values := func(x, y documents.Value) []documents.Value { return []documents.Value{x, y} }
	one, ok := r.TakesPart(values(integer(1), text("v")))
	same, _ := r.TakesPart(values(documents.Number(1), text("w")))
	other, _ := r.TakesPart(values(text("1"), text("v")))
	if !ok || one == 0 || one != same || one == other {
		t.Errorf("keys %x, %x, %x", one, same, other)
	}
	if _, ok := r.TakesPart(values(documents.Value{}, text("v"))); ok {
		t.Error("a document without its key takes part")
	}
	r = parse(t, `jaccard(a, b) >= 0.5 && a.x == 1 && b.x == 2`)
	for n, want := range map[int64]bool{1: true, 2: true, 3: false} {
		if key, ok := r.TakesPart([]documents.Value{integer(n)}); ok != want || key != 0 {
			t.Errorf("%d takes part: %v, key %x", n, ok, key)
		}
	}
}

func TestSimilarityIsCutOff(t *testing.T) {
	r := parse(t, "containment(a, b) >= 0.5")
	for _, c := range []struct {
		shared, a int
		want      string
	}{{2, 3, "0.666666"}, {1, 1, "1.000000"}, {999_999_999, 1_000_000_000, "0.999999"}, {1, 1_000_000, "0.000001"}, {0, 5, "0.000000"}} {
		if got := string(r.AppendSimilarity([]byte("x"), c.shared, c.a, 9)); got != "x"+c.want {
			t.Errorf("%d of %d: %s", c.shared, c.a, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`containment(a, b) >= 0.7 && a.timestamp <= b.timestamp && a["x y"].z / 3 != -b.n`)
	f.Add(`2/3 <= dice(b, a) and 1 < a.x < 3 && a?.b == "q"`)
	f.Fuzz(func(t *testing.T, source string) {
		r, err := Parse(source)
		if err != nil {
			return
		}
		values := make([]documents.Value, len(r.Attributes()))
		r.Holds(values, values)
		r.TakesPart(values)
		if n := r.Needed(7, 9); n < 0 || n <= 7 && !r.Either(n, 7, 9) {
			t.Fatalf("%q: %d shared are needed and not enough", source, n)
		}
	})
}
