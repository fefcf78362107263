package graph

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"archivestream/lib/storage"
)

// eachLine calls do for each line of a file, inflated where it is gzip. A line is
// valid during the call.
func eachLine(name string, do func(line []byte) error) error {
	f, err := storage.OpenStream(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	var long []byte
	for number := 1; ; number++ {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long[:0], line...)
			for err == bufio.ErrBufferFull {
				line, err = r.ReadSlice('\n')
				long = append(long, line...)
			}
			line = long
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: line %d: %w", name, number, err)
		}
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if failed := do(bytes.TrimSuffix(line, []byte{'\n'})); failed != nil {
			return fmt.Errorf("%s: line %d: %w", name, number, failed)
		}
		if err == io.EOF {
			return nil
		}
	}
}
