package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"archivestream/lib/buffers"
)

// A RandomReader reads single records out of files by their offsets. It keeps
// its buffers between calls; a record that it gave is valid until the next one.
// It is for one goroutine.
type RandomReader struct {
	section io.SectionReader
	counted countingReader
	buf     *bufio.Reader
	gzip    gzip.Reader
	inner   *bufio.Reader // what the member inflates to
	head    []byte
	skipped int64 // line ends before head, in bytes
	loan    buffers.Loan
}

// randomBuffer is what one read of a RandomReader asks for, in bytes: enough
// for most records of the web.
const randomBuffer = 32 << 10

// maxHead bounds a record header, in bytes; real ones are below a few KiB.
const maxHead = 1 << 20

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// NewRandomReader makes a reader without a file.
func NewRandomReader() *RandomReader {
	return &RandomReader{buf: bufio.NewReaderSize(nil, randomBuffer), inner: bufio.NewReaderSize(nil, randomBuffer)}
}

// seek places the reader at an offset of a file.
func (x *RandomReader) seek(r io.ReaderAt, size, offset int64) error {
	if offset < 0 || offset >= size {
		return &Defect{Offset: offset, Kind: Truncated, Detail: fmt.Sprintf("the file ends at %d", size)}
	}
	x.section = *io.NewSectionReader(r, offset, size-offset)
	x.counted = countingReader{r: &x.section}
	x.buf.Reset(&x.counted)
	return nil
}

// MemberLength gives the number of bytes that the gzip member at the offset
// takes in the file. The member is inflated and its checksum verified.
func (x *RandomReader) MemberLength(r io.ReaderAt, size, offset int64) (int64, error) {
	if err := x.seek(r, size, offset); err != nil {
		return 0, err
	}
	if err := x.openMember(offset); err != nil {
		return 0, err
	}
	if _, err := io.Copy(io.Discard, &x.gzip); err != nil {
		return 0, memberDefect(offset, err)
	}
	return x.counted.n - int64(x.buf.Buffered()), nil
}

func (x *RandomReader) openMember(offset int64) error {
	if err := x.gzip.Reset(x.buf); err != nil {
		return memberDefect(offset, err)
	}
	x.gzip.Multistream(false)
	return nil
}

// memberDefect says what is wrong with the member at an offset; errors of the
// file itself stay what they are.
func memberDefect(offset int64, err error) error {
	var corrupt flate.CorruptInputError
	var internal flate.InternalError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return &Defect{Offset: offset, Kind: Truncated, Detail: "the file ends within the gzip member"}
	case errors.Is(err, gzip.ErrChecksum):
		return &Defect{Offset: offset, Kind: BadChecksum, Detail: "checksum or size of the gzip member do not fit"}
	case errors.Is(err, gzip.ErrHeader):
		return &Defect{Offset: offset, Kind: BadMember, Detail: "no gzip member begins here"}
	case errors.As(err, &corrupt):
		return &Defect{Offset: offset, Kind: BadMember, Detail: corrupt.Error()}
	case errors.As(err, &internal):
		return &Defect{Offset: offset, Kind: BadMember, Detail: internal.Error()}
	}
	return err
}

// A PlainExtent is how far a record of a file that is not compressed reaches.
type PlainExtent struct {
	Lead   int64 // of line ends at the offset, which belong to the record before, in bytes
	Length int64 // from the offset on, in bytes, with the line ends after its block
	Blank  int64 // of the line ends after its block, in bytes
	// Missing is what a copy of the record needs after it, so that another can
	// follow: the line ends that the format asks for and the file does not have.
	Missing string
}

// PlainExtent returns how far the record at the offset reaches. The record's header
// says so; the block is not read.
func (x *RandomReader) PlainExtent(r io.ReaderAt, size, offset int64) (PlainExtent, error) {
	if err := x.seek(r, size, offset); err != nil {
		return PlainExtent{}, err
	}
	record, err := x.readHead(x.buf, offset)
	if err != nil {
		return PlainExtent{}, err
	}
	if record.ContentLength < 0 {
		return PlainExtent{}, noLength(record)
	}
	lead := x.skipped
	end := lead + int64(len(record.Head)) + record.ContentLength
	if end > size-offset {
		return PlainExtent{}, &Defect{Offset: offset, Kind: Truncated, Detail: fmt.Sprintf("the file ends %d bytes before the record does", end-(size-offset))}
	}
	ending := make([]byte, 4)
	n, err := r.ReadAt(ending[:min(int64(len(ending)), size-offset-end)], offset+end)
	if err != nil && err != io.EOF {
		return PlainExtent{}, err
	}
	blank := blankLines(ending[:n], record.Format)
	return PlainExtent{Lead: lead, Length: end + blank, Blank: blank, Missing: missingEnds(ending[:blank], record.Format)}, nil
}

// missingEnds returns the line ends that a record needs besides those that it has:
// more of their kind, or those of its format where it has none.
func missingEnds(ending []byte, format Format) string {
	switch {
	case format == WARC && len(ending) == 0:
		return "\r\n\r\n"
	case len(ending) == 0:
		return "\n"
	case format == WARC && bytes.Count(ending, []byte("\n")) < 2:
		return string(ending)
	}
	return ""
}

// blankLines gives the length of what ends a record: for WARC two line ends, for
// ARC one, of either kind but not mixed: of "\n\r\n" only the first byte counts,
// since the header's length is more likely to be wrong than the ending.
func blankLines(p []byte, format Format) int64 {
	for _, end := range [...]string{"\r\n", "\n"} {
		if !bytes.HasPrefix(p, []byte(end)) {
			continue
		}
		if format == WARC && bytes.HasPrefix(p[len(end):], []byte(end)) {
			return int64(2 * len(end))
		}
		return int64(len(end))
	}
	return 0
}

// noLength returns what is wrong with a header that has no sound length.
func noLength(record *Record) *Defect {
	d := record.Defects[0]
	d.Offset = record.Offset
	return d
}

// Head reads the header of the record at the offset, compressed or not. The
// record has no body, and its Length is not known; its ContentLength is -1 where the
// header has none that is sound, as a defect says.
func (x *RandomReader) Head(r io.ReaderAt, size, offset int64) (*Record, error) {
	if err := x.seek(r, size, offset); err != nil {
		return nil, err
	}
	source, compression, err := x.source(offset)
	if err != nil {
		return nil, err
	}
	record, err := x.readHead(source, offset)
	if err != nil {
		return nil, err
	}
	record.Compression = compression
	return record, nil
}

// ReadAt reads the record at the offset, compressed or not, the first one if
// its gzip member holds several. Reading the body to its end returns a Defect
// where the member's checksum is wrong, the file ends too early, or what follows the
// block leaves a doubt that the header is right about its length: RecordAt tells.
func (x *RandomReader) ReadAt(r io.ReaderAt, size, offset int64) (*Record, error) {
	record, err := x.Head(r, size, offset)
	if err != nil {
		return nil, err
	}
	if record.ContentLength < 0 {
		return nil, noLength(record)
	}
	source := x.buf
	if record.Compression != Plain {
		source = x.inner
	}
	record.Body = &randomBody{x: x, source: source, left: record.ContentLength, record: record}
	return record, nil
}

// source gives the reader of what stands at the place: inflated, if it is a
// gzip member.
func (x *RandomReader) source(offset int64) (*bufio.Reader, Compression, error) {
	magic, err := x.buf.Peek(2)
	if err != nil && err != io.EOF {
		return nil, Plain, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return x.buf, Plain, nil
	}
	if err := x.openMember(offset); err != nil {
		return nil, Plain, err
	}
	x.inner.Reset(&x.gzip)
	return x.inner, Member, nil
}

// randomBody is the block of a record that was found by its offset.
type randomBody struct {
	x      *RandomReader
	source *bufio.Reader
	left   int64
	record *Record
}

func (b *randomBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		if err := b.checkEnd(); err != nil {
			return 0, err
		}
		if b.record.Compression == Plain {
			return 0, io.EOF
		}
		// What is left of the member holds its checksum.
		if _, err := io.Copy(io.Discard, b.source); err != nil {
			return 0, memberDefect(b.record.Offset, err)
		}
		return 0, io.EOF
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.source.Read(p)
	b.left -= int64(n)
	if err == io.EOF {
		err = &Defect{Offset: b.record.Offset, Kind: Truncated, Detail: fmt.Sprintf("the block ends %d bytes early", b.left)}
	} else if err != nil {
		err = memberDefect(b.record.Offset, err)
	}
	return n, err
}

// checkEnd returns a Defect if what follows the block is not what follows a record.
func (b *randomBody) checkEnd() error {
	ahead, err := b.source.Peek(4 + arcLineLimit)
	if err != nil && err != io.EOF {
		return memberDefect(b.record.Offset, err)
	}
	blank := blankLines(ahead, b.record.Format)
	if rest := ahead[blank:]; blank > 0 || endsHere(rest, false) || b.record.Compression == Plain && bytes.HasPrefix(rest, []byte{0x1f, 0x8b}) {
		return nil
	}
	return &Defect{Offset: b.record.Offset, Kind: BadLength, Detail: "no record follows the block, which the header's length may be wrong for"}
}

// readHead reads and parses a record header.
func (x *RandomReader) readHead(source *bufio.Reader, offset int64) (*Record, error) {
	x.loan.End()
	x.head = x.head[:0]
	x.skipped = 0
	isWARC := false
	for {
		line, err := source.ReadSlice('\n')
		x.head = append(x.head, line...)
		if err == bufio.ErrBufferFull && len(x.head) <= maxHead {
			continue
		}
		if err != nil || len(x.head) > maxHead {
			return nil, headDefect(x.head, offset, err)
		}
		if len(x.head) == len(line) {
			// Blank lines before a record belong to the one before.
			if len(bytes.TrimRight(line, "\r\n")) == 0 {
				x.head = x.head[:0]
				if x.skipped += int64(len(line)); x.skipped > maxHead {
					return nil, &Defect{Offset: offset, Kind: Garbage, Detail: fmt.Sprintf("no record begins within %d bytes of line ends", maxHead)}
				}
				continue
			}
			isWARC = startsWARC(line)
		}
		if !isWARC || len(bytes.TrimRight(line, "\r\n")) == 0 {
			break
		}
	}
	record, wrong, err := ParseHeader(x.loan.Lend(x.head))
	if err != nil {
		return nil, &Defect{Offset: offset, Kind: BadHeader, Detail: err.Error()}
	}
	if wrong != nil {
		record.Defects = append(record.Defects, wrong)
	}
	record.Offset, record.Length = offset, -1
	return record, nil
}

func headDefect(head []byte, offset int64, err error) error {
	switch {
	case len(head) > maxHead:
		return &Defect{Offset: offset, Kind: BadHeader, Detail: "the record header does not end"}
	case err == io.EOF:
		return &Defect{Offset: offset, Kind: Truncated, Detail: "the data ends within the record header"}
	}
	return memberDefect(offset, err)
}

// ParseHead parses a record header: the version line and named fields of WARC,
// or the URL record line of ARC. The record, which has no body and no place,
// keeps the bytes.
func ParseHead(head []byte) (*Record, error) {
	record, err := parseHead(head, nil)
	if err != nil && err != errLooseARC {
		return nil, err
	}
	return record, nil
}

// ParseHeader is ParseHead for a header whose record is there, whatever its length: one
// without a sound length is taken, with a ContentLength of -1 and a defect of kind
// BadLength that says why. BlockOf finds the block.
func ParseHeader(head []byte) (*Record, *Defect, error) {
	record, err := parseHead(head, nil)
	switch {
	case record == nil:
		return nil, nil, err
	case err == nil || err == errLooseARC:
		return record, nil, nil
	}
	record.ContentLength = -1
	return record, &Defect{Kind: BadLength, Detail: err.Error()}, nil
}

func parseHead(head []byte, fields Header) (*Record, error) {
	if startsWARC(head) {
		return parseWARC(head, fields)
	}
	return parseARC(head, fields)
}

// startsWARC says whether a WARC version line begins here. The standard writes
// it in capitals; JWAT's files have it in any case.
func startsWARC(p []byte) bool {
	return len(p) >= 5 && p[4] == '/' && (p[0]|0x20) == 'w' && (p[1]|0x20) == 'a' && (p[2]|0x20) == 'r' && (p[3]|0x20) == 'c'
}

func parseNumber(name, s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s %q is not a number of bytes", name, s)
	}
	return n, nil
}
