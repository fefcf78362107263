// Package enrich derives values from the records of chosen captures, keeps the
// records that fulfil conditions, and saves them with their lineage, as ArchiveSpark
// does (Holzmann, Goel, Anand: ArchiveSpark: Efficient Web Archive Access, Extraction
// and Derivation, JCDL 2016).
//
// # Derivations
//
// A value has a dotted path that says what it was derived from:
// payload.string.html.title. A function derives it from the value above it; each has
// a file of its own in this package that registers it, with the path of what it
// starts from when the user names none: title alone means payload.string.html.title,
// and title.length starts from that. Functions that take texts start from any text.
// A value is computed once, when it is asked for or another one needs it.
//
// # JSON, version 1
//
// A record is an object on a line of its own (RFC 8259, UTF-8):
//
//		{"record":{"surtUrl":"com,example)/","timestamp":"2016-01-17T11:32:53Z",
//		"originalUrl":"http://example.com/","mime":"text/html","status":200,
//		"digest":"RKMS…","redirectUrl":"-","meta":"-"},
//		"payload":{"string":{"_":"<html>…","length":2345}},
//		"error":{"payload":"gzip: unexpected EOF"}}
//
//	  - record comes first: the fields of the index line, "-" for one without a value,
//	    status -1 where there is none.
//	  - Behind it stands only what was asked for, nested along its path. What lies on
//	    the way without having been asked for is a name there, without a value.
//	  - A value that was asked for itself and from which others were derived as well
//	    stands under "_".
//	  - Bytes are not written out: "bytes(length: 2345)".
//	  - A value that a record does not have is left out.
//	  - error comes last: what went wrong, by path. A damaged payload has what could be
//	    had of it, and an error; so has one that is all there, but not as long as the
//	    record's header says.
//
// Members stand in the order in which values were first named.
//
// # Tables
//
// CSV (RFC 4180, header line, UTF-8; an apostrophe before texts that a spreadsheet
// would take for formulas, since they begin with = + - @ or white space that ends a
// cell, unless they are numbers or to be raw) and Parquet (columns optional, texts or numbers
// of 64 bits) have a row for each record, or with --each for each element of a list.
// A column is an expression (lib/where); what is neither text nor number is written
// as JSON. TSV has rows on standard output, fields escaped (lib/stage), no header.
//
// # Documents
//
// JSON lines with id (file name and offset of the record), url, hostname, timestamp
// (milliseconds since 1970), mime, title, bytes (of the payload), filename, offset and
// length (of the record in its archive), text, and what else
// was asked for under the last element of its path (all of the path where that name is
// taken). Of markup title and text are
// those of the page, of other text the text is all of it, else empty.
//
// # External programs
//
// A program is run by /bin/sh and kept running for a task. It is sent the value that
// it starts from as JSON on a line, bytes as Base64 in a string, and answers with a
// JSON value on a line. One that ends, is silent for too long, or answers with something
// else is ended and started again; the record that it was asked for gets an error.
// After 20 failures in a row it is given up, and the other records get that error.
//
// Text of PDF documents comes from such a program, too: this one, started with
// --read-pdfs.
package enrich
