package surt

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Match says which keys belong to a URL.
type Match string

// What CDX servers call matchType.
const (
	Exact  Match = "exact"  // the URL's
	Prefix Match = "prefix" // those that begin with the URL's
	Host   Match = "host"   // those of its host
	Domain Match = "domain" // those of its host and the hosts below it
)

// ErrNoHost is the error of a host or domain match for a URL that has no host, such
// as dns:a.example.
var ErrNoHost = errors.New("the URL has no host")

// A Range is a part of the lines of an index, in the order of their bytes: those with
// From ≤ line < To that Has accepts. To is empty for no end.
type Range struct {
	From, To string
	port     int // where a port must begin in the key; 0: anything may
}

// Has reports whether a line that lies between From and To belongs to the range.
func (r Range) Has(line []byte) bool {
	if r.port == 0 {
		return true
	}
	for i, c := range line[min(r.port, len(line)):] {
		if c < '0' || c > '9' {
			return i > 0 && c == ')'
		}
	}
	return false
}

// Ranges returns the ranges of lines that an index has of a URL, in their order; no
// two of them share a line. Together they have every line of the URL itself, whatever
// the match:
//
//   - Prefix: the keys that begin with the URL's. A "/" or "?" at the URL's end is not
//     in its key: then those that begin with the key and that end, and the key itself.
//   - Host: the keys of the URL's host, with the URL's port if it has one that is not
//     the scheme's, otherwise with any port or none.
//   - Domain: the keys of the host and of all hosts below it, with any port or none.
//
// The range of pywb's calc_search_range for exact, prefix and host is one of them.
func Ranges(url string, m Match) ([]Range, error) {
	key, end := Key(url), ""
	switch m {
	case Prefix:
		for _, e := range []string{"/", "?"} {
			if strings.HasSuffix(url, e) && !strings.HasSuffix(key, e) {
				end = e
			}
		}
	case Host, Domain:
		if !hasHost(url) {
			return nil, ErrNoHost
		}
	}
	return inIndex(key, end, m)
}

// KeyRanges is Ranges for a key. Of a host or domain the key may end behind the host.
func KeyRanges(key string, m Match) ([]Range, error) { return inIndex(key, "", m) }

// inIndex returns the ranges of a key, and of the key as a line of an index has it
// (AppendIndexKey) where that is another: not all indexers escape keys.
func inIndex(key, end string, m Match) ([]Range, error) {
	ranges, err := ofKey(key, end, m)
	if escaped := string(AppendIndexKey(nil, []byte(key))); err == nil && escaped != key {
		more, _ := ofKey(escaped, end, m)
		ranges = append(ranges, more...)
		slices.SortFunc(ranges, func(a, b Range) int { return strings.Compare(a.From, b.From) })
	}
	return ranges, err
}

func ofKey(key, end string, m Match) ([]Range, error) {
	if end != "" {
		long := key + end
		return []Range{{From: key, To: key + "!"}, {From: long, To: successor(long)}}, nil
	}
	host, _, isKey := strings.Cut(key, ")/")
	name, port := cutPort(host)
	if (m == Host || m == Domain) && !isKey && port == "" && schemeLength([]byte(key)) >= 0 && !isIPv6(host) {
		return nil, ErrNoHost
	}
	switch m {
	case Exact:
		return []Range{{From: key, To: key + "!"}}, nil
	case Prefix:
		return []Range{{From: key, To: successor(key)}}, nil
	case Host:
		if port != "" {
			return []Range{{From: host + ")/", To: host + "*"}}, nil
		}
		return []Range{{From: name + ")/", To: name + "*"}, withPort(name)}, nil
	case Domain:
		return []Range{{From: name + ")/", To: name + "*"}, {From: name + ",", To: name + "-"}, withPort(name)}, nil
	}
	return nil, fmt.Errorf("unknown match type %q: expected exact, prefix, host or domain", m)
}

// withPort is the range of the keys of a host with a port.
func withPort(host string) Range {
	return Range{From: host + ":", To: host + ";", port: len(host) + 1}
}

// cutPort parts the port from the host of a key. The last group of an IPv6 address,
// which has no brackets in a key, is none.
func cutPort(host string) (name, port string) {
	name, port, _ = strings.Cut(host, ":")
	if name == "" || port == "" || strings.Trim(port, "0123456789") != "" {
		return host, ""
	}
	return name, port
}

// isIPv6 reports whether the host of a key can be an IPv6 address.
func isIPv6(host string) bool {
	return strings.Count(host, ":") > 1 && strings.Trim(host, "0123456789abcdef:.") == ""
}

// hasHost reports whether the key of a URL begins with a host.
func hasHost(url string) bool {
	text := clean([]byte(url))
	if len(text) == 0 || strings.HasPrefix(url, string(filedesc)) {
		return false
	}
	t := split(text)
	return len(appendHost(nil, t.host, string(t.scheme) != "dns")) > 0
}

// successor returns the first text after all that begin with a prefix; nothing where
// there is none.
func successor(prefix string) string {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return string(b[:i+1])
		}
	}
	return ""
}
