package mementomap

import (
	"bytes"
	"net/netip"

	"golang.org/x/net/publicsuffix"

	"archivestream/lib/surt"
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
// others register names: uk,co, pt and io,github, but not pt,arquivo.
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
	if _, err := netip.ParseAddr(string(name)); err == nil {
		return false
	}
	suffix, _ := publicsuffix.PublicSuffix(string(name))
	return suffix == string(name)
}

// AppendKey appends the key that a map has for a URI, whose SURT is given as it is or
// as it stands in an index: without query and fragment, without the slash at its end,
// and with the escapes that the package's documentation tells of.
func AppendKey(dst, key []byte) []byte {
	if i := bytes.IndexAny(key, "?#"); i >= 0 {
		key = key[:i]
	}
	key = bytes.TrimRight(key, "/")
	if len(key) == 0 {
		return dst
	}
	if isWildcard(key) {
		return append(surt.AppendIndexKey(dst, key[:len(key)-1]), "%2a"...)
	}
	return surt.AppendIndexKey(dst, key)
}

// AppendMapKey appends the key of another map's line, wildcards as they are, as a
// lookup looks for it: a query or fragment that other tools leave in it is cut.
func AppendMapKey(dst, key []byte) []byte {
	if isWildcard(key) && !hasQuery(key) {
		return append(dst, key...)
	}
	return AppendKey(dst, key)
}

// isWildcard reports whether a key without a query is a wildcard.
func isWildcard(key []byte) bool {
	n := len(key) - 1
	return n >= 0 && key[n] == '*' && (n == 0 || key[n-1] == '/' || key[n-1] == ',')
}

// hasQuery reports whether a key has what no key of a lookup has.
func hasQuery(key []byte) bool { return bytes.ContainsAny(key, "?#") }

// hostEnd gives where the host of a key ends: the index of the ")" behind it, -1
// where there is none.
func hostEnd(key []byte) int {
	i := bytes.IndexByte(key, ')')
	if i > 0 && (i == len(key)-1 || key[i+1] == '/') {
		return i
	}
	return -1
}
