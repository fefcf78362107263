package warc

import (
	"fmt"
	"io"
)

// An OutputFile is a file that a RollingWriter fills; storage.Writer is one.
type OutputFile interface {
	io.Writer
	Close() error // makes the file stay
	Abort() error // makes it go away
}

// RollingOptions say which files a RollingWriter makes.
type RollingOptions struct {
	// MaxSize is how many bytes of records a file may have, its header record
	// not counted. A larger record gets a file of its own.
	MaxSize int64
	// Create opens the next file, whose name must end with kind.Suffix().
	// counter counts all files, from 0.
	Create func(counter int, kind FileKind) (file OutputFile, name string, err error)
	// Head gives what a file's header record says; format, compression and
	// name are filled in.
	Head func(name string) (FileHead, error)
	// Version is that of the WARC records made by WriteRecord: see
	// WriterOptions.
	Version string
}

// A Place is where a record lies: Offset and Length in bytes, Length with the
// line ends after a plain record.
type Place struct {
	File           string
	Offset, Length int64
}

// A RollingWriter puts records into files of limited size, at most one open for
// each kind. A file is opened with its first record, so none is without. It is
// for one goroutine.
type RollingWriter struct {
	options RollingOptions
	counter int
	open    [4]*rollingFile // by slot
	room    [4]int64        // by slot: what is left of that of Room, in bytes
	writer  *Writer
	encoded spool
	limited io.LimitedReader
	spare   []*behindWriter // of closed files
}

type rollingFile struct {
	file   OutputFile
	out    *behindWriter
	name   string
	offset int64 // where the next record begins
	size   int64 // of the records
}

// NewRollingWriter makes a RollingWriter without any file.
func NewRollingWriter(o RollingOptions) *RollingWriter { return &RollingWriter{options: o} }

func slot(k FileKind) int {
	n := 0
	if k.Format == WARC {
		n = 2
	}
	if k.Plain {
		n++
	}
	return n
}

// CopyRaw writes a record as it is: bytes of a file of that kind. closing is what
// the record lacks to be closed (see PlainExtent), written after it; empty for a gzip
// member. The place includes it.
func (r *RollingWriter) CopyRaw(kind FileKind, record []byte, closing string) (Place, error) {
	n := int64(len(record) + len(closing))
	f, err := r.place(kind, n)
	if err != nil {
		return Place{}, err
	}
	_, err = f.out.Write(record)
	if err == nil && closing != "" {
		_, err = io.WriteString(f.out, closing)
	}
	if err != nil {
		return Place{}, fmt.Errorf("%s: %w", f.name, err)
	}
	return f.wrote(n), nil
}

// CopyRawFrom is CopyRaw for a record of n bytes that is not in memory. When
// the source fails or ends early, the file is left with a part of the record in
// it: the caller must Abort.
func (r *RollingWriter) CopyRawFrom(kind FileKind, source io.Reader, n int64, closing string) (Place, error) {
	f, err := r.place(kind, n+int64(len(closing)))
	if err != nil {
		return Place{}, err
	}
	r.limited = io.LimitedReader{R: source, N: n}
	m, err := f.out.ReadFrom(&r.limited)
	if err == nil && m < n {
		err = fmt.Errorf("the record ends after %d of %d bytes: %w", m, n, io.ErrUnexpectedEOF)
	}
	if err == nil && closing != "" {
		_, err = io.WriteString(f.out, closing)
	}
	if err != nil {
		return Place{}, fmt.Errorf("%s: %w", f.name, err)
	}
	return f.wrote(n + int64(len(closing))), nil
}

// WriteRecord encodes a WARC record as Writer.WriteRecord does and writes it. An
// error in the header or the block leaves the files as they were.
func (r *RollingWriter) WriteRecord(plain bool, h Header, block io.Reader, length int64) (Place, error) {
	return r.encode(FileKind{WARC, plain}, func(w *Writer) error {
		_, _, err := w.WriteRecord(h, block, length)
		return err
	})
}

// WriteARC is WriteRecord for ARC.
func (r *RollingWriter) WriteARC(plain bool, a *ARCLine, block io.Reader, length int64) (Place, error) {
	return r.encode(FileKind{ARC, plain}, func(w *Writer) error {
		_, _, err := w.WriteARC(a, block, length)
		return err
	})
}

// Compress writes a record of length bytes that is not compressed as it is, in a gzip
// member of its own: in a file that is not compressed one whose header is wrong about its
// length would take those after it with it.
func (r *RollingWriter) Compress(format Format, record io.Reader, length int64) (Place, error) {
	return r.encode(FileKind{Format: format}, func(w *Writer) error {
		_, _, err := w.WriteRaw(record, length)
		return err
	})
}

// encode makes the record aside: its size must be known before it is placed.
func (r *RollingWriter) encode(kind FileKind, write func(*Writer) error) (Place, error) {
	if r.writer == nil {
		r.writer = NewWriter(nil, WriterOptions{Plain: kind.Plain, Version: r.options.Version})
	}
	r.encoded.reset()
	r.writer.reset(&r.encoded, kind.Plain)
	if err := write(r.writer); err != nil {
		return Place{}, err
	}
	return r.CopyRawFrom(kind, r.encoded.section(0), r.encoded.size, "")
}

// Room makes room for size bytes of records of one kind, which are written next: they
// lie in the same file, also where that makes it larger than MaxSize.
func (r *RollingWriter) Room(kind FileKind, size int64) error {
	i := slot(kind)
	f := r.open[i]
	r.room[i] = size
	if f == nil || f.size+size <= r.options.MaxSize {
		return nil
	}
	r.open[i] = nil
	return r.close(f)
}

// place gives the file that a record of that size goes into.
func (r *RollingWriter) place(kind FileKind, size int64) (*rollingFile, error) {
	i := slot(kind)
	if r.room[i] < size {
		if err := r.Room(kind, size); err != nil {
			return nil, err
		}
	}
	r.room[i] -= size
	current := &r.open[i]
	if *current != nil {
		return *current, nil
	}
	file, name, err := r.options.Create(r.counter, kind)
	if err != nil {
		return nil, err
	}
	r.counter++
	f := &rollingFile{file: file, name: name}
	if n := len(r.spare); n > 0 {
		f.out, r.spare = r.spare[n-1], r.spare[:n-1]
	} else {
		f.out = newBehindWriter()
	}
	f.out.start(file)
	*current = f
	head, err := r.options.Head(name)
	if err == nil {
		head.Format, head.Plain, head.Filename = kind.Format, kind.Plain, name
		f.offset, err = head.WriteTo(f.out)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: header record: %w", name, err)
	}
	return f, nil
}

func (f *rollingFile) wrote(n int64) Place {
	p := Place{File: f.name, Offset: f.offset, Length: n}
	f.offset += n
	f.size += n
	return p
}

func (r *RollingWriter) close(f *rollingFile) error {
	err := f.out.finish()
	if err != nil {
		f.file.Abort()
	} else {
		err = f.file.Close()
	}
	r.spare = append(r.spare, f.out)
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	return nil
}

// Files is how many files have been made so far.
func (r *RollingWriter) Files() int { return r.counter }

// Close closes the open files. After an error, of whatever method, they must be
// aborted instead.
func (r *RollingWriter) Close() error {
	var err error
	for i, f := range r.open {
		r.open[i] = nil
		if f == nil {
			continue
		}
		if e := r.close(f); err == nil {
			err = e
		}
	}
	if e := r.encoded.close(); err == nil {
		err = e
	}
	return err
}

// Abort makes the open files go away; those already closed stay.
func (r *RollingWriter) Abort() error {
	var err error
	for i, f := range r.open {
		r.open[i] = nil
		if f == nil {
			continue
		}
		f.out.finish() // what became of it does not matter any more
		if e := f.file.Abort(); err == nil {
			err = e
		}
	}
	if e := r.encoded.close(); err == nil {
		err = e
	}
	return err
}
