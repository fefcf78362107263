package warc

import (
	"fmt"
	"io"
)

// RecordAt reads the record at an offset of a file of size bytes as a Reader finds it
// that comes there: where its header is wrong about its length the record has another
// one, and a defect that says so. It looks at what follows, so that a part of a file
// does not do, and is dearer than a RandomReader.
func RecordAt(file io.ReaderAt, size, offset int64) (*Record, error) {
	record, err := NewReader(file, size, Options{Offset: offset}).Next()
	switch {
	case err == io.EOF:
		return nil, &Defect{Offset: offset, Kind: Truncated, Detail: fmt.Sprintf("the file ends at %d", size)}
	case err != nil:
		return nil, err
	case record.Offset != offset:
		return nil, &Defect{Offset: offset, Kind: Garbage, Detail: fmt.Sprintf("the next record is at %d", record.Offset)}
	}
	return record, nil
}

// IsMisled reports whether the record is there as a whole, but not as long as its
// header says.
func (r *Record) IsMisled() bool {
	if r.Damaged() {
		return false
	}
	for _, d := range r.Defects {
		if d.Kind == BadLength {
			return true
		}
	}
	return false
}
