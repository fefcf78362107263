package index

import (
	"bytes"
	"strings"
)

// robotWindow is how much of a page is searched for robots meta tags, in bytes.
// The head of a page ends before in nearly all of them.
const robotWindow = 64 << 10

// maxTag bounds a meta tag, in bytes. Those about robots are short; a bound keeps
// hostile pages from being searched again and again.
const maxTag = 1 << 10

// Flags of what a page asks robots not to do, in the order in which CDX's field M
// has them ("AIF" in the format's legend; CDX-Writer writes A, F, I and P).
type robotFlags uint8

const (
	noArchive robotFlags = 1 << iota
	noFollow
	noIndex
	loggedIn // not of the page: the crawler was logged in
)

// String gives one letter for each flag.
func (f robotFlags) String() string {
	const letters = "AFIP"
	s := ""
	for i := range len(letters) {
		if f>>i&1 != 0 {
			s += letters[i : i+1]
		}
	}
	return s
}

// robotsOf takes the directives of a robots meta tag or an X-Robots-Tag: names
// separated by commas; "none" means noindex and nofollow. A directive for one
// robot ("googlebot: noindex") counts for none other.
func robotsOf(directives []byte) (f robotFlags) {
	for len(directives) > 0 {
		var one []byte
		if i := bytes.IndexByte(directives, ','); i >= 0 {
			one, directives = directives[:i], directives[i+1:]
		} else {
			one, directives = directives, nil
		}
		switch one = bytes.TrimSpace(one); {
		case bytes.EqualFold(one, []byte("noarchive")):
			f |= noArchive
		case bytes.EqualFold(one, []byte("nofollow")):
			f |= noFollow
		case bytes.EqualFold(one, []byte("noindex")):
			f |= noIndex
		case bytes.EqualFold(one, []byte("none")):
			f |= noIndex | noFollow
		}
	}
	return f
}

// metaRobots gives the flags of the robots meta tags in a page's head. It looks
// for tags only: what a script or comment in the head quotes counts too, as it
// does for CDX-Writer.
func metaRobots(page []byte) (f robotFlags) {
	for {
		i := bytes.IndexByte(page, '<')
		if i < 0 || i+5 > len(page) {
			return f
		}
		page = page[i+1:]
		switch page[0] | 0x20 {
		case 'm':
			if tag, ok := metaTag(page); ok {
				f |= robotsOfTag(tag)
			}
		case '/':
			if len(page) >= 6 && bytes.EqualFold(page[:5], []byte("/head")) && (page[5] == '>' || page[5] <= ' ') {
				return f
			}
		}
	}
}

// metaTag gives the attributes of the meta tag that p begins with, behind "<".
func metaTag(p []byte) ([]byte, bool) {
	if len(p) < 5 || !bytes.EqualFold(p[:4], []byte("meta")) || p[4] > ' ' && p[4] != '/' {
		return nil, false
	}
	quote := byte(0)
	p = p[:min(len(p), maxTag)]
	for i := 4; i < len(p); i++ {
		switch b := p[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case (b == '"' || b == '\'') && bytes.IndexByte([]byte("= \t\r\n"), p[i-1]) >= 0:
			quote = b
		case b == '>':
			return p[4:i], true
		}
	}
	return nil, false
}

// robotsOfTag gives the flags of a meta tag, none if it is not about robots.
func robotsOfTag(tag []byte) robotFlags {
	robots := false
	var content []byte
	for {
		name, value, rest := attribute(tag)
		if name == nil {
			break
		}
		tag = rest
		switch {
		case bytes.EqualFold(name, []byte("name")), bytes.EqualFold(name, []byte("http-equiv")):
			value := strings.ToLower(string(bytes.TrimSpace(value)))
			robots = robots || value == "robots" || value == "x-robots-tag"
		case bytes.EqualFold(name, []byte("content")):
			content = value
		}
	}
	if !robots {
		return 0
	}
	return robotsOf(content)
}

// attribute gives the first attribute of a tag; no name where there is none left.
func attribute(tag []byte) (name, value, rest []byte) {
	tag = bytes.TrimLeft(tag, " \t\r\n\f/")
	n := bytes.IndexAny(tag, "= \t\r\n\f/")
	switch {
	case len(tag) == 0:
		return nil, nil, nil
	case n < 0:
		return tag, nil, nil
	case n == 0: // an "=" without a name
		return tag[:1], nil, tag[1:]
	}
	name, rest = tag[:n], bytes.TrimLeft(tag[n:], " \t\r\n\f")
	if len(rest) == 0 || rest[0] != '=' {
		return name, nil, rest
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n\f")
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		if i := bytes.IndexByte(rest[1:], rest[0]); i >= 0 {
			return name, rest[1 : 1+i], rest[i+2:]
		}
		rest = rest[1:]
	}
	if i := bytes.IndexAny(rest, " \t\r\n\f"); i >= 0 {
		return name, rest[:i], rest[i:]
	}
	return name, rest, nil
}
