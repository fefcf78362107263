package documents

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// TermsVersion is the version of the rule by which texts are cut into terms.
const TermsVersion = 1

// Classes of ASCII characters (UAX #29, table 3).
const (
	other = iota
	blank
	letter
	digit
	extend // the underscore joins letters and digits
	midLetter
	midNumber
	midBoth
	foreign // not ASCII
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			t[c] = letter
		case c >= '0' && c <= '9':
			t[c] = digit
		case c >= 0x80:
			t[c] = foreign
		}
	}
	for _, c := range " \t\n\v\f\r" {
		t[c] = blank
	}
	t['_'] = extend
	t[':'] = midLetter
	t[','], t[';'] = midNumber, midNumber
	t['.'], t['\''] = midBoth, midBoth
	return t
}()

var lower = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if c >= 'A' && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// Terms cuts a text into its terms. ASCII is cut without the tables of Unicode; a
// word with anything else in it goes, up to the next blank, to the library.
type Terms struct {
	text   []byte
	at     int
	term   []byte
	slow   []byte // terms of the library
	ends   []int  // of the terms in slow
	given  int    // terms of slow
	normal []byte
}

// Reset begins with a text.
func (t *Terms) Reset(text []byte) {
	t.text, t.at = text, 0
	t.ends, t.given = t.ends[:0], 0
}

// Next gives the next term, valid until the next call, and nil behind the last.
func (t *Terms) Next() []byte {
	if t.given < len(t.ends) {
		return t.nextSlow()
	}
	text := t.text
	i := t.at
	for {
		for i < len(text) && (class[text[i]] < letter || class[text[i]] >= midLetter && class[text[i]] < foreign) {
			i++
		}
		if i == len(text) {
			t.at = i
			return nil
		}
		begin := i
		end, ascii, isTerm := t.ascii(begin)
		if ascii {
			i = end
			if !isTerm {
				continue
			}
			t.at = end
			return t.term
		}
		t.cut(begin)
		if len(t.ends) > 0 {
			return t.nextSlow()
		}
		i = t.at
	}
}

// ascii reads the piece that begins with a letter, digit or underscore into term.
// ascii is false where what decides its end is not ASCII.
func (t *Terms) ascii(begin int) (end int, ascii, isTerm bool) {
	text := t.text
	term := t.term[:0]
	i := begin
	var last uint8 = other
	for i < len(text) {
		c := class[text[i]]
		if c == letter || c == digit || c == extend {
			term = append(term, lower[text[i]])
			isTerm = isTerm || c != extend
			last = c
			i++
			continue
		}
		if c == foreign {
			return begin, false, false
		}
		joins := last == letter && (c == midLetter || c == midBoth) || last == digit && (c == midNumber || c == midBoth)
		if !joins || i+1 == len(text) {
			break
		}
		next := class[text[i+1]]
		if next == foreign {
			return begin, false, false
		}
		if next != last {
			break
		}
		term = append(term, text[i])
		i++
	}
	t.term = term
	return i, true, isTerm
}

// cut lets the library cut what lies between begin and the next blank, which is a
// word boundary whatever stands around it.
func (t *Terms) cut(begin int) {
	end := begin
	for end < len(t.text) && class[t.text[end]] != blank {
		end++
	}
	t.at = end
	t.slow, t.ends, t.given = t.slow[:0], t.ends[:0], 0
	word := t.text[begin:end]
	if !utf8.Valid(word) {
		word = bytes.ToValidUTF8(word, []byte("\ufffd"))
	}
	t.normal = norm.NFC.Append(t.normal[:0], word...)
	pieces := words.FromBytes(t.normal)
	for pieces.Next() {
		from := len(t.slow)
		if !appendTerm(&t.slow, pieces.Value()) {
			t.slow = t.slow[:from]
			continue
		}
		t.ends = append(t.ends, len(t.slow))
	}
}

// appendTerm appends a piece in lower case; false where it is no term.
func appendTerm(dst *[]byte, piece []byte) bool {
	isTerm, from := false, len(*dst)
	for len(piece) > 0 {
		r, size := utf8.DecodeRune(piece)
		piece = piece[size:]
		isTerm = isTerm || unicode.IsLetter(r) || unicode.IsNumber(r)
		*dst = utf8.AppendRune(*dst, unicode.ToLower(r))
	}
	if isTerm && !norm.NFC.IsNormal((*dst)[from:]) {
		*dst = append((*dst)[:from], norm.NFC.Bytes((*dst)[from:])...)
	}
	return isTerm
}

func (t *Terms) nextSlow() []byte {
	from := 0
	if t.given > 0 {
		from = t.ends[t.given-1]
	}
	term := t.slow[from:t.ends[t.given]]
	if t.given++; t.given == len(t.ends) {
		t.ends, t.given = t.ends[:0], 0
	}
	return term
}
