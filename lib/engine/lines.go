package engine

import (
	"bytes"
	"io"
)

// tabWriter passes lines on and puts a tab at the end of each that has fewer
// than need: what a line is to Hadoop, a key of need fields, a separator and a
// value, has that many. With need 0 lines stay as they are. It counts lines
// and ends the last one. A line is never held in memory.
type tabWriter struct {
	w     io.Writer
	need  int
	lines int64

	seen   int // tabs in the line so far, at most need
	broken bool
}

var lineFeedByte, tabLineFeed = []byte("\n"), []byte("\t\n")

func (t *tabWriter) Write(chunk []byte) (int, error) {
	if len(chunk) == 0 {
		return 0, nil
	}
	if t.need == 0 {
		t.lines += int64(bytes.Count(chunk, lineFeedByte))
		t.broken = chunk[len(chunk)-1] != '\n'
		return t.w.Write(chunk)
	}
	start := 0 // of what is not yet written
	for at := 0; at < len(chunk); {
		end := bytes.IndexByte(chunk[at:], '\n')
		if t.broken = end < 0; t.broken {
			t.count(chunk[at:])
			break
		}
		end += at
		t.count(chunk[at:end])
		if t.seen < t.need {
			if _, err := t.w.Write(chunk[start:end]); err != nil {
				return start, err
			}
			if _, err := t.w.Write(tabLineFeed); err != nil {
				return start, err
			}
			start = end + 1
		}
		t.lines++
		t.seen = 0
		at = end + 1
	}
	if start < len(chunk) {
		if _, err := t.w.Write(chunk[start:]); err != nil {
			return start, err
		}
	}
	return len(chunk), nil
}

func (t *tabWriter) count(part []byte) {
	for t.seen < t.need {
		i := bytes.IndexByte(part, '\t')
		if i < 0 {
			return
		}
		t.seen++
		part = part[i+1:]
	}
}

// finish ends a last line that has no line feed.
func (t *tabWriter) finish() error {
	if !t.broken {
		return nil
	}
	_, err := t.Write(lineFeedByte)
	return err
}

// returnEnds turns the carriage returns and CRLF pairs of a task's output into
// line feeds, as hadoop-streaming does with whatever the task prints.
type returnEnds struct {
	w       io.Writer
	pending bool // the last chunk ended in a carriage return
}

// Write changes chunk in place.
func (e *returnEnds) Write(chunk []byte) (int, error) {
	size := len(chunk)
	if e.pending && size > 0 {
		e.pending = false
		if chunk[0] == '\n' {
			chunk = chunk[1:]
		}
	}
	if i := bytes.IndexByte(chunk, '\r'); i >= 0 {
		kept := chunk[:i]
		for i < len(chunk) {
			c := chunk[i]
			i++
			if c == '\r' {
				c = '\n'
				if i == len(chunk) {
					e.pending = true
				} else if chunk[i] == '\n' {
					i++
				}
			}
			kept = append(kept, c)
		}
		chunk = kept
	}
	if _, err := e.w.Write(chunk); err != nil {
		return 0, err
	}
	return size, nil
}
