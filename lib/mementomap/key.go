package mementomap

import (
	"bytes"

	"golang.org/x/net/publicsuffix"
)

// isRoot says whether a key is a host's with a slash behind it.
func isRoot(key []byte) bool {
	n := len(key)
	return n > 2 && key[n-1] == '/' && key[n-2] == ')' && bytes.IndexByte(key, ')') == n-2
}

// hasControl says whether a text has a byte that cannot stand in a key.
func hasControl(text []byte) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		// A byte below 0x21 borrows from its high bit, which it does not have.
		if x := load(text); (x-0x21*ones)&^x&high != 0 {
			return true
		}
	}
	for _, b := range text {
		if b <= ' ' {
			return true
		}
	}
	return false
}

// isObject says whether a text looks like a JSON object.
func isObject(text []byte) bool {
	return len(text) >= 2 && text[0] == '{' && text[len(text)-1] == '}'
}

// IsPublicSuffix says whether a host, as it stands in a key, is one below which
// others register names: uk,co and pt, but not pt,arquivo.
func IsPublicSuffix(host []byte) bool {
	var name []byte
	for rest := host; len(rest) > 0; {
		label := rest
		if i := bytes.LastIndexByte(rest, ','); i >= 0 {
			label, rest = rest[i+1:], rest[:i]
		} else {
			rest = nil
		}
		if name = append(name, label...); rest != nil {
			name = append(name, '.')
		}
	}
	suffix, listed := publicsuffix.PublicSuffix(string(name))
	return suffix == string(name) && (listed || bytes.IndexByte(host, ',') < 0)
}

// AppendKey appends the key that a map has for a URI, whose SURT is given: without
// query and fragment, without the slash at its end, and with the escapes that the
// package's documentation tells of.
func AppendKey(dst, surt []byte) []byte {
	if i := bytes.IndexAny(surt, "?#"); i >= 0 {
		surt = surt[:i]
	}
	surt = bytes.TrimRight(surt, "/")
	if len(surt) > 0 && surt[0] == '!' {
		dst, surt = append(dst, "%21"...), surt[1:]
	}
	star := false
	if n := len(surt) - 1; n >= 0 && surt[n] == '*' && (n == 0 || surt[n-1] == '/' || surt[n-1] == ',') {
		surt, star = surt[:n], true
	}
	for _, b := range surt {
		if b > ' ' {
			dst = append(dst, b)
		} else {
			dst = append(dst, '%', hexDigits[b>>4], hexDigits[b&15])
		}
	}
	if star {
		dst = append(dst, "%2a"...)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// hostEnd gives where the host of a key ends: the index of the ")" behind it, -1
// where there is none.
func hostEnd(key []byte) int {
	i := bytes.IndexByte(key, ')')
	if i > 0 && (i == len(key)-1 || key[i+1] == '/') {
		return i
	}
	return -1
}
