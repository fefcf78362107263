package cctable

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
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
	if address, numeric := address4(name); numeric {
		return Host{Name: address}
	}
	h := Host{Name: name}
	h.split()
	h.PrivateSuffix, h.RegistrySuffix = suffixes(name)
	h.PrivateDomain = domain(name, h.PrivateSuffix)
	h.RegisteredDomain = domain(name, h.RegistrySuffix)
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

// address4 says whether the last label is a number, which no domain name ends
// in, and gives the address in four decimal numbers if it is one.
func address4(name string) (address string, numeric bool) {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if !isNumber(last) {
		return "", false
	}
	if a, err := netip.ParseAddr(name); err == nil {
		return a.String(), true
	}
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return name, true
	}
	value := uint64(0)
	for i, part := range parts {
		bits := 8 // the last number stands for all bytes that are left
		if i == len(parts)-1 {
			bits = 8 * (4 - i)
		}
		n, err := strconv.ParseUint(part, 10, bits)
		if err != nil || len(part) > 1 && part[0] == '0' { // octal to some, decimal to others
			return name, true
		}
		value = value<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}).String(), true
}

func isNumber(label string) bool {
	for i := range len(label) {
		if label[i] < '0' || label[i] > '9' {
			return false
		}
	}
	return label != ""
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

// suffixes gives the longest suffix of the public suffix list and the longest
// one of its ICANN section.
func suffixes(name string) (private, registry string) {
	suffix, icann := publicsuffix.PublicSuffix(name)
	if icann {
		return suffix, suffix
	}
	if strings.IndexByte(suffix, '.') < 0 {
		return "", "" // the list does not have it: its default rule took the last label
	}
	private = suffix
	for !icann {
		_, above, found := strings.Cut(suffix, ".")
		if !found {
			return private, ""
		}
		suffix, icann = publicsuffix.PublicSuffix(above)
	}
	return private, suffix
}

// domain gives the suffix with one label more, "" if the name has none.
func domain(name, suffix string) string {
	if suffix == "" || len(name) < len(suffix)+2 {
		return ""
	}
	end := len(name) - len(suffix) - 1
	begin := strings.LastIndexByte(name[:end], '.') + 1
	if begin == end {
		return "" // an empty label
	}
	return name[begin:]
}
