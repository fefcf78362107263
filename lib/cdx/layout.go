package cdx

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"archivestream/lib/surt"
)

// A Layout is what the lines of an index are made of. The layouts of CDXJ differ
// in the members of the object; each stands only where it has a value.
type Layout string

// The layouts of an index.
const (
	// LayoutCDXJ has the members that cdxj-indexer writes, in its order: url,
	// mime, status, digest, length, offset, filename; of a request with a body
	// also requestBody and method.
	LayoutCDXJ Layout = "cdxj"
	// LayoutCC has those of Common Crawl's index, in its order: url, mime,
	// mime-detected, status, digest (without sha1:), length, offset, filename,
	// charset, languages, truncated, redirect.
	LayoutCC Layout = "cdxj-cc"
	// LayoutMeta has those of LayoutCC and behind them puid and soft-404-detected, as
	// the sidecar files of a dataset have them.
	LayoutMeta Layout = "cdxj-meta"
	// LayoutAll has all members that a Capture can hold: those of LayoutCC, the
	// digest with its label, then puid, soft-404-detected, robotflags, requestBody,
	// method.
	LayoutAll Layout = "cdxj-all"
	// LayoutCDX11 and LayoutCDX9 are the lines of CDX files with these fields.
	LayoutCDX11 Layout = "cdx11" // N b a m s k r M S V g
	LayoutCDX9  Layout = "cdx9"  // N b a m s k r V g
)

var layouts = []Layout{LayoutCDXJ, LayoutCC, LayoutMeta, LayoutAll, LayoutCDX11, LayoutCDX9}

// ParseLayout gives the layout of a name: cdxj, cdxj-cc, cdxj-meta, cdxj-all, cdx11 or cdx9.
func ParseLayout(name string) (Layout, error) {
	for _, l := range layouts {
		if string(l) == name {
			return l, nil
		}
	}
	return "", fmt.Errorf("no index has the layout %q: cdxj, cdxj-cc, cdxj-meta, cdxj-all, cdx11 or cdx9 is wanted", name)
}

// Form is how the lines are read again: FormCDXJ, or the letters of a CDX header.
func (l Layout) Form() Form {
	switch l {
	case LayoutCDX11:
		return form11
	case LayoutCDX9:
		return form9
	}
	return FormCDXJ
}

// HeaderLine is the line that a file begins with; empty where there is none.
func (l Layout) HeaderLine() string {
	form := l.Form()
	if form == FormCDXJ {
		return ""
	}
	letters := strings.Split(string(form[1:]), "")
	return " CDX " + strings.Join(letters, " ")
}

// Extension is what names of files with such lines end with.
func (l Layout) Extension() string {
	if l.Form() == FormCDXJ {
		return ".cdxj"
	}
	return ".cdx"
}

// HasRobotFlags says whether the lines carry robot flags, which only a look into
// the pages can tell.
func (l Layout) HasRobotFlags() bool { return l == LayoutCDX11 || l == LayoutAll }

// Holds reports whether lines of the layout can hold a name of an archive file so that
// it is read as it was: JSON is UTF-8, and CDX has no escapes.
func (l Layout) Holds(filename []byte) bool {
	if l.Form() == FormCDXJ {
		return utf8.Valid(filename)
	}
	return bytes.IndexFunc(filename, func(c rune) bool { return c <= ' ' || c == 0x7f }) < 0
}

// Append appends the capture's line without a line feed. Whatever the fields
// hold, it is one line that a Parser takes for the same capture; in CDX files,
// which know no escapes, spaces and control characters become %HH. An archive file of
// another name than that of the line is not found: see Holds.
func (l Layout) Append(dst []byte, c *Capture) []byte {
	if form := l.Form(); form != FormCDXJ {
		return c.appendCDX(dst, form)
	}
	dst = surt.AppendIndexKey(dst, c.Key)
	dst = append(dst, ' ')
	dst = appendToken(dst, c.Timestamp)
	dst = append(dst, " {"...)
	begin := len(dst)
	digest := c.Digest
	if l == LayoutCC || l == LayoutMeta {
		digest = withoutLabel(digest)
	}
	more := l != LayoutCDXJ
	dst = appendMember(dst, `"url": `, c.URL)
	dst = appendMember(dst, `, "mime": `, c.Mime)
	if more {
		dst = appendMember(dst, `, "mime-detected": `, c.MimeDetected)
	}
	dst = appendMember(dst, `, "status": `, c.Status)
	dst = appendMember(dst, `, "digest": `, digest)
	if c.Length >= 0 {
		dst = append(strconv.AppendInt(append(dst, `, "length": "`...), c.Length, 10), '"')
	}
	dst = append(strconv.AppendInt(append(dst, `, "offset": "`...), c.Offset, 10), '"')
	dst = appendMember(dst, `, "filename": `, c.Filename)
	if more {
		dst = appendMember(dst, `, "charset": `, c.Charset)
		dst = appendMember(dst, `, "languages": `, c.Languages)
		dst = appendMember(dst, `, "truncated": `, c.Truncated)
		dst = appendMember(dst, `, "redirect": `, c.Redirect)
	}
	if l == LayoutMeta || l == LayoutAll {
		dst = appendMember(dst, `, "puid": `, c.PUID)
		dst = appendMember(dst, `, "soft-404-detected": `, c.Soft404)
	}
	if l == LayoutAll {
		dst = appendMember(dst, `, "robotflags": `, c.Meta)
	}
	if (l == LayoutCDXJ || l == LayoutAll) && len(c.Method) > 0 {
		dst = appendASCII(append(dst, `, "requestBody": `...), c.RequestBody)
		dst = appendMember(dst, `, "method": `, c.Method)
	}
	if dst[begin] == ',' { // no url
		dst = append(dst[:begin], dst[begin+2:]...)
	}
	return append(dst, '}')
}

// appendMember appends a member of a JSON object, unless it has no value.
func appendMember(dst []byte, name string, value []byte) []byte {
	if len(value) == 0 {
		return dst
	}
	return appendASCII(append(dst, name...), value)
}

func (c *Capture) appendCDX(dst []byte, form Form) []byte {
	for i, letter := range []byte(form[1:]) {
		if i > 0 {
			dst = append(dst, form[0])
		}
		switch letter {
		case 'N':
			dst = surt.AppendIndexKey(dst, c.Key)
		case 'b':
			dst = appendToken(dst, c.Timestamp)
		case 'a':
			dst = appendURL(dst, c.URL)
		case 'm':
			dst = appendField(dst, c.Mime)
		case 's':
			dst = appendField(dst, c.Status)
		case 'k':
			dst = appendField(dst, withoutLabel(c.Digest))
		case 'r':
			dst = appendField(dst, c.Redirect)
		case 'M':
			dst = appendField(dst, c.Meta)
		case 'S':
			if c.Length < 0 {
				dst = append(dst, '-')
			} else {
				dst = strconv.AppendInt(dst, c.Length, 10)
			}
		case 'V':
			dst = strconv.AppendInt(dst, c.Offset, 10)
		case 'g':
			dst = appendField(dst, c.Filename)
		}
	}
	return dst
}

// withoutLabel gives a SHA-1 as CDX files have it. Of other algorithms the label
// is left: nothing else would tell them apart.
func withoutLabel(digest []byte) []byte { return bytes.TrimPrefix(digest, []byte("sha1:")) }

const upperHex = "0123456789ABCDEF"

// appendField appends a field of a CDX line, in which "-" stands for none.
func appendField(dst, field []byte) []byte {
	if len(field) == 1 && field[0] == '-' {
		return append(dst, "%2D"...)
	}
	return appendToken(dst, field)
}

// appendURL appends a URL as a field that no reader takes for the object of CDXJ.
func appendURL(dst, url []byte) []byte {
	if len(url) > 0 && url[0] == '{' {
		return appendEscaped(append(dst, "%7B"...), url[1:])
	}
	return appendField(dst, url)
}

// appendToken appends a field that may not be empty.
func appendToken(dst, field []byte) []byte {
	if len(field) == 0 {
		return append(dst, '-')
	}
	return appendEscaped(dst, field)
}

// appendEscaped appends %HH for each byte that would tear a line apart.
func appendEscaped(dst, field []byte) []byte {
	clean := 0
	for i, b := range field {
		if b > ' ' && b != 0x7f {
			continue
		}
		dst = append(dst, field[clean:i]...)
		dst = append(dst, '%', upperHex[b>>4], upperHex[b&15])
		clean = i + 1
	}
	return append(dst, field[clean:]...)
}

const lowerHex = "0123456789abcdef"

// appendASCII appends a JSON string as Python's json.dumps writes it: all but
// printable ASCII escaped. Bytes that are not UTF-8 become U+FFFD.
func appendASCII(dst, s []byte) []byte {
	dst = append(dst, '"')
	clean := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= ' ' && b < 0x7f && b != '"' && b != '\\' {
			i++
			continue
		}
		dst = append(dst, s[clean:i]...)
		if b < utf8.RuneSelf {
			dst = appendEscape(dst, b)
			i++
		} else {
			r, n := utf8.DecodeRune(s[i:])
			dst = appendRune(dst, r)
			i += n
		}
		clean = i
	}
	dst = append(dst, s[clean:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, b byte) []byte {
	if i := strings.IndexByte("\"\\\b\f\n\r\t", b); i >= 0 {
		return append(dst, '\\', `"\bfnrt`[i])
	}
	return append(dst, '\\', 'u', '0', '0', lowerHex[b>>4], lowerHex[b&15])
}

// appendRune appends \uXXXX, or two of them as UTF-16 has it.
func appendRune(dst []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		dst = appendRune(dst, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	return append(dst, '\\', 'u', lowerHex[r>>12&15], lowerHex[r>>8&15], lowerHex[r>>4&15], lowerHex[r&15])
}
