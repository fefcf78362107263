package pdftext

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// A font says what codes mean and how wide their glyphs are, in units of its size.
type font struct {
	texts   map[string]string // of codes, by ToUnicode
	simple  *[256]string      // texts of other codes of one byte; nil: of composite fonts
	decoder *encoding.Decoder // of other codes of composite fonts
	widths  map[int]float64
	width   float64 // of the other codes
	height  float64 // of its glyphs
}

// font gives the font of a dictionary (section 9.5), made once.
func (d *document) font(v pdf.Value) *font {
	if v.Kind() != pdf.Dict {
		return nil
	}
	key := v.String()
	if f := d.fonts[key]; f != nil {
		return f
	}
	f := &font{texts: readCMap(v), height: 1}
	if v.Key("Subtype").Name() == "Type0" {
		f.composite(v)
	} else {
		f.oneByte(v)
	}
	d.fonts[key] = f
	return f
}

// glyphs calls show for the glyphs of a string.
func (f *font) glyphs(raw string, show func(code, text string, width float64)) {
	if f.decoder != nil {
		f.decoded(raw, show)
		return
	}
	size := 1
	if f.simple == nil {
		size = 2
	}
	for len(raw) >= size {
		code := raw[:size]
		raw = raw[size:]
		text, ok := f.texts[code]
		if !ok && f.simple != nil {
			text = f.simple[code[0]]
		}
		show(code, text, f.widthOf(code))
	}
}

func (f *font) widthOf(code string) float64 {
	n := 0
	for i := range len(code) {
		n = n<<8 | int(code[i])
	}
	if w, ok := f.widths[n]; ok {
		return w
	}
	return f.width
}

// decoded shows the characters of an encoding with codes of several lengths. What a
// code is called in the font's widths is not known then: half an em for ASCII.
func (f *font) decoded(raw string, show func(code, text string, width float64)) {
	text, err := f.decoder.String(raw)
	if err != nil {
		return
	}
	for _, r := range text {
		width := f.width
		if r < utf8.RuneSelf {
			width /= 2
		}
		show(string(r), string(r), width)
	}
}

// encodings of composite fonts (section 9.7.5.2, table 118), by the begin of their
// names. The others are Identity, whose codes only ToUnicode explains.
var encodings = []struct {
	prefix   string
	encoding encoding.Encoding
}{
	{"UniGB-", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"UniCNS-", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"UniJIS-", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"UniKS-", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"GB", simplifiedchinese.GBK},
	{"B5pc-", traditionalchinese.Big5},
	{"ETen-B5-", traditionalchinese.Big5},
	{"HKscs-B5-", traditionalchinese.Big5},
	{"83pv-RKSJ-", japanese.ShiftJIS},
	{"90ms-RKSJ-", japanese.ShiftJIS},
	{"90msp-RKSJ-", japanese.ShiftJIS},
	{"90pv-RKSJ-", japanese.ShiftJIS},
	{"Add-RKSJ-", japanese.ShiftJIS},
	{"Ext-RKSJ-", japanese.ShiftJIS},
	{"EUC-", japanese.EUCJP},
	{"KSC", korean.EUCKR},
}

// composite reads a font with codes of more than one byte (section 9.7).
func (f *font) composite(v pdf.Value) {
	if len(f.texts) == 0 {
		name := v.Key("Encoding").Name()
		for _, e := range encodings {
			if strings.HasPrefix(name, e.prefix) {
				f.decoder = e.encoding.NewDecoder()
				break
			}
		}
	}
	below := v.Key("DescendantFonts").Index(0)
	f.width = 1
	if w := below.Key("DW"); !w.IsNull() {
		f.width = w.Float64() / 1000
	}
	f.widths = map[int]float64{}
	// c [w1 w2 …] or first last w
	list := below.Key("W")
	for i := 0; i+1 < list.Len(); {
		first, next := int(list.Index(i).Int64()), list.Index(i+1)
		if next.Kind() == pdf.Array {
			for j := range min(next.Len(), maxRange) {
				f.widths[first+j] = next.Index(j).Float64() / 1000
			}
			i += 2
			continue
		}
		w := list.Index(i+2).Float64() / 1000
		for j := range min(int(next.Int64())-first+1, maxRange) {
			f.widths[first+j] = w
		}
		i += 3
	}
}

// oneByte reads a simple font (section 9.6).
func (f *font) oneByte(v pdf.Value) {
	scale := 0.001
	if m := v.Key("FontMatrix"); m.Len() == 6 { // of a Type 3 font, which says its size itself
		scale = m.Index(0).Float64()
		box := v.Key("FontBBox")
		f.height = math.Abs((box.Index(3).Float64() - box.Index(1).Float64()) * m.Index(3).Float64())
	}
	widths := v.Key("Widths")
	first := int(v.Key("FirstChar").Int64())
	f.widths = map[int]float64{}
	for i := range min(widths.Len(), 256) {
		f.widths[first+i] = widths.Index(i).Float64() * scale
	}
	if f.height == 0 { // no box is given: the widest letter is about as wide as high
		for _, w := range f.widths {
			f.height = max(f.height, w)
		}
	}
	f.width = v.Key("FontDescriptor").Key("MissingWidth").Float64() * scale
	if widths.Len() == 0 { // one of the 14 standard fonts
		f.width = 0.5
		if strings.Contains(v.Key("BaseFont").Name(), "Courier") {
			f.width = 0.6
		}
	}
	f.simple = codeTexts(v)
}

// codeTexts gives the texts of the codes of a simple font by its encoding (section
// 9.6.6).
func codeTexts(v pdf.Value) *[256]string {
	var texts [256]string
	e := v.Key("Encoding")
	base := e.Name()
	if e.Kind() == pdf.Dict {
		base = e.Key("BaseEncoding").Name()
	}
	table := charmap.Windows1252
	if base == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for i := range texts {
		texts[i] = string(table.DecodeByte(byte(i)))
	}
	if e.Kind() != pdf.Dict {
		return &texts
	}
	// The library knows the names of glyphs (Adobe Glyph List), by the encoder alone.
	own := pdf.Font{V: v}
	encoder := own.Encoder()
	differences := e.Key("Differences")
	code := 0
	for i := range min(differences.Len(), maxRange) {
		switch d := differences.Index(i); d.Kind() {
		case pdf.Integer:
			code = int(d.Int64())
		case pdf.Name:
			if code >= 0 && code < len(texts) {
				texts[code] = glyphText(d.Name(), encoder.Decode(string([]byte{byte(code)})))
			}
			code++
		}
	}
	return &texts
}

// glyphText is the text of a glyph by its name: uniXXXX and uXXXXXX say it
// themselves, for others the library's.
func glyphText(name, known string) string {
	name, _, _ = strings.Cut(name, ".")
	for _, prefix := range []string{"uni", "u"} {
		digits, ok := strings.CutPrefix(name, prefix)
		if !ok || len(digits) < 4 || len(digits) > 6 {
			continue
		}
		if r, err := strconv.ParseUint(digits, 16, 32); err == nil && utf8.ValidRune(rune(r)) {
			return string(rune(r))
		}
	}
	return known
}
