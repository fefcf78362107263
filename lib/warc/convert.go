package warc

import (
	"crypto/sha1"
	"fmt"
	"hash"
	"io"
	"net/netip"
	"strings"
	"time"
)

// A ConversionError says why a record has no form in the other format.
type ConversionError struct {
	Type   string // of the record
	To     Format
	Reason string
}

// Error says "TYPE record has no FORMAT form: REASON".
func (e *ConversionError) Error() string {
	return fmt.Sprintf("%s record has no %s form: %s", e.Type, e.To, e.Reason)
}

// A Converter turns records of one format into records of the other. What it
// makes depends on the record alone. It is for one goroutine and holds a few
// megabytes of a record at most; longer ones go through temporary files.
//
// An ARC record becomes a response if its URL is http or https and its block
// begins with an HTTP status line, a resource with the content type of its line
// otherwise (dns:, ftp:, HTTP/0.9 and what crawlers put in place of answers).
// The filedesc record becomes a warcinfo with the fields of Heritrix's XML
// description. Digests are SHA-1, that of the payload as it was transferred. The
// ARC line is kept, decoded, in the field ARC-Header-Line, the name under which
// Heritrix's developers proposed it; there is none in the standard.
//
// A response or resource record of WARC becomes an ARC record. Any other type,
// and a segment of a record, has no ARC form.
type Converter struct {
	block   spool
	encoded spool
	scanner blockScanner
	writer  *Writer
	sha1s   [2]hash.Hash // of block and payload
}

// NewConverter makes a Converter, which must be closed.
func NewConverter() *Converter {
	return &Converter{
		writer: NewWriter(nil, WriterOptions{Plain: true}),
		sha1s:  [2]hash.Hash{sha1.New(), sha1.New()},
	}
}

// Close gives back the temporary files, if there are any.
func (c *Converter) Close() error {
	err := c.block.close()
	if e := c.encoded.close(); err == nil {
		err = e
	}
	return err
}

// Convert reads the record's body to its end and gives the record as it stands
// in a file of the kind, whose format is not that of the record. It is valid
// until the next call. A *ConversionError says that there is no such form; other
// errors are those of reading and of the temporary files.
func (c *Converter) Convert(r *Record, kind FileKind) (*io.SectionReader, error) {
	c.encoded.reset()
	c.writer.reset(&c.encoded, kind.Plain)
	var err error
	switch {
	case r.Format == ARC && kind.Format == WARC:
		err = c.toWARC(r)
	case r.Format == WARC && kind.Format == ARC:
		err = c.toARC(r)
	default:
		err = &ConversionError{r.Type, kind.Format, "it is in that format already"}
	}
	if err != nil {
		return nil, err
	}
	return c.encoded.section(0), nil
}

// read takes the record's block into the spool.
func (c *Converter) read(r *Record) error {
	c.block.reset()
	c.sha1s[0].Reset()
	c.sha1s[1].Reset()
	_, err := c.scanner.scan(r, io.MultiWriter(&c.block, c.sha1s[0]), func([]byte) io.Writer { return c.sha1s[1] })
	return err
}

func (c *Converter) toWARC(r *Record) error {
	if r.ARC.URL == "" {
		return &ConversionError{r.Type, WARC, "no URL"}
	}
	date, ok := arcTime(r.ARC.Date)
	if !ok {
		return &ConversionError{r.Type, WARC, fmt.Sprintf("date %q", shortened(r.ARC.Date))}
	}
	if err := c.read(r); err != nil {
		return err
	}
	h := make(Header, 0, 12)
	line := Field{"ARC-Header-Line", escaped(decoded(strings.TrimRight(string(r.Head), "\r\n")), "")}
	if r.Type == Warcinfo {
		return c.writeWarcinfo(date, line)
	}
	recordType, contentType := Resource, resourceType(r.ARC.ContentType)
	if c.scanner.head != nil {
		recordType, contentType = Response, "application/http; msgtype=response"
	}
	h.Add("WARC-Type", recordType)
	h.Add("WARC-Target-URI", escaped(r.ARC.URL, " "))
	h.Add("WARC-Date", date.Format(time.RFC3339))
	// 0.0.0.0 stands for an address that was not known.
	if ip, err := netip.ParseAddr(r.ARC.IP); err == nil && !ip.IsUnspecified() {
		h.Add("WARC-IP-Address", ip.String())
	}
	h.Add("WARC-Block-Digest", Digest{"sha1", c.sha1s[0].Sum(nil)}.String())
	h.Add("WARC-Payload-Digest", Digest{"sha1", c.sha1s[1].Sum(nil)}.String())
	if c.block.size < r.ARC.Length {
		h.Add("WARC-Truncated", "unspecified")
	}
	h = append(h, line)
	h.Add("Content-Type", contentType)
	return c.writeWARC(h)
}

// writeWARC encodes the block in the spool under the header, which gets an id.
func (c *Converter) writeWARC(h Header) error {
	h.Add("WARC-Record-ID", RecordID(h))
	_, _, err := c.writer.WriteRecord(h, c.block.section(0), c.block.size)
	return err
}

// resourceType gives an ARC line's content type if it is one.
func resourceType(s string) string {
	kind, sub, ok := strings.Cut(mediaType(s), "/")
	if !ok || !soundName(kind) || !soundName(sub) {
		return "application/octet-stream"
	}
	return escaped(s, "")
}

func (c *Converter) toARC(r *Record) error {
	switch {
	case r.Type != Response && r.Type != Resource:
		return &ConversionError{r.Type, ARC, "only responses and resources have one"}
	case r.Header.Has("WARC-Segment-Number"):
		return &ConversionError{r.Type, ARC, "it is a segment"}
	case r.TargetURI() == "":
		return &ConversionError{r.Type, ARC, "no WARC-Target-URI"}
	case r.Date().IsZero():
		return &ConversionError{r.Type, ARC, fmt.Sprintf("date %q", shortened(r.Header.Get("WARC-Date")))}
	}
	if err := c.read(r); err != nil {
		return err
	}
	contentType := r.Header.Get("Content-Type")
	if c.scanner.head != nil {
		contentType = httpField(c.scanner.head, "Content-Type")
	}
	a := &ARCLine{
		URL:         escaped(r.TargetURI(), " "),
		IP:          "0.0.0.0",
		Date:        r.Date().Format("20060102150405"),
		ContentType: arcContentType(contentType),
	}
	if ip, err := netip.ParseAddr(r.Header.Get("WARC-IP-Address")); err == nil {
		a.IP = ip.WithZone("").String()
	}
	_, _, err := c.writer.WriteARC(a, c.block.section(0), c.block.size)
	return err
}

// arcContentType gives what ARC lines have of a content type: no parameters, no
// spaces, and Heritrix's "no-type" where nothing is left.
func arcContentType(s string) string {
	media, _, _ := strings.Cut(s, ";")
	media = strings.TrimSpace(media)
	if kind, sub, ok := strings.Cut(media, "/"); ok && soundName(kind) && soundName(sub) {
		return media
	}
	return "no-type"
}

// escaped percent-encodes control characters and the characters of more, so
// that neither a field nor a line can be broken by them.
func escaped(s, more string) string {
	bad := func(c byte) bool { return c < ' ' || c == 0x7f || strings.IndexByte(more, c) >= 0 }
	clean := true
	for i := range len(s) {
		clean = clean && !bad(s[i])
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if bad(s[i]) {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
