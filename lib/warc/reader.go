package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/buffers"
	"archivestream/lib/inflate"
)

// Options say what of a file a Reader reads.
type Options struct {
	Name   string // of the file, for defects
	Offset int64  // of the record or member to begin with, in bytes
	End    int64  // stop before what begins here or behind; 0: at the file's end
}

// A Reader reads the records of an ARC or WARC file one after the other,
// whatever its compression, and goes on behind what is damaged: see the
// package's documentation. It is for one goroutine.
type Reader struct {
	file   io.ReaderAt
	size   int64
	name   string
	end    int64
	format Format // of the last record, which decides what is looked for

	base    int64 // where section begins
	section io.SectionReader
	counted countingReader
	in      *bufio.Reader // the file, sequentially

	inflate inflate.Decoder
	gzip    gzip.Reader // of members that inflate does not take
	member  member
	large   *bufio.Reader // of members too large to be held, once there is one
	probe   *RandomReader // looks at places ahead
	search  []byte
	within  bool // it only looks at what a damaged member may have run into

	record    Record
	fields    Header
	head      []byte
	body      body
	headLoan  buffers.Loan
	blockLoan buffers.Loan
	faults    []*Defect // found, but not yet told
	failed    error     // of the file itself: final
}

const (
	// readWindow is what one sequential read asks for, in bytes.
	readWindow = 256 << 10
	// maxMember is the largest inflated member that is held in memory and
	// verified before its records are given out, in bytes.
	maxMember = 8 << 20
)

// NewReader makes a reader of a file of size bytes.
func NewReader(file io.ReaderAt, size int64, o Options) *Reader {
	r := &Reader{file: file, size: size, name: o.Name, end: size, in: bufio.NewReaderSize(nil, readWindow), probe: NewRandomReader()}
	r.inflate.Limit = maxMember
	if o.End > 0 && o.End < size {
		r.end = o.End
	}
	r.seek(o.Offset)
	return r
}

// Position is where in the file the next record or member begins, after Next has
// given io.EOF: at Options.End, or behind it where the last one goes further. In
// bytes.
func (r *Reader) Position() int64 { return r.position() }

// position is where in the file the next byte comes from.
func (r *Reader) position() int64 { return r.base + r.counted.n - int64(r.in.Buffered()) }

// seek moves to an offset, without a read where the window has it.
func (r *Reader) seek(offset int64) {
	if ahead := offset - r.position(); r.counted.r != nil && ahead >= 0 && ahead <= int64(r.in.Buffered()) {
		r.in.Discard(int(ahead)) // buffered: cannot fail
		return
	}
	r.base = min(offset, r.size)
	r.section = *io.NewSectionReader(r.file, r.base, r.size-r.base)
	r.counted = countingReader{r: &r.section}
	r.in.Reset(&r.counted)
}

// Records gives the file's records. A *Defect comes in place of a record and
// does not end the sequence; any other error is of the file itself and the last.
func (r *Reader) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			record, err := r.Next()
			if err == io.EOF || !yield(record, err) {
				return
			}
			if _, defect := err.(*Defect); err != nil && !defect {
				return
			}
		}
	}
}

// Next gives the next record; io.EOF is the end of the file. After a *Defect it
// can be called again: the defect says what could not be read and where. Any
// other error is of the file itself and final. The record before, with its body,
// is not valid any more; what was left of its body is skipped.
func (r *Reader) Next() (*Record, error) {
	for {
		if r.failed != nil {
			return nil, r.failed
		}
		if err := r.leave(); err != nil {
			return nil, r.final(err)
		}
		r.headLoan.End()
		r.blockLoan.End()
		if len(r.faults) > 0 {
			d := r.faults[0]
			r.faults = r.faults[1:]
			return nil, d
		}
		record, err := r.step()
		if err != nil {
			return nil, r.final(err)
		}
		if record != nil {
			return record, nil
		}
	}
}

func (r *Reader) final(err error) error {
	r.failed = err
	return err
}

// step reads on: it gives a record, or nothing where it only moved or noted a
// defect.
func (r *Reader) step() (*Record, error) {
	if r.member.open {
		return r.inMember()
	}
	position := r.position()
	if position >= r.end {
		return nil, io.EOF
	}
	magic, err := r.in.Peek(3)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case len(magic) == 0:
		r.fault(Defect{Offset: position, Length: r.size - position, Kind: Truncated,
			Detail: fmt.Sprintf("the file ends %d bytes before its size says", r.size-position)})
		r.seek(r.size)
		return nil, nil
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return nil, r.openMember(position)
	case isLineEnd(magic[0]):
		return nil, r.skipLineEnds(position)
	}
	return r.plainRecord(position)
}

// leave goes to the end of the record that was given out last.
func (r *Reader) leave() error {
	b := &r.body
	if b.record == nil {
		return nil
	}
	b.record = nil
	if b.next >= 0 { // a plain record: nothing of it needs to be read
		r.seek(b.next)
		return nil
	}
	switch {
	case !b.held:
		return r.leaveStreamed()
	case b.skip > 0:
		r.member.streamed.Discard(b.skip) // buffered: cannot fail
	}
	return nil
}

// fault notes a defect, to be told by Next.
func (r *Reader) fault(d Defect) {
	d.File = r.name
	r.faults = append(r.faults, &d)
}

// parse makes a header the record that is given out next. One without a sound
// length is taken: where its block ends can be seen.
func (r *Reader) parse(head []byte, offset int64) error {
	record, err := parseHead(head, r.fields)
	if record == nil {
		return err
	}
	r.record = *record
	r.record.Offset, r.record.Ending = offset, -1
	r.fields = r.record.Header
	r.format = r.record.Format
	switch {
	case err == errLooseARC:
		r.flaw(BadHeader, "%v", err)
	case err != nil:
		r.record.ContentLength = -1
		r.flaw(BadLength, "%v", err)
	}
	return nil
}

// give completes the record and opens its body.
func (r *Reader) give(b body) *Record {
	r.record.Head, b.bytes = r.headLoan.Lend(r.record.Head), r.blockLoan.Lend(b.bytes)
	r.body = b
	r.body.record = &r.record
	r.record.Body = &r.body
	return &r.record
}

// flaw notes a defect in the record that is about to be given out.
func (r *Reader) flaw(kind DefectKind, format string, args ...any) {
	r.record.Defects = append(r.record.Defects, &Defect{File: r.name, Offset: r.record.Offset, Kind: kind, Detail: fmt.Sprintf(format, args...)})
}

// cut notes that the record about to be given out is not all there.
func (r *Reader) cut(format string, args ...any) {
	r.flaw(Truncated, format, args...)
	r.record.Defects[len(r.record.Defects)-1].Lost = true
}

// A body reads the block of the record given out last.
type body struct {
	record  *Record
	bytes   []byte    // what is left of a block that is held
	held    bool      // the block is bytes
	skip    int       // of a record held in the buffer of a streamed member: its length there
	source  io.Reader // of a block that is not held
	left    int64     // of it
	next    int64     // of a plain record: the offset behind it; -1 otherwise
	streams *Reader   // if the block is streamed out of a member
	broken  error     // what ended the block early
}

func (b *body) Read(p []byte) (int, error) {
	if b.broken != nil {
		return 0, b.broken
	}
	if b.held {
		if len(b.bytes) == 0 {
			return 0, io.EOF
		}
		n := copy(p, b.bytes)
		b.bytes = b.bytes[n:]
		return n, nil
	}
	if b.left == 0 {
		b.broken = io.EOF
		if b.streams != nil {
			if err := b.streams.endStreamed(); err != nil {
				b.broken = err
			}
		}
		return 0, b.broken
	}
	n, err := b.source.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err == io.EOF {
		err = nil
		if n == 0 && len(p) > 0 {
			err = &Defect{Offset: b.record.Offset, Kind: Truncated, Lost: true, Detail: fmt.Sprintf("the block ends %d bytes early", b.left)}
		}
	} else if err != nil {
		err = memberDefect(b.record.Offset, err)
	}
	b.broken = err
	return n, err
}

// IsHeld says whether the record's block is in memory as a whole: Body is then an
// io.WriterTo that gives all that is left of it in one call, without copying.
func (r *Record) IsHeld() bool {
	b, ok := r.Body.(*body)
	return ok && b.held && b.broken == nil
}

// WriteTo lets io.Copy take a held block at once.
func (b *body) WriteTo(w io.Writer) (int64, error) {
	if b.held && b.broken == nil {
		n, err := w.Write(b.bytes)
		b.bytes = b.bytes[n:]
		return int64(n), err
	}
	return io.Copy(w, struct{ io.Reader }{b})
}
