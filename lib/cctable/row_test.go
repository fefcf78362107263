package cctable

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
)

// taken is a URL's part of a row as text, "-" for null.
type taken struct {
	Protocol, Host, Path, Query string
	Port                        int32
}

func TestURLsAreTakenApart(t *testing.T) {
	for url, want := range map[string]taken{
		"http://a.org":                          {"http", "a.org", "", "-", -1},
		"HTTPS://A.org:8443/b/c.html?q=1&r#top": {"https", "a.org", "/b/c.html", "q=1&r", 8443},
		"http://a.org:80/":                      {"http", "a.org", "/", "-", 80},
		"http://a.org:/":                        {"http", "a.org", "/", "-", -1},
		"http://a.org:0/":                       {"http", "a.org", "/", "-", 0},
		"http://a.org:65535/":                   {"http", "a.org", "/", "-", 65535},
		"http://a.org?":                         {"http", "a.org", "", "", -1},
		"http://a.org/?":                        {"http", "a.org", "/", "", -1},
		"http://a.org/#x?y":                     {"http", "a.org", "/", "-", -1},
		"http://a.org/b/../c?d?e":               {"http", "a.org", "/b/../c", "d?e", -1},
		"http://user:secret@p@a.org:81/":        {"http", "a.org", "/", "-", 81},
		"http://[2001:db8::1]:8080/x":           {"http", "[2001:db8::1]", "/x", "-", 8080},
		"http://[2001:db8::1]":                  {"http", "[2001:db8::1]", "", "-", -1},
		"https:////a.org/robots.txt":            {"https", "a.org", "/robots.txt", "-", -1},
		"http:/a.org/robots.txt":                {"http", "a.org", "/robots.txt", "-", -1},
		`http:\\a.org\b?c`:                      {"http", "a.org", `\b`, "c", -1},
		" http://a.org/ ":                       {"http", "a.org", "/", "-", -1},
		"ftp://a.org/pub/":                      {"ftp", "a.org", "/pub/", "-", -1},
		"dns:www.a.org":                         {"dns", "www.a.org", "", "-", -1},
		"DNS:www.a.org?type=A":                  {"dns", "www.a.org", "", "type=A", -1},
		"dns://192.0.2.53/www.a.org":            {"dns", "www.a.org", "", "-", -1},
		"whois://whois.iana.org/a.org":          {"whois", "a.org", "/a.org", "-", -1},
		"whois://a.org/":                        {"whois", "a.org", "/", "-", -1},
		"http://3232235777/":                    {"http", "192.168.1.1", "/", "-", -1},
		"http://a\xe9.org/\xe9":                 {"http", "xn--a-q10i.org", "/\uFFFD", "-", -1},
	} {
		r := Row{}
		err := r.Set(&cdx.Capture{Key: []byte("k"), Timestamp: []byte("20200101000000"), URL: []byte(url), Filename: []byte("f")})
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		got := taken{string(r.Protocol), r.Host.Name, string(r.Path), "-", r.Port}
		if r.Query != nil {
			got.Query = string(r.Query)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", url, diff)
		}
	}
}

func capture() cdx.Capture {
	return cdx.Capture{
		Key: []byte("org,a)/"), Timestamp: []byte("20240229235958"), URL: []byte("http://a.org/"), Mime: []byte("text/html"),
		Status: []byte("200"), Digest: []byte("ABC"), Filename: []byte("f.warc.gz"), Offset: 7, Length: 5,
	}
}

func TestRow(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(c *cdx.Capture)
		got    func(r *Row) any
		want   any
	}{
		{"time", func(*cdx.Capture) {}, func(r *Row) any { return time.UnixMilli(r.FetchTime).UTC().Format(time.RFC3339) }, "2024-02-29T23:59:58Z"},
		{"status", func(*cdx.Capture) {}, func(r *Row) any { return r.FetchStatus }, int16(200)},
		{"status of a revisit", func(c *cdx.Capture) { c.Status = []byte("-") }, func(r *Row) any { return r.FetchStatus }, int16(-1)},
		{"no status", func(c *cdx.Capture) { c.Status = nil }, func(r *Row) any { return r.FetchStatus }, int16(-1)},
		{"status too large", func(c *cdx.Capture) { c.Status = []byte("32768") }, func(r *Row) any { return r.FetchStatus }, int16(-1)},
		{"largest status", func(c *cdx.Capture) { c.Status = []byte("32767") }, func(r *Row) any { return r.FetchStatus }, int16(math.MaxInt16)},
		{"status of letters", func(c *cdx.Capture) { c.Status = []byte("2OO") }, func(r *Row) any { return r.FetchStatus }, int16(-1)},
		{"no length", func(c *cdx.Capture) { c.Length = -1 }, func(r *Row) any { return r.Length }, int64(-1)},
		{"large place", func(c *cdx.Capture) { c.Offset = 1 << 40 }, func(r *Row) any { return r.Offset }, int64(1 << 40)},
		{"digest", func(*cdx.Capture) {}, func(r *Row) any { return string(r.Digest) }, "ABC"},
		{"sha1", func(c *cdx.Capture) { c.Digest = []byte("SHA1:ABC") }, func(r *Row) any { return string(r.Digest) }, "ABC"},
		{"sha256", func(c *cdx.Capture) { c.Digest = []byte("sha256:abc") }, func(r *Row) any { return string(r.Digest) }, "sha256:abc"},
		{"no mime", func(c *cdx.Capture) { c.Mime = []byte("-") }, func(r *Row) any { return r.MimeType == nil }, true},
		{"empty mime", func(c *cdx.Capture) { c.Mime = []byte{} }, func(r *Row) any { return r.MimeType == nil }, true},
		{"unk", func(c *cdx.Capture) { c.Mime = []byte("unk") }, func(r *Row) any { return string(r.MimeType) }, "unk"},
		{"not UTF-8", func(c *cdx.Capture) { c.Key, c.Charset = []byte("a\xff"), []byte("\xc3(\xc3") },
			func(r *Row) any { return string(r.SURTKey) + " " + string(r.Charset) }, "a\uFFFD \uFFFD(\uFFFD"},
		{"segment", func(c *cdx.Capture) { c.Filename = []byte("crawl-data/EOT-2008/segments/IA-001/warc/x.arc.gz") },
			func(r *Row) any { return string(r.Segment) }, "IA-001"},
		{"others", func(c *cdx.Capture) {
			c.Redirect, c.MimeDetected, c.Charset, c.Languages, c.Truncated = []byte("r"), []byte("m"), []byte("c"), []byte("l"), []byte("t")
		}, func(r *Row) any {
			return string(r.Redirect) + string(r.MimeDetected) + string(r.Charset) + string(r.Languages) + string(r.Truncated)
		}, "rmclt"},
	} {
		c, r := capture(), Row{}
		test.change(&c)
		if err := r.Set(&c); err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(test.want, test.got(&r)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestCapturesWithoutRow(t *testing.T) {
	for _, url := range []string{
		"urn:uuid:1", "warcinfo:x.warc.gz", "filedesc://x.arc.gz", "metadata://x/y", "mailto:a@a.org", "screenshot:http://a.org/",
	} {
		c, r := capture(), Row{}
		c.URL = []byte(url)
		if err := r.Set(&c); !errors.Is(err, ErrNoRow) || errors.Is(err, ErrCapture) {
			t.Errorf("%s: %v, want ErrNoRow", url, err)
		}
	}
	for _, test := range []struct {
		want   string
		change func(c *cdx.Capture)
	}{
		{"no key", func(c *cdx.Capture) { c.Key = nil }},
		{"no url", func(c *cdx.Capture) { c.URL = nil }},
		{"no archive file", func(c *cdx.Capture) { c.Filename = nil }},
		{"no offset", func(c *cdx.Capture) { c.Offset = -1 }},
		{"the url has no scheme", func(c *cdx.Capture) { c.URL = []byte("a/b:c") }},
		{"the url has no scheme", func(c *cdx.Capture) { c.URL = []byte("://a") }},
		{"the url has no host", func(c *cdx.Capture) { c.URL = []byte("http:///?x") }},
		{"the url has no host", func(c *cdx.Capture) { c.URL = []byte("http://.:80/") }},
		{"the url has no host", func(c *cdx.Capture) { c.URL = []byte("file:///etc/hosts") }},
		{"the url has no host", func(c *cdx.Capture) { c.URL = []byte("dns:") }},
		{"timestamp of 8 bytes, want 14 digits", func(c *cdx.Capture) { c.Timestamp = c.Timestamp[:8] }},
		{"timestamp of 17 bytes, want 14 digits", func(c *cdx.Capture) { c.Timestamp = []byte("20240229235958000") }},
		{`timestamp "2024022923595x" has other bytes than digits`, func(c *cdx.Capture) { c.Timestamp = []byte("2024022923595x") }},
		{"timestamp 20230229000000 is no time", func(c *cdx.Capture) { c.Timestamp = []byte("20230229000000") }},
		{"timestamp 20241301000000 is no time", func(c *cdx.Capture) { c.Timestamp = []byte("20241301000000") }},
		{"timestamp 20240101240000 is no time", func(c *cdx.Capture) { c.Timestamp = []byte("20240101240000") }},
		{"timestamp 20240101006000 is no time", func(c *cdx.Capture) { c.Timestamp = []byte("20240101006000") }},
		{"timestamp 20240101000060 is no time", func(c *cdx.Capture) { c.Timestamp = []byte("20240101000060") }},
		{"timestamp 00000101000000 is no time", func(c *cdx.Capture) { c.Timestamp = []byte("00000101000000") }},
	} {
		c, r := capture(), Row{}
		test.change(&c)
		if err := r.Set(&c); !errors.Is(err, ErrCapture) || errors.Is(err, ErrNoRow) || !strings.HasSuffix(err.Error(), ": "+test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

func TestDaysAreThoseOfTheCalendar(t *testing.T) {
	for day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 10000; day = day.AddDate(0, 0, 1) {
		got, err := milliseconds([]byte(day.Format("20060102150405")))
		if err != nil || got != day.UnixMilli() {
			t.Fatalf("%s: %d, %v, want %d", day, got, err, day.UnixMilli())
		}
	}
}

func TestPlaceOf(t *testing.T) {
	for filename, want := range map[string]Place{
		"crawl-data/CC-MAIN-2017-39/segments/1505818689752.21/warc/CC-MAIN-00256.warc.gz":             {"CC-MAIN-2017-39", "1505818689752.21", "warc"},
		"common-crawl/crawl-data/CC-MAIN-2017-39/segments/1505818689752.21/robotstxt/x.warc.gz":       {"CC-MAIN-2017-39", "1505818689752.21", "robotstxt"},
		"s3://commoncrawl/crawl-data/CC-MAIN-2017-39/segments/1505818689752.21/crawldiagnostics/x.gz": {"CC-MAIN-2017-39", "1505818689752.21", "crawldiagnostics"},
		"crawl-data/EOT-2008/segments/IA-001/warc/x.arc.gz":                                           {"EOT-2008", "IA-001", "warc"},
		"crawl-data/EOT-2008/segments/IA-001/arc/x.arc.gz":                                            {"EOT-2008", "IA-001", "warc"},
		"crawl-data/EOT-2008/segments/IA-001/x.arc.gz":                                                {"EOT-2008", "IA-001", "warc"},
		"crawl-data/EOT-2008/segments/IA-001/robotstxt":                                               {"EOT-2008", "IA-001", "warc"},
		"segments/IA-001/robotstxt/x.arc.gz":                                                          {"", "IA-001", "robotstxt"},
		"/segments/IA-001/warc/x.arc.gz":                                                              {"", "IA-001", "warc"},
		"EOT/segments/x.arc.gz":                                                                       {"EOT", "", "warc"},
		"x-segments/IA-001/robotstxt/x.arc.gz":                                                        {"", "", "warc"},
		"x.warc.gz":                                                                                   {"", "", "warc"},
		"":                                                                                            {"", "", "warc"},
	} {
		if diff := cmp.Diff(want, PlaceOf(filename)); diff != "" {
			t.Errorf("%s:\n%s", filename, diff)
		}
		if got := Subset(filename); got != want.Subset {
			t.Errorf("%s: subset %s", filename, got)
		}
	}
}
