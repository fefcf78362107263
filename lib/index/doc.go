// Package index turns the records of ARC and WARC files into captures, the lines
// of an index.
//
// # Which records
//
// By default responses, revisits, resources and metadata, as cdxj-indexer and
// pywb do. What a crawler notes for itself is left out: metadata and resource
// records of type application/warc-fields (as both do) or text/anvl (as pywb
// does: under the key of the page it would hide the page from replay). A record
// without a target URI or a date has no place in an index.
//
// # What a capture says
//
//   - Key: SURT of the URL; with Options.PostAppend that of the URL extended by
//     the method and the body of the request that the record answers, which must
//     be the record right before or behind it and be tied to it by
//     WARC-Concurrent-To.
//   - URL: the target URI; spaces and control characters become %HH.
//   - Timestamp: 14 digits, UTC.
//   - Mime: of a response the Content-Type of the HTTP head, without one that of
//     the record or the ARC line, always without parameters; "unk" where there is
//     none; "warc/revisit" for a revisit; else the record's Content-Type.
//   - Status: of responses and revisits, if it is three digits.
//   - Digest: WARC-Payload-Digest as it stands. Where there is none that can be
//     read, SHA-1 of the payload: what stands behind the HTTP head, as it was
//     transferred, or else the block. A revisit has the digest of its record only.
//   - Redirect: the Location of a response with status 3XX, as written.
//   - Meta: A for noarchive, F for nofollow, I for noindex, in this order, from
//     X-Robots-Tag and from robots meta tags before </head>, as CDX-Writer has
//     them; "none" counts as nofollow and noindex. Searched for only on demand and
//     in the first 64 KiB of a page, without its transfer and content codings.
//   - MimeDetected: WARC-Identified-Payload-Type. Truncated: WARC-Truncated.
//   - Offset and Length: of the gzip member, or of the record where it is not
//     compressed, without the blank lines behind it, as cdxj-indexer and pywb count.
//
// Bytes of a head that are not UTF-8 are taken as Latin-1.
//
// # What has no index line
//
// Of several records in one gzip member only the first can be found by an offset;
// the others are told as a fault, once for each member. A record that is known to
// be damaged is left out and told with its offset, those around it are not.
package index
