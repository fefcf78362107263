package where

import (
	"bytes"

	"archivestream/lib/cdx"
	"archivestream/lib/hostname"
	"archivestream/lib/surt"
)

// The fields of a capture, in the order of Captures.
const (
	fieldSurt = iota
	fieldTimestamp
	fieldURL
	fieldMime
	fieldStatus
	fieldDigest
	fieldRedirect
	fieldMeta
	fieldLength
	fieldOffset
	fieldFilename
	fieldHost
	fieldDomain
	fieldYear
	fieldMonth
)

// Captures is the schema of index lines: see the package's documentation.
var Captures = Schema{Fields: captureFields}

// Enriched is that of captures with values derived from their records.
var Enriched = Schema{Fields: captureFields, Paths: true}

var captureFields = []Field{
	{"surt", Text}, {"timestamp", Text}, {"url", Text}, {"mime", Text}, {"status", Integer}, {"digest", Text},
	{"redirect", Text}, {"meta", Text}, {"length", Integer}, {"offset", Integer}, {"filename", Text},
	{"host", Text}, {"domain", Text}, {"year", Integer}, {"month", Integer},
}

// A Capture is an index line as a Record. It keeps what it has computed of a line
// until the next SetCapture, and for lines of one host behind each other longer.
type Capture struct {
	of      *cdx.Capture
	key     []byte // made of the URL where the line has none
	host    []byte
	hasKey  bool
	hasHost bool
	last    []byte // the host that domain is of
	domain  []byte
}

// SetCapture says which capture expressions are evaluated on.
func (c *Capture) SetCapture(of *cdx.Capture) { c.of, c.hasKey, c.hasHost = of, false, false }

// Text gives a field that is text.
func (c *Capture) Text(field int) []byte {
	switch field {
	case fieldSurt:
		return c.Key()
	case fieldTimestamp:
		return c.of.Timestamp
	case fieldURL:
		return c.of.URL
	case fieldMime:
		return c.of.Mime
	case fieldDigest:
		return bytes.TrimPrefix(c.of.Digest, sha1Label)
	case fieldRedirect:
		return c.of.Redirect
	case fieldMeta:
		return c.of.Meta
	case fieldFilename:
		return c.of.Filename
	case fieldHost:
		return c.Host()
	case fieldDomain:
		return c.Domain()
	}
	return nil
}

var sha1Label = []byte("sha1:")

// Integer gives a field that is a number.
func (c *Capture) Integer(field int) int {
	switch field {
	case fieldStatus:
		return digits(c.of.Status)
	case fieldLength:
		return int(c.of.Length)
	case fieldOffset:
		return int(c.of.Offset)
	case fieldYear:
		return digits(c.of.Timestamp[:min(4, len(c.of.Timestamp))])
	case fieldMonth:
		if len(c.of.Timestamp) >= 6 {
			return digits(c.of.Timestamp[4:6])
		}
	}
	return 0
}

// Any gives nothing: a capture has no paths.
func (c *Capture) Any(int) any { return nil }

// digits gives the number that a few digits are, 0 where it is something else.
func digits(text []byte) int {
	n := 0
	if len(text) > 9 {
		return 0
	}
	for _, d := range text {
		if d < '0' || d > '9' {
			return 0
		}
		n = n*10 + int(d-'0')
	}
	return n
}

// Key gives the SURT key: that of the line, or of the URL where it has none.
func (c *Capture) Key() []byte {
	if len(c.of.Key) > 0 {
		return c.of.Key
	}
	if !c.hasKey {
		c.key, c.hasKey = surt.Append(c.key[:0], c.of.URL), true
	}
	return c.key
}

// Host gives the name of the host: that of the URL, or of the key in a line without
// one.
func (c *Capture) Host() []byte {
	if c.hasHost {
		return c.host
	}
	c.hasHost = true
	if len(c.of.URL) > 0 {
		c.host = surt.AppendHostName(c.host[:0], c.of.URL)
		return c.host
	}
	c.host = c.host[:0]
	labels, _, ok := bytes.Cut(c.of.Key, []byte{')'})
	if !ok {
		return c.host
	}
	labels, _, _ = bytes.Cut(labels, []byte{':'})
	for len(labels) > 0 {
		i := bytes.LastIndexByte(labels, ',')
		c.host = append(c.host, labels[i+1:]...)
		if i < 0 {
			break
		}
		c.host, labels = append(c.host, '.'), labels[:i]
	}
	return c.host
}

// Domain gives the domain that the host was registered under.
func (c *Capture) Domain() []byte {
	host := c.Host()
	if c.last == nil || !bytes.Equal(host, c.last) {
		c.last = append(c.last[:0], host...)
		c.domain = append(c.domain[:0], hostname.Registered(string(host))...)
	}
	return c.domain
}
