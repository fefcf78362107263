// Package buffers finds those who use a buffer after they have given it back, or write
// behind what was lent to them. Only programs and tests that are built with the tag
// spoil look for it; in all others the functions do nothing and cost nothing.
//
// Who owns a buffer calls Spoil when nobody may use what lies in it any more. Who lends
// bytes that he cannot spoil, since they lie in the window of a reader, lends a copy
// by a Loan. Whoever reads on sees bytes of Fill, and whoever appends to what was lent
// has to copy it first: no loan has room behind it.
package buffers

// Fill is what a buffer that was given back is filled with.
const Fill = 0xaa
