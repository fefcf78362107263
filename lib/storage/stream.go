package storage

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// streamBuffer is what one read of a sequential reader asks for, in bytes.
const streamBuffer = 1 << 20

// OpenStream opens a file for reading from its begin to its end, inflated when
// its first two bytes are those of gzip, whatever its name is. All members of a
// gzip file are read. A pipe or device is read to its end.
func OpenStream(name string) (io.ReadCloser, error) {
	f, in, err := openSequential(name)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReaderSize(in, streamBuffer)
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

// openSequential opens a file, pipe or device for one reading.
func openSequential(name string) (io.Closer, io.Reader, error) {
	if isPipe(name) {
		f, err := openPipe(name)
		return f, f, err
	}
	f, err := Open(name)
	if err != nil {
		return nil, nil, err
	}
	return f, io.NewSectionReader(f, 0, f.Size()), nil
}

// Copy copies what a file, pipe or device holds, as it is.
func Copy(w io.Writer, name string) (int64, error) {
	f, in, err := openSequential(name)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(w, in)
	return n, errors.Join(err, f.Close())
}

type stream struct {
	io.Reader
	file io.Closer
	gzip *gzip.Reader
}

func (s *stream) Close() error {
	if s.gzip != nil {
		s.gzip.Close()
	}
	return s.file.Close()
}
