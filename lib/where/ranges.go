package where

import (
	"cmp"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"archivestream/lib/surt"
)

// A Range is a part of a sorted index: the lines with From ≤ line < To by their
// bytes; all from there on where To is empty.
type Range struct{ From, To string }

// everything is the range of all lines.
var everything = []Range{{}}

// KeyRanges gives the parts of an index, sorted by SURT keys, that can hold
// captures for which the condition is true: disjoint and in order. An expression
// that says nothing of keys gives one range of everything, one that no capture
// fulfils gives none.
//
// What fields say of keys, lib/surt makes: an index with other keys has to be
// scanned, unless the expression names no other field of the address than surt
// (ByURL).
func (e *Expression) KeyRanges() []Range { return e.ranges }

// ByURL says whether KeyRanges are derived from URLs or hosts, not from keys alone.
func (e *Expression) ByURL() bool { return e.byURL }

// Selects says whether ranges leave anything out.
func Selects(ranges []Range) bool { return !slices.Equal(ranges, everything) }

// keyRanges derives the ranges of a condition.
func (e *Expression) keyRanges(node ast.Node) []Range {
	switch n := node.(type) {
	case *ast.BoolNode:
		if !n.Value {
			return nil
		}
	case *ast.BinaryNode:
		switch n.Operator {
		case "&&", "and":
			return intersect(e.keyRanges(n.Left), e.keyRanges(n.Right))
		case "||", "or":
			return unite(e.keyRanges(n.Left), e.keyRanges(n.Right))
		}
		return e.rangesOf(n)
	}
	return everything
}

// rangesOf derives the ranges of a comparison.
func (e *Expression) rangesOf(n *ast.BinaryNode) []Range {
	operator, field, constant := n.Operator, n.Left, n.Right
	if _, ok := field.(*ast.IdentifierNode); !ok {
		operator, field, constant = reversed[operator], constant, field
	}
	id, ok := field.(*ast.IdentifierNode)
	if !ok {
		return everything
	}
	var of func(operator, text string) []Range
	switch e.schema.field(id.Value) {
	case fieldSurt:
		of = rangesOfKey
	case fieldURL:
		of = rangesOfURL
	case fieldHost:
		of = equalOnly(rangesOfHost)
	case fieldDomain:
		of = equalOnly(rangesOfDomain)
	default:
		return everything
	}
	ranges := everything
	switch c := constant.(type) {
	case *ast.StringNode:
		ranges = of(operator, c.Value)
	case *ast.ArrayNode:
		if operator != "in" {
			return everything
		}
		ranges = nil
		for _, node := range c.Nodes {
			s, ok := node.(*ast.StringNode)
			if !ok {
				return everything
			}
			ranges = unite(ranges, of("==", s.Value))
		}
	}
	if Selects(ranges) && id.Value != "surt" {
		e.byURL = true
	}
	return ranges
}

// rangesOfKey gives the ranges of lines by their keys. A key ends where a space
// follows, which is below all that a key can hold.
func rangesOfKey(operator, key string) []Range {
	switch operator {
	case "==":
		return []Range{{key + " ", key + "!"}}
	case "startsWith":
		return prefix(key)
	case ">", ">=":
		return []Range{{key, ""}}
	case "<", "<=":
		// What is below may have a space where the key goes on.
		return []Range{{"", key + "!"}}
	}
	return everything
}

// prefix gives the range of what begins with a text.
func prefix(text string) []Range {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] < 0xff {
			return []Range{{text, text[:i] + string([]byte{text[i] + 1})}}
		}
	}
	return []Range{{text, ""}}
}

// rangesOfURL gives the ranges of a URL, or of the host of all that begin with one.
func rangesOfURL(operator, url string) []Range {
	switch operator {
	case "==":
		key := surt.Key(url)
		path, _, hasQuery := strings.Cut(key, "?")
		// The key of a request with a body has a query that tells it, before or
		// behind the URL's own (lib/surt, AppendRequestURL).
		if hasQuery {
			return unite(rangesOfKey("==", key), prefix(path+"?"))
		}
		return unite(rangesOfKey("==", key), prefix(path+"?__wb_"))
	case "startsWith":
		scheme, rest, ok := strings.Cut(url, "://")
		host, _, whole := strings.Cut(rest, "/")
		name, _, _ := strings.Cut(host, ":")
		if !ok || !whole || scheme != "http" && scheme != "https" || !isPlain(name) || name == "http" || name == "https" {
			return everything
		}
		return rangesOfHost(name)
	}
	return everything
}

func equalOnly(of func(string) []Range) func(operator, text string) []Range {
	return func(operator, text string) []Range {
		if operator != "==" || !isPlain(text) {
			return everything
		}
		return of(text)
	}
}

// isPlain says whether lib/surt makes the same host of a name as of the URL that it
// is of.
func isPlain(host string) bool {
	for _, c := range []byte(host) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return host != "" && !strings.Contains(host, "..")
}

// rangesOfHost gives the ranges of a host, with whatever port.
func rangesOfHost(host string) []Range {
	key, whole := hostKeys(host)
	return unite(ofHostKey(key), ofHostKey(whole))
}

// rangesOfDomain gives those of a host and all below it.
func rangesOfDomain(domain string) []Range {
	_, whole := hostKeys(domain)
	return unite(rangesOfHost(domain), prefix(whole+","))
}

// hostKeys gives what a host is in keys: key without the www. that lib/surt leaves
// out, whole with it, as it is in front of a host with more labels.
func hostKeys(host string) (key, whole string) {
	key = string(surt.AppendHost(nil, []byte(host)))
	whole = string(surt.AppendHost(nil, []byte("a."+host)))
	return key, strings.TrimSuffix(whole, ",a")
}

func ofHostKey(key string) []Range { return unite(prefix(key+")"), prefix(key+":")) }

// unite gives the ranges of what is in any of two.
func unite(a, b []Range) []Range {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y Range) int { return cmp.Compare(x.From, y.From) })
	var joined []Range
	for _, r := range all {
		if r.To != "" && r.From >= r.To {
			continue
		}
		n := len(joined)
		if n == 0 || joined[n-1].To != "" && r.From > joined[n-1].To {
			joined = append(joined, r)
		} else if last := &joined[n-1]; last.To != "" && (r.To == "" || r.To > last.To) {
			last.To = r.To
		}
	}
	return joined
}

// intersect gives the ranges of what is in both.
func intersect(a, b []Range) []Range {
	var both []Range
	for _, x := range a {
		for _, y := range b {
			r := Range{max(x.From, y.From), x.To}
			if r.To == "" || y.To != "" && y.To < r.To {
				r.To = y.To
			}
			if r.To == "" || r.From < r.To {
				both = append(both, r)
			}
		}
	}
	return unite(both, nil)
}
