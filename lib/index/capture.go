package index

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/payload"
	"archivestream/lib/surt"
	"archivestream/lib/warc"
)

// describe fills in the capture of a record, whose fields have been taken. An
// error is that of its body, or of the file.
func (x *Indexer) describe(r *warc.Record) (lies []warc.Mismatch, err error) {
	c, m := &x.capture, &x.memory
	*c = cdx.Capture{Form: cdx.FormCDXJ, Filename: c.Filename, Offset: r.Offset}
	m.reset()
	c.URL = m.url(x.fields.uri)
	x.setKey(c.URL)
	if c.Timestamp = m.timestamp(r, x.fields.date); c.Timestamp == nil {
		return nil, nil
	}
	if err := x.readHead(r); err != nil {
		return nil, err
	}
	x.describeContent(r)
	if x.options.RobotFlags && r.Type == warc.Response {
		if err := x.describeRobots(r); err != nil {
			return nil, err
		}
	}
	lies, err = x.describeDigest(r)
	if err != nil {
		return nil, err
	}
	c.Length = r.Length
	if r.Compression == warc.Plain {
		c.Length = int64(len(r.Head)) + r.ContentLength
	} else if r.Length < 0 { // known at the end of the block only
		err = x.digest.read(io.Discard, r)
		c.Length = r.Length
	}
	return lies, err
}

// setKey makes the capture's key that of a URL.
func (x *Indexer) setKey(url []byte) {
	m := &x.memory
	from := len(m.bytes)
	m.bytes = surt.Append(m.bytes, url)
	x.capture.Key = m.since(from)
}

// readHead reads the begin of a block that may be an HTTP message.
func (x *Indexer) readHead(r *warc.Record) error {
	switch {
	case r.Type == warc.Request: // has been read
		return nil
	case x.mayHoldHTTP(r):
		return x.message.readHead(r.Body)
	}
	x.message.clear()
	return nil
}

// mayHoldHTTP says whether a block is to be looked into. The content type should
// say so, but some crawlers left it out or wrote that of the payload.
func (x *Indexer) mayHoldHTTP(r *warc.Record) bool {
	if r.Type != warc.Response && r.Type != warc.Revisit {
		return false
	}
	scheme, _, _ := strings.Cut(x.fields.uri, ":")
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") || x.saysHTTP()
}

func (x *Indexer) saysHTTP() bool {
	media := mediaType(x.fields.contentType)
	return bytes.EqualFold(media, []byte("application/http")) || bytes.EqualFold(media, []byte("message/http"))
}

// describeContent fills in what the heads of record and HTTP message say of it.
func (x *Indexer) describeContent(r *warc.Record) {
	c, m, http := &x.capture, &x.memory, &x.message
	switch {
	case r.Type == warc.Revisit:
		c.Mime = []byte("warc/revisit")
	case http.head > 0 && http.contentType != nil:
		c.Mime = m.mime(http.contentType)
	case http.head > 0 && r.Format == warc.WARC, r.Type == warc.Response && x.saysHTTP():
		c.Mime = m.mime(nil)
	default:
		c.Mime = m.mime(x.fields.contentType)
	}
	if r.Type == warc.Response || r.Type == warc.Revisit {
		c.Status = http.status
		if len(c.Status) > 0 && c.Status[0] == '3' {
			c.Redirect = m.text(http.location)
		}
	}
	if x.fields.payloadType != "" && r.Type != warc.Revisit {
		c.MimeDetected = m.text(mediaType([]byte(x.fields.payloadType)))
	}
	if x.fields.truncated != "" {
		c.Truncated = m.text([]byte(x.fields.truncated))
	}
}

// describeRobots fills in the robot flags of a response.
func (x *Indexer) describeRobots(r *warc.Record) error {
	var flags robotFlags
	for _, value := range x.message.robots {
		flags |= robotsOf(value)
	}
	if x.message.head > 0 && isPage(x.capture.Mime) {
		if _, err := x.message.fill(r.Body, x.message.head+robotWindow); err != nil {
			return err
		}
		body := x.message.payload()
		x.decoder.Limit = robotWindow
		// Of a page that is damaged, or goes on, what could be decoded counts.
		page, _ := x.decoder.Decode(payload.Message{Head: x.message.read[:x.message.head], Body: body[:min(len(body), robotWindow)]})
		flags |= metaRobots(page)
	}
	// Heritrix notes the number of its logins first.
	logins, _, _ := strings.Cut(x.fields.login, ",")
	if n, err := strconv.Atoi(logins); err == nil && n > 0 {
		flags |= loggedIn
	}
	x.capture.Meta = append(x.capture.Meta, flags.String()...)
	return nil
}

func isPage(mime []byte) bool {
	return bytes.EqualFold(mime, []byte("text/html")) || bytes.EqualFold(mime, []byte("application/xhtml+xml"))
}

// describeDigest fills in the payload's digest, which the record declares or which
// is computed.
func (x *Indexer) describeDigest(r *warc.Record) (lies []warc.Mismatch, err error) {
	c, m := &x.capture, &x.memory
	from := len(m.bytes)
	if usable(x.fields.payloadDigest) {
		m.bytes = append(m.bytes, x.fields.payloadDigest...)
		c.Digest = m.since(from)
		if x.options.VerifyDigests {
			return x.verify(r, r.Body)
		}
		return nil, nil
	}
	verified := x.options.VerifyDigests && (r.Header.Has("WARC-Block-Digest") || r.Header.Has("WARC-Payload-Digest"))
	switch {
	case r.Type == warc.Revisit:
		return nil, nil
	case x.given != nil:
		m.bytes = append(m.bytes, x.given()...)
	case verified:
		x.digest.begin(x.message.payload())
		lies, err = x.verify(r, io.TeeReader(r.Body, x.digest.hash))
		m.bytes = x.digest.end(m.bytes)
		x.counts[computed]++
	default:
		m.bytes, err = x.digest.payload(m.bytes, x.message.payload(), r)
		x.counts[computed]++
	}
	c.Digest = m.since(from)
	return lies, err
}
