package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/buffers"
	"archivestream/lib/inflate"
	"archivestream/lib/lines"
)

// cached gives the block from the cache, or nil.
func (b *blocks) cached(at place) *inflated {
	for i := len(b.cache) - 1; i >= 0; i-- {
		if b.cache[i].at == at {
			return &b.cache[i]
		}
	}
	return nil
}

// text gives a block's lines: from the cache, from a span that was read, or from
// one of the shard's places after the other. The error is a *BlockError, or
// errTooLarge for a block that has to be streamed.
func (b *blocks) text(at place, read span) ([]byte, error) {
	for i, c := range b.cache {
		if c.at == at {
			copy(b.cache[i:], b.cache[i+1:])
			b.cache[len(b.cache)-1] = c
			return c.text, c.err
		}
	}
	c := inflated{at: at, text: b.room()}
	c.text, c.err = b.load(c.text, at, read)
	if c.err != nil {
		c.text = nil
		var elsewhere *ElsewhereError
		if c.err != errTooLarge && !errors.As(c.err, &elsewhere) {
			c.err = &BlockError{at.shard, at.offset, c.err}
		}
	}
	b.cache = append(b.cache, c)
	return c.text, c.err
}

// room makes place in the cache and gives a buffer to inflate into.
func (b *blocks) room() []byte {
	total := 0
	for _, c := range b.cache {
		total += cap(c.text)
	}
	var buffer []byte
	for len(b.cache) > 0 && (total >= b.budget || len(b.cache) >= maxCached) {
		buffer = b.cache[0].text[:0]
		buffers.Spoil(buffer)
		total -= cap(buffer)
		b.cache = append(b.cache[:0], b.cache[1:]...)
	}
	return buffer
}

// load inflates a block from the span, or from one of its shard's locations.
func (b *blocks) load(dst []byte, at place, read span) ([]byte, error) {
	if at.length > maxBlock {
		return dst, errTooLarge
	}
	var failures error
	tried := -1
	if read.covers(at) {
		tried = read.of
		text, err := b.inflate(dst, read.bytes[at.offset-read.where.offset:][:at.length])
		if err == nil || err == errTooLarge {
			return text, err
		}
		dst, failures = text, err
	}
	places, elsewhere, err := b.shards.locate(at.shard)
	if err != nil {
		return dst, err
	}
	for i, p := range places {
		if i == tried {
			continue
		}
		text, err := b.loadFrom(dst, p, at)
		if err == nil || err == errTooLarge {
			return text, err
		}
		dst, failures = text, errors.Join(failures, fmt.Errorf("%s: %w", p, err))
	}
	return dst, errors.Join(failures, elsewhere)
}

func (b *blocks) loadFrom(dst []byte, name string, at place) ([]byte, error) {
	r, err := b.shards.reader(name)
	if err != nil {
		return dst, err
	}
	packed, err := readAt(nil, r, at)
	if err != nil {
		return dst, err
	}
	return b.inflate(dst, packed)
}

// inflate gives the text of a block's gzip members in the buffer, which grows up
// to maxBlock.
func (b *blocks) inflate(dst, packed []byte) ([]byte, error) {
	dst = dst[:0]
	if cap(dst) == 0 {
		dst = make([]byte, 0, min(max(8*len(packed), 4<<10), 2<<20))
	}
	for first := true; first || len(packed) > 0; first = false {
		b.decoder.Limit = maxBlock - len(dst)
		var n int
		var err error
		dst, n, err = b.decoder.Member(dst, packed)
		if errors.Is(err, inflate.ErrTooLarge) || len(dst) >= maxBlock {
			return dst, errTooLarge
		}
		if err != nil {
			return dst, err
		}
		packed = packed[n:]
	}
	return dst, nil
}

func (b *blocks) resetZipper(r io.Reader) error {
	err := error(nil)
	if b.zipper == nil {
		b.zipper, err = gzip.NewReader(r)
	} else {
		err = b.zipper.Reset(r)
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// stream yields the lines of a block that is too large for memory. Lines before
// a damage are yielded too.
func (b *blocks) stream(at place, from, to []byte, yield func([]byte, error) bool) bool {
	places, elsewhere, err := b.shards.locate(at.shard)
	if err != nil {
		return yield(nil, &BlockError{at.shard, at.offset, err})
	}
	var failures error
	for _, p := range places {
		r, err := b.shards.reader(p)
		if err == nil && at.offset+at.length > r.Size() {
			err = errShort
		}
		if err == nil {
			err = b.resetZipper(io.NewSectionReader(r, at.offset, at.length))
		}
		if err == nil {
			return b.streamLines(at, from, to, yield)
		}
		failures = errors.Join(failures, fmt.Errorf("%s: %w", p, err))
	}
	if elsewhere != nil {
		return yield(nil, errors.Join(failures, elsewhere))
	}
	return yield(nil, &BlockError{at.shard, at.offset, failures})
}

func (b *blocks) streamLines(at place, from, to []byte, yield func([]byte, error) bool) bool {
	for line, err := range lines.All(b.zipper, 0) {
		if long := (*lines.TooLong)(nil); errors.As(err, &long) {
			if !yield(nil, &BlockError{at.shard, at.offset, err}) {
				return false
			}
			continue
		}
		if err != nil {
			return yield(nil, &BlockError{at.shard, at.offset, err})
		}
		if bytes.Compare(line, from) < 0 || isHeader(line) {
			continue
		}
		if to != nil && bytes.Compare(line, to) >= 0 {
			return true
		}
		if !yield(line, nil) {
			return false
		}
	}
	return true
}
