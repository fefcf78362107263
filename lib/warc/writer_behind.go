package warc

import (
	"io"
	"sync/atomic"

	"archivestream/lib/buffers"
)

const (
	// behindBuffer is what is gathered for one write, in bytes.
	behindBuffer = 256 << 10
	// behindBuffers is how many there are for a file: one is filled while
	// another is written, and one waits, since neither goes at a steady pace.
	behindBuffers = 3
)

// A behindWriter gathers what is written and hands it on in a goroutine of its
// own, so that a record can be read while the one before goes to the disk or
// over the network. An error is given by a later call. It is used for one file
// after the other.
type behindWriter struct {
	buffer []byte      // that is being filled
	free   chan []byte // that can be filled
	full   chan []byte // that are to be written
	done   chan struct{}
	failed atomic.Bool // err is set
	err    error
}

func newBehindWriter() *behindWriter {
	w := &behindWriter{free: make(chan []byte, behindBuffers)}
	for range behindBuffers {
		w.free <- make([]byte, 0, behindBuffer)
	}
	return w
}

// start begins a file.
func (w *behindWriter) start(file io.Writer) {
	w.full, w.done = make(chan []byte, behindBuffers), make(chan struct{})
	w.failed.Store(false)
	w.err = nil
	w.buffer = <-w.free
	go func() {
		defer close(w.done)
		for b := range w.full {
			if w.err == nil {
				if _, err := file.Write(b); err != nil {
					w.err = err
					w.failed.Store(true)
				}
			}
			buffers.Spoil(b)
			w.free <- b[:0]
		}
	}()
}

// turn hands on the buffer that is full.
func (w *behindWriter) turn() error {
	w.full <- w.buffer
	w.buffer = <-w.free
	if w.failed.Load() {
		return w.err
	}
	return nil
}

func (w *behindWriter) Write(p []byte) (int, error) {
	written := 0
	for {
		n := copy(w.buffer[len(w.buffer):cap(w.buffer)], p[written:])
		w.buffer = w.buffer[:len(w.buffer)+n]
		if written += n; written == len(p) {
			return written, nil
		}
		if err := w.turn(); err != nil {
			return written, err
		}
	}
}

// ReadFrom takes all that a reader gives.
func (w *behindWriter) ReadFrom(r io.Reader) (int64, error) {
	var read int64
	for {
		if len(w.buffer) == cap(w.buffer) {
			if err := w.turn(); err != nil {
				return read, err
			}
		}
		n, err := r.Read(w.buffer[len(w.buffer):cap(w.buffer)])
		w.buffer = w.buffer[:len(w.buffer)+n]
		read += int64(n)
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return read, err
		}
	}
}

// finish waits until everything is handed on, and gives the first error.
func (w *behindWriter) finish() error {
	w.full <- w.buffer
	w.buffer = nil
	close(w.full)
	<-w.done
	return w.err
}
