package enrich

import (
	"bytes"

	"archivestream/lib/extract"
	"archivestream/lib/payload"
	"archivestream/lib/warc"
)

// The basics of a record are its type, the length of its block in bytes, and what it
// is held against its index line by.
type basics struct {
	kind   string
	length int64
	said   extract.Head
}

// scanHeader takes the basics from the header of a WARC record of the usual form,
// without garbage; of any other it says false.
func scanHeader(header []byte) (basics, bool) {
	b := basics{length: -1}
	if !bytes.HasPrefix(header, []byte("WARC/1.")) {
		return b, false
	}
	_, rest, _ := bytes.Cut(header, []byte("\n"))
	for len(rest) > 2 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		switch line[0] | 0x20 {
		case ' ', '\t' | 0x20: // a value that goes on
			return b, false
		case 'w':
			if value, ok := valueOf(line, "warc-type"); ok && b.kind == "" {
				for _, kind := range [...]string{warc.Response, warc.Resource, warc.Revisit} {
					if string(value) == kind {
						b.kind, b.said.Type = kind, value
					}
				}
			} else if value, ok := valueOf(line, "warc-target-uri"); ok && b.said.URL == nil {
				b.said.URL = withoutBrackets(value)
			} else if value, ok := valueOf(line, "warc-date"); ok && b.said.Date == nil {
				b.said.Date = value
			}
		case 'c':
			if value, ok := valueOf(line, "content-length"); ok && b.length < 0 {
				b.length = decimal(value)
			}
		}
	}
	return b, b.kind != "" && b.length >= 0
}

// withoutBrackets returns a URI without the angle brackets of WARC 1.0's grammar.
func withoutBrackets(uri []byte) []byte {
	if n := len(uri); n >= 2 && uri[0] == '<' && uri[n-1] == '>' {
		return uri[1 : n-1]
	}
	return uri
}

// valueOf gives the value of a field if it has the name, in lower case.
func valueOf(line []byte, name string) ([]byte, bool) {
	if len(line) <= len(name) || line[len(name)] != ':' || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name)+1:]), true
}

// decimal gives a number of up to 18 digits, -1 for what is none.
func decimal(text []byte) int64 {
	if len(text) == 0 || len(text) > 18 {
		return -1
	}
	n := int64(0)
	for _, d := range text {
		if d < '0' || d > '9' {
			return -1
		}
		n = 10*n + int64(d-'0')
	}
	return n
}

func isWARC(header []byte) bool {
	return len(header) >= 5 && bytes.EqualFold(header[:5], []byte("WARC/"))
}

// headLength gives the length of a record's header: lines up to the blank one for
// WARC, one line for ARC.
func headLength(data []byte) int {
	if isWARC(data) {
		if n := payload.HeadLength(data, 0); n > 0 {
			return n
		}
		return len(data)
	}
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1
	}
	return len(data)
}
