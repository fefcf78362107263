package language

import (
	"sync"
	"unicode"
)

// What a character is for detection: a script by its number in scripts, or one of these.
const (
	other = 0xff // a letter of no script that is known, a mark
	stop  = 0xfe // a space, a digit, punctuation, a symbol
)

// kana are the scripts of Japanese. Its R32 is in the order that whatlanggo has.
var kana = &unicode.RangeTable{
	R16: append(unicode.Hiragana.R16[:len(unicode.Hiragana.R16):len(unicode.Hiragana.R16)], unicode.Katakana.R16...),
	R32: append(unicode.Hiragana.R32[:len(unicode.Hiragana.R32):len(unicode.Hiragana.R32)], unicode.Katakana.R32...),
}

// A script tells the language, or the profiles that are to be compared.
type script struct {
	name  string // as in profiles.tsv
	table *unicode.RangeTable
	code  string // of its only language; empty: by the profiles
}

// scripts are in the order in which equal counts are decided.
var scripts = [...]script{
	{"Latin", unicode.Latin, ""},
	{"Cyrillic", unicode.Cyrillic, ""},
	{"Arabic", unicode.Arabic, ""},
	{"Devanagari", unicode.Devanagari, ""},
	{"Kana", kana, "jpn"},
	{"Ethiopic", unicode.Ethiopic, ""},
	{"Hebrew", unicode.Hebrew, ""},
	{"Bengali", unicode.Bengali, "ben"},
	{"Georgian", unicode.Georgian, "kat"},
	{"Han", unicode.Han, "cmn"},
	{"Hangul", unicode.Hangul, "kor"},
	{"Greek", unicode.Greek, "ell"},
	{"Kannada", unicode.Kannada, "kan"},
	{"Tamil", unicode.Tamil, "tam"},
	{"Thai", unicode.Thai, "tha"},
	{"Gujarati", unicode.Gujarati, "guj"},
	{"Gurmukhi", unicode.Gurmukhi, "pan"},
	{"Telugu", unicode.Telugu, "tel"},
	{"Malayalam", unicode.Malayalam, "mal"},
	{"Oriya", unicode.Oriya, "ori"},
	{"Myanmar", unicode.Myanmar, "mya"},
	{"Sinhala", unicode.Sinhala, "sin"},
	{"Khmer", unicode.Khmer, "khm"},
}

const (
	scriptKana = 4
	scriptHan  = 9
	// kanaShare: Japanese has more kana than one to so many Chinese characters.
	kanaShare = 12
)

var stops = []*unicode.RangeTable{unicode.S, unicode.White_Space, unicode.P, unicode.Nd}

// classes has what the characters of the Basic Multilingual Plane are.
var classes = sync.OnceValue(func() *[1 << 16]uint8 {
	c := new([1 << 16]uint8)
	for i := range c {
		c[i] = other
	}
	for i := range scripts {
		fill(c, scripts[i].table, uint8(i))
	}
	for _, table := range stops {
		fill(c, table, stop)
	}
	return c
})

func fill(c *[1 << 16]uint8, table *unicode.RangeTable, class uint8) {
	for _, r := range table.R16 {
		for i := int(r.Lo); i <= int(r.Hi); i += int(r.Stride) {
			c[i] = class
		}
	}
}

// rare tells what a character of another plane is.
func rare(r rune) uint8 {
	if unicode.In(r, stops...) {
		return stop
	}
	for i := range scripts {
		if unicode.Is(scripts[i].table, r) {
			return uint8(i)
		}
	}
	return other
}

// A tally counts the characters of each script. One that is met moves to the front by a
// place: of equal ones the first counts.
type tally struct {
	counts [len(scripts)]int
	order  [len(scripts)]uint8
	places [len(scripts)]uint8 // in order, by script
}

func (t *tally) reset() {
	for i := range scripts {
		t.counts[i], t.order[i], t.places[i] = 0, uint8(i), uint8(i)
	}
}

func (t *tally) add(s uint8) {
	t.counts[s]++
	if at := t.places[s]; at > 0 {
		before := t.order[at-1]
		t.order[at-1], t.order[at] = s, before
		t.places[s], t.places[before] = at-1, at
	}
}

// most gives the script of most characters; with kana among them, Han is Japanese. There
// is none in a text of stops.
func (t *tally) most() (s uint8, ok bool) {
	most := 0
	for _, i := range t.order {
		if t.counts[i] > most {
			most, s = t.counts[i], i
		}
	}
	if s == scriptHan && t.counts[scriptKana] > most/kanaShare {
		s = scriptKana
	}
	return s, most > 0
}
