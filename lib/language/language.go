// Package language says in which languages a text is written.
//
// A text is looked at in up to four chunks of a thousand bytes, spread over it,
// and each has a vote: pages mix languages in their menus, and one chunk is often a
// list of names. A chunk is told by its script and the trigrams of its letters
// as github.com/abadojack/whatlanggo 1.0.1 does it (84 languages), whose profiles
// profiles.tsv has; one that could as well be in
// another language has no vote. Codes are those of ISO 639-3; a language that is
// counted with others under one code has that, as in Common Crawl's index: ara, zho.
package language

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	// chunks is how many are looked at.
	chunks = 4
	// chunkBytes is the size of one, in bytes.
	chunkBytes = 1000
	// least is the number of letters that a chunk must have.
	least = 24
	// sure is the confidence from which on a chunk's vote counts.
	sure = 0.3
	// reliable is the confidence, over all chunks, of a reliable answer.
	reliable = 0.5
	// top is the number of languages that are given.
	top = 3
)

// A Share is a language and how much of a text is in it.
type Share struct {
	Code    string // ISO 639-3
	Percent int    // of the bytes that were looked at
}

// A Found is what is known of a text. Its zero value is that of a text too short to
// tell.
type Found struct {
	Languages []Share // the three with the most bytes, these first
	Reliable  bool    // the first one is known with confidence
	Bytes     int     // that were looked at
}

// Code gives the language of most of the text; empty where that is not reliable.
func (f *Found) Code() string {
	if !f.Reliable {
		return ""
	}
	return f.Languages[0].Code
}

var tellers = sync.Pool{New: func() any { return newTeller() }}

// Detect says in which languages a text in UTF-8 is written.
func Detect(text []byte) Found {
	teller := tellers.Get().(*teller)
	defer tellers.Put(teller)
	var found Found
	var weights [chunks]struct {
		code string
		size float64
	}
	total, confidence := 0.0, 0.0
	for i := range chunks {
		chunk := cut(text, i)
		if letters(chunk) < least {
			continue
		}
		found.Bytes += len(chunk)
		code, known := teller.tell(chunk)
		if code == "" || known < sure {
			continue
		}
		size := float64(len(chunk))
		if m, ok := macro[code]; ok {
			code = m
		}
		at := 0
		for weights[at].code != "" && weights[at].code != code {
			at++
		}
		weights[at].code = code
		weights[at].size += size
		total += size
		confidence += size * known
	}
	if total == 0 {
		return found
	}
	for _, w := range weights {
		if w.code != "" {
			found.Languages = append(found.Languages, Share{w.code, int(100*w.size/float64(found.Bytes) + 0.5)})
		}
	}
	slices.SortFunc(found.Languages, func(a, b Share) int {
		if a.Percent != b.Percent {
			return b.Percent - a.Percent
		}
		return strings.Compare(a.Code, b.Code)
	})
	found.Languages = found.Languages[:min(len(found.Languages), top)]
	found.Reliable = found.Languages[0].Percent >= 50 && confidence/total >= reliable
	return found
}

// macro has the codes of the macrolanguages that common languages belong to (ISO
// 639-3, its table of macrolanguages).
var macro = map[string]string{
	"arb": "ara", "azj": "aze", "cmn": "zho", "ckb": "kur", "ekk": "est", "kmr": "kur", "khk": "mon", "lvs": "lav",
	"npi": "nep", "ory": "ori", "pes": "fas", "plt": "mlg", "swh": "swa", "uzn": "uzb", "ydd": "yid", "zlm": "msa",
}

// cut gives chunk i of a text; a short text has fewer.
func cut(text []byte, i int) []byte {
	if len(text) <= chunks*chunkBytes {
		text = text[min(i*chunkBytes, len(text)):min((i+1)*chunkBytes, len(text))]
	} else {
		begin := i * (len(text) - chunkBytes) / (chunks - 1)
		text = text[begin : begin+chunkBytes]
	}
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 {
		if r, n := utf8.DecodeLastRune(text); r != utf8.RuneError || n > 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return text
}

// letters counts the letters of a text; those of scripts of which one is a word,
// more than once.
func letters(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r >= 0x2e80 && unicode.IsLetter(r):
			n += 4
		case unicode.IsLetter(r):
			n++
		}
	}
	return n
}
