package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
)

const (
	// sampleBytes is how much of a text its encoding is detected from, in bytes.
	sampleBytes = 16 << 10
	// before is how much of that stands before the first byte that is not ASCII.
	before = 512
)

// Detect finds the encoding of a text from its bytes alone.
func (f *Finder) Detect(text []byte) Charset {
	if c, ok := f.marked(text); ok {
		return c
	}
	first := asciiPrefix(text)
	escapes := first == len(text) && bytes.IndexByte(text[:min(len(text), sampleBytes)], 0x1b) >= 0
	if !escapes && validUTF8(text[first:]) {
		c := UTF8.from(Valid)
		c.valid = utf8.Valid(text[max(0, len(text)-utf8.UTFMax):]) || first == len(text)
		return c
	}
	sample := text[max(0, first-before):]
	if escapes {
		sample = text
	}
	found := chardet.Detect(sample[:min(len(sample), sampleBytes)])
	c, ok := f.Label([]byte(strings.ToLower(found.Encoding)))
	if !ok {
		c, _ = f.Label([]byte("windows-1252"))
		return c.from(Default)
	}
	c.Confidence = found.Confidence
	return c.from(Detected)
}

// validUTF8 says whether a text is valid UTF-8; the last character may be cut off.
func validUTF8(text []byte) bool {
	if utf8.Valid(text) {
		return true
	}
	for cut := 1; cut < utf8.UTFMax && cut < len(text); cut++ {
		lead := text[len(text)-cut]
		if lead >= utf8.RuneSelf && utf8.RuneStart(lead) {
			return !utf8.FullRune(text[len(text)-cut:]) && utf8.Valid(text[:len(text)-cut])
		}
	}
	return false
}
