package coverage

import (
	"encoding/binary"
	"math/bits"
	"strconv"

	"github.com/expr-lang/expr/file"
	"github.com/zeebo/xxh3"

	"archivestream/lib/documents"
)

// A Relation is a parsed expression. It is not changed after Parse.
type Relation struct {
	source     string
	content    []content
	metadata   []comparison
	attributes []documents.Path
	places     []file.Location // where each attribute stands first
}

// content is a constraint of the form k·o >= x·|a| + y·|b|, o the number of shared
// shingles.
type content struct {
	measure string
	p, q    uint64 // threshold p/q
	k, x, y uint64
}

func newContent(measure string, p, q uint64) content {
	c := content{measure: measure, p: p, q: q, k: q}
	switch measure {
	case "containment(a, b)":
		c.x = p
	case "containment(b, a)":
		c.y = p
	case "jaccard(a, b)":
		c.k, c.x, c.y = p+q, p, p
	case "dice(a, b)":
		c.k, c.x, c.y = 2*q, p, p
	}
	return c
}

// String gives the expression.
func (r *Relation) String() string { return r.source }

// Attributes are those that the expression needs of a document. The values that
// other methods take are in this order.
func (r *Relation) Attributes() []documents.Path { return r.attributes }

// Enough says whether the content constraints hold for sets of the sizes a and b, in
// shingles, with so many in common: whether b covers a, as far as the texts go.
func (r *Relation) Enough(shared, a, b int) bool {
	for i := range r.content {
		c := &r.content[i]
		if c.k*uint64(shared) < c.x*uint64(a)+c.y*uint64(b) {
			return false
		}
	}
	return true
}

// Either is Enough in one direction or the other.
func (r *Relation) Either(shared, a, b int) bool {
	return r.Enough(shared, a, b) || r.Enough(shared, b, a)
}

// Demand is the least number of shared shingles for which Enough holds; it can be more
// than there are.
func (r *Relation) Demand(a, b int) int {
	var least uint64
	for i := range r.content {
		c := &r.content[i]
		least = max(least, (c.x*uint64(a)+c.y*uint64(b)+c.k-1)/c.k)
	}
	return int(least)
}

// Needed is the least number of shared shingles for which Either holds.
func (r *Relation) Needed(a, b int) int { return min(r.Demand(a, b), r.Demand(b, a)) }

// similarityDigits is how many decimals a similarity has.
const similarityDigits = 6

// AppendSimilarity appends the first content constraint's measure, with six decimals,
// the rest cut off: so that it is never rounded over a threshold.
func (r *Relation) AppendSimilarity(dst []byte, shared, a, b int) []byte {
	above, below := uint64(shared), uint64(a)
	switch r.content[0].measure {
	case "containment(b, a)":
		below = uint64(b)
	case "jaccard(a, b)":
		below = uint64(a + b - shared)
	case "dice(a, b)":
		above, below = 2*above, uint64(a+b)
	}
	if above >= below {
		return append(dst, "1.000000"...)
	}
	high, low := bits.Mul64(above, 1_000_000)
	quotient, _ := bits.Div64(high, low, below)
	dst = append(dst, "0."...)
	from := len(dst)
	dst = strconv.AppendUint(dst, 1_000_000+quotient, 10)
	copy(dst[from:], dst[from+1:]) // the leading 1 kept the zeros
	return dst[:from+similarityDigits]
}

// Holds evaluates the metadata constraints for values of a and b.
func (r *Relation) Holds(a, b []documents.Value) bool {
	for i := range r.metadata {
		if !r.metadata[i].holds(a, b) {
			return false
		}
	}
	return true
}

// HasMetadata says whether Holds depends on anything.
func (r *Relation) HasMetadata() bool { return len(r.metadata) > 0 }

// TakesPart says whether a document can be one of a pair at all. Documents that can
// cover one another have equal keys.
func (r *Relation) TakesPart(values []documents.Value) (key uint64, ok bool) {
	asA, asB := true, true
	var joined []byte
	for i := range r.metadata {
		c := &r.metadata[i]
		switch {
		case c.isKey():
			v := c.left.value(values, values)
			if v.Kind == documents.Missing {
				return 0, false
			}
			from := len(joined)
			joined = v.Append(append(joined, make([]byte, 8)...))
			binary.LittleEndian.PutUint64(joined[from:], uint64(len(joined)-from))
		case c.sides == sideA:
			asA = asA && c.holds(values, values)
		case c.sides == sideB:
			asB = asB && c.holds(values, values)
		case c.sides == 0:
			holds := c.holds(values, values)
			asA, asB = asA && holds, asB && holds
		}
	}
	if len(joined) > 0 {
		key = xxh3.Hash(joined) | 1 // not 0, the key of expressions without any
	}
	return key, asA || asB
}

// HasKey says whether a part of the expression is in the key.
func (r *Relation) HasKey() bool {
	for i := range r.metadata {
		if r.metadata[i].isKey() {
			return true
		}
	}
	return false
}
