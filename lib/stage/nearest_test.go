package stage

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"title", "links", "timestamp", "url"}
	for name, want := range map[string]string{
		"titel": "title", "titl": "title", "Title": "title", "timestmap": "timestamp",
		"xyz": "", "": "", "u": "", "linsk": "links", "urls": "url",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%q: %q, expected %q", name, got, want)
		}
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ba", 1}, {"abc", "bac", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance %q %q: %d, expected %d", test.a, test.b, got, test.want)
		}
	}
}
