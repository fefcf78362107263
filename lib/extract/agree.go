package extract

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"archivestream/lib/cdx"
	"archivestream/lib/surt"
	"archivestream/lib/warc"
)

// A Head is what a record says of itself that an index line is held against. The
// slices need to be valid during the call alone.
type Head struct {
	Type []byte // of WARC-Type; of ARC what warc.Record.Type has
	URL  []byte // as written, or without angle brackets
	Date []byte // as written: of WARC-Date or of the ARC record line
}

// HeadOf returns what a parsed record says of itself.
func HeadOf(r *warc.Record) Head {
	h := Head{Type: []byte(r.Type), URL: []byte(r.TargetURI()), Date: []byte(r.Header.Get("WARC-Date"))}
	if r.ARC != nil {
		h.Date = []byte(r.ARC.Date)
	}
	return h
}

// Agree compares an index line with the record at its place, as far as either says
// something: URL, date, and whether a record of that type can be what the line says.
// It allows for what indexers do to a URL and a date when they write them down. The
// error names both sides.
func Agree(c *cdx.Capture, h Head) error {
	if err := agreeOnType(c, h.Type); err != nil {
		return err
	}
	return agreeOnPlace(c, h)
}

// AgreeOriginal is Agree for the record that a resolved revisit is given: original is
// what PlanLine.Original has.
func AgreeOriginal(original []byte, h Head) error {
	date, url, _ := bytes.Cut(original, []byte{' '})
	if string(h.Type) == warc.Revisit {
		return faultf("type mismatch: the index says that the payload is here, the record is a revisit itself")
	}
	return agreeOnPlace(&cdx.Capture{Timestamp: date, URL: url}, h)
}

func agreeOnPlace(c *cdx.Capture, h Head) error {
	if !bytes.Equal(c.URL, h.URL) && !agreeOnURL(c, h) {
		said := c.URL
		if len(said) == 0 {
			said = c.Key
		}
		return faultf("url mismatch: the index says %s, the record %s", orNone(said), orNone(h.URL))
	}
	if !agreeOnDate(c.Timestamp, h.Date) {
		return faultf("date mismatch: the index says %s, the record %s", c.Timestamp, h.Date)
	}
	return nil
}

func orNone(text []byte) []byte {
	if len(text) == 0 {
		return []byte("-")
	}
	return text
}

// agreeOnType reports what cannot be: a line of a revisit for another record, and one
// with a status of HTTP for a record that is no answer. pywb gives metadata status 204.
func agreeOnType(c *cdx.Capture, kind []byte) error {
	if len(kind) == 0 {
		return nil
	}
	if string(c.Mime) == "warc/revisit" {
		if string(kind) != warc.Revisit {
			return faultf("type mismatch: the index says revisit, the record %s", kind)
		}
		return nil
	}
	if len(c.Status) != 3 || c.Status[0] < '1' || c.Status[0] > '5' || string(c.Status) == "204" {
		return nil
	}
	switch string(kind) {
	case warc.Request, warc.Metadata, warc.Warcinfo:
		return faultf("type mismatch: the index says status %s, the record %s", c.Status, kind)
	}
	return nil
}

// agreeOnURL compares URLs that are not the same byte for byte.
func agreeOnURL(c *cdx.Capture, h Head) bool {
	found := string(h.URL)
	if len(c.URL) == 0 {
		return agreeOnKey(string(c.Key), found)
	}
	listed := string(c.URL)
	if found == "" || found == "<>" { // indexers of everything name the record's file, or nothing
		return listed == "-" || strings.HasPrefix(listed, "warcinfo:") || strings.HasPrefix(listed, "filedesc:") || strings.HasPrefix(listed, "urn:")
	}
	a, b := PlainURL(listed), PlainURL(found)
	if a == b {
		return true
	}
	// A list may be without what a server never sees, and without the scheme.
	if withoutA, _, cut := strings.Cut(a, "#"); !cut {
		b, _, _ = strings.Cut(b, "#")
	} else if !strings.Contains(b, "#") {
		a = withoutA
	}
	if _, rest, ok := strings.Cut(b, "://"); ok && !strings.Contains(a, "://") {
		b = rest
		a = strings.TrimSuffix(PlainURL("http://" + a)[len("http://"):], "/")
		b = strings.TrimSuffix(b, "/")
	}
	return a == b
}

// agreeOnKey compares a line that has no URL by its key. One that is no SURT key of
// ours or of the usual tools says nothing that could be held against a URL.
func agreeOnKey(key, url string) bool {
	if key == "-" {
		return url == ""
	}
	if url == "" || !strings.Contains(key, ")") {
		return true
	}
	ours := surt.Key(url)
	// The key of a request with a body goes on.
	return key == ours || strings.HasPrefix(key, ours) || decodedPath(key) == decodedPath(ours)
}

func decodedPath(key string) string { return strings.ToLower(string(decodeEscapes(nil, key))) }

// PlainURL returns one form of the URLs that mean the same by RFC 3986, section 6.2,
// whatever an indexer has escaped: scheme and host in lower case, no default port,
// "/" for no path; no white space around it and no line ends in it; characters that
// part nothing as they are.
func PlainURL(url string) string {
	url = strings.TrimSpace(url)
	if n := len(url); n > 2 && url[0] == '<' && url[n-1] == '>' {
		url = url[1 : n-1]
	}
	plain := decodeEscapes(make([]byte, 0, len(url)), url)
	if !utf8.Valid(plain) {
		plain = []byte(latin1(plain))
	}
	scheme, rest, ok := strings.Cut(string(plain), "://")
	if !ok {
		return string(plain)
	}
	scheme = strings.ToLower(scheme)
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, path := rest[:end], rest[end:]
	at := strings.LastIndexByte(host, '@') + 1
	host = host[:at] + strings.ToLower(host[at:])
	switch scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	return scheme + "://" + strings.TrimSuffix(host, ":") + path
}

// decodeEscapes appends a URL with the characters that %HH stands for, but for those
// that part it or stand for themselves; of line ends and tabs none are left.
func decodeEscapes(dst []byte, url string) []byte {
	for i := 0; i < len(url); i++ {
		c := url[i]
		if c == '%' && i+2 < len(url) {
			if high, low := hexDigit(url[i+1]), hexDigit(url[i+2]); high >= 0 && low >= 0 {
				c = byte(high<<4 | low)
				i += 2
				if strings.IndexByte("/?#%&=+;", c) >= 0 {
					dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
					continue
				}
			}
		}
		if c != '\t' && c != '\r' && c != '\n' {
			dst = append(dst, c)
		}
	}
	return dst
}

const upperHex = "0123456789ABCDEF"

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func latin1(text []byte) string {
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// agreeOnDate compares the digits that both have: lines are cut or filled up, and
// dates of either side may be less precise. A time zone is applied by some indexers
// and left out by others.
func agreeOnDate(listed, found []byte) bool {
	if len(listed) == 14 && len(found) >= 19 && samePlainDate(listed, found) {
		return true
	}
	a, b := dateDigits(listed), dateDigits(found)
	const year = 4
	if len(a) < year || len(b) < year || samePrefix(a, b) {
		return true
	}
	t := warc.ParseDate(string(found))
	if t.IsZero() {
		t = warc.ParseARCDate(string(found))
	}
	return !t.IsZero() && samePrefix(a, t.Format("20060102150405"))
}

// samePlainDate compares 14 digits with YYYY-MM-DDThh:mm:ss, whatever follows it: a
// zone that would make another date of it is left to the caller.
func samePlainDate(listed, found []byte) bool {
	const places = "\x00\x01\x02\x03\x05\x06\x08\x09\x0b\x0c\x0e\x0f\x11\x12"
	for i := range listed {
		if listed[i] != found[places[i]] {
			return false
		}
	}
	return true
}

func samePrefix(a, b string) bool {
	n := min(len(a), len(b))
	return a[:n] == b[:n]
}

// dateDigits returns the digits that a date begins with, up to the second and without
// what parts them.
func dateDigits(date []byte) string {
	const second = 14
	digits := make([]byte, 0, second)
	for _, c := range bytes.TrimSpace(date) {
		switch {
		case c >= '0' && c <= '9':
			digits = append(digits, c)
		case c != '-' && c != ':' && c != 'T' && c != 't' && c != ' ':
			return string(digits)
		}
		if len(digits) == second {
			break
		}
	}
	return string(digits)
}
