package zipnum

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/gzip"
)

// MergeIndexes writes cluster.idx and cluster.loc from the index lines of all
// shards, one shard's behind the other's, with block numbers that run through all
// of them. In cluster.loc each shard lies beside it. MergeIndexes gives the number
// of blocks. The error is ErrOrder where keys are not sorted.
func MergeIndexes(index, locations io.Writer, lines iter.Seq2[[]byte, error]) (int64, error) {
	out, loc := bufio.NewWriterSize(index, 64<<10), bufio.NewWriter(locations)
	var (
		blocks            int64
		last, shard, text []byte
	)
	for line, err := range lines {
		if err != nil {
			return blocks, err
		}
		e, err := ParseEntry(line)
		if err != nil {
			return blocks, fmt.Errorf("index line %d: %w", blocks+1, err)
		}
		if bytes.Compare(e.Key, last) < 0 {
			return blocks, fmt.Errorf("index line %d: key %q behind %q: %w", blocks+1, e.Key, last, ErrOrder)
		}
		if !bytes.Equal(e.Shard, shard) {
			fmt.Fprintf(loc, "%s\t%s\n", e.Shard, e.Shard)
		}
		last, shard = append(last[:0], e.Key...), append(shard[:0], e.Shard...)
		blocks++
		e.Sequence = blocks
		text = append(e.Append(text[:0]), '\n')
		if _, err := out.Write(text); err != nil {
			return blocks, err
		}
	}
	if err := loc.Flush(); err != nil {
		return blocks, err
	}
	return blocks, out.Flush()
}

// IndexShard writes the index lines of a shard that exists, numbered from 1, and
// gives their number. Every gzip member is a block; one without text makes none.
func IndexShard(index io.Writer, shard io.Reader, name string) (int64, error) {
	out := bufio.NewWriterSize(index, 64<<10)
	e := Entry{Shard: []byte(name)}
	var line []byte
	err := members(shard, func(offset, length int64, key []byte, _ bool) error {
		e.Key, e.Offset, e.Length = key, offset, length
		e.Sequence++
		line = append(e.Append(line[:0]), '\n')
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return e.Sequence, err
	}
	return e.Sequence, out.Flush()
}

// maxKey is how much of a line is looked at for its key and timestamp, in bytes.
const maxKey = 64 << 10

// members calls found for each gzip member that has text: where it lies, the key
// of its first line, and whether it begins with a whole line.
func members(shard io.Reader, found func(offset, length int64, key []byte, whole bool) error) error {
	in := &counter{r: bufio.NewReaderSize(shard, 256<<10)}
	if _, err := in.r.Peek(1); err == io.EOF {
		return nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("offset 0: %w", err)
	}
	offset, whole := int64(0), true
	var head []byte
	buffer := make([]byte, 64<<10)
	for {
		z.Multistream(false)
		head = head[:0]
		text := false
		last := byte('\n')
		for {
			n, err := z.Read(buffer)
			if n > 0 {
				head = append(head, buffer[:min(n, maxKey-len(head))]...)
				text, last = true, buffer[n-1]
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				return fmt.Errorf("offset %d: %w", offset, err)
			}
		}
		if text {
			first, _, _ := bytes.Cut(head, []byte{'\n'})
			if err := found(offset, in.n-offset, blockKey(first), whole); err != nil {
				return err
			}
			whole = last == '\n'
		}
		offset = in.n
		switch err := z.Reset(in); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("offset %d: %w", offset, err)
		}
	}
}

// A counter counts the bytes that are taken, one by one where it matters: gzip
// takes no byte too many from a reader of single bytes.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
