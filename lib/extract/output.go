package extract

import (
	"fmt"
	"io"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// An outputKind is a sort of output file: one format, compressed or not.
type outputKind struct {
	format warc.Format
	plain  bool
}

// suffix is what a file of the kind is named with.
func (k outputKind) suffix() string {
	if k.plain {
		return "." + k.format.String()
	}
	return "." + k.format.String() + ".gz"
}

// outputs are the open output files of one task, at most one of each kind.
// Files are opened with their first record.
type outputs struct {
	task    *stage.Task
	prefix  string
	number  int64 // the task's
	maxSize int64 // of a file's records, in bytes, its header record not counted
	header  func(w io.Writer, name string, kind outputKind) (int64, error)
	counter int
	open    map[outputKind]*outputFile
}

type outputFile struct {
	name   string
	file   storage.Writer
	offset int64 // where the next record begins
	size   int64 // of the records
}

// place gives the file that a record of that size goes into.
func (o *outputs) place(kind outputKind, size int64) (*outputFile, error) {
	f := o.open[kind]
	if f != nil && f.size+size <= o.maxSize {
		return f, nil
	}
	if f != nil {
		if err := f.file.Close(); err != nil {
			return nil, err
		}
		delete(o.open, kind)
	}
	f = &outputFile{name: fmt.Sprintf("%s-%06d-%d%s", o.prefix, o.number, o.counter, kind.suffix())}
	o.counter++
	var err error
	if f.file, err = o.task.Create(f.name); err != nil {
		return nil, err
	}
	if f.offset, err = o.header(f.file, f.name, kind); err != nil {
		return nil, fmt.Errorf("%s: header record: %w", f.name, err)
	}
	o.open[kind] = f
	o.task.Count("files", 1)
	return f, nil
}

// wrote moves the file's end behind a record and gives where that begins.
func (f *outputFile) wrote(size int64) (offset int64) {
	offset = f.offset
	f.offset += size
	f.size += size
	return offset
}

func (o *outputs) close() error {
	var err error
	for _, f := range o.open {
		if e := f.file.Close(); err == nil {
			err = e
		}
	}
	return err
}
