// Package corpus makes collections that look like a web archive's, of any size,
// for benchmarks and for tests of scale.
//
// # What is in a corpus
//
//	archives/CORPUS-TTTTTTTTTTTTTT-NNNNN.warc.gz   (.arc.gz, .warc, .arc)
//	index.cdx      11 fields behind the header line " CDX N b a m s k r M S V g"
//	index.cdxj     SURT TIMESTAMP {"url", "mime", "status", "digest", "length",
//	               "offset", "filename"}, all values strings
//	captures.tsv   URL, archive, offset, length of each response, as crawled
//	pick.tsv       a random choice of these, in random order
//	pick.cdxj      the same captures in the same order
//	corpus.json    the options and the totals; written last
//
// The indexes are sorted as by LC_ALL=C sort and hold responses and revisits.
// Lengths are those in the file, compressed where the file is.
//
// # The crawl
//
// URLs belong to hosts by a Zipf distribution and are visited in rounds of a
// month, each in most rounds or in few. Between two rounds a page has changed or
// not. An unchanged one is stored once more, with the same digest, or in WARC
// also as a revisit record. Of the responses 88 % have status 200, 6 % redirect
// and 6 % are not found; of the URLs 78 % are pages, 8 % style sheets, 9 %
// images and 5 % PDF. The words of pages follow Zipf's law, and a page repeats
// itself in markup and in what it is about, so that all in all the archives
// compress to a third.
//
// All is derived from the seed and the numbers of URL and round by hashing:
// nothing is kept per capture, and records can be made in parallel. Equal
// options make equal bytes.
package corpus
