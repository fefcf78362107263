package cctable

import (
	"bytes"
	"errors"
)

// A urlParts is a URL taken apart. Its slices point into the URL.
type urlParts struct {
	scheme []byte // as written
	host   []byte // as written
	port   int32  // -1 if the URL names none
	path   []byte
	query  []byte // nil if there is none
}

var (
	errNoScheme = errors.New("the url has no scheme")
	errNoHost   = errors.New("the url has no host")
)

// splitURL takes a URL apart. The error is ErrNoRow if URLs of its scheme have
// no host.
func splitURL(u []byte) (p urlParts, err error) {
	p.port = -1
	colon := schemeEnd(u)
	if colon < 0 {
		return p, errNoScheme
	}
	p.scheme = u[:colon]
	rest := u[colon+1:]
	if i := bytes.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	authority, found := []byte(nil), false
	switch scheme := p.scheme; {
	case is(scheme, "http"), is(scheme, "https"):
		rest = bytes.TrimLeft(rest, `/\`)
		authority, rest = cutAuthority(rest, `/\?`)
	case is(scheme, "dns"):
		if authority, found = bytes.CutPrefix(rest, []byte("//")); found { // dns://SERVER/NAME
			_, rest = cutAuthority(authority, "/?")
		}
		authority, rest = cutAuthority(bytes.TrimLeft(rest, "/"), "?")
	case is(scheme, "whois"):
		authority, rest = cutAuthority(bytes.TrimLeft(rest, "/"), "/?")
		if asked, _ := cutAuthority(bytes.TrimLeft(rest, "/"), "?"); len(asked) > 0 { // whois://SERVER/NAME
			authority = asked
		}
	case is(scheme, "filedesc"), is(scheme, "metadata"), is(scheme, "warcinfo"):
		return p, ErrNoRow
	default:
		if authority, found = bytes.CutPrefix(rest, []byte("//")); !found {
			return p, ErrNoRow
		}
		authority, rest = cutAuthority(authority, "/?")
	}
	p.setHost(authority)
	if len(p.host) == 0 {
		return p, errNoHost
	}
	p.path = rest
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		p.path, p.query = rest[:i], rest[i+1:]
	}
	return p, nil
}

// schemeEnd gives the place of the colon behind a scheme (RFC 3986, section
// 3.1), -1 if there is none.
func schemeEnd(u []byte) int {
	for i, b := range u {
		switch lower := b | 0x20; {
		case lower >= 'a' && lower <= 'z':
		case i > 0 && (b >= '0' && b <= '9' || b == '+' || b == '-' || b == '.'):
		case i > 0 && b == ':':
			return i
		default:
			return -1
		}
	}
	return -1
}

// is says whether a scheme has the name, which is in lower case.
func is(scheme []byte, name string) bool {
	if len(scheme) != len(name) {
		return false
	}
	for i, b := range scheme {
		if b|0x20 != name[i] {
			return false
		}
	}
	return true
}

func cutAuthority(b []byte, ends string) (authority, rest []byte) {
	if i := bytes.IndexAny(b, ends); i >= 0 {
		return b[:i], b[i:]
	}
	return b, b[len(b):]
}

// setHost takes user and port off an authority.
func (p *urlParts) setHost(authority []byte) {
	p.host = bytes.TrimSpace(authority[bytes.LastIndexByte(authority, '@')+1:])
	colon := bytes.LastIndexByte(p.host, ':')
	if colon < 0 || bytes.IndexByte(p.host[colon:], ']') >= 0 {
		return
	}
	digits := p.host[colon+1:]
	port := int32(0)
	for _, d := range digits {
		if d < '0' || d > '9' || port > 0xffff {
			return // part of the host, whatever it is
		}
		port = port*10 + int32(d-'0')
	}
	if port > 0xffff {
		return
	}
	p.host = p.host[:colon]
	if len(digits) > 0 {
		p.port = port
	}
}
