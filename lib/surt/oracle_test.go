package surt

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"archivestream/lib/stage"
)

// asked gives the answers of Python's tools, see testdata/oracle.py: per question
// its fields.
func asked(t *testing.T, what string, questions [][]string) [][]string {
	t.Helper()
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON names no python that has surt, pywb and cdxj-indexer")
	}
	var in []byte
	for _, q := range questions {
		for i, field := range q {
			if i > 0 {
				in = append(in, '\t')
			}
			in = stage.AppendEscaped(in, []byte(field))
		}
		in = append(in, '\n')
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(python, "-W", "ignore", filepath.Join("testdata", "oracle.py"), what)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skipf("ARCHIVESTREAM_PYTHON names no python that has surt, pywb and cdxj-indexer: %s", strings.TrimSpace(errs.String()))
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, errs.String())
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(lines), len(questions))
	}
	answers := make([][]string, len(lines))
	for i, line := range lines {
		for _, field := range strings.Split(line, "\t") {
			answers[i] = append(answers[i], unescaped(t, field))
		}
	}
	return answers
}

func unescaped(t *testing.T, field string) string {
	t.Helper()
	raw, err := stage.AppendUnescaped(nil, []byte(field))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// pythonKeys gives the keys of URLs by Python's surt.
func pythonKeys(t *testing.T, urls []string) []string {
	t.Helper()
	questions := make([][]string, len(urls))
	for i, url := range urls {
		questions[i] = []string{url}
	}
	keys := make([]string, len(urls))
	for i, answer := range asked(t, "keys", questions) {
		keys[i] = answer[0]
	}
	return keys
}

// separates are the bytes that would end the field or line of a key.
const separates = " \t\n\r"

// pythonFails says whether Python has no key for a URL, or one that cannot stand in
// a line.
func pythonFails(key string) bool {
	return strings.HasPrefix(key, "!") || strings.ContainsAny(key, separates)
}

// Pieces of URLs where tools differ or break.
var pieces = struct{ schemes, users, hosts, ports, paths, queries, others []string }{
	schemes: []string{"http://", "http://", "http://", "https://", "HTTP://", "hTTps://", "", "//", "http:", "http:/", "http:///", "http:////",
		"http://http://", "http://https://", "https://http://", "ftp://", "dns:", "DNS:", "dns://", "mailto:", "urn:", "warcinfo:", "filedesc:",
		"filedesc", "whois://", "httpx://", "httpx:///", "data:", "x+y-z.1://", "1http://", "http//", " http://", "\thttp://", ":", "metadata://"},
	users: []string{"", "", "", "", "user@", "user:pass@", "a@b@", "user:p%40ss@", "@", ":@", "u/", "u%3A@"},
	hosts: []string{"example.com", "www.example.com", "WWW2.Example.COM", "www.", "www.www.com", "www1x.com", "wwww.com", "www", "localhost",
		"..example..com..", "example.com.", "a...b", "...", "192.168.0.1", "3232235521", "0300.0250.0.1", "192.168.257", "1.2", "10.1.1.1.1",
		"300.1.1.1", "1.08.1.1", "010.9.1.1", "00", "0", "99999999999999999999", "1.16777216", "1.16777215", "1.2.65536", "0x7f.1", "1.2.3.4%0a",
		"127.0.0.1.", "[::1]", "[2001:DB8::1]", "[fe80::1%25Eth0]", "[::1", "::1", "[", "]", "[]", "a[b]c", "b\xc3\xbccher.example",
		"B\xc3\x9cCHER.example", "stra\xc3\x9fe.de", "b%C3%BCcher.example", "b%25C3%25BCcher.example", "\xe4\xf6\xfc.de", "%E4%F6.de",
		"\u4f8b\u3048.\u30c6\u30b9\u30c8", "\u4f8b\u3048\u3002com", "\uff57\uff57\uff57\uff0e\uff41.com", "\u05d0\u05d1.com", "a\u05d0.com",
		"\u0660\u0661.com", "\u00adx\u00ad.com", "\u200d.com", "\u212b.com", "\u0130.tr", "\u03a3\u03c2.gr", "\ufb01.com", "\u1e9e.de",
		"xn--bcher-kva.example", "xn--\u00fc.com", "a\u0301.com", "\U0001f4a9.la", "exa mple.com", "exa%20mple.com", "a_b.com", "a,b.com",
		"a!b$c.com", "a|b", "%77%77%77.example.com", "ex%61mple.com", "%2e%2e", "%", "%zz.com", "%25", "\x00.com", "\x7f.com", "-", "a)b.com",
		strings.Repeat("a", 63) + ".com", strings.Repeat("a", 64) + ".com", strings.Repeat("\u00fc", 40) + ".com", strings.Repeat("\u00fc", 60) + ".com",
		strings.Repeat("a", 64) + ".\u00fc", "\u00fc..de", "\u00fc.", "\xff", "\xed\xa0\x80.com", "\ue000.com", "\ufffd.com", "\u2028.com", "\u00a0.com"},
	ports: []string{"", "", "", "", ":80", ":443", ":8080", ":080", ":0", ":", "::", ":::80", ":65535", ":21", ":%38%30"},
	paths: []string{"", "/", "/a", "/A/B/", "/a//b", "//", "///", "/./", "/../", "/a/../b", "/a/b/../../..", "/a/./b/.", "/a/..", "/..//..", "/a//../b",
		"/.", "/..", "/...", "/.a", "/%7Euser/", "/%2E%2e/x", "/a%2Fb", "/a%2f%2Fb", "/%25%32%35", "/%252525", "/%", "/%4", "/%%41%%", "/%E4%F6",
		"/\xe4\xf6", "/\u00e4", "/a b", "/a\tb", "/%20/", "/%23x", "/%3Fq", "/\\x", "/a;b=c", "/(s(0123456789abcdefghijklmn))/x.aspx",
		"/(0123456789abcdefghijklmn)/x.aspx", "/a/(S(0123456789ABCDEFGHIJKLMN)F(0123456789abcdefghijklmn))/b/C.ASPX",
		"/(0123456789abcdefghijklmn)/(0123456789abcdefghijklmn)/x.aspx", "/(0123456789abcdefghijklmn)/.aspx", "/(0123456789abcdefghijklmn)/.aspx.aspx",
		"/(0123456789abcdefghijklmn)/x%3f.aspx", "/(0123456789abcdefghijklmn)/(s(0123456789abcdefghijklmn))/%3f/x.aspx", "/(0123456789abcdefghijklmn)/x.html",
		"/x;jsessionid=0123456789abcdef0123456789abcdef", "/\x00\x01\x7f", "/`'\"<>[]{}|^", "x", "x/y", "/-/!*", "/(0123456789abcdefghijklm%6e)/x%2easpx"},
	queries: []string{"", "", "", "?", "??", "?a", "?b&a", "?b=1&a=2&a=1&a", "?a=1&&b", "?&", "?&&", "?&a", "?a&", "?A=B", "?a=b=c&a=b", "?a.x=1&a=2", "?=", "?=&=",
		"?a=%26&b", "?a=%2525", "?%61=1", "?q=a b", "?q=%20+", "?q=\xe4", "?q=\u00e4&Q=%C3%A4", "?jsessionid=0123456789abcdef0123456789ABCDEF",
		"?a=1&JSESSIONID=0123456789abcdef0123456789abcdef", "?jsessionid=0123456789abcdef0123456789abcdef&b=1&a",
		"?jsessionid=0123456789abcdef0123456789abcdef&jsessionid=0123456789abcdef0123456789abcdef", "?jsessionid=0123456789abcdef0123456789abcdef0",
		"?phpsessid=0123456789abcdef0123456789abcdef&x", "?b&PHPSESSID=0123456789abcdef0123456789abcdef", "?xsid=0123456789abcdef0123456789abcdef&b&a",
		"?ASPSESSIONIDABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX", "?aspsessionidabcdefgh=abcdefghijklmnopqrstuvwx&a", "?aspsessionidabcdefg1=abcdefghijklmnopqrstuvwx",
		"?cfid=1&cftoken=2", "?z&CFID=1&CFTOKEN=2&a", "?cfid=cfid=1&cftoken=2&cfid=3&cftoken=", "?cfid=&cftoken=1", "?cfid=1&x&cftoken=2",
		"?cfid=1&cftoken=2&cfid=3&cftoken=4", "?cfid=1&cftoken=2cfid=3&cftoken=4", "?sid%3d0123456789abcdef0123456789abcdef", "?a/b?c", "?/../x", "?a=\\&b=|"},
	others: []string{"", "", "", "#f", "#", "#a?b", "#?", " ", "\n", "\r\n", "\x0b", "\x0c", "%20", "%0A", "\x85", "/", "?"},
}

// hardURL makes a URL of pieces; now and then a byte of it is another.
func hardURL(random *rand.Rand) string {
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	p := &pieces
	url := []byte(pick(p.schemes) + pick(p.users) + pick(p.hosts) + pick(p.ports) + pick(p.paths) + pick(p.paths) + pick(p.queries) + pick(p.others))
	if random.IntN(4) == 0 && len(url) > 0 {
		url[random.IntN(len(url))] = byte(random.IntN(256))
	}
	return string(url)
}

// TestKeyEqualsPython asks Python for the keys of made URLs, other ones than
// yesterday's.
func TestKeyEqualsPython(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	urls := make([]string, 30_000)
	for i := range urls {
		urls[i] = hardURL(random)
	}
	compareWithPython(t, urls)
}

// TestIDNEqualsPython asks for hosts of code points of all planes.
func TestIDNEqualsPython(t *testing.T) {
	step := 97
	if os.Getenv("ARCHIVESTREAM_ALL_CODE_POINTS") != "" {
		step = 1
	}
	var urls []string
	for r := rune(0x80); r <= 0x10ffff; r++ {
		if r > 0x3000 && int(r)%step != 0 {
			continue
		}
		urls = append(urls, fmt.Sprintf("http://%c.example/", r), fmt.Sprintf("http://a%cb\u0301.example/", r), fmt.Sprintf("http://\u05d0%c\u05d1/", r))
	}
	compareWithPython(t, urls)
}

func compareWithPython(t *testing.T, urls []string) {
	t.Helper()
	answered, wrong := 0, 0
	for i, want := range pythonKeys(t, urls) {
		got := Key(urls[i])
		if pythonFails(want) {
			if got == "" || strings.ContainsAny(got, separates) {
				t.Errorf("%q: %q cannot stand in a line", urls[i], got)
			}
			continue
		}
		answered++
		if got != want && wrong < 40 {
			wrong++
			t.Errorf("%q:\n got %q\nwant %q", urls[i], got, want)
		}
	}
	if answered < len(urls)/2 {
		t.Errorf("Python has answered %d of %d times", answered, len(urls))
	}
}

// TestRealURLs compares with the keys of real and of hard URLs that other tools
// made, in surt/*.tsv below ARCHIVESTREAM_DATA.
func TestRealURLs(t *testing.T) {
	dir := os.Getenv("ARCHIVESTREAM_DATA")
	if dir == "" {
		t.Skip("ARCHIVESTREAM_DATA names no folder of real crawl files")
	}
	unescape := strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r")
	for name, column := range map[string]int{"surt_real_urls.tsv": 1, "surt_vectors.tsv": 2} {
		content, err := os.ReadFile(filepath.Join(dir, "surt", name))
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("ARCHIVESTREAM_DATA holds no surt/" + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for line := range strings.Lines(string(content)) {
			fields := strings.Split(line, "\t")
			if strings.HasPrefix(line, "#") || strings.HasPrefix(fields[column], "ERR:") {
				continue
			}
			compared++
			if got := Key(unescape.Replace(fields[0])); got != fields[column] {
				t.Errorf("%s: %s: got %q, want %q", name, fields[0], got, fields[column])
			}
		}
		if compared < 100 {
			t.Errorf("%s has %d keys", name, compared)
		}
	}
}
