package cdx

import (
	"bytes"

	"archivestream/lib/surt"
)

// SURT returns the SURT of a capture: the index's key, or one made of the URL, in the
// buffer, where the index's is another kind of key, as the URL itself, or none. The
// index's comes first since the URL in its line can have lost bytes that are no UTF-8.
func (c *Capture) SURT(buffer *[]byte) []byte {
	if len(c.URL) == 0 || isSURT(c.Key) && !bytes.Equal(c.Key, c.URL) {
		return c.Key
	}
	*buffer = surt.Append((*buffer)[:0], c.URL)
	return *buffer
}

// hostEnd returns where the parenthesis stands that ends a SURT's host, which can have
// others in it; -1 where none does.
func hostEnd(key []byte) int {
	for i, c := range key {
		if c == ')' && (i == len(key)-1 || key[i+1] == '/' || key[i+1] == '?') {
			return i
		}
	}
	return -1
}

// isSURT reports whether an index's key is a SURT: with a host, or with a scheme other
// than the web's, which the key of host:8080/path does not begin with.
func isSURT(key []byte) bool {
	for _, web := range []string{"http://", "https://"} {
		// The SURT of a URL without a host keeps its scheme.
		if rest, found := bytes.CutPrefix(key, []byte(web)); found && (len(rest) == 0 || rest[0] != '/') {
			return false
		}
	}
	if end := hostEnd(key); end > 0 && bytes.IndexByte(key[:end], '/') < 0 {
		return true
	}
	if bytes.HasPrefix(key, []byte("filedesc")) {
		return true
	}
	scheme, rest, found := bytes.Cut(key, []byte{':'})
	if !found || bytes.ContainsAny(scheme, "/?") {
		return false
	}
	rest = bytes.TrimLeft(rest, "0123456789")
	return len(rest) > 0 && rest[0] != '/' || len(key) > len(scheme)+1 && key[len(scheme)+1] == '/'
}
