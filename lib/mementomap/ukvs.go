package mementomap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/lines"
)

// Headers of a map that says no more of itself.
const (
	ContextHeader = `!context ["https://git.io/mementomap"]`
	FieldsHeader  = `!fields {keys: ["surt"], values: ["frequency"]}`
)

// IsHeader says whether a line of a map is a header.
func IsHeader(line []byte) bool { return len(line) > 0 && line[0] == '!' }

// Fields are the columns of a map's lines.
type Fields struct{ Keys, Values []string }

// DefaultFields are those of a map without a !fields header.
func DefaultFields() Fields { return Fields{[]string{"surt"}, []string{"frequency"}} }

// ParseFields takes a !fields header apart. Names need not stand in quotes, as in
// JSON they do.
func ParseFields(header []byte) (Fields, error) {
	f := Fields{names(header, "keys"), names(header, "values")}
	if len(f.Keys) == 0 {
		return f, fmt.Errorf("no keys in %q", header)
	}
	return f, nil
}

// names gives the strings of the list that a member of an object is.
func names(object []byte, member string) []string {
	_, rest, _ := bytes.Cut(object, []byte{'{'})
	for len(rest) > 0 {
		i := bytes.IndexByte(rest, ':')
		if i < 0 {
			break
		}
		name := strings.Trim(string(rest[:i]), `"', `)
		open, end := bytes.IndexByte(rest, '['), bytes.IndexByte(rest, ']')
		if open < i || end < open {
			break
		}
		if name == member {
			var list []string
			for _, s := range strings.Split(string(rest[open+1:end]), ",") {
				if s = strings.Trim(s, `"' `); s != "" {
					list = append(list, s)
				}
			}
			return list
		}
		rest = rest[end+1:]
	}
	return nil
}

// A Line is a line of a map. Its slices point into Raw.
type Line struct {
	Raw       []byte // the whole line
	Header    bool   // the rest is empty then
	Key       []byte // the key columns, spaces between them included
	Values    []byte // the value columns
	Object    []byte // a JSON object behind, or nothing
	Frequency Frequency
}

// Parse takes a line of these columns apart. The error is ErrMalformed for one that
// is none.
func (f Fields) Parse(raw []byte, l *Line) error {
	*l = Line{Raw: raw}
	if IsHeader(raw) {
		l.Header = true
		return nil
	}
	rest := raw
	var ok bool
	if l.Key, rest, ok = columns(rest, len(f.Keys)); !ok || len(l.Key) == 0 || l.Key[0] == ' ' {
		return ErrMalformed
	}
	if l.Values, rest, ok = columns(rest, len(f.Values)); !ok {
		return ErrMalformed
	}
	if l.Object = rest; rest != nil && !isObject(rest) {
		return ErrMalformed
	}
	values := l.Values
	for _, name := range f.Values {
		value, other, _ := bytes.Cut(values, []byte{' '})
		if values = other; name != "frequency" {
			continue
		}
		if l.Frequency, ok = ParseFrequency(value); !ok {
			return ErrMalformed
		}
	}
	return nil
}

// columns parts the first n columns from the rest, nil where there is none.
func columns(text []byte, n int) (first, rest []byte, ok bool) {
	if n == 0 {
		return nil, text, true
	}
	end := 0
	for i := range n {
		j := bytes.IndexByte(text[end:], ' ')
		if j < 0 {
			return text, nil, i == n-1
		}
		end += j + 1
	}
	return text[:end-1], text[end:], true
}

// A Reader reads a map, as text or gzip.
type Reader struct {
	r      *lines.Reader
	fields Fields
	line   Line
}

// NewReader makes a reader.
func NewReader(r io.Reader) (*Reader, error) {
	b := bufio.NewReaderSize(r, flushSize)
	if magic, _ := b.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		return &Reader{r: lines.NewReader(z, flushSize, 0), fields: DefaultFields()}, nil
	}
	return &Reader{r: lines.NewReader(b, flushSize, 0), fields: DefaultFields()}, nil
}

// Fields are the columns that the headers read so far have named.
func (r *Reader) Fields() Fields { return r.fields }

// Number is that of the last line, from 1.
func (r *Reader) Number() int64 { return r.r.Number() }

// Next gives the next line, valid until the one after it is asked for. The error is
// io.EOF at the end and ErrMalformed for a line that is none, which is given with Raw
// alone and behind which others can be read; of one that is too long Raw is its start.
func (r *Reader) Next() (*Line, error) {
	for {
		raw, err := r.r.Next()
		if long := (*lines.TooLong)(nil); errors.As(err, &long) {
			r.line = Line{Raw: long.Head}
			return &r.line, ErrMalformed
		}
		if err != nil {
			return nil, err
		}
		if len(raw) == 0 {
			continue
		}
		err = r.fields.Parse(raw, &r.line)
		if err == nil && r.line.Header && bytes.HasPrefix(raw, []byte("!fields ")) {
			if r.fields, err = ParseFields(raw); err != nil {
				r.fields, err = DefaultFields(), ErrMalformed
			}
		}
		return &r.line, err
	}
}

// A Writer writes a map: headers first, then sorted lines.
type Writer struct {
	w    *bufio.Writer
	last []byte
	data bool
}

// NewWriter makes a writer. Flush has to be called at the end.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriterSize(w, flushSize)} }

// ErrHeader is the error of a header behind data.
var ErrHeader = errors.New("a header stands behind the first key")

// Write writes a line, as it was read. The error is ErrOrder for one that does not
// come behind the one before it.
func (w *Writer) Write(raw []byte) error {
	if IsHeader(raw) {
		if w.data {
			return ErrHeader
		}
	} else {
		if w.data && bytes.Compare(raw, w.last) < 0 {
			return ErrOrder
		}
		w.last, w.data = append(w.last[:0], raw...), true
	}
	w.w.Write(raw)
	return w.w.WriteByte('\n')
}

// Flush writes what is left.
func (w *Writer) Flush() error { return w.w.Flush() }
