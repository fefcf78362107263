// Package where is the language of --where, --keep, --per and --map-enrich:
// expressions on the fields of a record, compiled once.
//
// The language is that of github.com/expr-lang/expr (its language definition), but
// without now(), so that the same input gives the same output:
//
//	status == 200 && mime == "text/html" && domain == "15october.net"
//	timestamp >= "201112" && timestamp < "201203" && not (url contains "?")
//	status in 300..399 || redirect matches "^https?://login\\."
//
// # Fields of a capture
//
//	surt       text     key of the URL, made of the URL where the line has none
//	timestamp  text     14 digits: "201112" is before all of December 2011
//	url        text     as it was captured
//	mime       text     media type without parameters
//	status     integer  of HTTP; 0 where there is none
//	digest     text     of the payload, without a label sha1:
//	redirect   text
//	meta       text     robot flags
//	length     integer  compressed, in bytes; -1 where the line has none
//	offset     integer  of the record in its archive file, in bytes
//	filename   text     of the archive file, as the line has it
//	host       text     of the URL, in lower case, without port; of a line without URL
//	                    that of its key
//	domain     text     that the host was registered under, by ICANN's part of the
//	                    public suffix list; of an address the host itself
//	year       integer  of the timestamp; 0 where it has none
//	month      integer  1 to 12; 0 where there is none
//
// A text without a value is "". Texts are compared byte by byte.
//
// A date that timestamp is compared with may be in ISO form, as in "2014-06-01" or
// "2014-06-01T12:30:00Z", or be digits. One that is shorter than a timestamp equals all
// timestamps that begin with it. What is no date is an error.
//
// # Functions of URLs
//
// Beside those of the language there are:
//
//	absolute(link, base)  a link of the page at the URL base, made absolute (RFC 3986,
//	                      section 5.2), whatever is wrong with it
//	surtOf(url)    its key
//	hostOf(url)    its host, as the field host has it
//	domainOf(url)  its domain, as the field domain has it
//	fileOf(url)    last element of its path, without query
//	suffixOf(url)  of that what follows its last dot, in lower case
//	fieldOf(fields, name)  value of a field of httpHeader or recordHeader, in whatever case
//	                       its name is written there; nil where it is not there
//
// # Paths
//
// A schema with paths (--keep, --map-enrich) takes any other name for a dotted path
// to a value, as in payload.string.html.title; value("payload.string.html(h1)")
// where a path is no name. In a condition that cannot be computed since a path has
// no value, as in title contains "x", the result is false; title == nil asks for it.
//
// # How it is evaluated
//
// Comparisons of a field with a constant (== != < <= > >= in contains startsWith
// endsWith matches), joined by && || !, are evaluated from left to right, no further
// than needed and without garbage; a field is computed when a comparison asks for it.
// Other parts go to the virtual machine of expr, which is the reference for the rest.
//
// # Ranges of keys
//
// A condition on surt, url, host or domain that is a comparison with constants tells
// which parts of an index that is sorted by SURT can hold captures that fulfil it:
// Expression.KeyRanges. A search in these parts finds what a scan of all finds.
package where
