package charset

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"

	"archivestream/lib/buffers"
)

// replacement stands for what cannot be decoded, U+FFFD.
const replacement = "\uFFFD"

// highBits are set in a word that holds anything but ASCII.
const highBits = 0x8080808080808080

// asciiPrefix gives the length of the ASCII that a text begins with.
func asciiPrefix(p []byte) int {
	i := 0
	for ; i+32 <= len(p); i += 32 {
		b := p[i : i+32 : i+32]
		w := binary.LittleEndian.Uint64(b) | binary.LittleEndian.Uint64(b[8:]) |
			binary.LittleEndian.Uint64(b[16:]) | binary.LittleEndian.Uint64(b[24:])
		if w&highBits != 0 {
			break
		}
	}
	for ; i+8 <= len(p); i += 8 {
		if w := binary.LittleEndian.Uint64(p[i:]) & highBits; w != 0 {
			return i + bits.TrailingZeros64(w)/8
		}
	}
	for i < len(p) && p[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// A table has the UTF-8 of each byte of an encoding in which a character is one
// byte.
type table [256]struct {
	utf8 [4]byte
	n    uint8
}

func tableOf(e encoding.Encoding) *table {
	m, ok := e.(*charmap.Charmap)
	if !ok {
		return nil
	}
	t := new(table)
	for b := range t {
		r := m.DecodeByte(byte(b))
		if r == utf8.RuneError && b < 0xa0 {
			r = rune(b) // a control character in the WHATWG Encoding standard's tables
		}
		t[b].n = uint8(utf8.EncodeRune(t[b].utf8[:], r))
	}
	for b := range utf8.RuneSelf {
		if t[b].n != 1 || t[b].utf8[0] != byte(b) {
			return nil // none that continues ASCII
		}
	}
	return t
}

// keptBuffer is the largest buffer that a Decoder keeps for the next text, in bytes.
const keptBuffer = 8 << 20

// A Decoder decodes texts one after the other, into a buffer that it alone owns. Its
// zero value is ready. It is for one goroutine.
type Decoder struct{ buffer []byte }

// Decode returns a text of the encoding c in UTF-8, without its byte order mark. What
// cannot be decoded becomes U+FFFD, as the WHATWG Encoding standard says. The result
// is a part of text where that is valid UTF-8 already: it is good as long as text is.
// Otherwise it lies in the Decoder's buffer, and is good until the next call. Nothing
// can be appended to it in place.
func (d *Decoder) Decode(c *Charset, text []byte) []byte {
	if cap(d.buffer) > keptBuffer {
		d.buffer = nil
	}
	buffers.Spoil(d.buffer)
	text = text[min(c.skip, len(text)):]
	if c.isUTF8(text) {
		return text[:len(text):len(text)]
	}
	d.buffer = c.append(d.buffer[:0], text)
	return d.buffer[:len(d.buffer):len(d.buffer)]
}

// isUTF8 reports whether a text without byte order mark is in UTF-8 as it stands.
func (c *Charset) isUTF8(text []byte) bool {
	switch {
	case c.valid:
		return true
	case c.encoding == nil:
		return utf8.Valid(text)
	}
	return c.table != nil && asciiPrefix(text) == len(text)
}

// append appends a text that is not valid UTF-8 to dst, decoded.
func (c *Charset) append(dst, text []byte) []byte {
	switch {
	case c.encoding == nil:
		return appendUTF8(dst, text)
	case c.table != nil:
		return c.table.append(dst, text)
	}
	return appendDecoded(dst, text, c.encoding.NewDecoder())
}

// Length gives the number of characters of a text, those that Decode makes of it,
// without decoding it where that can be.
func (c *Charset) Length(text []byte) int {
	text = text[min(c.skip, len(text)):]
	switch {
	case c.encoding == nil:
		return countUTF8(text)
	case c.table != nil:
		return len(text)
	}
	return utf8.RuneCount(appendDecoded(nil, text, c.encoding.NewDecoder()))
}

// append decodes: runs of ASCII are copied.
func (t *table) append(dst, text []byte) []byte {
	dst = slices.Grow(dst, len(text)+len(text)/4)
	for len(text) > 0 {
		n := asciiPrefix(text)
		dst = append(dst, text[:n]...)
		for text = text[n:]; len(text) > 0 && text[0] >= utf8.RuneSelf; text = text[1:] {
			e := &t[text[0]]
			dst = append(dst, e.utf8[:e.n]...)
		}
	}
	return dst
}

// appendUTF8 copies a text that is said to be UTF-8. Each maximal part of a
// character that is not complete becomes one U+FFFD (Unicode, section 3.9).
func appendUTF8(dst, text []byte) []byte {
	dst = slices.Grow(dst, len(text)+len(text)/8)
	for i := 0; i < len(text); {
		n := asciiPrefix(text[i:])
		begin := i
		for i += n; i < len(text) && text[i] >= utf8.RuneSelf; {
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, text[begin:i]...), replacement...)
				i += brokenLength(text[i:])
				begin = i
				continue
			}
			i += size
		}
		dst = append(dst, text[begin:i]...)
	}
	return dst
}

// countUTF8 gives the number of characters that appendUTF8 makes.
func countUTF8(text []byte) int {
	count := 0
	for i := 0; i < len(text); {
		n := asciiPrefix(text[i:])
		count += n
		for i += n; i < len(text) && text[i] >= utf8.RuneSelf; count++ {
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 {
				size = brokenLength(text[i:])
			}
			i += size
		}
	}
	return count
}

// brokenLength gives the length of the incomplete character that p begins with: of
// its first bytes that could begin one (Unicode, table 3-7).
func brokenLength(p []byte) int {
	low, high, most := byte(0x80), byte(0xbf), 3
	switch lead := p[0]; {
	case lead == 0xe0:
		low, most = 0xa0, 2
	case lead == 0xed:
		high, most = 0x9f, 2
	case lead >= 0xe1 && lead <= 0xef:
		most = 2
	case lead == 0xf0:
		low = 0x90
	case lead >= 0xf1 && lead <= 0xf3:
	case lead == 0xf4:
		high = 0x8f
	default:
		return 1
	}
	if len(p) < 2 || p[1] < low || p[1] > high {
		return 1
	}
	if most < 3 || len(p) < 3 || p[2]&0xc0 != 0x80 {
		return 2
	}
	return 3
}

// appendDecoded decodes what is neither UTF-8 nor has a table.
func appendDecoded(dst, text []byte, d transform.Transformer) []byte {
	for {
		dst = slices.Grow(dst, max(utf8.UTFMax, len(text)+len(text)/2))
		n, taken, err := d.Transform(dst[len(dst):cap(dst)], text, true)
		dst, text = dst[:len(dst)+n], text[taken:]
		if err != transform.ErrShortDst {
			// The decoders replace what is wrong; what one of them leaves at the
			// end is a cut off character.
			if len(text) > 0 {
				dst = append(dst, replacement...)
			}
			return dst
		}
	}
}
