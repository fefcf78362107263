package coverage

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	names := []string{"hostname", "timestamp", "meta", "meta.rank", "title"}
	for _, tt := range []struct {
		expression string
		seen       []Kinds
		want       string // a part of the error; "": none
	}{
		{"a.hostname == b.hostname", []Kinds{Texts}, ""},
		{"a.hostname == b.title", []Kinds{Texts, Texts | Numbers}, ""},
		{"a.hostname == b.title", []Kinds{Texts, Numbers}, "this compares texts with numbers (1:40)"},
		{"a.hostname != 7", []Kinds{Texts}, "this compares texts with numbers"},
		{"a.title == true", []Kinds{Texts | Truths}, ""},
		{"a.hostnme == b.hostnme", []Kinds{0}, "no document has a text, number or truth value hostnme: hostname is there (1:31)"},
		{"a.meta.rnk < 3", []Kinds{0}, "meta.rnk: meta.rank is there"},
		{"a.meta < 3", []Kinds{0}, "meta is neither a text, a number nor a truth value"},
		{"a.quite.another == 3", []Kinds{0}, "value quite.another (1:3"},
		{"a.timestamp - b.timestamp < 5", []Kinds{Numbers}, ""},
		{"a.hostname - b.timestamp < 5", []Kinds{Texts, Numbers}, "this calculates with what is no number"},
		{"-a.timestamp < 5", []Kinds{Numbers | Texts}, ""},
	} {
		r, err := Parse("containment(a, b) >= 0.7 && " + tt.expression)
		if err != nil {
			t.Fatal(err)
		}
		err = r.Check(tt.seen, names)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.expression, err, tt.want)
		}
	}
}
