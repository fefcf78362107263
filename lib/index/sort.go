package index

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/ranges"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// samplesPerRange is how many keys of the sample a range gets on average: its
// size is then within some ten per cent of the others'.
const samplesPerRange = 1000

// SampleKeys is the mapper that emits the keys (package ranges) of a sample of
// index lines, large enough to cut about that many lines into n ranges.
func SampleKeys(t *stage.Task, n int, lines int64) error {
	t.Again()
	sampler := ranges.NewSampler(samplesPerRange * float64(n) / float64(max(lines, 1)))
	var key []byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if isHeader(line) || !sampler.Picks(line) {
			continue
		}
		key = stage.AppendEscaped(key[:0], ranges.Key(line))
		if err := t.Emit(key); err != nil {
			return err
		}
		t.Count("keys", 1)
	}
	return nil
}

// isHeader says whether a line of an index holds no capture: the header of CDX,
// those of CDXJ, an empty line.
func isHeader(line []byte) bool {
	_, header := cdx.Header(line)
	return header || len(line) == 0 || line[0] == '!'
}

// CutRanges is the reducer that writes the ranges file (package ranges) for up to
// n ranges out of sorted keys.
func CutRanges(t *stage.Task, n int) error {
	var sample [][]byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		key, err := stage.AppendUnescaped(nil, bytes.TrimRight(line, "\t"))
		if err != nil {
			return err
		}
		sample = append(sample, key)
	}
	var line []byte
	for _, key := range ranges.Cut(sample, n) {
		line = stage.AppendEscaped(line[:0], key)
		if err := t.Emit(line); err != nil {
			return err
		}
		t.Count("ranges", 1)
	}
	return nil
}

// AssignOptions say where AssignRanges sends lines.
type AssignOptions struct {
	Ranges   string     // ranges file: path or URI; "": one range
	Reducers int        // tasks that sort: as many as there are ranges, or more
	New      string     // what lies below is not looked at: it has just been made
	Drop     string     // file of archive names, one a line, whose captures go; or ""
	Layout   cdx.Layout // of all lines
}

// AssignRanges is the mapper that puts in front of each index line the word that
// sends it to the reducer of its range. Lines of an older index are brought into
// the format, and left out where their archive file is one that was indexed anew
// or removed.
func AssignRanges(t *stage.Task, o AssignOptions) error {
	all, err := readRanges(o.Ranges)
	if err != nil {
		return err
	}
	if all.Len() > o.Reducers {
		return stage.Usage("%d ranges for %d reducers", all.Len(), o.Reducers)
	}
	words := ranges.Words(o.Reducers)
	put := func(line []byte) error {
		return t.Emit([]byte(words[all.Of(line)]), line)
	}
	if o.New != "" && strings.HasPrefix(t.InputFile(), o.New) {
		for line, err := range t.Lines() {
			if err != nil {
				return err
			}
			if err := put(line); err != nil {
				return err
			}
		}
		return nil
	}
	dropped, err := readNames(o.Drop)
	if err != nil {
		return err
	}
	parser, err := cdx.NewParser(t)
	if err != nil {
		return err
	}
	old := merging{task: t, dropped: dropped, layout: o.Layout, parser: parser}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if kept, err := old.take(line); err != nil {
			return err
		} else if kept == nil {
			continue
		} else if err := put(kept); err != nil {
			return err
		}
	}
	return nil
}

// merging takes lines of an older index into a new one.
type merging struct {
	task    *stage.Task
	dropped map[string]bool
	layout  cdx.Layout
	parser  *cdx.Parser
	capture cdx.Capture
	line    []byte
}

// take gives a line in the format, nil where it is left out.
func (m *merging) take(line []byte) ([]byte, error) {
	if isHeader(line) {
		m.parser.Parse(line, &m.capture) // a CDX header says how to read the rest
		return nil, nil
	}
	if err := m.parser.Parse(line, &m.capture); err != nil {
		return nil, m.task.Reject(err.Error(), line)
	}
	if len(m.capture.Key) == 0 {
		return nil, m.task.Reject("a line without key is no index line", line)
	}
	if m.dropped[string(m.capture.Filename)] {
		m.task.Count("dropped", 1)
		return nil, nil
	}
	m.task.Count("kept", 1)
	if m.capture.Form == m.layout.Form() {
		return line, nil
	}
	m.line = m.layout.Append(m.line[:0], &m.capture)
	return m.line, nil
}

func readRanges(path string) (*ranges.Ranges, error) {
	if path == "" {
		return ranges.Read(strings.NewReader(""))
	}
	f, err := storage.OpenStream(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := ranges.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// readNames reads a file of names, one a line.
func readNames(path string) (map[string]bool, error) {
	if path == "" {
		return nil, nil
	}
	f, err := storage.OpenStream(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	names := map[string]bool{}
	for name := range strings.Lines(string(text)) {
		if name = strings.TrimRight(name, "\r\n"); name != "" {
			names[name] = true
		}
	}
	return names, nil
}
