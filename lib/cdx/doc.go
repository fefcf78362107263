// Package cdx reads lists of captures, whatever their form, and writes CDX and
// CDXJ.
//
// # Forms
//
// A line's form is recognised by itself:
//
//   - TSV: four fields separated by tabs: URL, archive file, offset, compressed
//     length in bytes.
//   - CDXJ: key (SURT), timestamp and a JSON object, separated by single spaces
//     (pywb, Common Crawl's index). Numbers may stand as JSON strings.
//   - CDX: fields separated by single spaces. A header line such as
//     " CDX N b a m s k r M S V g" decides what the fields are; its first byte is
//     the separator. Without a header, 11 fields are taken as N b a m s k r M S V
//     g, 10 as N b a m s k r M V g, 9 as N b a m s k r V g (Internet Archive, CDX
//     file format; the letters are those of its legend).
//
// Lines that begin with "!" (headers of CDXJ and UKVS files) and empty lines
// hold no capture. "-" means that a CDX field has no value.
//
// # Written
//
// A Layout writes index lines: CDX with 9 or 11 fields, or CDXJ with the members
// of cdxj-indexer, of Common Crawl's index, or all. Numbers stand as strings, one
// space behind each colon and comma, all but printable ASCII escaped; a member
// without a value is left out. A line is one line whatever the fields hold, and
// it sorts by key and timestamp as by LC_ALL=C sort.
//
// AppendCDXJ rewrites a line for a capture that has moved: what came from CDXJ
// keeps its members and their order, known or not; behind them stand the new length,
// offset and filename. Other captures get the members url, mime, status, digest,
// redirect, robotflags, length, offset, filename.
package cdx
