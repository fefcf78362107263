package where

import "testing"

// TestAbsolute has the examples of RFC 3986, section 5.4, and links that are none by its
// grammar.
func TestAbsolute(t *testing.T) {
	for link, want := range map[string]string{
		"g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g", "//g": "http://g",
		"?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s", "g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s",
		";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x", "g;x?y#s": "http://a/b/c/g;x?y#s", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/",
		"..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../": "http://a/", "../../g": "http://a/g",
		"../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g",
		"g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g", "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
		"g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y", "g?y/./x": "http://a/b/c/g?y/./x", "g#s/../x": "http://a/b/c/g#s/../x",
		"?q=100%": "http://a/b/c/d;p?q=100%", "a%zz.html": "http://a/b/c/a%zz.html", " g ": "http://a/b/c/g", "/a b\n/ü?x y": "http://a/a%20b/%C3%BC?x%20y",
		"http://[/x/../y": "http://[/y", "http://h:p/": "http://h:p/", "1:2": "http://a/b/c/1:2", "mailto:a@b": "mailto:a@b", "#": "http://a/b/c/d;p?q#",
	} {
		if got := absolute(link, "http://a/b/c/d;p?q"); got != want {
			t.Errorf("%q: %q, want %q", link, got, want)
		}
	}
	for base, want := range map[string]string{"http://a": "http://a/g", "http://a?q": "http://a/g", "http://h:p/x/": "http://h:p/x/g", "dns:x": "dns:g", "x": "g", "": "g", "a/b/../c": "a/g"} {
		if got := absolute("g", base); got != want {
			t.Errorf("g at %q: %q, want %q", base, got, want)
		}
	}
}
