// Package payload takes HTTP messages apart and gives their payloads as a browser
// sees them: without transfer and content codings (RFC 9110, section 8.4; RFC 9112,
// sections 6 and 7).
//
// Archives hold what crawlers made of a message: codings may be damaged, cut off,
// or taken off already while the head still names them. So a payload that is not
// in a coding that its head names is taken as it is, and of a damaged one what is
// there is given, with an error.
package payload

import (
	"bytes"
	"iter"
)

// IsHTTP says whether a block begins as an HTTP response does.
func IsHTTP(block []byte) bool {
	return len(block) >= 5 && block[4] == '/' && string(block[:4]) == "HTTP" ||
		len(block) >= 5 && bytes.EqualFold(block[:5], []byte("HTTP/"))
}

// HeadLength gives the length of a head up to and with the blank line, of either
// line end; 0 if it does not end. from is where to begin looking for it.
func HeadLength(p []byte, from int) int {
	for i := from; ; {
		n := bytes.IndexByte(p[i:], '\n')
		if n < 0 {
			return 0
		}
		i += n + 1
		end := i
		for end < len(p) && p[end] == '\r' { // two where a file was converted once more
			end++
		}
		if end < len(p) && p[end] == '\n' {
			return end + 1
		}
	}
}

// A Message is an HTTP message. Its slices point into the block that it was
// parsed from.
type Message struct {
	Head []byte // start line to blank line
	Body []byte // what stands behind it
}

// Parse takes the block of a response apart. A head without an end takes the whole
// block; ok is false where the block is no HTTP response, its body is the block then.
func Parse(block []byte) (m Message, ok bool) {
	if !IsHTTP(block) {
		return Message{Body: block}, false
	}
	n := HeadLength(block, 0)
	if n == 0 {
		n = len(block)
	}
	return Message{block[:n:n], block[n:]}, true
}

// StartLine is the status or request line, without its line end.
func (m Message) StartLine() []byte {
	line, _, _ := bytes.Cut(m.Head, []byte("\n"))
	return bytes.TrimRight(line, "\r")
}

// Status is the three digits of a status line (RFC 9112, section 4), nil if there
// are none.
func (m Message) Status() []byte { return StatusCode(m.StartLine()) }

// StatusCode gives the three digits behind the version in a status line, nil if
// there are none.
func StatusCode(line []byte) []byte {
	i := bytes.IndexAny(line, " \t")
	if i < 0 {
		return nil
	}
	code := bytes.TrimLeft(line[i:], " \t")
	n := 0
	for n < len(code) && code[n] >= '0' && code[n] <= '9' {
		n++
	}
	if n != 3 {
		return nil
	}
	return code[:3]
}

// Fields gives names and values of the fields, trimmed, in their order. A value
// that goes on in further lines is joined by single spaces; lines without a colon
// are passed over.
func (m Message) Fields() iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		_, rest, _ := bytes.Cut(m.Head, []byte("\n"))
		for len(rest) > 0 {
			var line []byte
			line, rest, _ = bytes.Cut(rest, []byte("\n"))
			name, value, ok := bytes.Cut(line, []byte(":"))
			if !ok {
				continue
			}
			value = bytes.TrimSpace(value)
			for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
				line, rest, _ = bytes.Cut(rest, []byte("\n"))
				if line = bytes.TrimSpace(line); len(line) > 0 {
					value = bytes.TrimSpace(bytes.Join([][]byte{value, line}, []byte(" ")))
				}
			}
			if !yield(bytes.TrimSpace(name), value) {
				return
			}
		}
	}
}

// Field gives the value of the first field of that name, in any letter case; nil
// if there is none.
func (m Message) Field(name string) []byte {
	for key, value := range m.Fields() {
		if len(key) == len(name) && bytes.EqualFold(key, []byte(name)) {
			if value == nil {
				value = []byte{}
			}
			return value
		}
	}
	return nil
}
