package index

import (
	"bytes"
	"io"

	"archivestream/lib/buffers"
	"archivestream/lib/cdx"
	"archivestream/lib/payload"
	"archivestream/lib/surt"
	"archivestream/lib/warc"
)

// maxRequest bounds what is read of a request for its capture's key, in bytes.
const maxRequest = 1 << 20

// readRequest reads a request's head and as much of its body as goes into a key.
func (m *message) readRequest(body io.Reader) error {
	m.clear()
	ended, err := m.fill(body, firstRead)
	if err != nil || len(m.read) == 0 {
		return err
	}
	if err := m.endHead(body, ended); err != nil {
		return err
	}
	m.status = nil
	_, err = m.fill(body, m.head+maxRequest)
	return err
}

// method gives the method of a request that has been read, in capital letters; none
// where the request line does not begin with a word.
func (m *message) method() []byte {
	line, _ := cutLine(m.read[:m.head])
	word, _, _ := bytes.Cut(line, []byte(" "))
	word = bytes.ToUpper(bytes.TrimSpace(word))
	for _, b := range word {
		if b < 'A' || b > 'Z' {
			return nil
		}
	}
	return word
}

// body gives the body of a request that has been read, without the chunked
// transfer coding, if it has that.
func (m *message) body() []byte {
	if !bytes.EqualFold(m.transfer, []byte("chunked")) {
		return m.payload()
	}
	var body bytes.Buffer
	d := payload.Dechunker{Out: &body}
	d.Write(m.payload()) // a bytes.Buffer takes everything
	if !d.Complete() {   // the coding has been taken off already
		return m.payload()
	}
	return body.Bytes()
}

// A joiner finds request and response that belong together: one right behind the
// other, of the same URI, the second one naming the first one's id.
type joiner struct {
	known bool // there is a record before
	uri   string
	id    string
	role  role

	// Of a record before that is a request.
	method, query []byte

	// The capture of the record before, if it has one.
	held    bool
	capture cdx.Capture
	memory  []byte

	override bool // the capture being made answers the request before
	hold     bool // the capture being made may have to change
}

type role uint8

const (
	noRole role = iota
	isRequest
	isAnswer
)

func roleOf(r *warc.Record) role {
	switch r.Type {
	case warc.Request:
		return isRequest
	case warc.Response, warc.Revisit:
		return isAnswer
	}
	return noRole
}

func (j *joiner) reset() { j.known, j.held, j.override, j.hold = false, false, false, false }

// join takes a record whose fields have been taken, before its capture is made. A
// request has been read.
func (x *Indexer) join(r *warc.Record) error {
	j, f := &x.joined, &x.fields
	own := roleOf(r)
	if r.Damaged() {
		own = noRole
	}
	pair := j.known && own != noRole && j.role != noRole && own != j.role && j.uri == f.uri && f.concurrentTo != "" && f.concurrentTo == j.id
	if pair && own == isRequest {
		j.setRequest(&x.message)
	}
	if pair && j.held {
		x.extend(&j.capture)
	}
	if err := x.release(); err != nil {
		return err
	}
	j.override, j.hold, j.known = pair, !pair, !pair
	if pair {
		return nil
	}
	j.uri, j.id, j.role = f.uri, f.id, own
	if own == isRequest {
		j.setRequest(&x.message)
	}
	return nil
}

// setRequest keeps what a key takes from a request.
func (j *joiner) setRequest(m *message) {
	j.method = append(j.method[:0], m.method()...)
	j.query = j.query[:0]
	switch string(j.method) {
	case "POST", "PUT":
		j.query = surt.AppendRequestQuery(j.query, bytes.ToLower(m.contentType), m.body())
	}
}

// extend gives a capture the key of its URL with the request. Replay asks for GET
// and HEAD without it.
func (x *Indexer) extend(c *cdx.Capture) {
	j := &x.joined
	if m := string(j.method); m == "" || m == "GET" || m == "HEAD" {
		return
	}
	url := surt.AppendRequestURL(nil, c.URL, j.method, j.query)
	c.Key = surt.Append(nil, url)
	c.Method = append([]byte(nil), j.method...)
	c.RequestBody = append([]byte(nil), j.query...)
}

// put gives out the capture, or holds it back until the next record is known.
func (x *Indexer) put() error {
	j := &x.joined
	if j.override {
		x.extend(&x.capture)
	}
	if !x.options.PostAppend || !j.hold {
		return x.emit(&x.capture)
	}
	j.capture = x.capture
	buffers.Spoil(j.memory)
	j.memory = j.memory[:0]
	c := &j.capture
	for _, field := range []*[]byte{&c.Key, &c.Timestamp, &c.URL, &c.Mime, &c.Status, &c.Digest, &c.Redirect, &c.Meta, &c.MimeDetected, &c.Truncated} {
		from := len(j.memory)
		j.memory = append(j.memory, *field...)
		*field = j.memory[from:len(j.memory):len(j.memory)]
	}
	j.held = true
	return nil
}

// release gives out the capture that is held back.
func (x *Indexer) release() error {
	if !x.joined.held {
		return nil
	}
	x.joined.held = false
	return x.emit(&x.joined.capture)
}

func (x *Indexer) emit(c *cdx.Capture) error {
	x.counts[indexed]++
	return x.told(x.sink.Capture(c))
}
