package engine

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"archivestream/lib/storage"
)

// chunkSize is how much is read, written or scanned at once, in bytes.
const chunkSize = 256 << 10

var byteOrderMark = []byte("\xef\xbb\xbf")

// lineFeed writes the lines of a split, each with its line feed, as
// LineRecordReader finds them: a line belongs to the split in which it begins,
// one that begins at a split's very end to that split.
type lineFeed struct {
	split   split
	offsets bool // each line is preceded by its offset and a tab

	w       io.Writer
	pos     int64 // of the next byte
	lines   int64
	broken  bool // within a line
	scratch []byte
	moved   func(bytes int64) // called with the bytes read of each chunk
}

// run writes the split's lines to w and returns their number.
func (f *lineFeed) run(w io.Writer) (int64, error) {
	f.w = w
	err := f.copy()
	if err != nil {
		err = fmt.Errorf("%s: %w", f.split.Path, err)
	}
	return f.lines, err
}

func (f *lineFeed) copy() error {
	if f.split.gzip {
		r, err := storage.OpenStream(f.split.Path)
		if err != nil {
			return err
		}
		defer r.Close()
		return f.copyStream(r, -1)
	}
	r, err := storage.Open(f.split.Path)
	if err != nil {
		return err
	}
	defer r.Close()
	f.pos = f.split.Start
	stream := io.NewSectionReader(r, f.pos, r.Size()-f.pos)
	return f.copyStream(stream, f.split.Start+f.split.Length)
}

// copyStream copies lines from r, whose first byte is at f.pos, until one
// would begin behind end; end -1 means all.
func (f *lineFeed) copyStream(r io.Reader, end int64) error {
	skip := f.pos > 0
	buffer := make([]byte, chunkSize)
	for {
		n, err := readChunk(r, buffer)
		chunk := buffer[:n]
		if f.moved != nil {
			f.moved(int64(n))
		}
		if f.pos == 0 && bytes.HasPrefix(chunk, byteOrderMark) {
			chunk = chunk[len(byteOrderMark):]
			f.pos = int64(len(byteOrderMark))
		}
		if skip {
			i := bytes.IndexByte(chunk, '\n')
			if i < 0 {
				i = len(chunk) - 1
			} else {
				skip = false
			}
			f.pos += int64(i + 1)
			chunk = chunk[i+1:]
		}
		if !skip {
			done, err := f.take(chunk, end)
			if err != nil || done {
				return err
			}
		}
		if err == io.EOF {
			return f.finish()
		}
		if err != nil {
			return err
		}
	}
}

// readChunk fills at least a quarter of the buffer. Unlike io.ReadAtLeast it
// gives the reader's own error, so that a truncated gzip file (whose error is
// io.ErrUnexpectedEOF) is not taken for one that ends.
func readChunk(r io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer)/4 && err == nil {
		var got int
		got, err = r.Read(buffer[n:])
		n += got
	}
	return n, err
}

// take passes a chunk on, or that part of it that belongs to the split.
func (f *lineFeed) take(chunk []byte, end int64) (done bool, err error) {
	if end >= 0 && f.pos+int64(len(chunk)) > end {
		if !f.broken && f.pos > end {
			return true, nil
		}
		// The line that holds the byte at end is the last one.
		from := max(0, end-f.pos)
		if i := bytes.IndexByte(chunk[from:], '\n'); i >= 0 {
			chunk, done = chunk[:int(from)+i+1], true
		}
	}
	if len(chunk) == 0 {
		return done, nil
	}
	if f.offsets {
		err = f.putNumbered(chunk)
	} else {
		f.lines += int64(bytes.Count(chunk, []byte{'\n'}))
		f.broken = chunk[len(chunk)-1] != '\n'
		_, err = f.w.Write(chunk)
	}
	f.pos += int64(len(chunk))
	return done, err
}

func (f *lineFeed) putNumbered(chunk []byte) error {
	out, pos := f.scratch[:0], f.pos
	for len(chunk) > 0 {
		if !f.broken {
			at := pos
			if f.lines == 0 && at == int64(len(byteOrderMark)) && f.split.Start == 0 {
				at = 0 // the mark in front of the first line is part of it
			}
			out = append(strconv.AppendInt(out, at, 10), '\t')
		}
		i := bytes.IndexByte(chunk, '\n') + 1
		f.broken = i == 0
		if f.broken {
			i = len(chunk)
		} else {
			f.lines++
		}
		out = append(out, chunk[:i]...)
		chunk = chunk[i:]
		pos += int64(i)
	}
	f.scratch = out
	_, err := f.w.Write(out)
	return err
}

// finish ends a last line that the file does not end.
func (f *lineFeed) finish() error {
	if !f.broken {
		return nil
	}
	f.broken = false
	f.lines++
	_, err := f.w.Write([]byte{'\n'})
	return err
}
