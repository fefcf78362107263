package surt

import (
	"fmt"
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

// Range gives the range of lines, in the order of their bytes, that an index has
// of a URL: from is the first key that belongs to it, to the first text behind all
// lines that do. The ranges are those of pywb's calc_search_range; keys with a port
// are in the one of their domain alone.
func Range(url string, m Match) (from, to string, err error) {
	key := Key(url)
	host, _, _ := strings.Cut(key, ")/")
	switch m {
	case Exact:
		return key, key + "!", nil
	case Prefix:
		for _, end := range []string{"/", "?"} {
			if strings.HasSuffix(url, end) && !strings.HasSuffix(key, end) {
				key += end
			}
		}
		return key, successor(key), nil
	case Host:
		return host + ")/", host + "*", nil
	case Domain:
		if !strings.Contains(host, ",") {
			return host + ",", host + "-", nil
		}
		return host + ")/", host + "-", nil
	}
	return "", "", fmt.Errorf("unknown match type %q: exact, prefix, host or domain", m)
}

// successor gives the first text behind all that begin with a prefix.
func successor(prefix string) string {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return string(b[:i+1])
		}
	}
	return ""
}
