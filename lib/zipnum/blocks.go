package zipnum

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/inflate"
	"archivestream/lib/storage"
)

const (
	// maxBlock is the largest block that is inflated in memory, in bytes, and the
	// largest that is read in one piece. A larger one streams.
	maxBlock = 64 << 20
	// cacheBudget is what inflated blocks are kept, in bytes; one is always.
	// There are at most maxCached.
	cacheBudget = 16 << 20
	maxCached   = 64
	// One request asks for firstRequest bytes of neighbouring blocks; in a long
	// scan for more and more, up to maxRequest.
	firstRequest = 1 << 20
	maxRequest   = 8 << 20
)

var (
	errTooLarge = errors.New("too large for memory")
	errShort    = errors.New("the shard ends before the block does")
)

// Blocks are the lines of a ZipNum cluster.
type blocks struct {
	index   *sortedFile
	shards  *shards
	scan    scanner
	wanted  []place // neighbours that are read with one request
	buffer  []byte  // of a span
	cache   []inflated
	budget  int // of the cache, in bytes of text
	decoder inflate.Decoder
	zipper  *gzip.Reader // of a block that streams
	jsonFor string       // shard of an index whose lines have JSON
	shard   string       // of the last index line
	below   []byte       // the last index line whose block begins below the range
	belowAt int64        // where it is in the index
}

// A place is where a block lies.
type place struct {
	shard          string
	offset, length int64
}

// An inflated block, or what is wrong with it.
type inflated struct {
	at   place
	text []byte
	err  error
}

func newBlocks(index *sortedFile, s *shards, sharers int) *blocks {
	return &blocks{index: index, shards: s, budget: cacheBudget / sharers, jsonFor: "index.cdx.gz"}
}

func (b *blocks) close() error { return b.shards.close() }

// surelyBelow says whether a block's first line is below from, as far as its key
// in the index tells: a key that from begins with tells nothing.
func surelyBelow(key, from []byte) bool {
	return bytes.Compare(key, from) < 0 && !bytes.HasPrefix(from, key)
}

func (b *blocks) lines(from, to []byte, yield func([]byte, error) bool) {
	if to != nil && bytes.Compare(from, to) >= 0 {
		return
	}
	start, err := b.index.find(len(from)+1, func(head []byte) bool { return surelyBelow(blockKey(head), from) })
	if err != nil {
		yield(nil, err)
		return
	}
	b.scan.reset(b.index, start)
	b.wanted, b.below = b.wanted[:0], b.below[:0]
	s := search{blocks: b, from: from, to: to, yield: yield, limit: firstRequest}
	for {
		offset := b.scan.offset
		line, err := b.scan.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if isHeader(line) && bytes.IndexByte(line, '\t') < 0 { // a block can begin with one
			b.readMeta(line)
			continue
		}
		key := blockKey(line)
		if !s.started && surelyBelow(key, from) {
			s.before(line, offset)
			continue
		}
		if to != nil && bytes.Compare(key, to) >= 0 {
			break
		}
		if !s.start() || !s.add(line, offset) {
			return
		}
	}
	if s.start() {
		s.give()
	}
}

func (b *blocks) weight(from, to []byte) (int64, error) {
	start, err := b.index.find(len(from)+1, func(head []byte) bool { return surelyBelow(blockKey(head), from) })
	if err != nil {
		return 0, err
	}
	b.scan.reset(b.index, start)
	for sum := int64(0); ; {
		line, err := b.scan.next()
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return sum, err
		}
		key := blockKey(line)
		if to != nil && bytes.Compare(key, to) >= 0 {
			return sum, nil
		}
		if e, err := ParseEntry(line); err == nil && !surelyBelow(key, from) {
			sum += e.Length
		}
	}
}

// A search goes through the index lines of a range.
type search struct {
	*blocks
	from, to []byte
	yield    func([]byte, error) bool
	limit    int64 // of the next request, in bytes
	started  bool  // behind the block that the range begins in or before
}

// before takes an index line whose block begins below the range: the last one's
// lines can reach into it.
func (s *search) before(line []byte, offset int64) {
	s.below, s.belowAt = append(s.below[:0], line...), offset
}

// start adds the last block that begins below the range.
func (s *search) start() bool {
	if s.started {
		return true
	}
	s.started = true
	return len(s.below) == 0 || s.add(s.below, s.belowAt)
}

// add takes an index line whose block is in the range, and gives the blocks
// before it where it cannot be read with them.
func (s *search) add(line []byte, offset int64) bool {
	at, err := s.parse(line)
	if err != nil {
		return s.give() && s.yield(nil, &BlockError{s.index.name, offset, err})
	}
	if !s.neighbour(at, s.limit) {
		if !s.give() {
			return false
		}
		s.limit = min(2*s.limit, maxRequest)
	}
	s.wanted = append(s.wanted, at)
	return true
}

// parse takes an index line apart.
func (b *blocks) parse(line []byte) (place, error) {
	if bytes.IndexByte(line, '\t') < 0 && bytes.Contains(line, []byte(" {")) {
		return b.parseJSON(line)
	}
	e, err := ParseEntry(line)
	if err != nil {
		return place{}, err
	}
	if b.shard != string(e.Shard) {
		b.shard = string(e.Shard)
	}
	return place{b.shard, e.Offset, e.Length}, nil
}

// neighbour says whether a block lies directly behind the wanted ones and can be
// read with them.
func (b *blocks) neighbour(at place, limit int64) bool {
	if len(b.wanted) == 0 {
		return true
	}
	first, last := b.wanted[0], b.wanted[len(b.wanted)-1]
	return at.shard == last.shard && at.offset == last.offset+last.length && at.offset+at.length-first.offset <= limit
}

// give yields the lines of the wanted blocks.
func (s *search) give() bool {
	defer func() { s.wanted = s.wanted[:0] }()
	read := s.readSpan()
	for _, at := range s.wanted {
		text, err := s.text(at, read)
		switch {
		case errors.Is(err, errTooLarge):
			if !s.stream(at, s.from, s.to, s.yield) {
				return false
			}
			continue
		case err != nil:
			if !s.yield(nil, err) {
				return false
			}
			continue
		}
		text = text[seek(text, s.from):]
		if s.to != nil {
			text = text[:seek(text, s.to)]
		}
		for len(text) > 0 {
			var line []byte
			line, text, _ = bytes.Cut(text, []byte{'\n'})
			if !isHeader(line) && !s.yield(line, nil) {
				return false
			}
		}
	}
	return true
}

// readMeta and parseJSON read the index of a WACZ file (WACZ 1.1, compressed
// CDXJ): "!meta 0 {"filename": …}", then key, timestamp and {"offset": …,
// "length": …} in each line.
func (b *blocks) readMeta(line []byte) {
	var meta struct{ Filename string }
	if i := bytes.IndexByte(line, '{'); i >= 0 && json.Unmarshal(line[i:], &meta) == nil && meta.Filename != "" {
		b.jsonFor = meta.Filename
	}
}

func (b *blocks) parseJSON(line []byte) (place, error) {
	at := struct{ Offset, Length int64 }{-1, -1}
	if err := json.Unmarshal(line[bytes.IndexByte(line, '{'):], &at); err != nil {
		return place{}, fmt.Errorf("not a line of a ZipNum index: %w", err)
	}
	if at.Offset < 0 || at.Length < 0 || at.Offset+at.Length < 0 {
		return place{}, errNumber
	}
	return place{b.jsonFor, at.Offset, at.Length}, nil
}

// A span is what was read of a shard with one request.
type span struct {
	bytes []byte
	where place
	of    int // number of the location that it was read from; -1 for none
}

// covers says whether a block was read. One that was in the cache may have been
// dropped from it for those before.
func (s span) covers(at place) bool {
	return s.of >= 0 && at.shard == s.where.shard && at.offset >= s.where.offset &&
		at.offset+at.length <= s.where.offset+s.where.length
}

// readSpan reads those of the wanted blocks that are not in the cache. Where that
// fails, the blocks are read one by one.
func (b *blocks) readSpan() span {
	from, to := int64(-1), int64(-1)
	for _, at := range b.wanted {
		if b.cached(at) == nil {
			if from < 0 {
				from = at.offset
			}
			to = at.offset + at.length
		}
	}
	nothing := span{of: -1}
	if from < 0 || to-from > maxBlock {
		return nothing
	}
	where := place{b.wanted[0].shard, from, to - from}
	locations, _, err := b.shards.locate(where.shard)
	if err != nil {
		return nothing
	}
	for i, l := range locations {
		r, err := b.shards.reader(l)
		if err != nil {
			continue
		}
		if b.buffer, err = readAt(b.buffer, r, where); err == nil {
			return span{b.buffer, where, i}
		}
	}
	return nothing
}

// readAt reads a range into a buffer, which grows if need be.
func readAt(buffer []byte, r storage.Reader, at place) ([]byte, error) {
	if at.offset+at.length > r.Size() {
		return buffer, errShort
	}
	if int64(cap(buffer)) < at.length {
		buffer = make([]byte, at.length)
	}
	buffer = buffer[:at.length]
	n, err := r.ReadAt(buffer, at.offset)
	if n == len(buffer) {
		return buffer, nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return buffer, err
}
