package corpus

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

const cdxHeader = " CDX N b a m s k r M S V g\n"

// lists are the lists of captures beside the archives.
type lists struct {
	dir       string
	cdx, cdxj *sorter
	captures  *os.File
	w         *bufio.Writer
	pick      pick
	line      []byte
}

func newLists(dir string, seed uint64, picks int) (*lists, error) {
	l := &lists{dir: dir, pick: pick{size: picks, random: random(hash(seed, forPick))}}
	var err error
	if l.cdx, err = newSorter(filepath.Join(dir, "index.cdx")); err != nil {
		return nil, err
	}
	if l.cdxj, err = newSorter(filepath.Join(dir, "index.cdxj")); err != nil {
		return nil, err
	}
	if l.captures, err = os.Create(filepath.Join(dir, "captures.tsv")); err != nil {
		return nil, err
	}
	l.w = bufio.NewWriterSize(l.captures, 1<<20)
	// A space sorts before all SURTs.
	return l, l.cdx.add([]byte(cdxHeader))
}

func (l *lists) add(m *member, archive string, offset int64) error {
	if err := l.cdx.add(l.cdxLine(m, archive, offset)); err != nil {
		return err
	}
	cdxj := l.cdxjLine(m, archive, offset)
	if err := l.cdxj.add(cdxj); err != nil {
		return err
	}
	if m.capture.revisit() {
		return nil
	}
	at, chosen := l.pick.draw()
	if chosen {
		l.pick.cdxj[at] = string(cdxj)
	}
	l.line = fmt.Appendf(l.line[:0], "%s\t%s\t%d\t%d\n", m.resource.url(), archive, offset, len(m.data))
	if chosen {
		l.pick.tsv[at] = string(l.line)
	}
	_, err := l.w.Write(l.line)
	return err
}

// cdxLine has the fields that pywb writes: no redirect, no robots flags.
func (l *lists) cdxLine(m *member, archive string, offset int64) []byte {
	b := append(l.line[:0], m.resource.surt()...)
	b = m.capture.time.AppendFormat(append(b, ' '), cdxTime)
	b = append(append(append(b, ' '), m.resource.url()...), ' ')
	b = append(append(append(b, m.indexMime()...), ' '), m.indexStatus()...)
	b = append(append(append(b, ' '), m.digest...), " - - "...)
	b = append(strconv.AppendInt(b, int64(len(m.data)), 10), ' ')
	b = append(strconv.AppendInt(b, offset, 10), ' ')
	l.line = append(append(b, archive...), '\n')
	return l.line
}

func (l *lists) cdxjLine(m *member, archive string, offset int64) []byte {
	b := append(l.line[:0], m.resource.surt()...)
	b = m.capture.time.AppendFormat(append(b, ' '), cdxTime)
	// Nothing in these values needs escaping.
	b = append(append(b, ` {"url": "`...), m.resource.url()...)
	b = append(append(b, `", "mime": "`...), m.indexMime()...)
	if !m.capture.revisit() {
		b = append(append(b, `", "status": "`...), m.indexStatus()...)
	}
	b = append(append(b, `", "digest": "`...), m.digest...)
	b = strconv.AppendInt(append(b, `", "length": "`...), int64(len(m.data)), 10)
	b = strconv.AppendInt(append(b, `", "offset": "`...), offset, 10)
	b = append(append(b, `", "filename": "`...), archive...)
	l.line = append(b, "\"}\n"...)
	return l.line
}

func (m *member) indexMime() string {
	if m.capture.revisit() {
		return revisitMime
	}
	return m.resource.mime()
}

// indexStatus is none for revisits, as pywb has it.
func (m *member) indexStatus() string {
	if m.capture.revisit() {
		return "-"
	}
	return strconv.Itoa(m.resource.status)
}

func (l *lists) close() error {
	if err := l.w.Flush(); err != nil {
		return err
	}
	if err := l.captures.Close(); err != nil {
		return err
	}
	if err := l.cdx.close(); err != nil {
		return err
	}
	if err := l.cdxj.close(); err != nil {
		return err
	}
	return l.pick.write(l.dir)
}

// abort ends the sorts of a run that has failed.
func (l *lists) abort() {
	for _, s := range []*sorter{l.cdx, l.cdxj} {
		if s != nil && s.command.ProcessState == nil {
			s.command.Process.Kill()
			s.command.Wait()
		}
	}
}

// A sorter writes a sorted file by GNU sort, which sorts more than fits into
// memory.
type sorter struct {
	command *exec.Cmd
	in      io.WriteCloser
	w       *bufio.Writer
	errors  bytes.Buffer
}

func newSorter(path string) (*sorter, error) {
	s := &sorter{command: exec.Command("sort", "-S", "128M", "-T", filepath.Dir(path), "-o", path)}
	s.command.Env = append(os.Environ(), "LC_ALL=C")
	s.command.Stderr = &s.errors
	var err error
	if s.in, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	s.w = bufio.NewWriterSize(s.in, 1<<16)
	return s, s.command.Start()
}

func (s *sorter) add(line []byte) error {
	_, err := s.w.Write(line)
	return err
}

func (s *sorter) close() error {
	flushed := s.w.Flush()
	s.in.Close()
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("sort: %w: %s", err, bytes.TrimSpace(s.errors.Bytes()))
	}
	return flushed
}

// A pick is a random choice of lines of which each is as likely as the others
// (reservoir sampling, Vitter's algorithm R). It is held in memory.
type pick struct {
	size      int
	random    random
	seen      int
	tsv, cdxj []string
}

// draw tells whether the next line is chosen for now, and its place.
func (p *pick) draw() (int, bool) {
	p.seen++
	if len(p.tsv) < p.size {
		p.tsv, p.cdxj = append(p.tsv, ""), append(p.cdxj, "")
		return len(p.tsv) - 1, true
	}
	at := p.random.below(p.seen)
	return at, at < p.size
}

func (p *pick) write(dir string) error {
	for i := len(p.tsv) - 1; i > 0; i-- {
		j := p.random.below(i + 1)
		p.tsv[i], p.tsv[j] = p.tsv[j], p.tsv[i]
		p.cdxj[i], p.cdxj[j] = p.cdxj[j], p.cdxj[i]
	}
	for name, lines := range map[string][]string{"pick.tsv": p.tsv, "pick.cdxj": p.cdxj} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<20)
		for _, line := range lines {
			w.WriteString(line) // the error stays until Flush
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
