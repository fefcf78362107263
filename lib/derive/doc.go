// Package derive makes what is published beside archive files: WAT, WET and META
// files, an index of each, and the links between hosts. Each archive file is read
// once; each record is inflated, hashed, taken out of its codings and parsed once for
// all of them.
//
// # Files
//
// Of X.warc.gz, X.arc.gz or the like, whose name is kept as it is:
//
//   - wat/X.warc.wat.gz: metadata of each record as JSON
//   - wet/X.warc.wet.gz: text of pages and plain text
//   - meta/X.warc.meta.gz: what payloads were found to be
//   - cdx/X.warc.gz.cdxj.gz: its index, sorted, in the layout cdxj-meta of lib/cdx
//   - links/X.warc.gz.links.gz: link lines of lib/webgraph
//
// Those of X.warc are called alike, but X.warc.plain.wat.gz where X.warc.gz is among the
// inputs of the job too.
//
// WAT, WET and META are WARC/1.0 files with a gzip member for each record. The first
// one is a warcinfo record: Software-Info, Extracted-Date, format, conformsTo, then
// robots, isPartOf, operator, description and publisher of the crawl. The other records
// have the WARC-Target-URI and WARC-Date of the record that they are of, its id in
// WARC-Refers-To (<urn:arc:FILE:OFFSET> where it has none), a WARC-Block-Digest and an
// id that is derived from all of the record. Nothing is taken from the clock: a record
// without a date has that of the first record in its file.
//
// # WAT
//
// One metadata record (application/json) for each record, with the members Container
// and Envelope as the Internet Archive's webarchive-commons and Common Crawl's
// ia-web-commons write them; numbers are strings. Pages are taken apart after transfer
// and content codings were undone and the text was decoded; the text of a link is cut
// at 128 characters. Where we differ from either of them is listed, with reasons, in
// differences_test.go.
//
// # WET
//
// One conversion record (text/plain, UTF-8) for each response or resource that holds a
// page or plain text: what the server calls HTML, unless magic numbers say that it is
// something else, what it calls text/plain, and, where it says nothing, what looks like
// either. WARC-Identified-Content-Language has up to three languages, if they are
// certain (ISO 639-3).
//
// # META
//
// One metadata record (application/warc-fields) for each response and resource with a
// payload, but for dns:, with those of these fields that apply:
//
//	Identified-Payload-Type: {"archivestream":"text/html","server":"text/html"}
//	Preservation-Identifier: fmt/96
//	Charset-Detected: {"encoding":"utf-8","confidence":1,"found-by":"header"}
//	Languages-archivestream: {"reliable":true,"text-bytes":4000,"languages":[{"code-iso-639-3":"eng","text-covered":100}]}
//	Soft-404-Detected: 0.0820
//
// The type is that of lib/identify, beside what the server says; the identifier that of
// PRONOM; the charset of lib/charset and languages of lib/language for texts; the
// probability of lib/soft404 for pages with status 200. The index has them as
// mime-detected, puid, charset, languages and soft-404-detected.
//
// # Damage
//
// A record that is damaged costs itself; what can be read of it is used. A block is
// held up to 64 MiB: of a longer one the begin is looked at, all of it is hashed.
package derive
