package zipnum

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/storage"
)

// A Part is one shard of a cluster that is put together.
type Part struct {
	Shard     string   // name, as in the index lines
	Index     string   // path or URI of the shard's index lines, plain or gzip
	Locations []string // paths or URIs for cluster.loc, relative to it (default: Shard)
}

// MergeIndexes writes cluster.idx and cluster.loc from the shards' own index
// lines, in the order of the parts, with block numbers that run through all of
// them. It gives the number of blocks. The error is ErrOrder where keys are not
// sorted from one line to the next.
func MergeIndexes(index, locations io.Writer, parts []Part) (int64, error) {
	m := merger{index: bufio.NewWriterSize(index, 64<<10)}
	for _, p := range parts {
		if err := m.add(p); err != nil {
			return m.blocks, fmt.Errorf("%s: %w", p.Index, err)
		}
		paths := p.Locations
		if len(paths) == 0 {
			paths = []string{p.Shard}
		}
		line := p.Shard + "\t" + strings.Join(paths, "\t")
		if strings.ContainsAny(line, "\r\n") {
			return m.blocks, fmt.Errorf("%q cannot stand in cluster.loc", line)
		}
		if _, err := io.WriteString(locations, line+"\n"); err != nil {
			return m.blocks, err
		}
	}
	return m.blocks, m.index.Flush()
}

// A merger writes cluster.idx.
type merger struct {
	index  *bufio.Writer
	blocks int64
	last   []byte // key of the line before
	line   []byte
}

func (m *merger) add(p Part) error {
	f, err := storage.OpenStream(p.Index)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := newLineReader(f)
	for {
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		e, err := ParseEntry(line)
		if err != nil {
			return err
		}
		if string(e.Shard) != p.Shard {
			return fmt.Errorf("an index line of shard %q, not of %q", e.Shard, p.Shard)
		}
		if bytes.Compare(e.Key, m.last) < 0 {
			return fmt.Errorf("key %q behind %q: %w", e.Key, m.last, ErrOrder)
		}
		m.last = append(m.last[:0], e.Key...)
		m.blocks++
		e.Sequence = m.blocks
		m.line = append(e.Append(m.line[:0]), '\n')
		if _, err := m.index.Write(m.line); err != nil {
			return err
		}
	}
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
			if err := found(offset, in.n-offset, indexKey(first), whole); err != nil {
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
