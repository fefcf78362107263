package warc

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// parseWARC parses a version line and named fields (ISO 28500, section 4). Wild
// forms that are taken: line feeds alone, folded values, bytes that are Latin-1
// instead of UTF-8, lines without a colon (passed over).
//
// The header's fields are put into fields[:0].
func parseWARC(raw []byte, fields Header) (*Record, error) {
	text := string(raw)
	line, rest, _ := strings.Cut(text, "\n")
	version := strings.TrimRight(line[min(len(line), len("WARC/")):], " \r")
	if !soundVersion(version) {
		return nil, fmt.Errorf("version line %q", shortened(line))
	}
	r := &Record{Format: WARC, Version: version, Head: raw, Header: fields[:0], ContentLength: -1}
	for rest != "" {
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimRight(line, "\r")
		if line == "" {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			if n := len(r.Header); n > 0 {
				f := &r.Header[n-1]
				f.Value = strings.TrimSpace(f.Value + " " + decoded(strings.TrimSpace(line)))
			}
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		r.Header = append(r.Header, Field{strings.TrimSpace(name), decoded(strings.TrimSpace(value))})
	}
	r.Type = strings.ToLower(r.Header.Get("WARC-Type"))
	length := r.Header.Get("Content-Length")
	if length == "" {
		return r, errors.New("no Content-Length")
	}
	var err error
	r.ContentLength, err = parseNumber("Content-Length", length)
	return r, err
}

// soundVersion accepts digits, a dot and digits.
func soundVersion(v string) bool {
	major, minor, ok := strings.Cut(v, ".")
	return ok && digits(major) && digits(minor)
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// decoded gives the text in UTF-8; bytes that are not are taken as Latin-1,
// which crawlers wrote before the standard said what they should.
func decoded(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

func shortened(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return "bytes that are no text"
	}
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// errLooseARC is the error of an ARC record line whose address or date does not
// look like one. Where a record is expected it is taken all the same.
var errLooseARC = errors.New("ARC record line with an odd address or date")

// parseARC parses a URL record line: URL, IP address, date, content type and
// length in version 1; result code, checksum, location, offset and file name
// before the length in version 2. Wild forms that are taken: spaces in URLs and
// content types, a missing content type, dates of other lengths, either
// version's line in a file of the other.
//
// The header's fields are put into header[:0].
func parseARC(raw []byte, header Header) (*Record, error) {
	line := strings.TrimRight(string(raw), "\r\n")
	fields := strings.Split(line, " ")
	n := len(fields)
	if n < 4 {
		return nil, fmt.Errorf("neither a WARC version line nor an ARC record line: %q", shortened(line))
	}
	a := &ARCLine{Offset: -1}
	var lengthError error
	if a.Length, lengthError = parseNumber("length", fields[n-1]); lengthError != nil {
		lengthError = fmt.Errorf("ARC record line: %w: %q", lengthError, shortened(line))
		a.Length = -1
	}
	// The date is found from the right: what stands before it may hold spaces,
	// what is behind it as well.
	at, exchanged := -1, false
	for i := n - 2; i >= 2; i-- {
		if soundARCDate(fields[i]) && soundIP(fields[i-1]) {
			at = i
			break
		}
	}
	strict := at >= 0
	if !strict {
		// Neither looks as it should: their places decide.
		if at = n - 3; at < 2 || !strings.Contains(fields[0], ":") {
			return nil, fmt.Errorf("ARC record line without address and date: %q", shortened(line))
		}
		// A crawl of 2003 wrote the date before the address.
		exchanged = soundARCDate(fields[at-1]) && soundIP(fields[at])
	}
	a.URL = decoded(strings.Join(fields[:at-1], " "))
	a.IP, a.Date = fields[at-1], fields[at]
	if exchanged {
		a.IP, a.Date = a.Date, a.IP
	}
	version := "1"
	behind := fields[at+1 : n-1]
	// Version 2 has six fields between the date and the length, of which the
	// last but one is a number.
	if len(behind) >= 6 && digits(behind[len(behind)-2]) {
		version = "2"
		b := behind[len(behind)-5:]
		a.ResultCode, a.Checksum, a.Location, a.Filename = b[0], b[1], b[2], b[4]
		if offset, err := parseNumber("offset", b[3]); err == nil {
			a.Offset = offset
		}
		behind = behind[:len(behind)-5]
	}
	a.ContentType = decoded(strings.Join(behind, " "))
	r := &Record{Format: ARC, Version: version, Head: raw, ARC: a, ContentLength: a.Length}
	r.Type = arcType(a.URL)
	r.Header = append(header[:0],
		Field{"WARC-Type", r.Type}, Field{"WARC-Target-URI", a.URL},
		Field{"WARC-Date", warcDate(a.Date)}, Field{"WARC-IP-Address", a.IP},
		Field{"Content-Type", a.ContentType}, Field{"Content-Length", fields[n-1]})
	switch {
	case lengthError != nil && !strict:
		return r, fmt.Errorf("%w (%w)", lengthError, errLooseARC)
	case lengthError != nil:
		return r, lengthError
	case !strict:
		return r, errLooseARC
	}
	return r, nil
}

func arcType(url string) string {
	scheme, _, _ := strings.Cut(url, ":")
	switch strings.ToLower(scheme) {
	case "filedesc":
		return Warcinfo
	case "http", "https":
		return Response
	}
	return Resource
}

// soundARCDate accepts what files in the wild have for 14 digits: 10 to 18, also
// with text behind them.
func soundARCDate(s string) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n >= 10 && n <= 18 && len(s) <= 40
}

// soundIP accepts addresses of both versions and the "-" or "0.0.0.0" of those
// that were not known.
func soundIP(s string) bool {
	if s == "-" {
		return true
	}
	if s == "" {
		return false
	}
	separators := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' || c == ':':
			separators++
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return separators >= 2
}

// warcDate turns an ARC date into that of WARC, to the second; empty where it is
// no date.
func warcDate(arc string) string {
	t, ok := arcTime(arc)
	if !ok {
		return ""
	}
	return t.Format(time.RFC3339)
}
