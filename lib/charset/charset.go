// Package charset finds the character encodings of payloads and decodes them to
// UTF-8.
//
// What decides, the first that says something (WHATWG Encoding and HTML standards,
// with detection behind them):
//
//  1. a byte order mark;
//  2. the charset of the HTTP header's Content-Type;
//  3. in the first kilobytes, <meta charset>, <meta http-equiv=Content-Type> or the
//     encoding of an XML declaration;
//  4. that all of it is valid UTF-8;
//  5. detection by frequencies and sequences of characters (chardet's way);
//  6. nothing: windows-1252.
//
// Labels mean what the WHATWG Encoding standard says: ISO-8859-1 and US-ASCII mean
// windows-1252. One that is not known says nothing.
package charset

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Source is what an encoding was found by.
type Source uint8

// The sources, in the order in which they count.
const (
	BOM Source = iota + 1
	Header
	Meta
	Valid    // all of the text is valid UTF-8
	Detected // by what the bytes look like
	Default
)

// String gives the source in a word: bom, header, meta, utf-8, detection, default.
func (s Source) String() string {
	return [...]string{"", "bom", "header", "meta", "utf-8", "detection", "default"}[s]
}

// A Charset is a character encoding as it was found for a text.
type Charset struct {
	Name       string  // of the WHATWG Encoding standard, lower case; empty: none
	Source     Source  // what it was found by
	Confidence float64 // 0 to 1; 1 unless it was detected

	encoding encoding.Encoding // nil: UTF-8
	table    *table            // of an encoding with one byte for each character
	skip     int               // length of the byte order mark
	valid    bool              // the text is known to be valid UTF-8
}

// UTF8 is the encoding that texts are decoded to.
var UTF8 = Charset{Name: "utf-8", Confidence: 1}

// A Finder finds encodings. Its zero value is ready. It is for one goroutine.
type Finder struct {
	labels map[string]Charset // what is known of labels
}

// maxLabels bounds what a Finder remembers.
const maxLabels = 1 << 10

// Label gives the encoding of a label of the WHATWG Encoding standard; ok is false
// where there is none.
func (f *Finder) Label(label []byte) (c Charset, ok bool) {
	label = bytes.Trim(label, " \t\r\n\f\"'")
	if c, known := f.labels[string(label)]; known {
		return c, c.Name != ""
	}
	c = lookUp(string(bytes.ToLower(label)))
	if f.labels == nil || len(f.labels) >= maxLabels {
		f.labels = map[string]Charset{}
	}
	if len(label) <= 64 {
		f.labels[string(label)] = c
	}
	return c, c.Name != ""
}

// others are the encodings that are detected, or marked, but that the WHATWG
// Encoding standard does not have, or has under another name.
var others = map[string]encoding.Encoding{
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	"ibm855":   charmap.CodePage855,
	// Browsers show nothing of it, since it can hide tags; here nothing is run.
	"hz-gb-2312": simplifiedchinese.HZGB2312,
}

var aliases = map[string]string{
	"utf8": "utf-8", "utf-8-sig": "utf-8", "maccyrillic": "x-mac-cyrillic", "cp949": "euc-kr", "uhc": "euc-kr",
	"cp932": "shift_jis", "macroman": "macintosh",
}

func lookUp(label string) Charset {
	if name, ok := aliases[label]; ok {
		label = name
	}
	if label == "utf-8" {
		return UTF8
	}
	if e, ok := others[label]; ok {
		return Charset{Name: label, Confidence: 1, encoding: e, table: tableOf(e)}
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return Charset{}
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return Charset{}
	}
	if name == "utf-8" {
		return UTF8
	}
	return Charset{Name: name, Confidence: 1, encoding: e, table: tableOf(e)}
}

func (c Charset) from(s Source) Charset {
	c.Source = s
	return c
}

// Find gives the encoding of a text. contentType is the value of the HTTP header;
// nil if there is none.
func (f *Finder) Find(contentType, text []byte) Charset {
	if c, ok := f.marked(text); ok {
		return c
	}
	if label := parameter(contentType); label != nil {
		if c, ok := f.Label(label); ok {
			return c.from(Header)
		}
	}
	if c, ok := f.declared(text); ok {
		return c.from(Meta)
	}
	return f.Detect(text)
}

// marked takes a byte order mark.
func (f *Finder) marked(text []byte) (Charset, bool) {
	if len(text) < 2 || text[0] < 0xef && text[0] != 0 {
		return Charset{}, false
	}
	for _, mark := range [...]struct{ bytes, name string }{
		{"\xef\xbb\xbf", "utf-8"},
		{"\xff\xfe\x00\x00", "utf-32le"},
		{"\x00\x00\xfe\xff", "utf-32be"},
		{"\xff\xfe", "utf-16le"},
		{"\xfe\xff", "utf-16be"},
	} {
		if len(text) >= len(mark.bytes) && string(text[:len(mark.bytes)]) == mark.bytes {
			c, _ := f.Label([]byte(mark.name))
			c.skip = len(mark.bytes)
			return c.from(BOM), true
		}
	}
	return Charset{}, false
}

// parameter gives the charset of a content type, nil if it has none.
func parameter(contentType []byte) []byte {
	const name = "charset"
	for rest := contentType; ; {
		i := bytes.IndexByte(rest, '=')
		if i < 0 {
			return nil
		}
		key := bytes.TrimRight(rest[:i], " \t\r\n\f")
		rest = rest[i+1:]
		if len(key) < len(name) || !bytes.EqualFold(key[len(key)-len(name):], []byte(name)) {
			continue
		}
		value := bytes.TrimLeft(rest, " \t\r\n\f")
		if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
			if end := bytes.IndexByte(value[1:], value[0]); end >= 0 {
				return value[1 : 1+end]
			}
			value = value[1:]
		}
		if end := bytes.IndexAny(value, "; \t\r\n\f,"); end >= 0 {
			value = value[:end]
		}
		return value
	}
}
