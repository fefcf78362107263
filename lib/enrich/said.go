package enrich

import (
	"bytes"
	"io"
)

// saidPrefix stands before each line that an external program prints on its standard
// error, which is the task's: there a line that begins with "reporter:" is a counter
// or status of the task, and a program may print text of pages.
const saidPrefix = "program: "

// maxSaid bounds a line in bytes. What is written in one piece of up to 4096 bytes
// stays in one piece among the lines of other writers to the same pipe.
const maxSaid = 4096 - len(saidPrefix) - 1

// A saidWriter puts saidPrefix before each line; a longer one than maxSaid becomes
// several. It holds a line until its end or close. One goroutine may use it at a time.
type saidWriter struct {
	to   io.Writer
	line []byte // with the prefix, without a line end
}

func (w *saidWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		if room := maxSaid - w.held(); len(part) > room {
			part, rest, ended = p[:room], p[room:], true
		}
		if w.held() == 0 {
			w.line = append(w.line[:0], saidPrefix...)
		}
		w.line = append(w.line, part...)
		if ended {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
		p = rest
	}
	return n, nil
}

func (w *saidWriter) held() int { return max(0, len(w.line)-len(saidPrefix)) }

func (w *saidWriter) flush() error {
	_, err := w.to.Write(append(w.line, '\n'))
	w.line = w.line[:0]
	return err
}

// close writes a line that has no end.
func (w *saidWriter) close() error {
	if w.held() == 0 {
		return nil
	}
	return w.flush()
}
