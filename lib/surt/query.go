package surt

import (
	"bytes"
	"slices"
)

// appendQuery appends the query of a key: in lower case, without session ids, its
// parameters in order.
func appendQuery(dst, query []byte) []byte {
	begin := len(dst)
	dst, seen := appendLower(dst, query)
	if seen&escaped != 0 {
		dst = escapeFrom(appendUnescaped(dst[:begin], query), begin)
	}
	dst = dst[:begin+stripQuerySessions(dst[begin:])]
	if !inOrder(dst[begin:]) {
		dst = sortParameters(dst, begin)
	}
	return dst
}

// compareParameters orders by name, then the ones without "=" before those with a
// value, then by value.
func compareParameters(a, b []byte) int {
	nameA, valueA, hasA := bytes.Cut(a, equals)
	nameB, valueB, hasB := bytes.Cut(b, equals)
	switch c := bytes.Compare(nameA, nameB); {
	case c != 0:
		return c
	case hasA != hasB:
		if hasA {
			return 1
		}
		return -1
	}
	return bytes.Compare(valueA, valueB)
}

var (
	equals    = []byte("=")
	ampersand = []byte("&")
)

// inOrder says whether the parameters of a query are sorted.
func inOrder(query []byte) bool {
	last, rest, more := bytes.Cut(query, ampersand)
	for more {
		var next []byte
		next, rest, more = bytes.Cut(rest, ampersand)
		if compareParameters(last, next) > 0 {
			return false
		}
		last = next
	}
	return true
}

// sortParameters sorts the query dst[begin:], with the room behind it as scratch.
func sortParameters(dst []byte, begin int) []byte {
	n := len(dst)
	dst = append(dst, dst[begin:]...)
	scratch := dst[n:]
	var few [32]span
	parameters := few[:0]
	for from := 0; from <= len(scratch); {
		length := bytes.IndexByte(scratch[from:], '&')
		if length < 0 {
			length = len(scratch) - from
		}
		parameters = append(parameters, span{from, from + length})
		from += length + 1
	}
	slices.SortFunc(parameters, func(a, b span) int {
		return compareParameters(scratch[a.from:a.to], scratch[b.from:b.to])
	})
	dst = dst[:begin]
	for i, p := range parameters {
		if i > 0 {
			dst = append(dst, '&')
		}
		dst = append(dst, scratch[p.from:p.to]...)
	}
	return dst
}

// A span is a place in a text.
type span struct{ from, to int }
