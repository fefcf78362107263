package surt

import "bytes"

// appendPath appends the path of a key. With a host the path is one of segments;
// without, as of dns: or urn:, it is any text.
func appendPath(dst, path []byte, hasHost bool) []byte {
	begin := len(dst)
	if len(path) == 0 {
		if hasHost {
			dst = append(dst, '/')
		}
		return dst
	}
	dst, seen := appendLower(dst, path)
	if seen&escaped != 0 {
		dst = appendUnescaped(dst[:begin], path)
	}
	if hasHost && needsNormalizing(dst[begin:]) {
		dst = dst[:begin+normalize(dst[begin:])]
	}
	if seen&escaped != 0 {
		dst = escapeFrom(dst, begin)
	}
	dst = dst[:begin+stripPathSession(dst[begin:])]
	if n := len(dst); n-begin > 1 && dst[n-1] == '/' {
		dst = dst[:n-1]
	}
	return dst
}

// needsNormalizing says whether a segment of a path may be empty, "." or "..".
func needsNormalizing(path []byte) bool {
	for {
		i := bytes.IndexByte(path, '/')
		if i < 0 || i+1 == len(path) {
			return false
		}
		if c := path[i+1]; c == '/' || c == '.' {
			return true
		}
		path = path[i+1:]
	}
}

// normalize takes out of a path, in place, its segments ".", "..", with the ones
// before them, and the empty ones but the last, and gives the length that is left.
// A ".." before which there is no segment is kept, and taken out by another.
func normalize(path []byte) int {
	// The segments kept, the empty ones too, which ".." may still take out, each
	// behind its "/".
	n := 0
	for rest := path; len(rest) > 0; {
		segment := rest[1:]
		if i := bytes.IndexByte(segment, '/'); i >= 0 {
			segment = segment[:i]
		}
		rest = rest[1+len(segment):]
		switch {
		case len(segment) == 1 && segment[0] == '.':
		case len(segment) == 2 && segment[0] == '.' && segment[1] == '.' && n > 0:
			n = bytes.LastIndexByte(path[:n], '/')
		default:
			path[n] = '/'
			n += 1 + copy(path[n+1:], segment)
		}
	}
	if n == 0 {
		path[0] = '/'
		return 1
	}
	kept := 0
	for i := range n {
		if path[i] == '/' && i+1 < n && path[i+1] == '/' {
			continue
		}
		path[kept] = path[i]
		kept++
	}
	return kept
}
