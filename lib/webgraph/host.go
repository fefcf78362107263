package webgraph

import (
	"bytes"
	"strings"

	"golang.org/x/net/idna"

	"archivestream/lib/hostname"
)

// A Hosts finds the names of hosts in URLs. It remembers the last ones and is for
// one goroutine.
type Hosts struct {
	known map[string]string // host as written → reversed name, "" for none
}

// remembered bounds what a Hosts remembers.
const remembered = 1 << 14

// NewHosts makes a Hosts.
func NewHosts() *Hosts { return &Hosts{known: map[string]string{}} }

// Reversed gives the reversed name of a URL's host, which is absolute or begins with
// two slashes; "" where it has none that stands in a graph. It is not valid for URLs
// of other schemes than http and https.
func (h *Hosts) Reversed(url []byte) string {
	host, ok := hostOf(url)
	if !ok {
		return ""
	}
	if name, ok := h.known[string(host)]; ok {
		return name
	}
	if len(h.known) >= remembered {
		clear(h.known)
	}
	name := reversedName(string(host))
	h.known[string(host)] = name
	return name
}

// hostOf gives the host as it is written in a URL, without user and port.
func hostOf(url []byte) (host []byte, ok bool) {
	url = bytes.TrimLeft(url, " \t\r\n\f")
	switch {
	case hasFold(url, "http://"):
		url = url[len("http://"):]
	case hasFold(url, "https://"):
		url = url[len("https://"):]
	case bytes.HasPrefix(url, []byte("//")):
		url = url[2:]
	default:
		return nil, false
	}
	if i := bytes.IndexAny(url, "/\\?#"); i >= 0 {
		url = url[:i]
	}
	url = url[bytes.LastIndexByte(url, '@')+1:]
	if i := bytes.IndexByte(url, ':'); i >= 0 {
		url = url[:i]
	}
	url = bytes.TrimRight(url, ". \t\r\n")
	return url, len(url) > 0
}

func hasFold(p []byte, lower string) bool {
	return len(p) >= len(lower) && bytes.EqualFold(p[:len(lower)], []byte(lower))
}

// toASCII is what browsers do, but for names that no registry would take.
var toASCII = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.CheckJoiners(false))

// reversedName gives a host's name with its labels reversed, "" for what is no name
// under a public suffix.
func reversedName(host string) string {
	name, err := toASCII.ToASCII(host)
	if err != nil || len(name) > 253 || strings.IndexByte(name, '.') < 0 {
		return ""
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if !soundLabel(label) {
			return ""
		}
	}
	if _, numeric := hostname.Address4(name); numeric {
		return ""
	}
	if _, registry := hostname.Suffixes(name); registry == "" {
		return ""
	}
	return reverse(labels)
}

// soundLabel accepts letters, digits, dashes and underscores, at most 63.
func soundLabel(label string) bool {
	for i := range len(label) {
		switch c := label[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return label != "" && len(label) <= 63
}

// isName says whether reversedName could have made a name. The suffix is not looked up:
// lists of public suffixes change.
func isName(name []byte) bool {
	if len(name) > 253 || bytes.IndexByte(name, '.') < 0 {
		return false
	}
	for label := range strings.SplitSeq(string(name), ".") {
		if !soundLabel(label) {
			return false
		}
	}
	return true
}

func reverse(labels []string) string {
	var b strings.Builder
	for i := len(labels) - 1; i >= 0; i-- {
		b.WriteString(labels[i])
		if i > 0 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// Domain gives the reversed name of the domain that a host was registered under, of
// the host's reversed name.
func Domain(reversed string) string {
	name := reverse(strings.Split(reversed, "."))
	return reversed[:len(hostname.Registered(name))]
}
