package mementomap

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// CombineCounts is the combiner of what CountCaptures emits: captures of one SURT
// are added up.
func CombineCounts(t *stage.Task) error {
	var number []byte
	for g, err := range t.Groups(3) {
		if err != nil {
			return err
		}
		fields := stage.Fields(nil, g.Key, 0)
		capture := len(fields) == 3 && len(fields[2]) > 0 && fields[2][0] == kindCapture
		var sum int64
		first := true
		for value, err := range g.Values() {
			if err != nil {
				return err
			}
			if capture {
				n, err := strconv.ParseInt(string(bytes.TrimRight(value, "\t")), 10, 64)
				if err != nil {
					return fmt.Errorf("%q: %w", g.Key, err)
				}
				sum += n
				continue
			}
			if first || fields[2][0] == kindMap { // one exclusion is enough
				if err := t.Emit(g.Key, value); err != nil {
					return err
				}
			}
			first = false
		}
		if capture {
			number = strconv.AppendInt(number[:0], sum, 10)
			if err := t.Emit(g.Key, number); err != nil {
				return err
			}
		}
	}
	return nil
}

// AddCounts is the reducer that makes lines of a map: of captures their number and
// that of the different SURTs, to which the lines of other maps are added. Only what
// is in no other line is an exclusion.
func AddCounts(t *stage.Task) error {
	var line []byte
	a := adder{task: t}
	for g, err := range t.Groups(3) {
		if err != nil {
			return err
		}
		fields := stage.Fields(nil, g.Key, 0)
		if len(fields) != 3 || len(fields[2]) == 0 {
			return fmt.Errorf("%q: WORD TAB KEY TAB KIND is wanted", g.Key)
		}
		if !bytes.Equal(fields[1], a.key) {
			if line, err = a.write(line); err != nil {
				return err
			}
			a.key = append(a.key[:0], fields[1]...)
		}
		for value, err := range g.Values() {
			if err != nil {
				return err
			}
			if err := a.take(fields[2][0], bytes.TrimRight(value, "\t")); err != nil {
				return err
			}
		}
		if fields[2][0] == kindCapture {
			a.uris++
		}
	}
	_, err := a.write(line)
	return err
}

// An adder adds up what there is of a key.
type adder struct {
	task     *stage.Task
	key      []byte
	captures int64
	uris     int64
	sum      Frequency // of the lines of maps
	object   []byte    // their JSON object, if all have the same
	lines    int       // of maps
}

func (a *adder) take(kind byte, value []byte) error {
	switch kind {
	case kindCapture:
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			return fmt.Errorf("%q: %w", a.key, err)
		}
		a.captures += n
	case kindMap:
		frequency, object, _ := bytes.Cut(value, []byte{' '})
		f, ok := ParseFrequency(frequency)
		if !ok {
			return fmt.Errorf("%q: %w", a.key, ErrMalformed)
		}
		if f.IsZero() {
			return nil
		}
		if a.lines++; a.lines == 1 {
			a.object = append(a.object[:0], object...)
		} else if !bytes.Equal(a.object, object) {
			a.object = a.object[:0]
		}
		a.sum.merge(f)
	}
	return nil
}

// write writes the line of the key, if there is one.
func (a *adder) write(line []byte) ([]byte, error) {
	f := a.sum
	switch {
	case len(a.key) == 0:
		return line, nil
	case a.captures > 0:
		if g := NewFrequency(a.captures, a.uris); a.lines > 0 {
			f.merge(g)
			a.object = a.object[:0]
		} else {
			f = g
		}
	case a.lines == 0:
		f = Frequency{mFlags: known, rFlags: unknown} // an exclusion
	}
	line = append(append(line[:0], a.key...), ' ')
	line = f.Append(line)
	if len(a.object) > 0 && a.lines > 0 {
		line = append(append(line, ' '), a.object...)
	}
	a.task.Count("keys", 1)
	a.captures, a.uris, a.sum, a.lines, a.object = 0, 0, Frequency{}, 0, a.object[:0]
	return line, a.task.Write(line)
}

func readAll(name string) ([]byte, error) {
	f, err := storage.OpenStream(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}
