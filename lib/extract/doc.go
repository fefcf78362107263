// Package extract picks records out of ARC and WARC files by their offsets and
// puts them, byte for byte, into new files (Cornell Web Lab's extraction).
//
// # The plan
//
// parse-captures turns lists of captures (lib/cdx) into lines of a plan, fields
// separated by tabs:
//
//	archive   file name as the list has it, escaped (lib/stage)
//	offset    of the record or its gzip member, 15 digits
//	position  of the line in the lists: 6 digits for the list, 15 for the byte
//	          where its split begins, 10 for the line in the split
//	length    compressed, in bytes; -1 where the list has none
//	form      of the line: tsv, cdxj, or a CDX header's separator and letters
//	line      of the list, escaped
//
// The first three fields are the key: archive order. In input order position
// stands first. Where the order of the lists does not matter, position is "-", or the
// capture whose payload a revisit has (PlanLine.Original, escaped): so
// filter-captures and pick-captures (lib/selection) write plans, whose archive and
// offset may be those of another record than the line's, of which a revisit has its
// payload. Fetch reads the records of a plan in archive order. cut-splits cuts the sorted plan into files split-NNNNNN.tsv, in
// the form of archive order whatever the order of the lines is, each with about
// as many bytes of records as an output file may have.
//
// # Tables
//
// extract-records emits lines of two tables, which write-tables puts into files
// of their own: TABLE TAB KEY TAB LINE, where an empty LINE means that the key
// is the line.
//
//   - manifest.tsv: output file, offset and length there, source file (escaped),
//     offset there, URL (escaped); sorted by output file and offset.
//   - index.cdxj: CDXJ of the output, sorted as by LC_ALL=C sort. Captures from
//     four-field lists are not in it.
//
// # What is checked
//
// A record's bytes are copied without being inflated. That the right ones are
// copied is seen from the gzip magic at the record's begin and behind its end,
// and from the absence of a further member's header in between; only where one
// of these leaves a doubt is the member inflated. A plain record's own header
// tells its length.
//
// A plain record that is not as long as its header says (warc.BadLength) is copied as it
// lies there, in a gzip member of its own: in a file that is not compressed it would take
// those after it with it. The counter "wrong lengths" has their number; the indexer has
// told the place of each.
//
// # Requests
//
// An index has no lines for requests. With Options.WithRequests the request of each
// response and revisit is copied next to it, into the same file: the record of type
// request that names it in WARC-Concurrent-To, or is named by it. Three records before it
// and three after it are looked at that begin no more than 1 MiB away; the place of those
// before it is found by searching backwards for one that ends where the next begins. The
// counters "requests" and "requests not found" have their numbers. One that the list names
// too is copied once, if it is among the 4096 that its task copied last. Requests are in
// manifest.tsv and not in index.cdxj, unless the list names them.
//
// # Plain records
//
// Where a plain record lacks the line ends that close it, as the last of a file often
// does, its copy gets them: they stand between records and belong to none. A place in
// the tables includes them.
package extract
