package graph

import (
	"errors"
	"fmt"
	"io"

	"archivestream/lib/lines"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// eachLine calls do for each line of a file, inflated where it is gzip. A line is
// valid during the call. One that is too long is rejected.
func eachLine(t *stage.Task, name string, do func(line []byte) error) error {
	f, err := storage.OpenStream(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := lines.NewReader(f, 1<<20, t.Int("max-line"))
	for {
		line, err := r.Next()
		var long *lines.TooLong
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &long):
			err = t.RejectLong(name, long)
		case err == nil:
			err = do(line)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", name, r.Number(), err)
		}
	}
}
