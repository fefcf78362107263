package enrich

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// A Kind is what a value is.
type Kind uint8

// The kinds. A Container has no value of its own, only others derived from it.
const (
	Absent Kind = iota
	Text        // UTF-8, or what was taken for it
	Binary
	Integer
	JSON // a list, an object, or any other value written as JSON
	Container
)

// kinds is a set of them.
type kinds uint8

func (s kinds) has(k Kind) bool { return s&(1<<k) != 0 }

// A Value is one that was derived from a record. Its bytes are valid as long as the
// record is worked on.
type Value struct {
	Kind   Kind
	Bytes  []byte // of Text, Binary and JSON
	Number int64  // of Integer
}

func (v *Value) setText(text []byte) { *v = Value{Kind: Text, Bytes: text} }
func (v *Value) setInteger(n int)    { *v = Value{Kind: Integer, Number: int64(n)} }
func (v *Value) setJSON(raw []byte)  { *v = Value{Kind: JSON, Bytes: raw} }

// AppendJSON appends the value as JSON. Bytes are not written out: of a Binary the
// length is told, bytes(length: N).
func (v *Value) AppendJSON(dst []byte) []byte {
	switch v.Kind {
	case Text:
		return appendString(dst, v.Bytes)
	case Binary:
		dst = append(dst, `"bytes(length: `...)
		return append(strconv.AppendInt(dst, int64(len(v.Bytes)), 10), `)"`...)
	case Integer:
		return strconv.AppendInt(dst, v.Number, 10)
	case JSON:
		return append(dst, v.Bytes...)
	}
	return append(dst, "null"...)
}

// Any gives the value as the language of expressions has it; nil for an absent one.
func (v *Value) Any() any {
	switch v.Kind {
	case Text:
		return string(v.Bytes)
	case Binary:
		return "bytes(length: " + strconv.Itoa(len(v.Bytes)) + ")"
	case Integer:
		return int(v.Number)
	case JSON:
		var x any
		d := json.NewDecoder(bytes.NewReader(v.Bytes))
		d.UseNumber()
		if d.Decode(&x) != nil {
			return nil
		}
		return whole(x)
	}
	return nil
}

// whole makes integers of the numbers that are, as the language expects, to the last
// digit: a number of 64 bits, such as an id, would lose some as a float.
func whole(x any) any {
	switch x := x.(type) {
	case json.Number:
		if n, err := strconv.Atoi(string(x)); err == nil {
			return n
		}
		f, err := x.Float64()
		if err != nil { // too large
			return string(x)
		}
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int(f)
		}
		return f
	case []any:
		for i := range x {
			x[i] = whole(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = whole(x[k])
		}
	}
	return x
}

// plainInJSON marks the bytes that a string takes as they are.
var plainInJSON = func() (t [256]bool) {
	for b := range utf8.RuneSelf {
		t[b] = b >= ' ' && b != '"' && b != '\\' && b != 0x7f
	}
	return t
}()

const lowerHex = "0123456789abcdef"

// appendString appends a JSON string (RFC 8259, section 7). Bytes that are not UTF-8
// become U+FFFD, since JSON can hold nothing else.
func appendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		begin := i
		for i < len(s) && plainInJSON[s[i]] {
			i++
		}
		dst = append(dst, s[begin:i]...)
		if i == len(s) {
			break
		}
		b := s[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, "\ufffd"...)
			} else {
				dst = append(dst, s[i:i+n]...)
			}
			i += n
			continue
		}
		switch b {
		case '"', '\\':
			dst = append(dst, '\\', b)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', lowerHex[b>>4], lowerHex[b&15])
		}
		i++
	}
	return append(dst, '"')
}

// appendMember appends a member with a text to an object that is open.
func appendMember(dst []byte, name string, text []byte) []byte {
	dst = appendName(dst, name)
	return appendString(dst, text)
}

// appendName appends a member's name with what stands around it.
func appendName(dst []byte, name string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	dst = appendString(dst, []byte(name))
	return append(dst, ':')
}
