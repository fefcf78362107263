package warc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// maxHTTPHead bounds the head of an HTTP message, in bytes.
const maxHTTPHead = 1 << 20

// holdsHTTP says whether the record's block is to be an HTTP message: ARC keeps
// http and https URLs that way, WARC says so in the content type (message/http
// in its drafts).
func (r *Record) holdsHTTP() bool {
	if r.Format == ARC {
		return r.Type == Response
	}
	media := mediaType(r.Header.Get("Content-Type"))
	if media == "" && (r.Type == Response || r.Type == Request) {
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
	for line := range bytes.Lines(head) {
		key, value, ok := bytes.Cut(line, []byte(":"))
		if ok && strings.EqualFold(string(bytes.TrimSpace(key)), name) {
			return decoded(string(bytes.TrimSpace(value)))
		}
	}
	return ""
}

// isChunked says whether an HTTP message has the chunked transfer coding.
func isChunked(head []byte) bool {
	return strings.Contains(strings.ToLower(httpField(head, "Transfer-Encoding")), "chunked")
}

// A dechunker takes the chunked transfer coding off what is written to it (RFC
// 9112, section 7.1). Writing never fails: many archives hold payloads from
// which a crawler has taken the coding off already, their heads unchanged.
type dechunker struct {
	out   io.Writer
	state chunkState
	line  []byte // of a chunk's size or a trailer, as far as it has come
	left  int64  // of the chunk
	begun bool   // a chunk's size has been read
}

type chunkState uint8

const (
	chunkSize chunkState = iota
	chunkData
	chunkEnd     // the line end behind the data
	chunkTrailer // behind the last chunk
	chunksDone
	notChunked
)

// maxChunkLine bounds the line with a chunk's size, in bytes.
const maxChunkLine = 4 << 10

var errChunk = errors.New("not a chunk")

func (d *dechunker) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && d.state < chunksDone {
		if d.state == chunkData {
			m := min(int64(len(p)), d.left)
			if _, err := d.out.Write(p[:m]); err != nil {
				return n - len(p), err
			}
			p = p[m:]
			if d.left -= m; d.left == 0 {
				d.state = chunkEnd
			}
			continue
		}
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			d.line, p = append(d.line, p...), nil
		} else {
			d.line, p = append(d.line, p[:i]...), p[i+1:]
		}
		if len(d.line) > maxChunkLine {
			d.state = notChunked
		} else if i >= 0 {
			d.endLine()
		}
	}
	return n, nil
}

// endLine takes a line that is complete.
func (d *dechunker) endLine() {
	line := string(bytes.TrimRight(d.line, "\r"))
	d.line = d.line[:0]
	switch d.state {
	case chunkEnd:
		d.state = chunkSize
		if line != "" {
			d.state = notChunked
		}
	case chunkTrailer:
		if line == "" {
			d.state = chunksDone
		}
	case chunkSize:
		size, err := parseChunkSize(line)
		d.begun = true
		switch {
		case err != nil:
			d.state = notChunked
		case size == 0:
			d.state = chunkTrailer
		default:
			d.state, d.left = chunkData, size
		}
	}
}

// parseChunkSize takes the extensions off, and spaces, which some servers pad
// the size with.
func parseChunkSize(line string) (int64, error) {
	size, _, _ := strings.Cut(line, ";")
	n, err := strconv.ParseInt(strings.TrimSpace(size), 16, 64)
	if err != nil || n < 0 {
		return 0, errChunk
	}
	return n, nil
}

// sound says whether all that was written was chunked; the end may be missing.
func (d *dechunker) sound() bool { return d.begun && d.state != notChunked }
