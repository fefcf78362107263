// Package summary says what a collection of captures contains, in the form of the
// Internet Archive's CDX Summary (the Python package cdxsummary): how many captures,
// URLs and hosts, their types, statuses and dates, and a sample.
//
// # Summary
//
// summary.json is one object with these members, in this order:
//
//	captures    number of captures
//	urls        number of different keys (SURT)
//	hosts       number of different hosts, with their ports
//	bytes       sum of the compressed lengths, where the index has them
//	first, last timestamp of the earliest and the latest capture; "" of none
//	tophosts    captures by host of those with most, most first; hosts with as many
//	            in the order of their keys
//	mimestatus  captures by group of media types and class of statuses
//	pathquery   captures by the number of segments of the path and parameters of the
//	            query (P0 to P4, Q0 to Q4, Other)
//	yearmonth   captures by year and month
//	samples     [timestamp, URL] of captures of HTML pages with status 200, by time
//
// Capture lines are read as package cdx says. One whose timestamp begins with no year
// and month is rejected. A key without host, as of dns:, counts for all but hosts;
// where an index has no SURT keys they are made of the URLs.
//
// A media type belongs to the group of its subtype, or else of its type: HTML, Image,
// CSS, JavaScript, JSON, XML, Text (plain), PDF, Font, Audio, Video, Revisit; HTML is
// also what begins with xhtml, XML also what ends in +xml or begins with xml-; Other
// is the rest. A status of 200 to 599 belongs to 2XX, 3XX, 4XX or 5XX; Other is the
// rest. Samples are those captures whose URL and timestamp have the smallest hashes:
// always the same ones, wherever they stand in the input.
//
// # What cdxsummary does otherwise
//
// It counts changes from one key or host to another, in whatever order they come, not
// different ones; reads CDX only, no CDXJ; leaves out lines that its pattern does not
// fit (as of dns:) without a word; puts the port of a host in front of its name's last
// part; and picks other samples each time.
//
// # Partial summaries
//
// Tasks pass on lines as package tally has them, whose tables are the names above;
// some have more than numbers:
//
//	total TAB captures|bytes|urls|hosts TAB TAB N
//	span TAB TIMESTAMP TAB TAB CAPTURES         of the earliest and the latest
//	host TAB HOST TAB FIRST LAST TAB CAPTURES URLS
//	top TAB HOST TAB TAB CAPTURES               of those with most
//	sample TAB HASH TAB TIMESTAMP TAB URL       of those with the smallest hashes
//	each TAB HOST TAB REST TAB 1                a key, behind the host
//
// A line of host is a run of captures of one host, sorted by key: the host's part of
// the key (reversed), what the first and the last key have behind it, and how many
// captures and different keys there are in between. A sorted index gives one run for
// each host and split, so that its keys need no sorting. Where the runs of a host
// overlap, as those of several index files do, the number of different keys cannot be
// known from them: the counter "overlapping runs" tells, and the captures have to be
// read again for lines of each, whose number is that of column "each" in total urls.
package summary
