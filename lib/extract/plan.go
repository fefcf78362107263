package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// An Order says in which order records are extracted.
type Order string

// The orders: by archive file and offset, which turns seeks into sequential
// reads, or as the list has them.
const (
	ByArchive Order = "archive"
	ByInput   Order = "input"
)

// ParseOrder checks the value of an --order option.
func ParseOrder(s string) (Order, error) {
	switch o := Order(s); o {
	case ByArchive, ByInput:
		return o, nil
	}
	return "", stage.Usage("--order %q: archive or input is wanted", s)
}

// assumedLength stands for the compressed length of a capture whose list has
// none, in bytes: about the mean of web records.
const assumedLength = 16 << 10

// maxOffset bounds offsets, so that they can be written with offsetDigits.
const (
	offsetDigits = 15
	maxOffset    = 1e15 - 1
)

// An item is one line of a plan: see the package's documentation.
type item struct {
	archive  []byte // escaped
	offset   int64
	position []byte // in the list; or what stands in its place: PlanLine.Original, escaped
	length   int64  // compressed, -1 where not known
	form     cdx.Form
	line     []byte // of the list, escaped
}

// appendPlan appends the line of a plan without its line feed.
func (it *item) appendPlan(dst []byte, order Order) []byte {
	if order == ByInput {
		dst = append(append(dst, it.position...), '\t')
	}
	dst = append(append(dst, it.archive...), '\t')
	dst = append(appendPadded(dst, it.offset, offsetDigits), '\t')
	if order == ByArchive {
		dst = append(append(dst, it.position...), '\t')
	}
	dst = appendLength(dst, it.length)
	dst = append(append(dst, it.form...), '\t')
	return append(dst, it.line...)
}

func appendLength(dst []byte, n int64) []byte { return append(strconv.AppendInt(dst, n, 10), '\t') }

func appendPadded(dst []byte, n int64, digits int) []byte {
	var buf [20]byte
	s := strconv.AppendInt(buf[:0], n, 10)
	for range digits - len(s) {
		dst = append(dst, '0')
	}
	return append(dst, s...)
}

var errPlan = errors.New("not a line of an extraction plan")

// parse takes the line of a plan apart; the item's slices point into it.
func (it *item) parse(line []byte, order Order) error {
	var fields [6][]byte
	for i := range fields {
		if i == len(fields)-1 {
			fields[i] = line
			break
		}
		j := bytes.IndexByte(line, '\t')
		if j < 0 {
			return fmt.Errorf("%w: %d fields, want %d", errPlan, i+1, len(fields))
		}
		fields[i], line = line[:j], line[j+1:]
	}
	offset := fields[1]
	it.archive, it.position = fields[0], fields[2]
	if order == ByInput {
		it.position, it.archive, offset = fields[0], fields[1], fields[2]
	}
	var err error
	if it.offset, err = strconv.ParseInt(string(offset), 10, 64); err != nil || it.offset < 0 {
		return fmt.Errorf("%w: offset %q", errPlan, offset)
	}
	if it.length, err = strconv.ParseInt(string(fields[3]), 10, 64); err != nil || it.length == 0 || it.length < -1 {
		return fmt.Errorf("%w: length %q", errPlan, fields[3])
	}
	it.form, it.line = cdx.Form(fields[4]), fields[5]
	return nil
}

// size is the item's length, or what stands for it where it is not known.
func (it *item) size() int64 {
	if it.length < 0 {
		return assumedLength
	}
	return it.length
}

// ParseCaptures is the mapper that turns lists of captures into lines of a
// plan. inputs names a file with the paths of all lists, one a line, in the
// order that --order input is to keep; empty when there is only one.
func ParseCaptures(t *stage.Task, order Order, inputs string) error {
	parser, err := cdx.NewParser(t)
	if err != nil {
		return err
	}
	prefix, err := positionPrefix(t, inputs)
	if err != nil {
		return err
	}
	var (
		capture cdx.Capture
		it      item
		out     []byte
		number  int64
	)
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		number++
		switch err := parser.Parse(line, &capture); {
		case errors.Is(err, cdx.ErrNoCapture):
			continue
		case err != nil:
			if err := t.Reject("malformed line: "+err.Error(), line); err != nil {
				return err
			}
			continue
		case !InRange(&capture):
			if err := t.Reject("malformed line: offset or length out of range", line); err != nil {
				return err
			}
			continue
		}
		it.archive = stage.AppendEscaped(it.archive[:0], capture.Filename)
		it.offset, it.length, it.form = capture.Offset, capture.Length, capture.Form
		it.position = appendPadded(append(it.position[:0], prefix...), number, 10)
		it.line = stage.AppendEscaped(it.line[:0], line)
		out = it.appendPlan(out[:0], order)
		if err := t.Write(out); err != nil {
			return err
		}
		t.Count("captures", 1)
		t.Count("bytes", it.size())
	}
	return nil
}

// positionPrefix orders the tasks' lines as the lists have them: the list's
// number and where the split begins in it. The line's number follows.
func positionPrefix(t *stage.Task, inputs string) ([]byte, error) {
	file := int64(0)
	if inputs != "" && t.InputFile() != "" {
		f, err := storage.OpenStream(inputs)
		if err != nil {
			return nil, fmt.Errorf("names of the lists: %w", err)
		}
		defer f.Close()
		content, err := io.ReadAll(f)
		if err != nil {
			return nil, fmt.Errorf("names of the lists: %w", err)
		}
		found := false
		for i, name := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
			if filePath(name) == filePath(t.InputFile()) {
				file, found = int64(i), true
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("%s is not among the lists that %s names", t.InputFile(), inputs)
		}
	}
	return appendPadded(appendPadded(nil, file, 6), t.InputStart(), offsetDigits), nil
}

// filePath is what engines agree on in the name of an input: the path without
// scheme and host. Nothing in it is escaped, as in Hadoop's own paths.
func filePath(name string) string {
	if storage.IsURI(name) {
		_, rest, _ := strings.Cut(name, "://")
		_, file, _ := strings.Cut(rest, "/")
		return path.Clean("/" + file)
	}
	// Hadoop writes file:/path for a local file.
	return path.Clean(strings.TrimPrefix(name, "file:"))
}

// DropDuplicates is the reducer that keeps the first of the captures of one
// record. It reads a plan in archive order and writes one in any.
func DropDuplicates(t *stage.Task, order Order) error {
	var it item
	var last lastRecord
	var out []byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if err := it.parse(line, ByArchive); err != nil {
			return err
		}
		if last.repeats(&it) {
			t.Count("duplicates", 1)
			continue
		}
		t.Count("kept-bytes", it.size())
		out = it.appendPlan(out[:0], order)
		if err := t.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// lastRecord remembers the record of the line before.
type lastRecord struct {
	archive []byte
	offset  int64
}

// repeats says whether the item is of the same record as the one before.
func (l *lastRecord) repeats(it *item) bool {
	if l.archive != nil && l.offset == it.offset && bytes.Equal(l.archive, it.archive) {
		return true
	}
	l.archive, l.offset = append(l.archive[:0], it.archive...), it.offset
	return false
}
