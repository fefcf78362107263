package index

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"archivestream/lib/storage"
)

// A Sorter writes lines into a file as LC_ALL=C sort orders them, equal ones once.
// GNU sort does it, in bounded memory.
type Sorter struct {
	file storage.Writer
	sort *exec.Cmd
	in   io.WriteCloser
	said strings.Builder
}

// NewSorter makes a Sorter, which takes the file over.
func NewSorter(file storage.Writer) (*Sorter, error) {
	s := &Sorter{file: file, sort: exec.Command("sort", "-S", "16M", "-u")}
	s.sort.Env = append(os.Environ(), "LC_ALL=C")
	s.sort.Stdout, s.sort.Stderr = file, &s.said
	in, err := s.sort.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.in = in
	if err := s.sort.Start(); err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	return s, nil
}

// Write takes lines with their line feeds.
func (s *Sorter) Write(line []byte) error {
	_, err := s.in.Write(line)
	return err
}

// Close completes the file, or leaves none.
func (s *Sorter) Close(done bool) error {
	s.in.Close()
	err := s.sort.Wait()
	if err != nil {
		err = fmt.Errorf("sort: %w: %s", err, strings.TrimSpace(s.said.String()))
	}
	if err != nil || !done {
		s.file.Abort()
		return err
	}
	return s.file.Close()
}
