package cctable

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"archivestream/lib/hostname"
)

// A Host is a host name and what the table says about it. A part, suffix or
// domain that it does not have is "" and becomes null.
type Host struct {
	Name             string
	Reversed         string    // labels from the top, separated by dots
	Parts            [5]string // labels from the top
	RegistrySuffix   string
	RegisteredDomain string
	PrivateSuffix    string
	PrivateDomain    string
}

// NewHost describes the host as it is written in a URL, without port and user.
func NewHost(written string) Host {
	name := canonicalHost(written)
	if strings.HasPrefix(name, "[") || name == "" {
		return Host{Name: name}
	}
	if address, numeric := hostname.Address4(name); numeric {
		return Host{Name: address}
	}
	h := Host{Name: name}
	h.split()
	h.PrivateSuffix, h.RegistrySuffix = hostname.Suffixes(name)
	h.PrivateDomain = hostname.Below(name, h.PrivateSuffix)
	h.RegisteredDomain = hostname.Below(name, h.RegistrySuffix)
	return h
}

// toASCII is what browsers do, but for names that no registry would take:
// crawls are full of them.
var toASCII = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.CheckJoiners(false))

func canonicalHost(written string) string {
	name := written
	if strings.IndexByte(name, '%') >= 0 {
		if plain, err := url.PathUnescape(name); err == nil && utf8.ValidString(plain) {
			name = plain
		}
	}
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			name = asciiHost(name)
			break
		}
	}
	return strings.TrimRight(strings.ToLower(name), ".")
}

// asciiHost converts an international name. One that UTS 46 does not allow (an
// emoji of today, say) is encoded all the same.
func asciiHost(name string) string {
	if ascii, err := toASCII.ToASCII(name); err == nil {
		return ascii
	}
	if ascii, err := idna.Punycode.ToASCII(strings.ToLower(name)); err == nil {
		return ascii
	}
	return name
}

// split sets the parts and the reversed name.
func (h *Host) split() {
	var b strings.Builder
	b.Grow(len(h.Name))
	rest := h.Name
	for i := 0; ; i++ {
		dot := strings.LastIndexByte(rest, '.')
		label := rest[dot+1:]
		if i < len(h.Parts) {
			h.Parts[i] = label
		}
		b.WriteString(label)
		if dot < 0 {
			break
		}
		b.WriteByte('.')
		rest = rest[:dot]
	}
	h.Reversed = b.String()
}
