package warc

import (
	"errors"
	"fmt"
	"strings"
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
	if strings.Contains(version, "\r") {
		return nil, errors.New("lines of the record header end in CR alone")
	}
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
