// Package identify says what a payload is by its first bytes: its media type and
// its format in PRONOM, the registry of the UK National Archives. Neither looks at
// what the server said.
//
// # Media types
//
// Text and markup, which most of the web is, are told by rules of this package: a
// prolog of white space, comments, processing instructions and a document type is
// passed over as browsers and XML parsers do (WHATWG MIME Sniffing, section 7.1;
// XML 1.0, section 2.8), the root element decides. The usual images, PDF and fonts
// are told by their magic numbers, everything else by
// github.com/gabriel-vasile/mimetype. The names are those of the registry of IANA.
// A payload that nothing is known of is text/plain or application/octet-stream;
// one without a byte has no type.
//
// # PRONOM
//
// A PUID such as fmt/96 names a format and often its version. Known are the
// formats that make up nearly all of the web; the version is taken from the
// document type (HTML, XHTML), the header (PDF, GIF, JFIF) or the chunks (PNG).
// Containers that need more than their begin, such as PDF/A within PDF, are not
// looked into.
package identify
