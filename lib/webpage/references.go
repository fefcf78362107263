package webpage

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// references decodes character references (HTML standard, section 13.2.5.72 and
// on). It remembers those that it has seen.
type references struct {
	known map[string]reference
	buf   [utf8.UTFMax]byte
}

// A reference is what a name stands for: text takes the place of the first n bytes
// of the name with its semicolon, in an attribute only where whole is set.
type reference struct {
	text  string
	n     int
	whole bool // n is all of the name
}

const (
	// maxName is the longest name of a reference, in bytes, and some.
	maxName = 40
	// maxKnown bounds what is remembered.
	maxKnown = 4 << 10
)

// decode gives the text that the reference at p, which begins with &, stands for,
// and its length; 0 if it is none.
func (r *references) decode(p []byte, inAttribute bool) (text []byte, n int) {
	if len(p) > 1 && p[1] == '#' {
		return r.number(p)
	}
	n = 1
	for n < len(p) && n < maxName && (code[p[n]] != 0) {
		n++
	}
	if n == 1 {
		return nil, 0
	}
	closed := n < len(p) && p[n] == ';'
	if closed {
		n++
	}
	name := p[:n]
	found, ok := r.known[string(name)]
	if !ok {
		found = lookUpReference(string(name))
		if r.known == nil || len(r.known) >= maxKnown {
			r.known = map[string]reference{}
		}
		r.known[string(name)] = found
	}
	if found.n == 0 || inAttribute && (!found.whole || !closed && n < len(p) && p[n] == '=') {
		return nil, 0
	}
	return append(r.buf[:0], found.text...), found.n
}

// lookUpReference asks the standard library, which has the table of names.
func lookUpReference(name string) reference {
	text := html.UnescapeString(name)
	if text == name {
		return reference{}
	}
	// Without its semicolon a name may be the begin of a longer word: what is left
	// of that stands behind the character.
	left := 0
	for left < len(name) && left < len(text) && text[len(text)-1-left] == name[len(name)-1-left] {
		left++
	}
	if strings.HasSuffix(name, ";") && (left == 0 || text == ";") {
		return reference{text, len(name), true}
	}
	return reference{text[:len(text)-left], len(name) - left, left == 0}
}

// number decodes &#N; and &#xN;.
func (r *references) number(p []byte) (text []byte, n int) {
	n = 2
	base := rune(10)
	if n < len(p) && p[n]|0x20 == 'x' {
		base = 16
		n++
	}
	begin := n
	x := rune(0)
	for ; n < len(p); n++ {
		d := digit(p[n])
		if d >= base {
			break
		}
		if x <= utf8.MaxRune {
			x = x*base + d
		}
	}
	if n == begin {
		return nil, 0
	}
	if n < len(p) && p[n] == ';' {
		n++
	}
	switch {
	case x >= 0x80 && x <= 0x9f:
		x = windows1252[x-0x80]
	case x == 0 || x > utf8.MaxRune || x >= 0xd800 && x <= 0xdfff:
		x = utf8.RuneError
	}
	return utf8.AppendRune(r.buf[:0], x), n
}

// digit gives the value of a hexadecimal digit, 16 for what is none.
func digit(b byte) rune {
	switch {
	case b >= '0' && b <= '9':
		return rune(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return rune(b|0x20-'a') + 10
	}
	return 16
}

// windows1252 is what numbers of C1 control characters mean.
var windows1252 = [32]rune{
	'\u20AC', '\u0081', '\u201A', '\u0192', '\u201E', '\u2026', '\u2020', '\u2021',
	'\u02C6', '\u2030', '\u0160', '\u2039', '\u0152', '\u008D', '\u017D', '\u008F',
	'\u0090', '\u2018', '\u2019', '\u201C', '\u201D', '\u2022', '\u2013', '\u2014',
	'\u02DC', '\u2122', '\u0161', '\u203A', '\u0153', '\u009D', '\u017E', '\u0178',
}

// appendDecoded appends a text with its references decoded.
func (r *references) appendDecoded(dst, text []byte, inAttribute bool) []byte {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return append(dst, text...)
		}
		dst, text = append(dst, text[:i]...), text[i:]
		decoded, n := r.decode(text, inAttribute)
		if n == 0 {
			decoded, n = text[:1], 1
		}
		dst, text = append(dst, decoded...), text[n:]
	}
}
