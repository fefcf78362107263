// Package cover finds a smallest set of documents, the cover, such that every other
// document is covered directly by one of it: a minimum dominating set of the
// coverage graph, component by component. Source: Paudel, Anand, Berberich:
// User-Defined Redundancy in Web Archives (LSDS-IR 2013), sections 3 and 4.
//
// # Weight
//
// A document's weight is what it costs to keep it; the sum over the cover is made
// small. It is 1 unless an expression says otherwise, so that the fewest documents
// are kept. "bytes" keeps the fewest bytes; "1 + 1 / bytes" the fewest documents and
// of these large ones; "2 - quality" prefers those of a high quality from 0 to 1.
// A document for which the expression gives no number above 0 weighs 1. Sums that
// differ by less than a billionth are equal.
//
// # Solving
//
// Reductions that keep a lightest cover: the only coverer of a document is kept; a
// candidate goes that another one replaces which is not heavier; a document goes
// that is covered anyway where another one is. What is left is parted into
// components again. A part with up to --exact-limit candidates is searched by branch
// and bound, whose bound is what documents without a coverer in common cost at
// least. Larger parts, and those whose search takes too many steps, are covered
// greedily. The number of steps, not the time, ends reductions and search, so that
// the result does not depend on the machine. A component is "exact" where its cover
// is proven to be a lightest one, "greedy" where not, with the bound that is proven.
//
// Of choices that are equal the one with the greatest id is taken (lib/graph says how
// ids are ordered); a document is said to be covered by the document of the cover
// that is most similar to it, of equally similar ones by that with the greatest id.
//
// A component whose edges do not fit into memory is covered greedily from files, with
// 10 % less than the greedy choice's worth at each choice at worst. It is never
// proven, and its bound is a weaker one: each document's least share of a coverer's
// weight. In memory are about 100 bytes of each of its documents, its id and its
// values of --keep-per, and one piece of edges: as many as are held otherwise, or
// those of one document that covers more. So documents have to fit, edges have not.
// Temporary files (TMPDIR) take 12 bytes an edge and about 4 more; they are read once
// for each piece.
//
// # Documents table
//
// Lines ID, WEIGHT, BYTES, URL, FILENAME, OFFSET, LENGTH and the values of the
// attributes of --keep-per, separated by tabs, escaped as lib/stage says. What a
// document does not have is empty.
//
// # Lines of a component
//
// LABEL TAB KIND TAB ..., where labels and documents are written as keys (lib/graph),
// sorted as whole lines:
//
//	0  DOCUMENTS TAB METHOD TAB WEIGHT TAB BOUND  an earlier solution of a component
//	                                              of that label and so many documents
//	1  KEY TAB WEIGHT TAB BYTES [TAB GROUP]...    a document
//	2  KEY                                        one that the earlier solution kept
//	3  KEY                                        one that is kept for a minimum
//	4  KEY TAB KEY TAB SIMILARITY                 an edge: covered, covering
//
// A component never loses documents or gets edges between old ones when a collection
// grows. An earlier solution of as many documents is therefore the solution, and is
// taken without looking at it.
//
// # Results
//
// Parts of text files, ids escaped:
//
//	cover/       ID
//	covered/     ID, ID of the document of the cover that covers it, similarity
//	components/  LABEL (the greatest id of the component), ID
//	_state/      lines of kind 0 and 2, for when the collection grows
package cover
