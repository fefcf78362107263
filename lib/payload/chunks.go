package payload

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// A Dechunker takes the chunked transfer coding off what is written to it (RFC
// 9112, section 7.1). Writing fails only where Out does: many archives hold
// payloads from which a crawler has taken the coding off already, their heads
// unchanged.
type Dechunker struct {
	Out io.Writer

	state chunkState
	line  []byte // of a chunk's size or a trailer, as far as it has come
	left  int64  // of the chunk
	sizes int    // of chunks that have been read
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

// Reset makes it ready for another payload.
func (d *Dechunker) Reset(out io.Writer) { *d = Dechunker{Out: out, line: d.line[:0]} }

func (d *Dechunker) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && d.state < chunksDone {
		if d.state == chunkData {
			m := min(int64(len(p)), d.left)
			if _, err := d.Out.Write(p[:m]); err != nil {
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
			d.line, p = append(d.line, p[:min(len(p), maxChunkLine+1)]...), nil
		} else {
			d.line, p = append(d.line, p[:min(i, maxChunkLine+1)]...), p[i+1:]
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
func (d *Dechunker) endLine() {
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
		switch {
		case err != nil:
			d.state = notChunked
		case size == 0:
			d.state = chunkTrailer
			d.sizes++
		default:
			d.state, d.left = chunkData, size
			d.sizes++
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

// Sound says whether all that was written was chunked; the end may be missing.
func (d *Dechunker) Sound() bool { return d.sizes > 0 && d.state != notChunked }

// Complete says whether the last chunk has been read.
func (d *Dechunker) Complete() bool {
	return d.Sound() && (d.state == chunksDone || d.state == chunkTrailer)
}

// plain says whether what was written was not chunked at all: the data do not
// begin with a chunk.
func (d *Dechunker) plain() bool { return !d.Sound() && d.sizes < 2 }
