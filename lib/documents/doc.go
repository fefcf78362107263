// Package documents reads the documents that redundancy is looked for in, and
// makes sets of shingles of them.
//
// # Documents
//
// A line is one JSON object (RFC 8259), a document:
//
//	id         string or number, wanted: names the document in all that is made
//	text       string: what its terms are of
//	timestamp  number: milliseconds since 1970
//	url, hostname, mime, title, bytes and any others: attributes
//
// Of members of one name the last counts. null is as if the member were not there.
// A line that is no such object is rejected with the byte at which it is not.
//
// # What is said of documents
//
// The lists of documents that are made have the members bytes (of the text), terms and
// shingles, numbers, and then the document's own members but text, as they are. Each
// name stands once. Where a document has one of these names itself, its own member
// keeps it, and the number gets one underscore more before its name than any of the
// document's members has: a document with a member shingles has its number of shingles
// in _shingles. Its size is its own bytes if that is a number, otherwise that of its
// text.
//
// # Terms, version 1
//
// Bytes that are no UTF-8 count as U+FFFD. The text is brought into Unicode normalization form C and cut at the word
// boundaries of UAX #29 (Unicode's default rules, without a dictionary). A piece
// with at least one letter or number (general category L or N) is a term; all
// others, blanks and punctuation, are left out. A term is lower-cased rune by rune
// and brought into form C again. TermsVersion changes when this rule does, or the
// Unicode version makes a difference.
//
// # Shingles
//
// A shingle is k consecutive terms; a document is the set of its shingles. One with
// fewer than k terms has one shingle of all of them, one without terms none.
//
// A shingle is represented by 64 bits: a polynomial of its terms' hashes (XXH3),
// mixed with a key. The key is of the attributes that two documents must have in
// common anyway, so that shingles of different keys never meet. Two given sets of m
// and n shingles have one wrongly in common with a probability of at most about
// m·n/2⁶⁴: 10⁻¹³ for two documents of 1,000 words. So that a billion pairs of them
// are compared without any error with a probability of 0.9999. With 128 bits
// (NewShingler) errors are out of the question, and the sets are twice as large.
package documents
