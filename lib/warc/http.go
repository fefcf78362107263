package warc

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"archivestream/lib/payload"
)

// maxHTTPHead bounds the head of an HTTP message, in bytes.
const maxHTTPHead = 1 << 20

// holdsHTTP reports whether the record's block may be an HTTP message: that of a response
// or revisit if it begins as one, whatever the content type is, as all programs see it
// (payload.IsHTTP); that of a request by its content type (message/http in WARC's drafts).
func (r *Record) holdsHTTP() bool {
	switch {
	case r.Type == Response, r.Type == Revisit:
		return true
	case r.Type != Request || r.Format == ARC:
		return false
	}
	media := mediaType(r.Header.Get("Content-Type"))
	if media == "" {
		return arcType(r.TargetURI()) == Response
	}
	return media == "application/http" || media == "message/http"
}

// mediaType gives a content type in lower case without its parameters.
func mediaType(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// A blockScanner reads blocks and parts HTTP messages into head and payload. It
// keeps its buffers.
type blockScanner struct {
	in   *bufio.Reader
	head []byte // start line to blank line; nil when the last block was no HTTP message
	kept []byte
}

// scan reads the record's block to its end. All of it goes to block, the payload
// to the writer that begin gives: what stands behind the head of an HTTP
// message, else the block. A response without a status line is no HTTP message.
func (s *blockScanner) scan(r *Record, block io.Writer, begin func(head []byte) io.Writer) (int64, error) {
	counted := countingReader{r: io.TeeReader(r.Body, block)}
	if s.in == nil {
		s.in = bufio.NewReaderSize(nil, 32<<10)
	}
	s.in.Reset(&counted)
	s.head = nil
	if r.holdsHTTP() {
		first, err := s.in.Peek(len("HTTP/"))
		if err != nil && err != io.EOF {
			return counted.n, err
		}
		if r.Type == Request || strings.EqualFold(string(first), "HTTP/") {
			if err := s.readHead(); err != nil {
				return counted.n, err
			}
		}
	}
	_, err := io.Copy(begin(s.head), s.in)
	return counted.n, err
}

// readHead takes lines up to the first blank one, of either line end. A head
// without an end takes the whole block, or maxHTTPHead and a line of it.
func (s *blockScanner) readHead() error {
	s.kept = s.kept[:0]
	for len(s.kept) <= maxHTTPHead {
		line, err := s.in.ReadSlice('\n')
		s.kept = append(s.kept, line...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF || len(bytes.TrimRight(line, "\r\n")) == 0 {
			break
		}
	}
	s.head = s.kept
	return nil
}

// httpField gives the value of a field of an HTTP message's head, the first one
// if there are several; empty if there is none.
func httpField(head []byte, name string) string {
	return decoded(string(payload.Message{Head: head}.Field(name)))
}

// isChunked says whether an HTTP message has the chunked transfer coding.
func isChunked(head []byte) bool {
	return strings.Contains(strings.ToLower(httpField(head, "Transfer-Encoding")), "chunked")
}
