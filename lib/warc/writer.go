package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A FileKind is a sort of archive file: one format, compressed or not.
type FileKind struct {
	Format Format // ARC or WARC
	Plain  bool   // not compressed
}

// Suffix is what names of such files end with: ".warc.gz", ".arc" and so on.
func (k FileKind) Suffix() string {
	if k.Plain {
		return "." + k.Format.String()
	}
	return "." + k.Format.String() + ".gz"
}

// WriterOptions say what a Writer writes; the zero value stands for WARC/1.0,
// compressed.
//
// Version 1.0 is the default because every reader knows it. Version 1.1 (ISO
// 28500:2017) is wanted for dates with fractions of a second, which 1.0 does not
// allow.
type WriterOptions struct {
	Plain   bool   // not compressed; else each record is a gzip member of its own
	Version string // "1.0" or "1.1"; empty for "1.0"
}

// A Writer writes records one behind the other. It adds nothing of its own: no
// clock is read and no random id made. It is for one goroutine. After an error
// the output ends within a record and the Writer gives that error only.
type Writer struct {
	out     *bufio.Writer
	offset  countingWriter
	options WriterOptions
	gzip    *gzip.Writer
	head    []byte
	limited io.LimitedReader
	copying []byte // buffer
	err     error
}

// writerBuffer is what a Writer hands on at once, in bytes.
const writerBuffer = 64 << 10

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// NewWriter makes a Writer. Offsets count from the first byte that it writes.
func NewWriter(w io.Writer, o WriterOptions) *Writer {
	x := &Writer{options: o, copying: make([]byte, 32<<10)}
	if o.Version == "" {
		x.options.Version = "1.0"
	}
	x.out = bufio.NewWriterSize(w, writerBuffer)
	x.offset.w = x.out
	if !o.Plain {
		x.gzip = newMemberWriter(&x.offset)
	}
	return x
}

func newMemberWriter(w io.Writer) *gzip.Writer {
	z := gzip.NewWriter(w)
	resetMember(z, w)
	return z
}

// resetMember begins a gzip member without a time in its header.
func resetMember(z *gzip.Writer, w io.Writer) {
	z.Reset(w)
	z.OS = 3                    // Unix, as gzip and the crawlers say
	z.ModTime = time.Unix(0, 0) // written as 0: none; the zero Time is not
}

// reset makes the Writer begin anew.
func (w *Writer) reset(out io.Writer, plain bool) {
	w.out.Reset(out)
	w.offset.n, w.err, w.options.Plain = 0, nil, plain
	if !plain && w.gzip == nil {
		w.gzip = newMemberWriter(&w.offset)
	}
}

// WriteHead writes the record that a file begins with and gives its length in
// the file, in bytes.
func (w *Writer) WriteHead(h *FileHead) (written int64, err error) {
	if w.err != nil {
		return 0, w.err
	}
	_, err = h.WriteTo(&w.offset)
	_, written, err = w.finish(0, err)
	return written, err
}

// WriteRecord writes a WARC record with a block of length bytes. Content-Length
// is added if the header has none; the other mandatory fields (ISO 28500,
// section 5), and WARC-Target-URI for the types that need one, must be there.
// offset and written say where the record lies in the output, in bytes.
func (w *Writer) WriteRecord(h Header, block io.Reader, length int64) (offset, written int64, err error) {
	if w.err != nil {
		return 0, 0, w.err
	}
	if err := checkHeader(h, length, w.options.Version); err != nil {
		return 0, 0, err
	}
	w.head = append(append(append(w.head[:0], "WARC/"...), w.options.Version...), "\r\n"...)
	for _, f := range h {
		w.head = append(append(append(append(w.head, f.Name...), ": "...), f.Value...), "\r\n"...)
	}
	if !h.Has("Content-Length") {
		w.head = strconv.AppendInt(append(w.head, "Content-Length: "...), length, 10)
		w.head = append(w.head, "\r\n"...)
	}
	w.head = append(w.head, "\r\n"...)
	return w.write(block, length, "\r\n\r\n")
}

// WriteARC writes an ARC record of version 1 with a block of length bytes, which
// goes into its line; the line's own length is not looked at. The fields must be
// free of spaces (but for the content type) and of control characters.
func (w *Writer) WriteARC(a *ARCLine, block io.Reader, length int64) (offset, written int64, err error) {
	if w.err != nil {
		return 0, 0, w.err
	}
	if err := checkARC(a); err != nil {
		return 0, 0, err
	}
	w.head = fmt.Appendf(w.head[:0], "%s %s %s %s %d\n", a.URL, a.IP, a.Date, a.ContentType, length)
	return w.write(block, length, "\n")
}

// WriteRaw writes a record of length bytes as it is.
func (w *Writer) WriteRaw(record io.Reader, length int64) (offset, written int64, err error) {
	if w.err != nil {
		return 0, 0, w.err
	}
	w.head = w.head[:0]
	return w.write(record, length, "")
}

// write writes the record whose header stands in w.head.
func (w *Writer) write(block io.Reader, length int64, ending string) (offset, written int64, err error) {
	offset = w.offset.n
	var out io.Writer = &w.offset
	if !w.options.Plain {
		resetMember(w.gzip, &w.offset)
		out = w.gzip
	}
	_, err = out.Write(w.head)
	if err == nil && length > 0 {
		w.limited = io.LimitedReader{R: block, N: length}
		var n int64
		n, err = io.CopyBuffer(out, &w.limited, w.copying)
		if err == nil && n < length {
			err = fmt.Errorf("the block ends after %d of %d bytes: %w", n, length, io.ErrUnexpectedEOF)
		}
	}
	if err == nil {
		_, err = io.WriteString(out, ending)
	}
	if err == nil && !w.options.Plain {
		err = w.gzip.Close()
	}
	return w.finish(offset, err)
}

// finish hands the record on, so that nothing of it stays in the Writer.
func (w *Writer) finish(offset int64, err error) (int64, int64, error) {
	if err == nil {
		err = w.out.Flush()
	}
	w.err = err
	return offset, w.offset.n - offset, err
}

// needsURI are the record types that have a WARC-Target-URI (section 5.8).
var needsURI = map[string]bool{
	Response: true, Resource: true, Request: true, Revisit: true, Conversion: true, Continuation: true,
}

func checkHeader(h Header, length int64, version string) error {
	for _, f := range h {
		if !soundName(f.Name) || strings.ContainsAny(f.Value, "\r\n\x00") {
			return fmt.Errorf("WARC header: field %q cannot be written", f.Name)
		}
	}
	for _, name := range []string{"WARC-Type", "WARC-Record-ID", "WARC-Date"} {
		if h.Get(name) == "" {
			return fmt.Errorf("WARC header: no %s", name)
		}
	}
	if needsURI[h.Get("WARC-Type")] && h.Get("WARC-Target-URI") == "" {
		return fmt.Errorf("WARC header: no WARC-Target-URI for a %s record", h.Get("WARC-Type"))
	}
	date := h.Get("WARC-Date")
	if _, err := time.Parse(time.RFC3339, date); err != nil || !strings.HasSuffix(date, "Z") {
		return fmt.Errorf("WARC header: WARC-Date %q", date)
	}
	if version == "1.0" && len(date) != len("2006-01-02T15:04:05Z") {
		return fmt.Errorf("WARC header: WARC-Date %q: version 1.0 has whole seconds", date)
	}
	if s := h.Get("Content-Length"); s != "" && s != strconv.FormatInt(length, 10) {
		return fmt.Errorf("WARC header: Content-Length %s of a block of %d bytes", s, length)
	}
	return nil
}

// soundName accepts a token (RFC 2616, section 2.2).
func soundName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

var errARCLine = errors.New("ARC line: a field is empty or has a space or control character in it")

func checkARC(a *ARCLine) error {
	for _, s := range []string{a.URL, a.IP, a.Date} {
		if s == "" || strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) >= 0 {
			return errARCLine
		}
	}
	t := a.ContentType
	if t == "" || strings.TrimSpace(t) != t || bytes.ContainsFunc([]byte(t), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errARCLine
	}
	return nil
}

// RecordID derives a record's id from its header: a UUID of version 5 (RFC 9562)
// of all fields but WARC-Record-ID itself. The header should have a block
// digest, so that the id depends on all of the record.
func RecordID(h Header) string {
	parts := make([][]byte, 0, 2*len(h))
	for _, f := range h {
		if !strings.EqualFold(f.Name, "WARC-Record-ID") {
			parts = append(parts, []byte(f.Name), []byte(f.Value))
		}
	}
	return "<urn:uuid:" + contentID(parts...) + ">"
}
