package warc

import (
	"io"
	"os"

	"archivestream/lib/buffers"
)

// spoolMemory is how much of a block or an encoded record is held in memory, in
// bytes; what is longer goes into a temporary file.
const spoolMemory = 4 << 20

// A spool takes bytes once and gives them as often as wanted: digests stand in
// front of the block that they are computed from, and a record's compressed
// size decides which file it goes into. The memory is kept between uses.
type spool struct {
	memory []byte
	file   *os.File // what does not fit into memory; without a name
	size   int64
}

func (s *spool) reset() {
	buffers.Spoil(s.memory)
	s.memory, s.size = s.memory[:0], 0
}

func (s *spool) Write(p []byte) (int, error) {
	n := min(len(p), spoolMemory-len(s.memory))
	s.memory = append(s.memory, p[:n]...)
	s.size += int64(n)
	if n == len(p) {
		return n, nil
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "archivestream-*")
		if err != nil {
			return n, err
		}
		// Without a name nothing is left behind, however the program ends.
		if err := os.Remove(file.Name()); err != nil {
			file.Close()
			return n, err
		}
		s.file = file
	}
	m, err := s.file.WriteAt(p[n:], s.size-spoolMemory)
	s.size += int64(m)
	return n + m, err
}

// ReadAt implements io.ReaderAt.
func (s *spool) ReadAt(p []byte, offset int64) (int, error) {
	if offset >= s.size {
		return 0, io.EOF
	}
	n := 0
	if offset < int64(len(s.memory)) {
		n = copy(p, s.memory[offset:])
		offset += int64(n)
	}
	if n == len(p) {
		return n, nil
	}
	rest := min(int64(len(p)-n), s.size-offset)
	if rest == 0 {
		return n, io.EOF
	}
	m, err := s.file.ReadAt(p[n:n+int(rest)], offset-spoolMemory)
	n += m
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// section gives what the spool holds from an offset on.
func (s *spool) section(offset int64) *io.SectionReader {
	return io.NewSectionReader(s, offset, s.size-offset)
}

// close gives the temporary file back, if there is one.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}
