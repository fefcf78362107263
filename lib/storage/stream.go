package storage

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
)

// streamBuffer is what one read of a sequential reader asks for, in bytes.
const streamBuffer = 1 << 20

// OpenStream opens a file for reading from its begin to its end, inflated when
// its first two bytes are those of gzip, whatever its name is. All members of a
// gzip file are read.
func OpenStream(name string) (io.ReadCloser, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReaderSize(io.NewSectionReader(f, 0, f.Size()), streamBuffer)
	if magic, _ := buffered.Peek(2); len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
		return &stream{buffered, f, nil}, nil
	}
	z, err := gzip.NewReader(buffered)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &stream{z, f, z}, nil
}

type stream struct {
	io.Reader
	file Reader
	gzip *gzip.Reader
}

func (s *stream) Close() error {
	if s.gzip != nil {
		s.gzip.Close()
	}
	return s.file.Close()
}
