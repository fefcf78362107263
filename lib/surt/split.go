package surt

import (
	"bytes"
	"strconv"
)

// A target is the parts of a URL that go into its key, as they stand there.
type target struct {
	scheme []byte
	host   []byte // empty where there is none
	port   int    // 0: none
	path   []byte
	query  []byte
}

var (
	http       = []byte("http")
	https      = []byte("https")
	httpBegin  = []byte("http://")
	httpsBegin = []byte("https://")
	slash      = []byte("/")
)

// split parts a URL, which is not empty.
func split(url []byte) target {
	var t target
	rest, authority := url, true
	if n := schemeLength(url); n >= 0 {
		t.scheme, rest = url[:n], url[n+1:]
		authority = len(rest) > 1 && rest[0] == '/' && rest[1] == '/'
		if authority {
			rest = rest[2:]
			t.scheme, rest = lastScheme(t.scheme, rest)
		}
	} else {
		t.scheme = http
	}
	if i := bytes.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		rest, t.query = rest[:i], rest[i+1:]
	}
	t.path = rest
	if authority {
		end := bytes.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		t.path = rest[end:]
		t.host, t.port = splitAuthority(rest[:end])
	}
	if len(t.host) == 0 && len(t.path) > 0 && bytes.HasPrefix(t.scheme, http) {
		t.host, t.path = hostFromPath(t.path)
	}
	return t
}

// hostFromPath takes the first segment of a path, which is not empty, as host:
// http:////host/path has been seen in the wild.
func hostFromPath(path []byte) (host, rest []byte) {
	segments := bytes.TrimLeft(path, "/")
	if i := bytes.IndexByte(segments, '/'); i >= 0 {
		return segments[:i], segments[i:]
	}
	return segments, slash
}

// schemeLength gives the length of the scheme that a URL begins with, or -1. A
// host with a port looks like one.
func schemeLength(url []byte) int {
	for i, c := range url {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i
		default:
			return -1
		}
	}
	return -1
}

// lastScheme gives the last of several schemes before a host, as in
// http://https://host/, and what stands behind it.
func lastScheme(first, rest []byte) (last, behind []byte) {
	if !bytes.Equal(first, http) && !bytes.Equal(first, https) {
		return first, rest
	}
	for {
		switch {
		case bytes.HasPrefix(rest, httpBegin):
			first, rest = http, rest[len(httpBegin):]
		case bytes.HasPrefix(rest, httpsBegin):
			first, rest = https, rest[len(httpsBegin):]
		default:
			return first, rest
		}
	}
}

// splitAuthority parts what stands between "//" and the path. A port that is no
// number makes the whole a host.
func splitAuthority(authority []byte) (host []byte, port int) {
	authority = bytes.TrimRight(authority, ":")
	if i := bytes.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	host = authority
	var digits []byte
	if open := bytes.IndexByte(authority, '['); open >= 0 {
		host = authority[open+1:]
		if end := bytes.IndexByte(host, ']'); end >= 0 {
			if colon := bytes.IndexByte(host[end:], ':'); colon >= 0 {
				digits = host[end+colon+1:]
			}
			host = host[:end]
		}
	} else if colon := bytes.IndexByte(authority, ':'); colon >= 0 {
		host, digits = authority[:colon], authority[colon+1:]
	}
	port, ok := parsePort(digits)
	if !ok {
		return authority, 0
	}
	return host, port
}

// parsePort gives the number of a port, 0 for none. One beyond 65,535 is no port.
func parsePort(digits []byte) (port int, ok bool) {
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		if port = port*10 + int(c-'0'); port > 65535 {
			return 0, false
		}
	}
	return port, true
}

// appendPort appends a port that is not the scheme's.
func appendPort(dst []byte, t *target) []byte {
	switch {
	case t.port == 0,
		t.port == 80 && bytes.EqualFold(t.scheme, http),
		t.port == 443 && bytes.EqualFold(t.scheme, https):
		return dst
	}
	return strconv.AppendInt(append(dst, ':'), int64(t.port), 10)
}
