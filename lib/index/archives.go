package index

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"archivestream/lib/cdx"
	"archivestream/lib/inputs"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// MapperOptions say what the mapper writes, and where.
type MapperOptions struct {
	Options
	Layout     cdx.Layout // of its output lines
	PerFile    cdx.Layout // of a sorted side file for each archive; empty: none
	RelativeTo string     // folder or URI that archives are named relative to; empty: by their last element
	FullPaths  bool       // archives are named as in the input
	Workers    int        // goroutines that read one archive
}

// Archives is the mapper that indexes archive files. Its input lines are paths or
// URIs of archive files. What is damaged is rejected with its offset, a file that
// cannot be read with the reason; where reading fails, as a disk or a network does,
// not before the task's last attempt.
func Archives(t *stage.Task, o MapperOptions) error {
	o.RobotFlags = o.Layout.HasRobotFlags() || o.PerFile.HasRobotFlags()
	m := mapper{task: t, options: o, made: map[string]bool{}}
	m.indexer = New(o.Options, Sink{Capture: m.capture, Fault: m.fault, Warn: m.warn, Count: t.Count})
	if header := o.Layout.HeaderLine(); header != "" {
		if err := t.Write([]byte(header)); err != nil {
			return err
		}
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		t.Status("indexing %s", line)
		if err := m.archive(string(line)); err != nil {
			return err
		}
	}
	return nil
}

// A mapper indexes one archive after the other.
type mapper struct {
	task    *stage.Task
	options MapperOptions
	indexer *Indexer
	workers []*partReader
	path    []byte // of the archive, for rejects
	line    []byte
	sorter  *Sorter         // of the archive's side file
	made    map[string]bool // side files
}

func (m *mapper) archive(name string) error {
	m.path = append(m.path[:0], name...)
	f, err := inputs.OpenArchive(name)
	if err != nil && !storage.Lasting(err) && !m.task.LastAttempt() {
		return err
	}
	if err != nil {
		return m.task.Reject(err.Error(), m.path)
	}
	defer f.Close()
	called := m.name(name)
	if !m.options.Layout.Holds([]byte(called)) || m.options.PerFile != "" && !m.options.PerFile.Holds([]byte(called)) {
		return m.task.Reject("the name of the archive file cannot stand in the index", m.path)
	}
	if m.options.PerFile != "" {
		if err := m.openSide(called); err != nil {
			return err
		}
	}
	err = m.index(archive{f, f.Size(), name, called, partSize})
	var failed *outputError
	switch {
	case err == nil || errors.As(err, &failed):
	case m.task.LastAttempt():
		err = m.task.Reject(err.Error(), m.path)
	default:
		err = fmt.Errorf("%s: %w", name, err)
	}
	if m.sorter != nil {
		err = errors.Join(err, m.sorter.Close(err == nil))
		m.sorter = nil
	}
	m.task.Count("archives", 1)
	return err
}

// index reads an archive. Parts of one are read side by side if it is large, on
// this machine, where jumping costs nothing, and none of its captures depends on the
// record before.
func (m *mapper) index(a archive) error {
	if m.options.Workers < 2 || m.options.PostAppend || a.size < 2*partSize || storage.IsURI(a.path) || !a.isCompressed() {
		return m.indexer.Archive(a.file, a.size, a.path, a.name)
	}
	for len(m.workers) < m.options.Workers {
		m.workers = append(m.workers, newPartReader(m.options))
	}
	return a.inParts(m.workers, m.give)
}

// give writes what was found in a part of an archive.
func (m *mapper) give(f *found) error {
	for line := range bytes.Lines(f.lines) {
		if err := m.task.Write(line[:len(line)-1]); err != nil {
			return &outputError{err}
		}
	}
	if m.sorter != nil && len(f.side) > 0 {
		if err := m.sorter.Write(f.side); err != nil {
			return &outputError{err}
		}
	}
	for _, d := range f.faults {
		tell := m.fault
		if d.harmless {
			tell = m.warn
		}
		if err := tell(d.offset, d.reason); err != nil {
			return err
		}
	}
	for name, n := range f.counts {
		m.task.Count(name, n)
	}
	return nil
}

// name is what the index calls an archive.
func (m *mapper) name(name string) string {
	if m.options.FullPaths {
		return name
	}
	if base := strings.TrimRight(m.options.RelativeTo, "/") + "/"; m.options.RelativeTo != "" && strings.HasPrefix(name, base) {
		return strings.TrimLeft(name[len(base):], "/")
	}
	return path.Base(name)
}

// An outputError is one of writing, which ends the task.
type outputError struct{ error }

func (e *outputError) Unwrap() error { return e.error }

func (m *mapper) capture(c *cdx.Capture) error {
	m.line = m.options.Layout.Append(m.line[:0], c)
	err := m.task.Write(m.line)
	if err == nil && m.sorter != nil {
		if m.options.PerFile != m.options.Layout {
			m.line = m.options.PerFile.Append(m.line[:0], c)
		}
		m.line = append(m.line, '\n')
		err = m.sorter.Write(m.line)
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

func (m *mapper) fault(offset int64, reason string) error {
	if err := m.task.Reject(fmt.Sprintf("offset %d: %s", offset, reason), m.path); err != nil {
		return &outputError{err}
	}
	return nil
}

func (m *mapper) warn(offset int64, reason string) error {
	if err := m.task.Warn(fmt.Sprintf("offset %d: %s", offset, reason), m.path); err != nil {
		return &outputError{err}
	}
	return nil
}

// openSide begins the side file of an archive.
func (m *mapper) openSide(called string) error {
	layout := m.options.PerFile
	name := "cdx/" + strings.TrimLeft(path.Clean("/"+called), "/") + layout.Extension()
	if m.made[name] {
		return stage.Hint(fmt.Errorf("two archives are called %s", called), "give --relative-to the folder that all are in")
	}
	m.made[name] = true
	file, err := m.task.Create(name)
	if err != nil {
		return err
	}
	if header := layout.HeaderLine(); header != "" {
		if _, err := io.WriteString(file, header+"\n"); err != nil {
			return err
		}
	}
	m.sorter, err = NewSorter(file)
	return err
}
