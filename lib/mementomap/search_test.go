package mementomap

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/zipnum"
)

// written writes lines as a map: text, gzip, or gzip in blocks with their index.
func written(t testing.TB, lines []string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	names := map[string]string{}
	for _, form := range []string{"text", "gzip", "blocks"} {
		names[form] = filepath.Join(dir, form)
	}
	var text, packed, blocked, index bytes.Buffer
	z := gzip.NewWriter(&packed)
	w, err := zipnum.NewWriter(&blocked, &index, "blocks", zipnum.WriterOptions{Lines: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		fmt.Fprintln(&text, line)
		fmt.Fprintln(z, line)
		if err := w.WriteLine([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		names["text"]: text.Bytes(), names["gzip"]: packed.Bytes(),
		names["blocks"]: blocked.Bytes(), names["blocks"] + IndexSuffix: index.Bytes(),
	} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

const small1 = `!context ["https://git.io/mementomap"]
!fields {keys: ["surt"], values: ["frequency"]}
com,* 10000
com,a) 5
com,a)/* 40+/3
com,a)/pdf/* 0
com,a)/pdf/keep 3 {"note": "kept"}
com,b,* 77
com,c)/x 2
com,c)/x/* 9
com,c)/x/y/* 4
com,d,m)/i/* 6
net,e)/ 3
net,e)/p-q 1
net,e)/p/* 8
zz,last)/z 1`

func TestFind(t *testing.T) {
	for uri, want := range map[string]string{
		"http://a.com/":               "com,a) 5",
		"http://www.A.com:80/foo#f":   "com,a)/* 40+/3",
		"http://a.com/pdf/x.pdf":      "com,a)/pdf/* 0",
		"http://a.com/pdf/keep?a=b":   "com,a)/pdf/keep 3",
		"http://a.com/pdf":            "com,a)/pdf/* 0",
		"http://a.com/pdfs":           "com,a)/* 40+/3",
		"http://x.b.com/q":            "com,b,* 77",
		"http://b.com/":               "com,b,* 77",
		"http://bb.com/":              "com,* 10000",
		"http://c.com/x":              "com,c)/x 2",
		"http://c.com/x/y/z":          "com,c)/x/y/* 4",
		"http://c.com/x/w":            "com,c)/x/* 9",
		"http://c.com/xy":             "com,* 10000",
		"http://m.d.com/i/j/k":        "com,d,m)/i/* 6",
		"http://d.com/i/j":            "com,* 10000",
		"http://e.net":                "net,e)/ 3",
		"http://e.net/p-q":            "net,e)/p-q 1",
		"http://e.net/p":              "net,e)/p/* 8",
		"http://e.net/p-":             " ",
		"http://e.net/pq":             " ",
		"http://e.net/p/*":            "net,e)/p/* 8",
		"http://last.zz/z/":           "zz,last)/z 1",
		"http://unknown.zzz/":         " ",
		"http://aaa.aaa/":             " ",
		"urn:nothing":                 " ",
		"!":                           " ",
		"":                            " ",
		"http://a.com/%F0%9F%98%80":   "com,a)/* 40+/3",
		"http://e.net/*":              " ",
		"https://ee.net:8443/p/a/b/c": " ",
	} {
		for form, name := range written(t, strings.Split(small1, "\n")) {
			m, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			match, found, err := m.FindURI([]byte(uri))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(match.Key) + " " + string(match.Value); got != want || found != (want != " ") {
				t.Errorf("%s, %s: %q, want %q", uri, form, got, want)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// find as the definition says it, in a list.
func find(lines map[string]string, key string) string {
	try := []string{key}
	host, path, isHost := strings.Cut(key, ")")
	if isHost {
		if path == "" {
			try = append(try, key+"/")
		}
		for {
			try = append(try, host+")"+path+"/*")
			i := strings.LastIndexByte(path, '/')
			if i < 0 {
				break
			}
			path = path[:i]
		}
		for {
			try = append(try, host+",*")
			i := strings.LastIndexByte(host, ',')
			if i < 0 {
				break
			}
			host = host[:i]
		}
	}
	for _, k := range append(try, "*") {
		if value, ok := lines[k]; ok {
			return k + " " + value
		}
	}
	return " "
}

// Every key of a map is found in what it is compacted to, and every search gives
// what a search in a list gives, in any order.
func TestRecall(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 11))
		lines := randomMap(r, 1500, false)
		made := compacted(t, lines, CompactOptions{Cutoffs: randomCutoffs(r)}, nil)
		list := map[string]string{}
		for _, line := range made {
			key, value, _ := strings.Cut(line, " ")
			list[key] = value
		}
		for form, name := range written(t, made) {
			m, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			order := slices.Clone(lines)
			if seed%2 == 0 {
				r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			}
			for _, line := range order {
				key, value, _ := strings.Cut(line, " ")
				f, _ := ParseFrequency([]byte(value))
				if strings.HasSuffix(key, "*") {
					continue
				}
				key = strings.TrimSuffix(key, "/")
				match, found, err := m.FindSURT([]byte(key))
				if err != nil {
					t.Fatal(err)
				}
				if got := string(match.Key) + " " + string(match.Value); got != find(list, key) {
					t.Fatalf("seed %d, %s, %s: %q, want %q", seed, form, key, got, find(list, key))
				}
				if !found || match.Frequency.Present() == f.IsZero() {
					t.Fatalf("seed %d, %s, %s: not found: %q", seed, form, line, match.Key)
				}
				// What is not there.
				for _, other := range []string{key + "-", key + "/zz/b", strings.Replace(key, ")", ",q)", 1), key[1:], key + "!"} {
					if i := strings.IndexByte(other, ')'); i < len(other)-1 && other[i+1] != '/' {
						continue // no host
					}
					match, _, err := m.Find([]byte(other))
					if err != nil {
						t.Fatal(err)
					}
					if got := string(match.Key) + " " + string(match.Value); got != find(list, other) {
						t.Fatalf("seed %d, %s, %s: %q, want %q", seed, form, other, got, find(list, other))
					}
				}
			}
			m.Close()
		}
	}
}
