package extract

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"

	"archivestream/lib/inputs"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// errDamaged is the error of a strict listing that has found something.
var errDamaged = errors.New("damage was found")

// ListRecords is the mapper that lists the records of archive files in the form
// that ParseCaptures reads: URL, archive file, offset, length. Its input lines
// are paths or URIs of archive files. What is damaged is rejected with its
// offset; strict makes that an error at the end. Of several records in one gzip
// member only the first is listed, since no other has an offset.
func ListRecords(t *stage.Task, strict bool) error {
	damaged := false
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		name := string(line)
		found, err := listArchive(t, name)
		if err != nil && !storage.Lasting(err) && !t.LastAttempt() {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			found = true
			if err := t.Reject(err.Error(), line); err != nil {
				return err
			}
		}
		damaged = damaged || found
	}
	if strict && damaged {
		return stage.Hint(errDamaged, "the rejects say where")
	}
	return nil
}

// listArchive lists one file. The error is of the file itself.
func listArchive(t *stage.Task, name string) (damaged bool, err error) {
	f, err := inputs.OpenArchive(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	reject := func(d *warc.Defect) error {
		damaged = true
		tell := t.Reject
		if d.IsHarmless() {
			tell = t.Warn
		}
		return tell(fmt.Sprintf("offset %d: %s: %s", d.Offset, d.Kind, d.Detail), []byte(name))
	}
	l := lister{task: t, archive: []byte(path.Base(name))}
	for record, err := range warc.NewReader(f, f.Size(), warc.Options{Name: name}).Records() {
		var d *warc.Defect
		if errors.As(err, &d) {
			err = reject(d)
			record = nil
		}
		if err != nil {
			return damaged, err
		}
		if record == nil {
			continue
		}
		if err := l.list(record); err != nil {
			return damaged, err
		}
		for _, d := range record.Defects {
			if err := reject(d); err != nil {
				return damaged, err
			}
		}
	}
	return damaged, nil
}

// A lister emits the lines of one archive file.
type lister struct {
	task    *stage.Task
	archive []byte
	url     []byte
	offset  []byte
	length  []byte
}

func (l *lister) list(record *warc.Record) error {
	// The block is read for its checksum, and because only then the length of a
	// large member is known.
	if _, err := io.Copy(io.Discard, record.Body); err != nil || record.Damaged() {
		l.task.Count("damaged", 1)
		return nil // the reader tells it too
	}
	l.task.Count("records", 1)
	if record.InnerOffset > 0 {
		l.task.Count("behind others in their gzip member", 1)
		return nil
	}
	url := record.TargetURI()
	if url == "" {
		url = "-"
	}
	l.url = appendListed(l.url[:0], url)
	l.offset = strconv.AppendInt(l.offset[:0], record.Offset, 10)
	l.length = append(l.length[:0], '-')
	if record.Length >= 0 {
		l.length = strconv.AppendInt(l.length[:0], record.Length, 10)
	}
	return l.task.Emit(l.url, l.archive, l.offset, l.length)
}

// appendListed appends a URL so that it can stand in a list of captures, of which
// no field is unescaped: control characters are percent-encoded.
func appendListed(dst []byte, url string) []byte {
	for i := range len(url) {
		if c := url[i]; c < ' ' {
			dst = fmt.Appendf(dst, "%%%02X", c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
