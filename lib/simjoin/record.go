package simjoin

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"archivestream/lib/documents"
)

const (
	magic      = "archivestream sets 1\n"
	headerSize = 36
)

// A record is a set of shingles and the documents that have it.
type record struct {
	key     uint64
	digest  [16]byte
	size    int    // shingles
	count   int    // documents
	members []byte // their description
	words   []uint64
}

// group is the part of the key that records are sorted by.
func group(key uint64) uint16 { return uint16(key >> 48) }

// A member is one document of a record.
type member struct {
	id     []byte // escaped
	values []documents.Value
}

// appendMember appends a document's description; fields are its id and encoded values.
func appendMember(dst []byte, fields [][]byte) []byte {
	for _, f := range fields {
		dst = binary.AppendUvarint(dst, uint64(len(f)))
		dst = append(dst, f...)
	}
	return dst
}

var errDescription = errors.New("sets: the description of a document is damaged")

// appendMembers reads the description of a record's documents, each with so many
// values. The ids point into it.
func appendMembers(dst []member, description []byte, count, values int) ([]member, error) {
	field := func() ([]byte, bool) {
		n, size := binary.Uvarint(description)
		if size <= 0 || n > uint64(len(description)-size) {
			return nil, false
		}
		f := description[size : size+int(n)]
		description = description[size+int(n):]
		return f, true
	}
	all := make([]documents.Value, 0, min(count*values, len(description)))
	for range count {
		id, ok := field()
		if !ok {
			return dst, errDescription
		}
		from := len(all)
		for range values {
			f, ok := field()
			if !ok {
				return dst, errDescription
			}
			all = append(all, documents.Decode(f))
		}
		dst = append(dst, member{id, all[from:len(all):len(all)]})
	}
	if len(description) > 0 {
		return dst, errDescription
	}
	return dst, nil
}

// A blockWriter writes the records of one block.
type blockWriter struct {
	w     *bufio.Writer
	width int
	head  [headerSize]byte
}

func newBlockWriter(w io.Writer, width int) (*blockWriter, error) {
	b := &blockWriter{w: bufio.NewWriterSize(w, 256<<10), width: width}
	b.w.WriteString(magic)
	return b, b.w.WriteByte(byte(width))
}

func (b *blockWriter) write(r *record) error {
	h := b.head[:]
	binary.LittleEndian.PutUint32(h, uint32(r.size))
	binary.LittleEndian.PutUint32(h[4:], uint32(r.count))
	binary.LittleEndian.PutUint32(h[8:], uint32(len(r.members)))
	binary.LittleEndian.PutUint64(h[12:], r.key)
	copy(h[20:], r.digest[:])
	b.w.Write(h)
	b.w.Write(r.members)
	var err error
	for _, w := range r.words {
		_, err = b.w.Write(binary.LittleEndian.AppendUint64(b.w.AvailableBuffer(), w))
	}
	return err
}

// A blockReader reads the records of one block. What a header says of lengths is
// believed only as far as there are bytes.
type blockReader struct {
	r     *bufio.Reader
	name  string
	width int
	size  int64 // bytes of the block
	at    int64 // where the next record begins
	head  [headerSize]byte
}

func newBlockReader(r io.Reader, name string, size int64) (*blockReader, error) {
	b := &blockReader{r: bufio.NewReaderSize(r, 256<<10), name: name, size: size, at: int64(len(magic) + 1)}
	head := make([]byte, len(magic)+1)
	if _, err := io.ReadFull(b.r, head); err != nil || string(head[:len(magic)]) != magic || head[len(magic)] < 1 || head[len(magic)] > 2 {
		return nil, fmt.Errorf("%s: no file of sets that this version reads", name)
	}
	b.width = int(head[len(magic)])
	return b, nil
}

// next reads a record into r, whose members and words are overwritten; io.EOF behind
// the last.
func (b *blockReader) next(r *record) error {
	if _, err := io.ReadFull(b.r, b.head[:]); err == io.EOF {
		return err
	} else if err != nil {
		return b.damaged(err)
	}
	size, count := binary.LittleEndian.Uint32(b.head[:]), binary.LittleEndian.Uint32(b.head[4:])
	described := binary.LittleEndian.Uint32(b.head[8:])
	length := headerSize + int64(described) + 8*int64(size)*int64(b.width)
	switch left := b.size - b.at; {
	case length > left:
		return b.damaged(fmt.Errorf("%d bytes by its header, but %d are left", length, left))
	case size == 0 || size > math.MaxInt32:
		return b.damaged(fmt.Errorf("%d shingles", size))
	case count == 0 || count > described: // an id takes a byte at least
		return b.damaged(fmt.Errorf("%d documents described in %d bytes", count, described))
	}
	r.size, r.count = int(size), int(count)
	r.key = binary.LittleEndian.Uint64(b.head[12:])
	copy(r.digest[:], b.head[20:])
	r.members = resized(r.members, int(described))
	r.words = resized(r.words, r.size*b.width)
	if _, err := io.ReadFull(b.r, r.members); err != nil {
		return b.damaged(err)
	}
	for rest := r.words; len(rest) > 0; {
		n := min(len(rest), b.r.Size()/8)
		piece, err := b.r.Peek(8 * n)
		if err != nil {
			return b.damaged(err)
		}
		setWords(rest[:n], piece)
		b.r.Discard(8 * n)
		rest = rest[n:]
	}
	b.at += length
	return nil
}

func (b *blockReader) damaged(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: record at byte %d: %w", b.name, b.at, err)
}

// resized gives a slice of n elements, s itself where it is large enough.
func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/4)
	}
	return s[:n]
}

// setWords sets words to what bytes, eight for each, hold in the order of a file.
func setWords(words []uint64, from []byte) {
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(from[8*i:])
	}
}

// appendWords appends words in the order of a file.
func appendWords(dst []byte, words []uint64) []byte {
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}
