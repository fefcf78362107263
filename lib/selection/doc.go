// Package selection chooses captures by what an index says of them, before any
// archive file is opened.
//
// # Stages
//
// filter-captures takes the index lines for which a condition (lib/where) is true,
// or of these a sample; pick-captures one of each group; find-originals and
// resolve-revisits give revisits the place of the record that has their payload.
// What they make is an extraction plan (lib/extract), sorted as a whole by bytes,
// that extract-records and enrich-captures read. Its lines hold the index lines as
// they were.
//
// # Samples
//
// A capture is in a sample by the hash of the seed, its archive file and its offset:
// however many tasks there are, and whichever form its line has.
//
// # Groups
//
// With a pick, two fields stand in front of the plan's line:
//
//	group  what --per gives, escaped; for first-per-digest with a space and the
//	       digest behind it, or archive file and offset where there is none
//	order  14 digits: the timestamp, filled up with zeros; for latest each digit
//	       is taken from 9
//
// Sorted as a whole by bytes, the first line of each group is the one that is picked.
// Only the group decides which reducer gets a line.
//
// # Revisits
//
// Between find-originals and resolve-revisits lines have five fields, sorted as a
// whole, the first of which decides the reducer:
//
//	digest  of the payload (warc.AppendDigestKey); "=" and an archive file where the line only passes
//	key     SURT of the URL, escaped; empty in the line that stands for any URL
//	kind    0: a place that has the payload; 1: a revisit that needs one
//	order   14 digits of the timestamp
//	plan    the line of the plan, escaped
//
// A revisit gets the place of the earliest capture of the same URL that has its
// digest, however either writes it, or else of the earliest of any URL. Its own index
// line stays. The digest of nothing is left aside: an answer "not modified" has it,
// which has no body itself.
//
// The header of one that is left may name its original: WARC-Refers-To-Target-URI and
// -Date, or WARC-Refers-To. A pass of its own reads that into the plan
// (find-originals --by read), and another one joins by it (--by reference): the first
// field is date and URL then, or id: and the id of the record, the second is empty.
// An original with another digest of the same algorithm is none.
//
// One whose original is in no index stays as it is.
package selection
