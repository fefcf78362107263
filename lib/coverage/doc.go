// Package coverage reads the user's notion of redundancy, an expression that says
// when a document b makes a document a redundant, and plans how pairs of documents
// are found for which it holds.
//
// # The expression
//
// Constraints, joined by && (or "and"), in the grammar of github.com/expr-lang/expr:
//
//	content    containment(a, b) >= T   share of a's shingles that are in b
//	           containment(b, a) >= T   share of b's shingles that are in a
//	           jaccard(a, b) >= T       shared shingles / all shingles of both
//	           dice(a, b) >= T          2 * shared / sum of both
//	metadata   X == Y, !=, <, >, <=, >=
//
// T is a constant in (0, 1] with up to nine decimals, or a fraction of integers such
// as 2/3. X and Y are made of attributes (a.hostname, b["last modified"],
// a.meta.language), numbers, strings, true, false and + - * /. At least one content
// constraint is demanded. Source of the relation: Paudel, Anand, Berberich,
// "User-Defined Redundancy in Web Archives" (LSDS-IR 2013), section 3.
//
// A document always covers itself. One without terms covers nothing else and is
// covered by nothing else.
//
// # Values
//
// Integers of 64 bits are calculated with exactly, other numbers and results that do
// not fit as 64-bit floats; / always gives the exact quotient or a float. A timestamp
// is in milliseconds. An attribute that is missing, null, an array or an object makes
// its comparison false, != too; so does a result that is no number. Of a text and a
// number, == is false and != true, and the others are false. Texts are ordered by
// their bytes.
//
// # The plan
//
// Every content constraint has the form k·o >= x·|a| + y·|b| with integers k, x and y
// and the number o of shared shingles, so that no rounding decides. Of the metadata
//
//   - an equality of the same term of a and of b is part of the key: documents of
//     different keys never meet,
//   - what is about a or b alone decides whether a document takes part,
//   - all the rest is evaluated for a pair before its sets are compared.
package coverage
