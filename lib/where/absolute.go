package where

import (
	"strings"
)

// A reference has the parts of a URL (RFC 3986, section 3), with the marks that say that
// they are there.
type reference struct{ scheme, authority, path, query, fragment string }

// split cuts a URL into its parts; there is no text that it cannot cut.
func split(url string) (r reference) {
	if i := strings.IndexByte(url, '#'); i >= 0 {
		url, r.fragment = url[:i], url[i:]
	}
	if i := strings.IndexByte(url, '?'); i >= 0 {
		url, r.query = url[:i], url[i:]
	}
	r.scheme = scheme.FindString(url)
	r.path = url[len(r.scheme):]
	if strings.HasPrefix(r.path, "//") {
		end := len(r.path)
		if i := strings.IndexByte(r.path[2:], '/'); i >= 0 {
			end = i + 2
		}
		r.authority, r.path = r.path[:end], r.path[end:]
	}
	return r
}

// absolute resolves a link against the URL that it was found at (RFC 3986, section 5.2),
// whatever is wrong with either. Bytes that no URL can have are escaped; line ends and tabs
// are left out, as browsers do.
func absolute(link, base string) string {
	to, from := split(strings.Trim(lineEnds.Replace(link), " \f")), split(base)
	switch {
	case to.scheme != "":
		if to.authority != "" || strings.HasPrefix(to.path, "/") {
			to.path = withoutDots(to.path)
		}
		return to.text()
	case to.authority != "":
		to.path = withoutDots(to.path)
	case to.path == "":
		to.authority, to.path = from.authority, from.path
		if to.query == "" {
			to.query = from.query
		}
	default:
		to.authority = from.authority
		if to.path[0] != '/' {
			folder := from.path[:strings.LastIndexByte(from.path, '/')+1]
			if folder == "" && from.authority != "" {
				folder = "/"
			}
			to.path = folder + to.path
		}
		to.path = withoutDots(to.path)
	}
	to.scheme = from.scheme
	return to.text()
}

var lineEnds = strings.NewReplacer("\r", "", "\n", "", "\t", "")

func (r reference) text() string {
	return r.scheme + r.authority + escape(r.path) + escape(r.query) + escape(r.fragment)
}

// withoutDots removes the segments . and .. from a path (RFC 3986, section 5.2.4).
func withoutDots(path string) string {
	var out []string
	rooted := strings.HasPrefix(path, "/")
	rest := strings.TrimPrefix(path, "/")
	for more := true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		switch segment {
		case "..":
			out = out[:max(len(out)-1, 0)]
		case ".":
		default:
			out = append(out, segment)
			continue
		}
		if !more {
			out = append(out, "")
		}
	}
	if path = strings.Join(out, "/"); rooted {
		return "/" + path
	}
	return path
}

// escape writes each byte that no part of a URL can have as %XX.
func escape(part string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(part) {
		if c := part[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
