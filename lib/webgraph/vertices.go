package webgraph

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// idDigits is how many digits ids have in keys.
const idDigits = 12

func appendID(dst []byte, id int64) []byte {
	digits := strconv.AppendInt(nil, id, 10)
	for range idDigits - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// plainID gives an id without the zeros in front.
func plainID(id []byte) []byte {
	plain := bytes.TrimLeft(id, "0")
	if len(plain) == 0 {
		return id[len(id)-1:]
	}
	return plain
}

// A part is a compressed side file of lines, made with the first of them: a task
// without any leaves none.
type part struct {
	task *stage.Task
	name string
	head string // first line, if any
	file storage.Writer
	gzip *gzip.Writer
}

func (p *part) Write(lines []byte) (int, error) {
	if p.gzip == nil {
		file, err := p.task.Create(p.name)
		if err != nil {
			return 0, err
		}
		p.file, p.gzip = file, gzip.NewWriter(file)
		if _, err := io.WriteString(p.gzip, p.head); err != nil {
			return 0, err
		}
	}
	return p.gzip.Write(lines)
}

func (p *part) close() error {
	if p.gzip == nil {
		return nil
	}
	if err := p.gzip.Close(); err != nil {
		return err
	}
	return p.file.Close()
}

func (p *part) numbered(folder string) *part {
	p.name = fmt.Sprintf("%s/part-%05d.txt.gz", folder, p.task.Partition())
	return p
}

// ListVertices is the mapper that gives NAME TAB HOST for the vertices among the
// lines of SumLinks.
func ListVertices(t *stage.Task) error {
	var fields [][]byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if fields = stage.Fields(fields, line, 0); len(fields) != 4 {
			return fmt.Errorf("%d fields: %q", len(fields), line)
		}
		if len(fields[1]) > 0 {
			continue
		}
		if err := t.Emit(fields[0], fields[2]); err != nil {
			return err
		}
	}
	return nil
}

// NumberVertices is the reducer that numbers vertices in the order of their names.
// It writes vertices/part-00000.txt.gz and gives NAME TAB 0 TAB ID TAB HOSTS; there
// can be one task only.
func NumberVertices(t *stage.Task, level Level) error {
	file := (&part{task: t}).numbered("vertices")
	var line []byte
	id := int64(0)
	for group, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		hosts := int64(0)
		var last []byte
		for host, err := range group.Values() {
			if err != nil {
				return err
			}
			if hosts == 0 || !bytes.Equal(host, last) { // sorted by both fields
				hosts++
				last = append(last[:0], host...)
			}
		}
		line = append(append(strconv.AppendInt(line[:0], id, 10), '\t'), group.Key...)
		if level == DomainLevel {
			line = strconv.AppendInt(append(line, '\t'), hosts, 10)
		}
		if _, err := file.Write(append(line, '\n')); err != nil {
			return err
		}
		line = appendID(append(append(line[:0], group.Key...), "\t0\t"...), id)
		if err := t.Write(strconv.AppendInt(append(line, '\t'), hosts, 10)); err != nil {
			return err
		}
		id++
	}
	t.Count("vertices", id)
	return file.close()
}

// KeySources is the mapper that makes lines for JoinVertices of the edges among those
// of SumLinks: FROM TAB 1 TAB TO TAB N. Vertices of NumberVertices pass.
func KeySources(t *stage.Task) error {
	var fields [][]byte
	one := []byte("1")
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if fields = stage.Fields(fields, line, 0); len(fields) != 4 {
			return fmt.Errorf("%d fields: %q", len(fields), line)
		}
		switch {
		case string(fields[1]) == "0" && len(fields[2]) == idDigits:
			err = t.Write(line)
		case len(fields[1]) > 0:
			err = t.Emit(fields[0], one, fields[1], fields[3])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// JoinVertices is the reducer that puts ids into the place of names. Its input is
// sorted by two fields: NAME TAB 0 TAB ID TAB HOSTS and behind it NAME TAB 1 TAB X TAB
// N for each edge, of which it makes X TAB 1 TAB ID TAB N.
func JoinVertices(t *stage.Task) error {
	var fields [][]byte
	var id []byte
	for group, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		id = id[:0]
		for value, err := range group.Values() {
			if err != nil {
				return err
			}
			fields = stage.Fields(fields, value, 0)
			if len(fields) != 3 || len(id) == 0 && string(fields[0]) != "0" {
				return t.Unsorted(fmt.Errorf("no vertex in front of %q %q", group.Key, value))
			}
			if len(id) == 0 {
				id = append(id, fields[1]...)
				continue
			}
			if err := t.Emit(fields[1], fields[0], id, fields[2]); err != nil {
				return err
			}
		}
	}
	return nil
}
