package simjoin

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// An openedBlock is a block that is being read.
type openedBlock struct {
	*blockReader
	file storage.Reader
}

func openBlock(name string) (*openedBlock, error) {
	f, err := storage.Open(name)
	if err != nil {
		return nil, err
	}
	r, err := newBlockReader(io.NewSectionReader(f, 0, f.Size()), name, f.Size())
	if err != nil {
		f.Close()
		return nil, err
	}
	return &openedBlock{r, f}, nil
}

func (b *openedBlock) base() string { return path.Base(b.name) }
func (b *openedBlock) close()       { b.file.Close() }

// A blockFile is a block that is being written as a side file.
type blockFile struct {
	*blockWriter
	file storage.Writer
}

func createBlock(t *stage.Task, name string, width int) (*blockFile, error) {
	f, err := t.Create(name)
	if err != nil {
		return nil, err
	}
	w, err := newBlockWriter(f, width)
	return &blockFile{w, f}, err
}

func (b *blockFile) close() error {
	if err := b.w.Flush(); err != nil {
		return err
	}
	return b.file.Close()
}

// abort leaves nothing of a block that was not closed.
func (b *blockFile) abort() {
	if b != nil {
		b.file.Abort()
	}
}

// A blockInfo is a line of blocks.tsv.
type blockInfo struct {
	name                      string
	minGroup, maxGroup        int
	minSize, maxSize          int
	sets, shingles, documents int64
}

func newBlockInfo(name string) *blockInfo {
	return &blockInfo{name: name, minGroup: 1 << 16, minSize: 1 << 32}
}

func (b *blockInfo) add(r *record) {
	g := int(group(r.key))
	b.minGroup, b.maxGroup = min(b.minGroup, g), max(b.maxGroup, g)
	b.minSize, b.maxSize = min(b.minSize, r.size), max(b.maxSize, r.size)
	b.sets++
	b.shingles += int64(r.size)
	b.documents += int64(r.count)
}

func (b *blockInfo) append(dst []byte) []byte {
	return fmt.Appendf(dst, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d", b.name, b.minGroup, b.maxGroup, b.minSize, b.maxSize, b.sets, b.shingles, b.documents)
}

func parseBlockInfo(line []byte) (blockInfo, error) {
	var b blockInfo
	fields := stage.Fields(nil, bytes.TrimRight(line, "\t"), 0)
	if len(fields) != 8 {
		return b, fmt.Errorf("block %q: 8 fields are wanted", line)
	}
	if b.name = string(fields[0]); b.name == "" || b.name[0] == '.' || path.Base(b.name) != b.name {
		return b, fmt.Errorf("block %q: no name of a file in the folder of the list", line)
	}
	var numbers [7]int64
	for i := range numbers {
		n, err := strconv.ParseInt(string(fields[i+1]), 10, 64)
		if err != nil {
			return b, fmt.Errorf("block %q: %w", line, err)
		}
		if n < 0 {
			return b, fmt.Errorf("block %q: a number is below 0", line)
		}
		numbers[i] = n
	}
	b.minGroup, b.maxGroup, b.minSize, b.maxSize = int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3])
	b.sets, b.shingles, b.documents = numbers[4], numbers[5], numbers[6]
	return b, nil
}
