package mapeval

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/tally"
)

// Evaluate is the mapper that looks all lookups up, lines of Meet in sorted files, in
// each of the maps that its input names.
func Evaluate(t *stage.Task, lookups string) error {
	files, err := storage.Expand(lookups)
	if err != nil {
		return err
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		number, name, ok := bytes.Cut(line, []byte("\t"))
		if !ok {
			return fmt.Errorf("not a line of a map's number and path: %q", line)
		}
		s := &score{}
		if err := s.size(string(name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := s.lookUp(string(name), files); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		key := tally.Key{Table: "map", Row: string(number), Column: path.Base(string(name))}
		if err := t.Write(tally.AppendLine(nil, key, s.lines, s.bytes, s.lookups, s.present, s.predicted, s.found)); err != nil {
			return err
		}
		t.Count("maps", 1)
	}
	return nil
}

// A score is what a map has been found to answer.
type score struct{ lines, bytes, lookups, present, predicted, found int64 }

// size counts the lines of a map and its bytes, inflated.
func (s *score) size(name string) error {
	f, err := storage.OpenStream(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := mementomap.NewReader(f)
	if err != nil {
		return err
	}
	for {
		line, err := r.Next()
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, mementomap.ErrMalformed):
			s.bytes += int64(len(line.Raw)) + 1
			continue
		case err != nil:
			return err
		}
		s.bytes += int64(len(line.Raw)) + 1
		if !line.Header {
			s.lines++
		}
	}
}

func (s *score) lookUp(name string, files []storage.Info) error {
	m, err := mementomap.Open(name)
	if err != nil {
		return err
	}
	defer m.Close()
	var fields [][]byte
	var key []byte
	return eachLine(files, func(line []byte) error {
		fields = stage.Fields(fields, line, 3)
		if len(fields) != 3 {
			return fmt.Errorf("not a line of a lookup: %q", line)
		}
		n, err := strconv.ParseInt(string(fields[1]), 10, 64)
		if err != nil {
			return err
		}
		if key, err = stage.AppendUnescaped(key[:0], fields[0]); err != nil {
			return err
		}
		match, found, err := m.FindSURT(key)
		if err != nil {
			return err
		}
		predicted, present := found && match.Frequency.Present(), fields[2][0] == '1'
		s.lookups += n
		if present {
			s.present += n
		}
		if predicted {
			s.predicted += n
		}
		if predicted && present {
			s.found += n
		}
		return nil
	})
}
