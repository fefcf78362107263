package engine

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	tailLines  = 20       // of a failed task's standard error are shown
	tailBytes  = 8 << 10  // at most
	stderrLine = 64 << 10 // longer lines are taken in pieces
)

// errorOutput reads what a task prints on standard error: counters and status
// of the streaming protocol, and everything else for the log.
type errorOutput struct {
	prefix   string // "reporter:"
	counters *counters
	log      string // file, made when there is something to write

	tail []string
	size int
}

func (e *errorOutput) read(r io.Reader, alive func()) error {
	var log *os.File
	defer func() {
		if log != nil {
			log.Close()
		}
	}()
	lines := bufio.NewReaderSize(r, stderrLine)
	whole := true // the piece begins a line
	for {
		piece, err := lines.ReadSlice('\n')
		if len(piece) > 0 {
			alive()
			begins := whole
			whole = err != bufio.ErrBufferFull
			if begins && e.protocol(piece) {
				continue
			}
			e.keep(piece, begins)
			if log == nil {
				var failed error
				if log, failed = os.Create(e.log); failed != nil {
					return failed
				}
			}
			if _, failed := log.Write(piece); failed != nil {
				return failed
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
}

// protocol takes a reporter line; a line that it does not understand goes to
// the log, as on Hadoop.
func (e *errorOutput) protocol(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(e.prefix))
	if !ok {
		return false
	}
	if text, ok := bytes.CutPrefix(rest, []byte("counter:")); ok {
		group, name, n, ok := parseCounter(string(text))
		if ok {
			e.counters.add(group, name, n)
		}
		return ok
	}
	return bytes.HasPrefix(rest, []byte("status:"))
}

func (e *errorOutput) keep(piece []byte, begins bool) {
	text := strings.TrimRight(string(piece[:min(len(piece), tailBytes/4)]), "\r\n")
	if !begins {
		return
	}
	e.tail = append(e.tail, text)
	e.size += len(text)
	for len(e.tail) > tailLines || e.size > tailBytes && len(e.tail) > 1 {
		e.size -= len(e.tail[0])
		e.tail = e.tail[1:]
	}
}

// explain adds the last lines to an error.
func (e *errorOutput) explain(err error) error {
	if len(e.tail) == 0 {
		return err
	}
	return fmt.Errorf("%w\n  last lines of its standard error:\n    %s", err, strings.Join(e.tail, "\n    "))
}
