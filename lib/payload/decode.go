package payload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"archivestream/lib/buffers"
	"archivestream/lib/inflate"
)

// What can be wrong with a payload, for errors.Is; one that is cut off gives
// io.ErrUnexpectedEOF.
var (
	ErrDamaged  = errors.New("damaged")
	ErrTooLarge = errors.New("larger than the limit")
	ErrUnknown  = errors.New("unknown coding")
)

const (
	// DefaultLimit is the Limit of a Decoder that has none, in bytes.
	DefaultLimit = 256 << 20
	// maxCodings bounds how many codings are taken off one payload; heads that
	// name more are hostile.
	maxCodings = 8
	// maxKept is the largest buffer that is kept for the next payload, in bytes.
	maxKept = 8 << 20
	// maxWindow is the largest window of a zstd frame that is decoded, in bytes:
	// what RFC 9659 allows for HTTP.
	maxWindow = 8 << 20
	// minRead is the room that a decoder is given at first, in bytes.
	minRead = 32 << 10
)

// A Decoder takes the codings off payloads. Its zero value is ready; it keeps its
// buffers. It is for one goroutine.
type Decoder struct {
	// Limit is the size in bytes of the largest payload that is given, and of any
	// step towards it; 0: DefaultLimit. A larger one is cut there, or up to 258
	// bytes before, the longest match of deflate.
	Limit int

	buffers [2]limited
	held    *limited // that the body being decoded lies in; nil: it is the caller's
	chunks  Dechunker
	member  inflate.Decoder
	source  bytes.Reader
	flate   io.ReadCloser
	brotli  *brotli.Reader
	zstd    *zstd.Decoder
}

// Decode returns the message's payload without its codings. It is the body itself
// where there are none, and good as long as that is; otherwise it lies in a buffer of
// the Decoder, and is good until the next call, which the body must not be the result
// of. With an error it is what could be had: what stands before the damage or the
// limit. Nothing can be appended to it in place.
func (d *Decoder) Decode(m Message) ([]byte, error) {
	var transfer, content []byte
	for name, value := range m.Fields() {
		switch {
		case len(name) == len("transfer-encoding") && bytes.EqualFold(name, []byte("transfer-encoding")):
			transfer = join(transfer, value)
		case len(name) == len("content-encoding") && bytes.EqualFold(name, []byte("content-encoding")):
			content = join(content, value)
		}
	}
	if transfer == nil && content == nil {
		return d.cut(m.Body, nil)
	}
	return d.DecodeFrom(transfer, content, m.Body)
}

// join makes one value of those of a repeated field (RFC 9110, section 5.3).
func join(a, b []byte) []byte {
	if len(a) == 0 {
		return b
	}
	return append(append(append([]byte{}, a...), ','), b...)
}

// DecodeFrom is Decode for a body whose codings are known: the values of
// Transfer-Encoding and Content-Encoding, in the order in which they were applied,
// separated by commas.
func (d *Decoder) DecodeFrom(transfer, content, body []byte) ([]byte, error) {
	d.held = nil
	for i := range d.buffers {
		buffers.Spoil(d.buffers[i].data)
	}
	body, err := d.undo(transfer, body)
	if err != nil && errors.Is(err, ErrTooLarge) {
		return d.cut(body, err)
	}
	body, other := d.undo(content, body)
	if err == nil || errors.Is(other, ErrTooLarge) {
		err = other
	}
	return d.cut(body, err)
}

func (d *Decoder) cut(body []byte, err error) ([]byte, error) {
	if limit := d.limit(); len(body) > limit {
		return body[:limit:limit], ErrTooLarge
	}
	return body[:len(body):len(body)], err
}

func (d *Decoder) limit() int {
	if d.Limit > 0 {
		return d.Limit
	}
	return DefaultLimit
}

// undo takes the codings of a list off, the last one first.
func (d *Decoder) undo(codings, body []byte) ([]byte, error) {
	var first error
	for n := 0; len(codings) > 0; n++ {
		name := codings
		if i := bytes.LastIndexByte(codings, ','); i >= 0 {
			codings, name = codings[:i], codings[i+1:]
		} else {
			codings = nil
		}
		name, _, _ = bytes.Cut(name, []byte(";"))
		if n == maxCodings {
			return body, fmt.Errorf("%w: more than %d of them", ErrUnknown, maxCodings)
		}
		decoded, err := d.step(bytes.Trim(name, " \t\r\n\"'"), body)
		if err != nil && first == nil {
			first = err
		}
		if errors.Is(err, ErrUnknown) || errors.Is(err, ErrTooLarge) {
			return decoded, first
		}
		body = decoded
	}
	return body, first
}

// step takes one coding off.
func (d *Decoder) step(name, body []byte) ([]byte, error) {
	var run func(*limited, []byte) error
	var is func([]byte) bool // whether the body can be in the coding
	switch {
	case len(name) == 0 || equal(name, "identity") || equal(name, "none") || len(body) == 0:
		return body, nil
	case equal(name, "chunked"):
		run, is = d.dechunk, nil
	case equal(name, "gzip") || equal(name, "x-gzip"):
		run, is = d.gunzip, isGzip
	case equal(name, "deflate"):
		run, is = d.inflate, nil
	case equal(name, "br"):
		run, is = d.unbrotli, nil
	case equal(name, "zstd"):
		run, is = d.unzstd, isZstd
	default:
		return body, fmt.Errorf("%w %q", ErrUnknown, shortened(name))
	}
	if is != nil && !is(body) {
		return body, nil
	}
	out := d.buffer()
	err := run(out, body)
	if err == errPlain {
		return body, nil
	}
	d.held = out
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return out.data[:len(out.data):len(out.data)], err
}

// errPlain is the error of a body that turns out not to be in the coding.
var errPlain = errors.New("not in the coding")

func equal(name []byte, lower string) bool {
	return len(name) == len(lower) && bytes.EqualFold(name, []byte(lower))
}

func shortened(name []byte) []byte { return name[:min(len(name), 40)] }

// buffer returns a buffer that the body being decoded does not lie in.
func (d *Decoder) buffer() *limited {
	b := &d.buffers[0]
	if d.held == b {
		b = &d.buffers[1]
	}
	if cap(b.data) > maxKept {
		b.data = nil
	}
	b.data, b.limit = b.data[:0], d.limit()
	return b
}

// limited takes what is written up to a limit.
type limited struct {
	data  []byte
	limit int
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.limit - len(l.data); len(p) > room {
		l.data = append(l.data, p[:room]...)
		return room, ErrTooLarge
	}
	l.data = append(l.data, p...)
	return len(p), nil
}

// readFrom takes what a decoder gives, without a buffer between.
func (l *limited) readFrom(r io.Reader) error {
	for {
		if len(l.data) == cap(l.data) {
			l.data = slices.Grow(l.data, max(len(l.data), minRead))
		}
		room := l.data[len(l.data):cap(l.data)]
		n, err := r.Read(room)
		l.data = l.data[:len(l.data)+n]
		if len(l.data) > l.limit {
			l.data = l.data[:l.limit]
			return ErrTooLarge
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (d *Decoder) dechunk(out *limited, body []byte) error {
	d.chunks.Reset(out)
	if _, err := d.chunks.Write(body); err != nil {
		return err
	}
	switch {
	case d.chunks.plain():
		return errPlain
	case !d.chunks.Sound():
		return ErrDamaged
	case !d.chunks.Complete():
		return io.ErrUnexpectedEOF
	}
	return nil
}

func isGzip(body []byte) bool { return len(body) >= 3 && body[0] == 0x1f && body[1] == 0x8b }

func isZstd(body []byte) bool {
	return len(body) >= 4 && (string(body[:4]) == "\x28\xb5\x2f\xfd" || string(body[1:4]) == "\x2a\x4d\x18" && body[0]>>4 == 5)
}

// gunzip takes all members of a payload; what stands behind them is left out, as
// browsers do.
func (d *Decoder) gunzip(out *limited, body []byte) error {
	for first := true; first || isGzip(body); first = false {
		d.member.Limit = out.limit - len(out.data)
		if d.member.Limit == 0 {
			return ErrTooLarge
		}
		data, n, err := d.member.Member(out.data, body)
		out.data = data
		switch {
		case err == inflate.ErrTooLarge:
			out.data = out.data[:min(len(out.data), out.limit)]
			return ErrTooLarge
		case err == io.ErrUnexpectedEOF:
			return err
		case err == inflate.ErrHeader && first:
			return errPlain
		case err == inflate.ErrHeader:
			return nil
		case err == inflate.ErrChecksum:
			return fmt.Errorf("%w: checksum or size do not fit", ErrDamaged)
		case err != nil: // where depends on what was decoded before
			return ErrDamaged
		}
		body = body[n:]
	}
	return nil
}

// inflate takes both forms of deflate: in the zlib format, as RFC 9110 says, and
// without it, as servers did.
func (d *Decoder) inflate(out *limited, body []byte) error {
	raw := body
	if len(body) >= 2 && body[0]&0x0f == 8 && (int(body[0])<<8|int(body[1]))%31 == 0 && body[1]&0x20 == 0 {
		raw = body[2:]
	}
	d.source.Reset(raw)
	if d.flate == nil {
		d.flate = flate.NewReader(&d.source)
	} else if err := d.flate.(flate.Resetter).Reset(&d.source, nil); err != nil {
		return err
	}
	return damagedOrPlain(out.readFrom(d.flate), body)
}

func (d *Decoder) unbrotli(out *limited, body []byte) error {
	d.source.Reset(body)
	if d.brotli == nil {
		d.brotli = brotli.NewReader(&d.source)
	} else if err := d.brotli.Reset(&d.source); err != nil {
		return err
	}
	return damagedOrPlain(out.readFrom(d.brotli), body)
}

func (d *Decoder) unzstd(out *limited, body []byte) error {
	d.source.Reset(body)
	if d.zstd == nil {
		var err error
		d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
	}
	if err := d.zstd.Reset(&d.source); err != nil {
		return damaged(err)
	}
	return damaged(out.readFrom(d.zstd))
}

// damaged makes of a decoder's error one of this package.
func damaged(err error) error {
	if err == nil || err == ErrTooLarge || err == io.ErrUnexpectedEOF {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w: %v", ErrDamaged, err)
}

// damagedOrPlain is damaged for a coding without a magic number: a body that it
// cannot read and that looks like text is not in it.
func damagedOrPlain(err error, body []byte) error {
	if err != nil && err != ErrTooLarge && !notText(body) {
		return errPlain
	}
	return damaged(err)
}

// notText says whether a body cannot be text: its begin has control characters or
// is not UTF-8.
func notText(body []byte) bool {
	begin := body[:min(len(body), 512)]
	for _, b := range begin {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' {
			return true
		}
	}
	for cut := 0; cut < utf8.UTFMax && cut <= len(begin); cut++ {
		if utf8.Valid(begin[:len(begin)-cut]) {
			return false
		}
	}
	return true
}
