package surt

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

// maxQuery is how many characters of a request's body go into a key.
const maxQuery = 4096

// AppendRequestURL appends the URL whose key a capture has that answers a request
// with a method other than GET, as pywb looks it up: the URL, the method as
// parameter __wb_method, and what AppendRequestQuery makes of the body. Of POST and
// PUT alone the body counts.
func AppendRequestURL(dst, url, method, query []byte) []byte {
	dst = append(dst, url...)
	if bytes.EqualFold(method, []byte("GET")) {
		return dst
	}
	if bytes.IndexByte(url, '?') < 0 {
		dst = append(dst, '?')
	} else {
		dst = append(dst, '&')
	}
	dst = append(append(dst, "__wb_method="...), bytes.ToUpper(method)...)
	if len(query) > 0 {
		dst = append(append(dst, '&'), query...)
	}
	return dst
}

// AppendRequestQuery appends the body of a POST or PUT request as a query of no more
// than 4,096 characters. The request's Content-Type, which has to be in lower case,
// decides how:
//
//   - application/x-www-form-urlencoded: the body, unescaped once;
//   - multipart/: the fields and files, escaped;
//   - application/json: the values that are neither objects nor lists, under their
//     own names, escaped: of {"a": [1, {"b": true}, 2]} a=1&b=true&a.2_=2; nothing of
//     what is no JSON;
//   - text/plain: as JSON, if it is some;
//   - all else: __wb_post_data= with the body in Base64.
//
// A body of no bytes gives nothing.
func AppendRequestQuery(dst, contentType, body []byte) []byte {
	if len(body) == 0 {
		return dst
	}
	begin := len(dst)
	is := func(kind string) bool { return bytes.HasPrefix(contentType, []byte(kind)) }
	ok := false
	switch {
	case is("application/x-www-form-urlencoded"):
		if ok = utf8.Valid(body); ok {
			dst = appendFormDecoded(dst, body)
		}
	case is("multipart/"):
		dst, ok = appendMultipart(dst, contentType, body)
	case is("application/json"):
		dst, _ = appendJSON(dst, body)
		ok = true
	case is("text/plain"):
		dst, ok = appendJSON(dst, body)
	}
	if !ok {
		dst = append(dst[:begin], "__wb_post_data="...)
		dst = base64.StdEncoding.AppendEncode(dst, body[:min(len(body), maxQuery)])
	}
	return dst[:begin+characters(dst[begin:], maxQuery)]
}

// characters gives the length of the first n characters of a text, in bytes.
func characters(text []byte, n int) int {
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return end
}

// appendFormDecoded appends text with "+" as space and without its escapes; what is
// no UTF-8 then is replaced.
func appendFormDecoded(dst, text []byte) []byte {
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '+':
			c = ' '
		case c == '%' && i+2 < len(text) && unhex[text[i+1]]|unhex[text[i+2]] != 0xff:
			c = unhex[text[i+1]]<<4 | unhex[text[i+2]]
			i += 2
		}
		decoded = append(decoded, c)
	}
	return appendReplaced(dst, decoded)
}

// appendReplaced appends text with U+FFFD for each longest part of it that is the
// begin of a character but no character, and for each other byte that is none: as
// the Unicode Standard advises (3.9, U+FFFD Substitution of Maximal Subparts).
func appendReplaced(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			size = subpart(text)
		}
		dst = utf8.AppendRune(dst, r)
		text = text[size:]
	}
	return dst
}

// subpart gives how many bytes at the begin of text, which is no character, are the
// begin of one; at least 1.
func subpart(text []byte) int {
	low, high, following := byte(0x80), byte(0xbf), 0
	switch c := text[0]; {
	case c >= 0xc2 && c <= 0xdf:
		following = 1
	case c >= 0xe0 && c <= 0xef:
		following = 2
		if c == 0xe0 {
			low = 0xa0
		} else if c == 0xed {
			high = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		following = 3
		if c == 0xf0 {
			low = 0x90
		} else if c == 0xf4 {
			high = 0x8f
		}
	}
	n := 1
	for n <= following && n < len(text) && text[n] >= low && text[n] <= high {
		low, high = 0x80, 0xbf
		n++
	}
	return n
}

// appendParameter appends a parameter of a form behind those from begin on.
func appendParameter(dst []byte, begin int, name, value []byte) []byte {
	if len(dst) > begin {
		dst = append(dst, '&')
	}
	dst = append(appendFormEncoded(dst, name), '=')
	return appendFormEncoded(dst, value)
}

// appendFormEncoded appends text as in a form: a space as "+", all but letters,
// digits and "_.-~" escaped.
func appendFormEncoded(dst, text []byte) []byte {
	for _, c := range text {
		switch {
		case isLetter(lower[c]), class[c] == digit, c == '_', c == '.', c == '-', c == '~':
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, '+')
		default:
			dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return dst
}
