// Package cctable writes lists of captures as Parquet files with the columns of
// Common Crawl's index table (cc-index-table), so that queries written for it
// run on any collection.
//
// # Columns
//
// In this order; those with a dot are optional (null), all text is UTF-8:
//
//	url_surtkey                  string
//	url                          string
//	url_host_name                string
//	url_host_tld               · string
//	url_host_2nd_last_part     · string, and so on to url_host_5th_last_part
//	url_host_registry_suffix   · string
//	url_host_registered_domain · string
//	url_host_private_suffix    · string
//	url_host_private_domain    · string
//	url_host_name_reversed     · string
//	url_protocol                 string
//	url_port                   · int32
//	url_path                     string
//	url_query                  · string
//	fetch_time                   timestamp in milliseconds, UTC
//	fetch_status                 int16
//	fetch_redirect             · string
//	content_digest             · string
//	content_mime_type          · string
//	content_mime_detected      · string
//	content_charset            · string
//	content_languages          · string
//	content_truncated          · string
//	warc_filename                string
//	warc_record_offset           int64, in bytes
//	warc_record_length           int64, in bytes
//	warc_segment                 string
//
// With Options.Meta two more follow, out of the sidecar files of a dataset: the
// format in PRONOM, under the name that the End of Term archive gave it, and the
// probability that the page says that nothing is there.
//
//	content_puid               · string
//	content_soft404            · double
//
// crawl and subset are no columns of the files: they are the folders
// crawl=CRAWL/subset=SUBSET, which PlaceOf takes from the path of an archive
// file. Common Crawl's offsets and lengths are of 32 bits, too few for archive
// files of others; a table over both reads them as BIGINT. Its
// warc_record_id, new in 2026, needs the record itself and is left out.
//
// # What the values are
//
// The parts of a URL are taken as they stand in it. Of http and https URLs any
// number of slashes and backslashes may stand before the host, as browsers have
// it, and a backslash ends it. The port is null unless the URL names one. The
// fragment belongs to neither path nor query.
//
// A host is in lower case, percent escapes undone, converted to ASCII (IDNA,
// UTS 46) and without a dot at its end. Addresses of version 4 in one to four
// decimal numbers are written as four. Addresses have neither parts nor suffixes
// nor a reversed name; nor has what ends in a number but is no address.
//
// The registry suffix is the longest one that the ICANN section of the public
// suffix list has, the private suffix that of the whole list; a host whose last
// label is in neither has none. A domain is the suffix and one label more; a
// host that is a suffix has none.
//
// A status that is not a number of 16 bits, as "-" of a revisit, is -1, as is a
// length that the list does not have. A value "-" or "" of an optional column
// is null. A digest loses the prefix "sha1:", others keep theirs. Bytes that
// are not UTF-8 become U+FFFD, since engines refuse to read a file with them.
//
// # Captures without a row
//
// URLs without a host, such as urn:, warcinfo:, metadata: and mailto:, have no
// row: url_host_name must not be null. The names that dns: and whois: captures
// ask for are their hosts, as in the tables of Common Crawl's own program; their
// url_protocol tells them from visits.
//
// Captures without key, URL, archive file or offset, with a timestamp that is
// not 14 digits of a time, or with a text of more than 64 KiB are errors.
//
// # Layout
//
// Rows are sorted by url_surtkey, and say so. A row group has 122,880 rows,
// which is what DuckDB reads in one thread, or fewer: 32 MiB of text end it, what
// a dictionary holds counted once, which bounds the memory of the writer (some
// 110 MiB for the most varied URLs); and so does the first row of another
// top-level domain once it is a quarter full, because the bounds of the
// forward-written columns say nothing where top-level domains meet. Pages hold
// 20,000 rows or 256 KiB. Each column has its bounds in the footer and a page
// index. Bloom filters of host name and registered domain are always written, as
// they are small; that of the URL takes an option.
//
// Data pages are of version 1 and either plain or dictionary encoded, which all
// readers understand. Equal rows make equal bytes.
package cctable
