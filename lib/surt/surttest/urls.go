// Package surttest has URLs for tests: made ones at which tools differ or break, and
// those of real archives.
package surttest

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// RealURLs returns URLs of real archives, where ARCHIVESTREAM_DATA has them; otherwise
// none.
func RealURLs(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv("ARCHIVESTREAM_DATA")
	if dir == "" {
		return nil
	}
	content, err := os.ReadFile(filepath.Join(dir, "surt", "surt_real_urls.tsv"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	unescape := strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r")
	for line := range bytes.Lines(content) {
		if url, _, ok := strings.Cut(string(line), "\t"); ok && !strings.HasPrefix(url, "#") {
			urls = append(urls, unescape.Replace(url))
		}
	}
	return urls
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

// HardURL makes a URL of pieces; now and then a byte of it is another.
func HardURL(random *rand.Rand) string {
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	p := &pieces
	url := []byte(pick(p.schemes) + pick(p.users) + pick(p.hosts) + pick(p.ports) + pick(p.paths) + pick(p.paths) + pick(p.queries) + pick(p.others))
	if random.IntN(4) == 0 && len(url) > 0 {
		url[random.IntN(len(url))] = byte(random.IntN(256))
	}
	return string(url)
}
