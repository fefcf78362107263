package surt

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"archivestream/lib/surt/surttest"
)

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		url  string
		m    Match
		want string // FROM TO of each range
	}{
		{"http://a.example/b.html", Exact, "example,a)/b.html example,a)/b.html!"},
		{"http://a.example/b.html", Prefix, "example,a)/b.html example,a)/b.htmm"},
		{"http://a.example/b/", Prefix, "example,a)/b example,a)/b! example,a)/b/ example,a)/b0"},
		{"http://a.example/b?", Prefix, "example,a)/b example,a)/b! example,a)/b? example,a)/b@"},
		{"http://a.example/b/?", Prefix, "example,a)/b example,a)/b! example,a)/b? example,a)/b@"},
		{"http://a.example/b.html", Host, "example,a)/ example,a* example,a: example,a;"},
		{"http://a.example:8080/b.html", Host, "example,a:8080)/ example,a:8080*"},
		{"http://a.example/b.html", Domain, "example,a)/ example,a* example,a, example,a- example,a: example,a;"},
		{"http://a.example:8080/", Domain, "example,a)/ example,a* example,a, example,a- example,a: example,a;"},
		{"example", Domain, "example)/ example* example, example- example: example;"},
		{"http://localhost:8080/", Host, "localhost:8080)/ localhost:8080*"},
		{"http://[2001:db8::1]/", Host, "2001:db8::1)/ 2001:db8::1* 2001:db8::1: 2001:db8::1;"},
		{"filedesc:a\xff\xff", Prefix, "filedesc:a\xff\xff filedesc:b"},
		{"filedesc:\u00fc", Prefix, "filedesc:\u00fc filedesc:\xc3\xbd"},
		{"filedesc:\ufffd", Prefix, "filedesc:\ufffd filedesc:\xef\xbf\xbe"},
		{"dns:a.example", Host, ErrNoHost.Error()},
		{"urn:isbn:1", Domain, ErrNoHost.Error()},
		{"data:)/x", Host, ErrNoHost.Error()},
		{"", Host, ErrNoHost.Error()},
		{"http://a.example/", "all", `unknown match type "all": expected exact, prefix, host or domain`},
	} {
		ranges, err := Ranges(tt.url, tt.m)
		var got []string
		for _, r := range ranges {
			got = append(got, r.From, r.To)
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s %s: got %q, want %q", tt.m, tt.url, got, tt.want)
		}
	}
}

func TestKeyRanges(t *testing.T) {
	for key, m := range map[string]Match{"dns:a.example": Host, "urn:isbn:1": Domain} {
		if got, err := KeyRanges(key, m); err != ErrNoHost {
			t.Errorf("%s %s: got %v, %v, want %v", m, key, got, err, ErrNoHost)
		}
	}
	for _, key := range []string{"com", "com,a", "localhost:80", "2001:db8::1", "fe80::1"} {
		got, err := KeyRanges(key, Host)
		if err != nil || got[0].From != key+")/" {
			t.Errorf("%s: got %v, %v", key, got, err)
		}
	}
}

// A line is one of an index, and what its URL says of it.
type line struct {
	url, key, text, host, port string
	// torn is set where the host in the key cannot be told from its port or path: a
	// host with an escaped slash, with a colon, or IPv6.
	torn bool
}

func lineOf(url string, number int) line {
	l := line{url: url, key: Key(url)}
	l.text = fmt.Sprintf("%s 20200101000000 %06d", l.key, number)
	if hasHost(url) {
		t := split(clean([]byte(url)))
		l.host = string(appendHost(nil, t.host, string(t.scheme) != "dns"))
		l.port = strings.TrimPrefix(string(appendPort(nil, &t)), ":")
	}
	l.torn = strings.ContainsAny(l.host, ":)/") || l.host == "" && strings.Contains(l.key, ")/")
	return l
}

// belongs reports whether a line belongs to the URL of another.
func (l *line) belongs(of *line, m Match) bool {
	switch m {
	case Exact:
		return l.key == of.key
	case Prefix:
		end := ""
		for _, e := range []string{"/", "?"} {
			if strings.HasSuffix(of.url, e) && !strings.HasSuffix(of.key, e) {
				end = e
			}
		}
		return l.key == of.key || strings.HasPrefix(l.key, of.key+end)
	case Host:
		return l.host != "" && l.host == of.host && (of.port == "" || l.port == of.port)
	}
	return l.host != "" && (l.host == of.host || strings.HasPrefix(l.host, of.host+","))
}

// vectorURLs returns the URLs of the vectors.
func vectorURLs(t *testing.T) []string {
	t.Helper()
	content, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	for line := range strings.Lines(string(content)) {
		if url, _, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			urls = append(urls, unescaped(t, url))
		}
	}
	return urls
}

// TestRangesFindEachURL holds the ranges of URLs, made and real ones, against a look
// at each line of an index: none is missed, and none comes that does not belong.
func TestRangesFindEachURL(t *testing.T) {
	urls := append(surttest.RealURLs(t), vectorURLs(t)...)
	random := rand.New(rand.NewPCG(5, 5))
	for range 1000 {
		urls = append(urls, surttest.HardURL(random))
	}
	lines := make([]line, len(urls))
	for i, url := range urls {
		lines[i] = lineOf(url, i)
	}
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.text, b.text) })
	for i := range lines {
		for _, m := range []Match{Exact, Prefix, Host, Domain} {
			wantRanges(t, lines, i, m)
		}
	}
}

func wantRanges(t *testing.T, lines []line, of int, m Match) {
	t.Helper()
	ranges, err := Ranges(lines[of].url, m)
	if err != nil {
		if err != ErrNoHost || lines[of].host != "" || m == Exact || m == Prefix {
			t.Errorf("%s %q: %v", m, lines[of].url, err)
		}
		return
	}
	found := map[int]bool{}
	for _, r := range ranges {
		from, _ := slices.BinarySearchFunc(lines, r.From, func(l line, from string) int { return strings.Compare(l.text, from) })
		for i := from; i < len(lines) && (r.To == "" || lines[i].text < r.To); i++ {
			if r.Has([]byte(lines[i].text)) {
				if found[i] {
					t.Errorf("%s %q: found twice: %q", m, lines[of].url, lines[i].text)
				}
				found[i] = true
			}
		}
	}
	if !found[of] {
		t.Errorf("%s %q: not found itself in %+v", m, lines[of].url, ranges)
	}
	for i := range lines {
		if torn := lines[i].torn || lines[of].torn; torn && (m == Host || m == Domain) {
			continue
		}
		if want := lines[i].belongs(&lines[of], m); want != found[i] {
			t.Errorf("%s %q: %q is found: %v, belongs to it: %v", m, lines[of].url, lines[i].text, found[i], want)
		}
	}
}

// TestRangesHoldThoseOfPywb asks pywb for the ranges of made URLs.
func TestRangesHoldThoseOfPywb(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var questions [][]string
	for range 1000 {
		for _, m := range []Match{Exact, Prefix, Host, Domain} {
			questions = append(questions, []string{surttest.HardURL(random), string(m)})
		}
	}
	answered := 0
	for i, want := range asked(t, "ranges", questions) {
		url, m := questions[i][0], Match(questions[i][1])
		// Beyond its exceptions, pywb adds one to characters and not to bytes, and lets
		// white space into keys.
		if len(want) != 2 || pythonFails(want[0]) || want[0] != "" && want[0][len(want[0])-1] >= 0x7f {
			continue
		}
		ranges, err := Ranges(url, m)
		if err == ErrNoHost {
			continue // pywb takes the text before ")/", all of it perhaps, for a host
		}
		answered++
		if err != nil {
			t.Errorf("%s %q: %v", m, url, err)
			continue
		}
		switch r := ranges[0]; m {
		case Exact, Prefix, Host:
			if !slices.ContainsFunc(ranges, func(r Range) bool { return r.From == want[0] && r.To == want[1] }) {
				t.Errorf("%s %q: got %+v, want %q", m, url, ranges, want)
			}
		case Domain:
			// pywb leaves out the host itself if it has one label, and what has a
			// port; that of a URL with a port is all that it looks for. It has the
			// hosts whose name goes on with * or +, which are none.
			host, _, _ := strings.Cut(Key(url), ")/")
			host, port := cutPort(host)
			pywb := []string{r.From, ranges[1].To}
			if !strings.Contains(host, ",") {
				pywb[0] = ranges[1].From
			}
			if port != "" {
				with := host + ":" + port
				pywb = []string{with + ")/", with + "-"}
				if !strings.Contains(host, ",") {
					pywb[0] = with + ","
				}
			}
			if !slices.Equal(pywb, want) {
				t.Errorf("%s %q: got %q, want %q", m, url, pywb, want)
			}
		}
	}
	if answered < len(questions)/2 {
		t.Errorf("pywb has answered %d of %d times", answered, len(questions))
	}
}
