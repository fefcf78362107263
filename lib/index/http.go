package index

import (
	"bytes"
	"io"

	"archivestream/lib/buffers"
	"archivestream/lib/payload"
)

const (
	// firstRead is what is read of a block at first, in bytes: nearly all HTTP
	// heads are shorter.
	firstRead = 4 << 10
	// maxHead bounds the head of an HTTP message, in bytes; what is longer has none.
	maxHead = 1 << 20
)

// A message is the begin of a block that may hold an HTTP message.
type message struct {
	read []byte // what has been read of the block
	head int    // length of the head in it, with the blank line; 0 if it is no HTTP message

	status      []byte // three digits, nil if there are none
	contentType []byte // as written; nil if there is none
	location    []byte
	robots      [][]byte // values of X-Robots-Tag
	transfer    []byte   // Transfer-Encoding

	buffer []byte
}

// clear makes it the begin of a block that nothing has been read of.
func (m *message) clear() {
	buffers.Spoil(m.buffer)
	m.read, m.head = m.buffer[:0], 0
	m.status, m.contentType, m.location, m.robots, m.transfer = nil, nil, nil, m.robots[:0], nil
}

// payload is what has been read behind the head.
func (m *message) payload() []byte { return m.read[m.head:] }

// readHead reads the head of an HTTP response. A block that does not begin with
// "HTTP/" has none; a head without an end takes the whole block.
func (m *message) readHead(body io.Reader) error {
	m.clear()
	ended, err := m.fill(body, firstRead)
	if err != nil || !payload.IsHTTP(m.read) {
		return err
	}
	return m.endHead(body, ended)
}

// endHead reads up to the end of the head that has begun, and takes it apart.
func (m *message) endHead(body io.Reader, ended bool) (err error) {
	searched := 0
	for {
		if n := payload.HeadLength(m.read, searched); n > 0 {
			m.head = n
			break
		}
		if ended || len(m.read) >= maxHead {
			m.head = len(m.read)
			break
		}
		searched = max(0, len(m.read)-3)
		if ended, err = m.fill(body, 2*len(m.read)); err != nil {
			return err
		}
	}
	m.scan(m.read[:m.head])
	return nil
}

// fill reads on until n bytes of the block are there.
func (m *message) fill(body io.Reader, n int) (ended bool, err error) {
	if cap(m.buffer) < n {
		m.buffer = append(make([]byte, 0, n), m.read...)
		m.read = m.buffer
	}
	for len(m.read) < n {
		k, err := body.Read(m.read[len(m.read):n])
		m.read = m.read[:len(m.read)+k]
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// scan takes from a head what an index says. Of a repeated field the first one
// counts, as for warcio.
func (m *message) scan(head []byte) {
	line, rest := cutLine(head)
	m.status = payload.StatusCode(line)
	for len(rest) > 0 {
		line, rest = cutLine(rest)
		if len(line) < len("location:") {
			continue
		}
		switch line[0] | 0x20 {
		case 'c':
			if m.contentType == nil {
				m.contentType, rest = fieldValue(line, rest, "content-type")
			}
		case 'l':
			if m.location == nil {
				m.location, rest = fieldValue(line, rest, "location")
			}
		case 't':
			if m.transfer == nil {
				m.transfer, rest = fieldValue(line, rest, "transfer-encoding")
			}
		case 'x':
			var value []byte
			if value, rest = fieldValue(line, rest, "x-robots-tag"); value != nil {
				m.robots = append(m.robots, value)
			}
		}
	}
}

func cutLine(p []byte) (line, rest []byte) {
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		return p[:i], p[i+1:]
	}
	return p, nil
}

// fieldValue gives the value of a field if it has the name, in lower case; never
// nil then. One that is folded before its text is taken from the next line.
func fieldValue(line, rest []byte, name string) (value, after []byte) {
	if len(line) <= len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, rest
	}
	value = bytes.TrimLeft(line[len(name):], " \t")
	if len(value) == 0 || value[0] != ':' {
		return nil, rest
	}
	value = bytes.TrimSpace(value[1:])
	if len(value) == 0 && len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		line, rest = cutLine(rest)
		value = bytes.TrimSpace(line)
	}
	if value == nil {
		value = []byte{}
	}
	return value, rest
}

// mediaType gives a content type without its parameters, as written.
func mediaType(contentType []byte) []byte {
	contentType = bytes.TrimSpace(contentType)
	for i, b := range contentType {
		if b == ';' || b <= ' ' {
			return contentType[:i]
		}
	}
	return contentType
}
