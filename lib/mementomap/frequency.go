package mementomap

import (
	"math"
	"strconv"
)

// A Mark says what a count is, where it is not exact.
type Mark byte

// The marks of UKVS.
const (
	Exact      Mark = 0
	LowerBound Mark = '+'
	UpperBound Mark = '-'
	Estimate   Mark = '~'
)

// What is known of a count and of all that was added up in it.
type flags uint8

const (
	known    flags = 1 << iota // there is a number
	unknown                    // a part has no number
	lower                      // a part is a lower bound
	upper                      // a part is an upper bound
	estimate                   // a part is an estimate
)

// mark gives what a sum is: an estimate where one is in it, or where bounds of
// both kinds are; otherwise the bound that is in it. What has no number is zero or
// more, so that the sum of the others is a lower bound.
func (f flags) mark() Mark {
	low := f&(lower|unknown) != 0
	switch {
	case f&estimate != 0, low && f&upper != 0:
		return Estimate
	case low:
		return LowerBound
	case f&upper != 0:
		return UpperBound
	}
	return Exact
}

// A Count is a number with its mark.
type Count struct {
	N     int64 // from 0; the largest stands for that and more
	Mark  Mark
	Known bool // false where there is no number
}

// A Frequency is how often the URIs of a key were captured: the number of their
// captures (URI-M) and that of the different URIs among them (URI-R). The zero
// value is the sum of nothing.
type Frequency struct {
	m, r           int64
	mFlags, rFlags flags
}

// NewFrequency makes an exact frequency.
func NewFrequency(captures, uris int64) Frequency {
	return Frequency{captures, uris, known, known}
}

// Captures is the number of captures (URI-M).
func (f Frequency) Captures() Count { return count(f.m, f.mFlags) }

// URIs is the number of different URIs (URI-R).
func (f Frequency) URIs() Count { return count(f.r, f.rFlags) }

func count(n int64, f flags) Count {
	if f&known == 0 {
		return Count{}
	}
	return Count{n, f.mark(), true}
}

// IsZero says whether the frequency makes an exclusion of its key: there is none
// of its captures, or at most none, or an estimate of none.
func (f Frequency) IsZero() bool {
	return f.mFlags&known != 0 && f.m == 0 && f.mFlags.mark() != LowerBound
}

// Present says whether a key with this frequency tells that there are captures:
// the number of captures, or of URIs where that alone is there, is above zero, or
// no number is there.
func (f Frequency) Present() bool {
	switch {
	case f.mFlags&known != 0:
		return f.m > 0
	case f.rFlags&known != 0:
		return f.r > 0
	}
	return true
}

// Add adds a frequency of other URIs.
func (f *Frequency) Add(g Frequency) {
	f.mFlags |= g.mFlags
	f.rFlags |= g.rFlags
	if f.m += g.m; f.m < 0 {
		f.m, f.mFlags = math.MaxInt64, f.mFlags|lower
	}
	if f.r += g.r; f.r < 0 {
		f.r, f.rFlags = math.MaxInt64, f.rFlags|lower
	}
}

// merge adds a frequency of URIs that can be the same ones: the sum of the numbers
// of different URIs is an upper bound then.
func (f *Frequency) merge(g Frequency) {
	if f.r > 0 && g.r > 0 {
		f.rFlags |= upper
	}
	f.Add(g)
}

// ParseFrequency takes a frequency apart: [URI-M][/[URI-R]], each a number with a
// mark behind it or not.
func ParseFrequency(text []byte) (f Frequency, ok bool) {
	i := 0
	f.m, f.mFlags, i = number(text, 0)
	if i == len(text) {
		f.rFlags = unknown
		return f, true
	}
	if i < 0 || text[i] != '/' {
		return f, false
	}
	f.r, f.rFlags, i = number(text, i+1)
	return f, i == len(text)
}

// number reads a number from text[i:]; the index behind it is -1 where it is too
// large.
func number(text []byte, i int) (n int64, f flags, end int) {
	begin := i
	for i < len(text) && text[i]-'0' <= 9 {
		n = n*10 + int64(text[i]-'0')
		i++
	}
	switch {
	case i == begin:
		return 0, unknown, i
	case i-begin > 18:
		return 0, 0, -1
	}
	f = known
	if i < len(text) {
		switch Mark(text[i]) {
		case LowerBound:
			f, i = f|lower, i+1
		case UpperBound:
			f, i = f|upper, i+1
		case Estimate:
			f, i = f|estimate, i+1
		}
	}
	return n, f, i
}

// Append appends the frequency as UKVS has it.
func (f Frequency) Append(dst []byte) []byte {
	dst = appendCount(dst, f.m, f.mFlags)
	if f.rFlags&known == 0 {
		return dst
	}
	return appendCount(append(dst, '/'), f.r, f.rFlags)
}

func appendCount(dst []byte, n int64, f flags) []byte {
	if f&known == 0 {
		return dst
	}
	dst = strconv.AppendInt(dst, n, 10)
	if m := f.mark(); m != Exact {
		dst = append(dst, byte(m))
	}
	return dst
}

// String gives the frequency as UKVS has it.
func (f Frequency) String() string { return string(f.Append(nil)) }
