package mementomap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"archivestream/lib/buffers"
	"archivestream/lib/inflate"
	"archivestream/lib/lines"
	"archivestream/lib/storage"
	"archivestream/lib/zipnum"
)

const (
	// A block of a map of text has at least so many bytes, and there are at most
	// so many blocks, whose first keys stay in memory.
	minBlock  = 16 << 10
	maxBlocks = 64 << 10
	// cachedBlocks stay in memory, as long as they have no more than cachedSize.
	cachedBlocks = 256
	cachedSize   = 16 << 20
	// maxBlock is the largest block of a gzip file, inflated.
	maxBlock = 64 << 20
)

// IndexSuffix ends the name of the index of a gzip map's blocks.
const IndexSuffix = ".idx"

// blocks are the lines of a map in parts that are read one by one: of text, equal
// ranges of bytes with the lines that begin there, or gzip members.
type blocks struct {
	file    storage.Reader
	name    string
	count   int
	size    int64 // of a block of text; 0: gzip
	places  []zipnum.Entry
	firsts  [][]byte // first keys that are known
	last    int      // the block of the last search
	cache   map[int]*cached
	clock   int64
	cached  int // bytes
	packed  []byte
	decoder inflate.Decoder
}

type cached struct {
	text []byte
	used int64
}

func openBlocks(name string) (*blocks, error) {
	f, err := storage.Open(name)
	if err != nil {
		return nil, err
	}
	b := &blocks{file: f, name: name, last: -1, cache: map[int]*cached{}}
	var magic [2]byte
	f.ReadAt(magic[:], 0)
	if magic == [2]byte{0x1f, 0x8b} {
		err = b.openGzip()
	} else {
		b.openText()
	}
	if err != nil {
		return nil, errors.Join(err, b.file.Close())
	}
	return b, nil
}

func (b *blocks) openText() {
	size := b.file.Size()
	b.size = max(minBlock, storage.Gap(b.name), size/maxBlocks)
	b.count = int((size + b.size - 1) / b.size)
	b.firsts = make([][]byte, b.count)
}

// openGzip takes the blocks' places from the index beside the file, or inflates it.
func (b *blocks) openGzip() error {
	index, err := storage.OpenStream(b.name + IndexSuffix)
	if errors.Is(err, fs.ErrNotExist) || err != nil && storage.IsURI(b.name) {
		return b.inflateAll()
	}
	if err != nil {
		return err
	}
	defer index.Close()
	for line, err := range lines.All(index, 0) {
		if err != nil {
			return fmt.Errorf("%s%s: %w", b.name, IndexSuffix, err)
		}
		if len(line) == 0 {
			continue
		}
		e, err := zipnum.ParseEntry(line)
		if err != nil {
			return fmt.Errorf("%s%s: %w", b.name, IndexSuffix, err)
		}
		key, _, _ := bytes.Cut(e.Key, []byte{' '})
		b.firsts = append(b.firsts, bytes.Clone(key))
		b.places = append(b.places, zipnum.Entry{Offset: e.Offset, Length: e.Length})
	}
	b.count = len(b.places)
	return nil
}

// inflateAll puts the lines of a gzip file into a temporary one without a name.
func (b *blocks) inflateAll() error {
	z, err := storage.OpenStream(b.name)
	if err != nil {
		return err
	}
	defer z.Close()
	f, err := os.CreateTemp("", "mementomap-*")
	if err != nil {
		return err
	}
	os.Remove(f.Name())
	n, err := io.Copy(f, z)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", b.name, err), f.Close())
	}
	b.file.Close()
	b.file = temporary{f, n}
	b.openText()
	return nil
}

// temporary is a temporary file for reading.
type temporary struct {
	*os.File
	size int64
}

func (t temporary) Size() int64 { return t.size }

func (b *blocks) close() error { return b.file.Close() }

// first gives the first key of a block; of one in which no line begins, that of the
// next.
func (b *blocks) first(i int) ([]byte, error) {
	if b.firsts[i] != nil {
		return b.firsts[i], nil
	}
	text, err := b.text(i)
	if err != nil {
		return nil, err
	}
	key := []byte{0xff}
	if len(text) > 0 {
		line, _, _ := bytes.Cut(text, newline)
		key, _, _ = bytes.Cut(line, []byte{' '})
	} else if i+1 < b.count {
		if key, err = b.first(i + 1); err != nil {
			return nil, err
		}
	}
	b.firsts[i] = bytes.Clone(key)
	return b.firsts[i], nil
}

// text gives the lines of a block, valid until the next call.
func (b *blocks) text(i int) ([]byte, error) {
	b.clock++
	if c := b.cache[i]; c != nil {
		c.used = b.clock
		return c.text, nil
	}
	c := &cached{used: b.clock}
	if len(b.cache) >= cachedBlocks || b.cached >= cachedSize {
		c.text = b.drop()
	}
	var err error
	if b.size > 0 {
		c.text, err = b.read(c.text[:0], i)
	} else {
		c.text, err = b.inflate(c.text[:0], i)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	b.cache[i] = c
	b.cached += len(c.text)
	return c.text, nil
}

// drop takes the blocks out of the cache that were used longest ago, until it is
// within its size, and gives the memory of one.
func (b *blocks) drop() (memory []byte) {
	for len(b.cache) > 0 && (len(b.cache) >= cachedBlocks || b.cached >= cachedSize) {
		oldest := -1
		for i, c := range b.cache {
			if oldest < 0 || c.used < b.cache[oldest].used {
				oldest = i
			}
		}
		memory = b.cache[oldest].text
		b.cached -= len(memory)
		buffers.Spoil(memory)
		delete(b.cache, oldest)
	}
	return memory
}

// read reads the lines that begin in a block of text.
func (b *blocks) read(dst []byte, i int) ([]byte, error) {
	from := int64(i) * b.size
	begin := max(from-1, 0) // the line feed before the first line
	size := b.file.Size()
	to := min(from+b.size, size)
	dst, err := b.readAt(dst, begin, to)
	if err != nil {
		return nil, err
	}
	skip := 0
	if from > 0 {
		if skip = bytes.IndexByte(dst, '\n') + 1; skip == 0 || int64(skip) == to-begin {
			return dst[:0], nil
		}
	}
	for dst[len(dst)-1] != '\n' && to < size {
		more := min(to+4<<10, size)
		if dst, err = b.readAt(dst, to, more); err != nil {
			return nil, err
		}
		if end := bytes.IndexByte(dst[len(dst)-int(more-to):], '\n'); end >= 0 {
			dst = dst[:len(dst)-int(more-to)+end+1]
		}
		to = more
	}
	return dst[skip:], nil
}

// readAt appends a range of the file.
func (b *blocks) readAt(dst []byte, from, to int64) ([]byte, error) {
	n := len(dst)
	dst = append(dst, make([]byte, to-from)...)
	if got, err := b.file.ReadAt(dst[n:], from); got < int(to-from) {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	return dst, nil
}

// inflate gives the text of a gzip member.
func (b *blocks) inflate(dst []byte, i int) ([]byte, error) {
	at := b.places[i]
	if at.Length > maxBlock || at.Offset+at.Length > b.file.Size() {
		return nil, fmt.Errorf("the index tells of a block at %d that is not there", at.Offset)
	}
	var err error
	if b.packed, err = b.readAt(b.packed[:0], at.Offset, at.Offset+at.Length); err != nil {
		return nil, err
	}
	b.decoder.Limit = maxBlock
	dst, _, err = b.decoder.Member(dst, b.packed)
	return dst, err
}
