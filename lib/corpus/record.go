package corpus

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strconv"
	"time"

	"archivestream/lib/warc"

	"github.com/klauspost/compress/gzip"
)

const (
	cdxTime     = "20060102150405"
	profile     = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
	gzipLevel   = 5 // about as small as crawlers write, at twice the speed
	revisitMime = "warc/revisit"
)

// A member is a record as it lies in a file, and what the indexes say about it.
type member struct {
	capture  capture
	resource resource
	digest   string // SHA-1 of the payload in base32
	data     []byte // the record; compressed if the file is
	request  []byte // the record of the request, if there is one
}

// A recorder makes records. It is used by one goroutine.
type recorder struct {
	web              *web
	minSize, maxSize int
	compressed       bool
	requests         bool
	deflate          *gzip.Writer
	payload          []byte
	block            []byte // HTTP header and payload
	record           bytes.Buffer
}

func newRecorder(w *web, o *Options) (*recorder, error) {
	z, err := gzip.NewWriterLevel(nil, gzipLevel)
	return &recorder{
		web: w, minSize: o.MinSize, maxSize: o.MaxSize,
		compressed: o.Compress, requests: o.Requests, deflate: z,
	}, err
}

// make makes the record of a capture.
func (r *recorder) make(c capture) (member, error) {
	m := member{capture: c, resource: r.web.resource(c.url)}
	size := r.web.size(&m.resource, c.version, r.minSize, r.maxSize)
	r.payload = r.web.appendPayload(r.payload[:0], &m.resource, c.version, size)
	payloadDigest := sha1.Sum(r.payload)
	m.digest = base32.StdEncoding.EncodeToString(payloadDigest[:])
	r.appendResponse(&m)
	r.record.Reset()
	if c.format == warc.ARC {
		fmt.Fprintf(&r.record, "%s %s %s %s %d\n", m.resource.url(), m.resource.host.ip,
			c.time.Format(cdxTime), m.resource.mime(), len(r.block))
		r.record.Write(r.block)
		r.record.WriteByte('\n')
	} else {
		r.writeResponse(&m)
	}
	var err error
	if m.data, err = r.stored(); err != nil {
		return m, err
	}
	if r.requests && c.format == warc.WARC {
		r.record.Reset()
		r.writeRequest(&m)
		m.request, err = r.stored()
	}
	return m, err
}

// appendResponse makes the HTTP response. That of a revisit ends with its header.
func (r *recorder) appendResponse(m *member) {
	c, res := &m.capture, &m.resource
	r.block = fmt.Appendf(r.block[:0], "HTTP/1.1 %s\r\nDate: %s\r\nServer: %s\r\n",
		reasons[res.status], c.time.Format(time.RFC1123[:len(time.RFC1123)-3])+"GMT", res.host.server)
	switch mime := res.mime(); {
	case res.status == 301:
		r.block = fmt.Appendf(r.block, "Location: %s\r\nContent-Type: %s\r\n", r.web.redirect(res), mime)
	case mime == mimes[page]:
		r.block = fmt.Appendf(r.block, "Vary: Accept-Encoding\r\nContent-Type: %s; charset=utf-8\r\n", mime)
	default:
		r.block = fmt.Appendf(r.block, "ETag: \"%x\"\r\nAccept-Ranges: bytes\r\nContent-Type: %s\r\n",
			hash(uint64(c.url), uint64(c.version)), mime)
	}
	r.block = fmt.Appendf(r.block, "Content-Length: %d\r\nConnection: close\r\n\r\n", len(r.payload))
	if !c.revisit() {
		r.block = append(r.block, r.payload...)
	}
}

var reasons = map[int]string{200: "200 OK", 301: "301 Moved Permanently", 404: "404 Not Found"}

func (r *recorder) writeResponse(m *member) {
	c := &m.capture
	kind := warc.Response
	if c.revisit() {
		kind = warc.Revisit
	}
	r.writeHead(m, kind)
	fmt.Fprintf(&r.record, "WARC-IP-Address: %s\r\nWARC-Payload-Digest: sha1:%s\r\n", m.resource.host.ip, m.digest)
	if c.revisit() {
		fmt.Fprintf(&r.record, "WARC-Profile: %s\r\nWARC-Refers-To-Target-URI: %s\r\nWARC-Refers-To-Date: %s\r\n",
			profile, m.resource.url(), c.original.Format(time.RFC3339))
	}
	r.writeBlock(r.block, "application/http; msgtype=response")
}

func (r *recorder) writeRequest(m *member) {
	host := m.resource.host.origin[bytes.IndexByte([]byte(m.resource.host.origin), ':')+3:]
	r.writeHead(m, warc.Request)
	fmt.Fprintf(&r.record, "WARC-Concurrent-To: <urn:uuid:%s>\r\n", r.id(m, responseID))
	r.writeBlock(fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: corpus/1.0\r\nAccept: */*\r\nConnection: close\r\n\r\n",
		m.resource.path, host), "application/http; msgtype=request")
}

// Which of a capture's records an id is for.
const (
	responseID = iota
	requestID
)

// id gives a UUID of version 8 (RFC 9562), made of the seed and the capture.
func (r *recorder) id(m *member, which uint64) string {
	a := hash(r.web.seed, forRecordID, uint64(m.capture.number), which, 1)
	b := hash(r.web.seed, forRecordID, uint64(m.capture.number), which, 2)
	a = a&^0xf000 | 0x8000
	b = b&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&0xffffffffffff)
}

func (r *recorder) writeHead(m *member, kind string) {
	var which uint64 = responseID
	if kind == warc.Request {
		which = requestID
	}
	fmt.Fprintf(&r.record, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: %s\r\nWARC-Target-URI: %s\r\n",
		kind, r.id(m, which), m.capture.time.Format(time.RFC3339), m.resource.url())
}

func (r *recorder) writeBlock(block []byte, mime string) {
	digest := sha1.Sum(block)
	fmt.Fprintf(&r.record, "WARC-Block-Digest: sha1:%s\r\nContent-Type: %s\r\nContent-Length: %s\r\n\r\n",
		base32.StdEncoding.EncodeToString(digest[:]), mime, strconv.Itoa(len(block)))
	r.record.Write(block)
	r.record.WriteString("\r\n\r\n")
}

// stored gives the record as it is put into a file.
func (r *recorder) stored() ([]byte, error) {
	if !r.compressed {
		return bytes.Clone(r.record.Bytes()), nil
	}
	var out bytes.Buffer
	out.Grow(r.record.Len()/2 + 512)
	r.deflate.Reset(&out)
	if _, err := r.deflate.Write(r.record.Bytes()); err != nil {
		return nil, err
	}
	if err := r.deflate.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
