package extract

import (
	"errors"
	"io"

	"archivestream/lib/stage"
	"archivestream/lib/warc"
)

// A HeadReader reads the headers of single records.
type HeadReader struct{ fetcher }

// NewHeadReader makes a reader for a task.
func NewHeadReader(t *stage.Task, archives *Archives) *HeadReader {
	h := &HeadReader{newFetcher(archives)}
	h.again = !t.LastAttempt()
	return h
}

// Head reads the header of the record at an offset of an archive. The record is nil
// where there is none or its archive cannot be had; the error is one that another
// attempt at the task may not meet.
func (h *HeadReader) Head(archive []byte, offset int64) (*warc.Record, error) {
	a := h.archives.get(archive)
	if a.err != nil {
		if h.again && a.passing {
			return nil, a.err
		}
		return nil, nil
	}
	r, err := h.random.Head(a.file, a.file.Size(), offset)
	var d *warc.Defect
	var f *fault
	switch {
	case err == nil:
		return r, nil
	case errors.As(err, &d), err == io.ErrUnexpectedEOF:
		return nil, nil
	}
	if err = h.unreadable(err); errors.As(err, &f) {
		err = nil
	}
	return nil, err
}
