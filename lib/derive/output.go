package derive

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"encoding/hex"
	"io"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// level is how much is done to make the output small (package compress/flate).
const level = 5

// A member is one gzip member of an output file on its way there.
type member struct {
	plain  []byte
	zipped bytes.Buffer
	done   chan struct{}
}

// A press compresses members in goroutines of its own and keeps their buffers.
type press struct {
	work chan *member
	free chan *member
	all  sync.WaitGroup
}

// inFlight is how many members for each goroutine wait or are being compressed.
const inFlight = 16

func newPress(workers int) *press {
	p := &press{work: make(chan *member, workers*inFlight), free: make(chan *member, 2*workers*inFlight)}
	for range workers {
		p.all.Go(p.run)
	}
	return p
}

func (p *press) close() {
	close(p.work)
	p.all.Wait()
}

func (p *press) run() {
	z, _ := gzip.NewWriterLevel(nil, level) // the level is a valid one
	for m := range p.work {
		m.zipped.Reset()
		z.Reset(&m.zipped)
		z.OS = 3         // Unix, as gzip and the crawlers say
		z.Write(m.plain) // into memory: cannot fail
		z.Close()
		m.done <- struct{}{}
	}
}

// maxReused is the largest buffer that is used again, in bytes.
const maxReused = 4 << 20

func (p *press) member() *member {
	select {
	case m := <-p.free:
		m.plain = m.plain[:0]
		return m
	default:
		return &member{done: make(chan struct{}, 1)}
	}
}

func (p *press) give(m *member) {
	if cap(m.plain) > maxReused || m.zipped.Cap() > maxReused {
		return
	}
	select {
	case p.free <- m:
	default:
	}
}

// A file is an output file of gzip members, written in their order.
type file struct {
	press *press
	out   io.Writer
	queue chan *member
	ended chan struct{}
	err   error // of writing, known when ended is closed
}

func (p *press) file(out io.Writer) *file {
	f := &file{press: p, out: out, queue: make(chan *member, cap(p.work)), ended: make(chan struct{})}
	go f.run()
	return f
}

func (f *file) run() {
	defer close(f.ended)
	for m := range f.queue {
		<-m.done
		if f.err == nil {
			_, f.err = f.out.Write(m.zipped.Bytes())
		}
		f.press.give(m)
	}
}

func (f *file) put(m *member) {
	f.queue <- m
	f.press.work <- m
}

// close waits until all is written.
func (f *file) close() error {
	close(f.queue)
	<-f.ended
	return f.err
}

// A head puts together the header of an output record (ISO 28500, section 4).
type head struct {
	m    *member
	from int // in m.plain: where the fields begin that the id depends on
	sum  [sha1.Size]byte
}

// begin begins a record in a member.
func (h *head) begin(m *member, kind string) {
	h.m = m
	m.plain = append(m.plain, "WARC/1.0\r\nWARC-Type: "...)
	h.from = len(m.plain)
	m.plain = append(append(m.plain, kind...), "\r\n"...)
}

// field adds a field; one without a value is left out, control characters become
// %HH.
func (h *head) field(name string, value []byte) {
	if len(value) == 0 {
		return
	}
	b := append(append(h.m.plain, name...), ": "...)
	for _, c := range value {
		if c < ' ' || c == 0x7f {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		} else {
			b = append(b, c)
		}
	}
	h.m.plain = append(b, "\r\n"...)
}

const upperHex = "0123456789ABCDEF"

// end adds the digest of the block, the id, which is derived from all of the record
// (RFC 9562, UUID version 5), its length and the block.
func (h *head) end(contentType string, block []byte) {
	b := h.m.plain
	h.sum = sha1.Sum(block)
	b = append(b, "WARC-Block-Digest: sha1:"...)
	b = base32.StdEncoding.AppendEncode(b, h.sum[:])
	b = append(b, "\r\nContent-Type: "...)
	b = append(append(b, contentType...), "\r\n"...)
	h.sum = sha1.Sum(b[h.from:])
	b = append(b, "WARC-Record-ID: <urn:uuid:"...)
	b = append(appendUUID(b, h.sum), ">\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(block)), 10)
	b = append(b, "\r\n\r\n"...)
	b = append(b, block...)
	h.m.plain = append(b, "\r\n\r\n"...)
}

func appendUUID(dst []byte, sum [sha1.Size]byte) []byte {
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	for i, part := range [...][]byte{sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}
