package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/klauspost/compress/gzip"
)

// WriterOptions say how a shard is written. The zero value gives the defaults.
type WriterOptions struct {
	Lines   int // lines in a block (default 3,000)
	Level   int // of compression, 1 to 9 (default 6)
	Workers int // blocks that are compressed at a time (default: GOMAXPROCS)
}

const (
	defaultLines = 3000
	defaultLevel = 6
	// maxText ends a block of long lines, so that memory stays bounded. A line
	// that is longer makes a block of its own.
	maxText = 8 << 20
)

// Errors of a line that cannot stand in a shard.
var (
	ErrOrder    = errors.New("lines are not sorted by their bytes")
	errLineFeed = errors.New("a line feed within a line")
)

// A Writer writes one shard and the index lines of its blocks, numbered from 1.
// Blocks are compressed on several cores behind the arriving lines; the bytes
// do not depend on how many there are. Its methods are for one goroutine. Close
// must be called, also after an error.
type Writer struct {
	options WriterOptions
	current *block
	last    []byte      // the line before current
	written chan *block // blocks to fill, their last use done
	jobs    chan *block // blocks to compress
	ordered chan *block // the same, in order, to be written
	done    chan error  // what became of the writing
	failed  chan error
	err     error
	lines   int64
	closed  bool
	making  int // blocks that were made
}

// A block is on its way from the lines to the files.
type block struct {
	text   []byte
	lines  int
	key    int // length of the key in text
	prev   int // where the last line begins in text
	packed bytes.Buffer
	err    error
	ready  chan struct{}
}

// NewWriter makes the writer of a shard. The index gets the index lines, in
// which the shard has the given name.
func NewWriter(shard, index io.Writer, name string, options WriterOptions) (*Writer, error) {
	if options.Lines == 0 {
		options.Lines = defaultLines
	}
	if options.Level == 0 {
		options.Level = defaultLevel
	}
	if options.Workers == 0 {
		options.Workers = runtime.GOMAXPROCS(0)
	}
	switch {
	case options.Lines < 1:
		return nil, fmt.Errorf("%d lines in a block: at least 1 is needed", options.Lines)
	case options.Level < 1 || options.Level > 9:
		return nil, fmt.Errorf("compression level %d: 1 to 9 is wanted", options.Level)
	case options.Workers < 1:
		return nil, fmt.Errorf("%d workers: at least 1 is needed", options.Workers)
	case name == "" || bytes.ContainsAny([]byte(name), "\t\r\n"):
		return nil, fmt.Errorf("shard name %q: empty, or with a tab or line end", name)
	}
	w := &Writer{
		options: options,
		written: make(chan *block, options.Workers+1),
		jobs:    make(chan *block, options.Workers+1),
		ordered: make(chan *block, options.Workers+1),
		done:    make(chan error, 1),
		failed:  make(chan error, 1),
	}
	for range options.Workers {
		go compress(w.jobs, options.Level)
	}
	go w.write(shard, index, name)
	return w, nil
}

// Lines is the number of lines taken so far.
func (w *Writer) Lines() int64 { return w.lines }

// WriteLine adds a line, given without its line feed. Lines must come sorted by
// their bytes: the error is ErrOrder for one that does not.
func (w *Writer) WriteLine(line []byte) error {
	if w.err != nil {
		return w.err
	}
	if w.err = w.add(line); w.err != nil {
		return w.err
	}
	w.lines++
	return nil
}

func (w *Writer) add(line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return errLineFeed
	}
	if b := w.current; b != nil {
		if bytes.Compare(line, b.text[b.prev:len(b.text)-1]) < 0 {
			return ErrOrder
		}
		if b.lines >= w.options.Lines || len(b.text)+len(line) >= maxText {
			w.last = append(w.last[:0], b.text[b.prev:len(b.text)-1]...)
			if err := w.flush(); err != nil {
				return err
			}
		}
	} else if bytes.Compare(line, w.last) < 0 {
		return ErrOrder
	}
	if w.current == nil {
		w.current = w.take()
		w.current.key = len(blockKey(line))
	}
	b := w.current
	b.prev = len(b.text)
	b.text = append(append(b.text, line...), '\n')
	b.lines++
	return nil
}

// take gives an empty block: a new one until there are enough for all workers,
// then one that was written.
func (w *Writer) take() *block {
	var b *block
	if w.making < cap(w.written) {
		w.making++
		b = &block{ready: make(chan struct{}, 1)}
	} else {
		b = <-w.written
	}
	if cap(b.text) > 2*maxText { // of one very long line
		b.text, b.packed = nil, bytes.Buffer{}
	}
	b.text, b.lines = b.text[:0], 0
	return b
}

// flush sends the current block on its way.
func (w *Writer) flush() error {
	select {
	case err := <-w.failed:
		return err
	default:
	}
	w.ordered <- w.current
	w.jobs <- w.current
	w.current = nil
	return nil
}

// Close writes what is left and says whether all has been written. It does not
// close the shard or the index.
func (w *Writer) Close() error {
	if w.err == errClosed {
		return nil
	}
	if w.closed {
		return w.err
	}
	w.closed = true
	if w.err == nil && w.current != nil {
		w.err = w.flush()
	}
	close(w.jobs)
	close(w.ordered)
	if err := <-w.done; w.err == nil {
		w.err = err
	}
	if w.err == nil {
		w.err = errClosed
		return nil
	}
	return w.err
}

var errClosed = errors.New("the writer is closed")

// compress makes gzip members of blocks until there are no more.
func compress(jobs <-chan *block, level int) {
	var z *gzip.Writer
	for b := range jobs {
		b.packed.Reset()
		if z == nil {
			z, b.err = gzip.NewWriterLevel(&b.packed, level)
		} else {
			z.Reset(&b.packed)
		}
		if b.err == nil {
			z.ModTime = time.Unix(0, 0) // no time
			_, b.err = z.Write(b.text)
		}
		if b.err == nil {
			b.err = z.Close()
		}
		b.ready <- struct{}{}
	}
}

// write puts compressed blocks and their index lines into the files, in order.
// After an error it only takes the blocks, so that nobody waits for it.
func (w *Writer) write(shard, index io.Writer, name string) {
	e := Entry{Shard: []byte(name)}
	var line []byte
	var failure error
	for b := range w.ordered {
		<-b.ready
		if failure == nil {
			e.Key, e.Length = b.text[:b.key], int64(b.packed.Len())
			e.Sequence++
			line = append(e.Append(line[:0]), '\n')
			if failure = b.store(shard, index, line); failure != nil {
				w.failed <- failure
			}
			e.Offset += e.Length
		}
		w.written <- b
	}
	w.done <- failure
}

func (b *block) store(shard, index io.Writer, line []byte) error {
	if b.err != nil {
		return b.err
	}
	if _, err := shard.Write(b.packed.Bytes()); err != nil {
		return err
	}
	_, err := index.Write(line)
	return err
}
