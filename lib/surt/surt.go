package surt

import "bytes"

// Key gives the key of a URL.
func Key(url string) string {
	var in, out [256]byte
	return string(Append(out[:0], append(in[:0], url...)))
}

// Append appends the key of a URL, which may be any bytes, to dst. Of a URL
// without IDN host and line ends it allocates nothing but the growth of dst. The
// two must not overlap.
func Append(dst, url []byte) []byte {
	switch {
	case len(url) == 0:
		return append(dst, '-')
	case bytes.HasPrefix(url, filedesc):
		return appendOneField(dst, url)
	}
	url = clean(url)
	if len(url) == 0 {
		return append(dst, '-')
	}
	t := split(url)
	begin := len(dst)
	dst = appendHost(dst, t.host, string(t.scheme) != "dns")
	hasHost := len(dst) > begin
	if hasHost {
		dst = append(appendPort(dst, &t), ')')
	} else {
		dst = append(append(dst, t.scheme...), ':')
	}
	path := len(dst)
	dst = appendPath(dst, t.path, hasHost)
	query := len(dst)
	dst = appendQuery(append(dst, '?'), t.query)
	if len(dst) == query+1 {
		return dst[:query]
	}
	if path == query { // only where there is no host
		dst = append(dst, 0)
		copy(dst[path+1:], dst[path:])
		dst[path] = '/'
	}
	return dst
}

// AppendHost appends the SURT of a host, as it stands in a key before the ")":
// of www.archive.org "org,archive". A port is not expected.
func AppendHost(dst, host []byte) []byte { return appendHost(dst, host, true) }

// filedesc begins the target of the first record of an ARC file, which is its
// own key.
var filedesc = []byte("filedesc")

// appendOneField appends what is its own key, without the bytes that would end
// the field or the line that it stands in.
func appendOneField(dst, raw []byte) []byte {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\n', '\r':
			dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// AppendIndexKey appends a key as a line of an index has it, in which no byte of it
// ends a field and no key looks like a header: %HH in place of control characters,
// spaces and an "!" at its start, "-" for nothing. No key but those of filedesc and of
// hosts that begin with "!" is changed by it.
func AppendIndexKey(dst, key []byte) []byte {
	if len(key) == 0 {
		return append(dst, '-')
	}
	start := 0
	for i, c := range key {
		if c > ' ' && c != 0x7f && (c != '!' || i > 0) {
			continue
		}
		dst = append(append(dst, key[start:i]...), '%', hexDigits[c>>4], hexDigits[c&15])
		start = i + 1
	}
	return append(dst, key[start:]...)
}

// clean gives a URL without white space around it and without tabs and line ends
// in it, as browsers do.
func clean(url []byte) []byte {
	for len(url) > 0 && isSpace(url[0]) {
		url = url[1:]
	}
	for len(url) > 0 && isSpace(url[len(url)-1]) {
		url = url[:len(url)-1]
	}
	if bytes.IndexByte(url, '\t') < 0 && bytes.IndexByte(url, '\n') < 0 && bytes.IndexByte(url, '\r') < 0 {
		return url
	}
	kept := make([]byte, 0, len(url))
	for _, c := range url {
		if c != '\t' && c != '\n' && c != '\r' {
			kept = append(kept, c)
		}
	}
	return kept
}

// isSpace says whether a byte is white space in ASCII.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
