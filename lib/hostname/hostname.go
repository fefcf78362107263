// Package hostname tells addresses from names of hosts and finds the domain that a
// name was registered under, by the public suffix list (publicsuffix.org).
package hostname

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Address4 says whether the last label is a number, which no domain name ends
// in, and gives the address in four decimal numbers if it is one.
func Address4(name string) (address string, numeric bool) {
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

// Suffixes gives the longest suffix of the public suffix list and the longest
// one of its ICANN section.
func Suffixes(name string) (private, registry string) {
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

// Below gives the suffix with one label more, "" if the name has none.
func Below(name, suffix string) string {
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

// Registered gives the domain that a host in lower case was registered under: the
// suffix of the list's ICANN section, or without one the last label, with one label
// more. Of an address and of a suffix itself it is the host.
func Registered(host string) string {
	if strings.IndexByte(host, ':') >= 0 {
		return host
	}
	if _, numeric := Address4(host); numeric {
		return host
	}
	_, suffix := Suffixes(host)
	if suffix == "" {
		suffix = host[strings.LastIndexByte(host, '.')+1:]
	}
	if d := Below(host, suffix); d != "" {
		return d
	}
	return host
}
