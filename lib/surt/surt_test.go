package surt

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"archivestream/lib/surt/surttest"

	"archivestream/lib/stage"
)

var update = flag.Bool("update", false, "ask Python for the keys of the vectors")

const vectors = "testdata/vectors.tsv"

// differences are the vectors for which Python has no key, or one that cannot stand
// in a line of an index, with ours.
var differences = map[string]string{
	// Nothing but white space: Python, which gives "-" for the empty URL, raises
	// AttributeError. We are right: there is no URL in either.
	" ": "-", "\n": "-", "\t \r\n": "-", "\v\f": "-",

	// A port that is none: Python raises ValueError. No standard says more than that
	// the URL is not valid. All that stands before the path is the host then, as with
	// jwarc, and the URL is found.
	"http://archive.org:65536/":                "org:65536,archive)/",
	"http://archive.org:99999999999999999999/": "org:99999999999999999999,archive)/",
	"http://archive.org:port/":                 "org:port,archive)/",
	"http://mhtml:d.archive.org/goo":           "org,archive,mhtml:d)/goo",
	"http://archive.org:80:90/":                "org:80:90,archive)/",
	"http://archive.org: 80/":                  "org:%2080,archive)/",
	"http://archive.org:-1/":                   "org:-1,archive)/",
	"http://archive.org:%38%30/":               "org:80,archive)/",
	"http://::1/":                              "::1)/",
	"http://[::1]:x/":                          "[::1]:x)/",

	// The name of an ARC file with white space: Python gives it as it is, which tears
	// the line of the index apart. We are right, as pywb itself cannot read it.
	"filedesc:a b.arc.gz": "filedesc:a%20b.arc.gz",
	"filedesc:a\tb\r\n":   "filedesc:a%09b%0D%0A",
}

func TestVectors(t *testing.T) {
	content, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		content = updated(t, string(content))
		if err := os.WriteFile(vectors, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compared, seen := 0, 0
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		before, after, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		url, want := unescaped(t, before), unescaped(t, after)
		if own, different := differences[url]; different {
			if seen++; !pythonFails(want) {
				t.Errorf("%q is among the differences, but Python has the key %q", url, want)
			}
			want = own
		}
		compared++
		if got := Key(url); got != want {
			t.Errorf("%q:\n got %q\nwant %q", url, got, want)
		}
	}
	if seen != len(differences) {
		t.Errorf("%d of %d differences are among the vectors", seen, len(differences))
	}
	if compared < 300 {
		t.Errorf("%d vectors", compared)
	}
}

// updated gives the vectors with the keys that Python gives now.
func updated(t *testing.T, content string) []byte {
	t.Helper()
	var urls []string
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(line, "#") {
			url, _, _ := strings.Cut(line, "\t")
			urls = append(urls, unescaped(t, url))
		}
	}
	keys := pythonKeys(t, urls)
	var out []byte
	for line := range strings.Lines(content) {
		if strings.HasPrefix(line, "#") {
			out = append(out, line...)
			continue
		}
		out = append(stage.AppendEscaped(out, []byte(urls[0])), '\t')
		out = append(stage.AppendEscaped(out, []byte(keys[0])), '\n')
		urls, keys = urls[1:], keys[1:]
	}
	return out
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	for _, url := range []string{"", "http://a.example/?b&a", "dns:a.example", "filedesc:a b", "http://\u00fc.example/%25", "urn:?a"} {
		for _, room := range []int{0, 1, 5, 100} {
			dst := append(make([]byte, 0, len("kept ")+room), "kept "...)
			if got, want := string(Append(dst, []byte(url))), "kept "+Key(url); got != want {
				t.Errorf("%q: got %q, want %q", url, got, want)
			}
		}
	}
}

func TestAppendLeavesTheURL(t *testing.T) {
	for url := range differences {
		raw := []byte(url)
		Append(nil, raw)
		if string(raw) != url {
			t.Errorf("%q has become %q", url, raw)
		}
	}
}

func TestAppendHost(t *testing.T) {
	for host, want := range map[string]string{
		"archive.org": "org,archive", "WWW.Archive.ORG.": "org,archive", "192.0.2.1": "1,2,0,192", "::1": "::1",
		"b\u00fccher.example": "example,xn--bcher-kva", "": "", ".": "", "a b": "a%20b", "a\n\t": "a%0a%09",
	} {
		if got := string(AppendHost(nil, []byte(host))); got != want {
			t.Errorf("%q: got %q, want %q", host, got, want)
		}
	}
}

// TestLargeURLs holds keys of a million bytes to what they must be. The quadratic
// ways to make them take minutes.
func TestLargeURLs(t *testing.T) {
	const n = 200_000
	for _, tt := range []struct{ name, url, want string }{
		{"path", "http://a.example/" + strings.Repeat("aB%41/", n), "example,a)" + strings.Repeat("/aba", n)},
		{"nested escapes", "http://a.example/%" + strings.Repeat("25", 2*n) + "41", "example,a)/a"},
		{"segments", "http://a.example" + strings.Repeat("/a/..", n), "example,a)/"},
		{"labels", "http://" + strings.Repeat("a.", n) + "b/", "b" + strings.Repeat(",a", n) + ")/"},
		{"unequal parameters", "http://a.example/?" + strings.Repeat("b&a&", n) + "c", "example,a)/?" + strings.Repeat("a&", n) + strings.Repeat("b&", n) + "c"},
		{"ids", "http://a.example/?" + strings.Repeat("cfid=", n), "example,a)/?" + strings.Repeat("cfid=", n)},
		{"sessions", "http://a.example" + strings.Repeat("/(0123456789abcdefghijklmn)", n/5) + "/%3f.aspx",
			"example,a)" + strings.Repeat("/(0123456789abcdefghijklmn)", n/5) + "/?.aspx"},
		{"long label", "http://" + strings.Repeat("\u00fc", n), strings.Repeat("%c3%bc", n) + ")/"},
		{"spaces", "http://a.example/" + strings.Repeat(" ", n) + "b", "example,a)/" + strings.Repeat("%20", n) + "b"},
	} {
		if got := Key(tt.url); got != tt.want {
			t.Errorf("%s: got %d bytes, want %d: %.60q", tt.name, len(got), len(tt.want), got)
		}
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	key := make([]byte, 0, 1<<10)
	for _, url := range append([]string{"http://192.0.2.1:8080/", "dns:a.example", "http://www.a.example/A%20b/../c?z&y&x"}, typical...) {
		raw := []byte(url)
		if n := testing.AllocsPerRun(100, func() { key = Append(key[:0], raw) }); n != 0 {
			t.Errorf("%s: Append allocates %v times", url, n)
		}
		if n := testing.AllocsPerRun(100, func() { Key(url) }); n > 1 {
			t.Errorf("%s: Key allocates %v times", url, n)
		}
	}
}

func TestAppendHostName(t *testing.T) {
	for url, want := range map[string]string{
		"http://WWW.Example.COM.:8080/a": "www.example.com", "http://u:p@a.example?q": "a.example", "dns:a.example": "",
		"http://B%C3%BCcher.de/": "xn--bcher-kva.de", "http://[2001:DB8::1]:80/": "2001:db8::1", "a.example/x": "a.example",
		"": "", " ": "", "filedesc://a.arc": "", "http:////a.example/b": "a.example", "urn:x": "",
	} {
		if got := string(AppendHostName(nil, []byte(url))); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

// TestHostNamesMakeTheHostsOfKeys makes of the name of a URL's host what stands in
// the URL's key.
func TestHostNamesMakeTheHostsOfKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	plainName, plain := regexp.MustCompile(`^[a-z0-9._-]+$`), 0
	for range 20000 {
		url := []byte(surttest.HardURL(random))
		name := AppendHostName(nil, url)
		if !plainName.Match(name) || bytes.Contains(name, twoDots) || bytes.HasPrefix(url, []byte("dns:")) {
			continue // what stands there may be decoded further, and dns:// keeps its www.
		}
		plain++
		host, _, _ := bytes.Cut(Append(nil, url), []byte(")"))
		if got := AppendHost(nil, name); !bytes.Equal(got, host) && !bytes.HasPrefix(host, append(got, ':')) {
			t.Errorf("%q: %q of %q, but the key has %q", url, got, name, host)
		}
	}
	if plain < 1000 {
		t.Errorf("%d names: too few to tell anything", plain)
	}
}
