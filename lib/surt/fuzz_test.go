package surt

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"archivestream/lib/surt/surttest"
)

// FuzzAppend holds keys to what any of them is, and to what does not change them.
func FuzzAppend(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f.Add([]byte(surttest.HardURL(random)))
	}
	f.Fuzz(func(t *testing.T, url []byte) {
		key := Append(nil, url)
		if len(key) == 0 || bytes.ContainsAny(key, separates) {
			t.Fatalf("%q: %q cannot stand in a line", url, key)
		}
		if limit := 64 * (len(url) + 1); len(key) > limit {
			t.Errorf("%q: key of %d bytes", url, len(key))
		}
		cleaned := clean(url)
		if bytes.HasPrefix(url, filedesc) || len(cleaned) == 0 {
			return
		}
		if bytes.ContainsFunc(key, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
			t.Errorf("%q: %q is not printable ASCII", url, key)
		}
		half := len(url) / 2
		for _, same := range []string{
			" \n" + string(url) + "\v\r",
			" " + string(url[:half]) + "\r\n\t" + string(url[half:]),
			" " + string(cleaned) + "#f?g",
		} {
			if got := Key(same); got != string(key) && !bytes.Contains(cleaned, []byte("#")) {
				t.Errorf("%q: %q, but %q: %q", url, key, same, got)
			}
		}
	})
}

// FuzzIdempotence makes URLs of keys again, whose keys have to be the same. This
// holds for no host that begins with www. or is an IP address, nor with two session
// ids or with a "?" in the path, which was an escape.
func FuzzIdempotence(f *testing.F) {
	for _, path := range []string{"", "a/b", "../a//./b/..", "%2525%41", "?b&a&=&b=", "a%2f%2e%2e/b"} {
		f.Add([]byte(path))
	}
	const alphabet = "0123456789abcdefABCDEF%/.?&=-\xe4"
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := make([]byte, len(raw))
		for i, c := range raw {
			path[i] = c
			if strings.IndexByte(alphabet, c) < 0 {
				path[i] = alphabet[int(c)%len(alphabet)]
			}
		}
		key := Key("http://h.example/" + string(path))
		again, ok := strings.CutPrefix(key, "example,h)")
		if !ok {
			t.Fatalf("%q: %q has another host", path, key)
		}
		segments, _, _ := bytes.Cut(path, []byte("?"))
		if bytes.Contains(appendUnescaped(nil, segments), []byte("?")) {
			return
		}
		if got := Key("http://h.example" + again); got != key {
			t.Errorf("%q: %q, and again %q", path, key, got)
		}
	})
}

// FuzzUnescape compares with unescaping again and again.
func FuzzUnescape(f *testing.F) {
	for _, text := range []string{"", "%", "%41", "%2541", "%25%32%35%34%31", "%%34%311", "%2%3541", "%zz%4"} {
		f.Add([]byte(text))
	}
	once := func(text []byte) []byte {
		var out []byte
		for i := 0; i < len(text); i++ {
			if text[i] == '%' && i+2 < len(text) && unhex[text[i+1]] < 16 && unhex[text[i+2]] < 16 {
				out = append(out, unhex[text[i+1]]<<4|unhex[text[i+2]])
				i += 2
				continue
			}
			out = append(out, text[i])
		}
		return out
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want := text
		for {
			less := once(want)
			if len(less) == len(want) {
				break
			}
			want = less
		}
		if got := appendUnescaped([]byte("%4"), text); string(got) != "%4"+string(want) {
			t.Errorf("%q: got %q, want %q", text, got[2:], want)
		}
	})
}

// FuzzRanges holds ranges to their order, and to have the URL's own line.
func FuzzRanges(f *testing.F) {
	f.Add("http://a.example/b/")
	f.Add("http://localhost:8080/")
	f.Add("filedesc:\xff\xff")
	f.Fuzz(func(t *testing.T, url string) {
		line := Key(url) + " 20200101000000 {}"
		for _, m := range []Match{Exact, Prefix, Host, Domain} {
			ranges, err := Ranges(url, m)
			if err == ErrNoHost && (m == Host || m == Domain) && !hasHost(url) {
				continue
			}
			if err != nil {
				t.Fatalf("%q, %s: %v", url, m, err)
			}
			last, found := "", false
			for _, r := range ranges {
				if r.From < last || r.To != "" && r.From >= r.To {
					t.Errorf("%q, %s: %q behind %q", url, m, r.From, last)
				}
				last = r.To
				found = found || line >= r.From && (r.To == "" || line < r.To) && r.Has([]byte(line))
			}
			if !found {
				t.Errorf("%q, %s: %q is in none of %+v", url, m, line, ranges)
			}
		}
	})
}
