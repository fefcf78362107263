package derive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"archivestream/lib/stage"
	"archivestream/lib/warc"
	"archivestream/lib/webpage"
)

// A maker makes one derivative of the records of an archive file.
type maker interface {
	// open begins the file of an archive.
	open(a *archive) error
	// take takes a record.
	take(a *archive, c *record) error
	// close completes the file, or leaves none.
	close(a *archive, done bool) error
}

// An archive is an archive file that is being read.
type archive struct {
	path    string // for messages
	name    string // last element of its path, as crawled
	stem    string // that the names of its derivatives begin with
	folder  string // that the folders of its derivatives are in; empty, or with a slash at its end
	indexed string // what the index calls it
	date    time.Time
	info    []line // of its first warcinfo record
	begun   bool
}

// outputName gives the name of a derivative, such as X.warc.wat.gz of X.warc.gz.
func (a *archive) outputName(kind string) string {
	return fmt.Sprintf("%s%s/%s.%s.gz", a.folder, kind, a.stem, kind)
}

// dateOf gives the date of a record as WARC/1.0 has it; that of the file where it
// has none.
func (a *archive) dateOf(c *record) []byte {
	t := c.Date()
	if t.IsZero() || t.Year() > 9999 {
		t = a.date
	}
	return t.AppendFormat(nil, "2006-01-02T15:04:05Z")
}

// refersTo gives what WARC-Refers-To has for a record: its id, or where it stands.
func (a *archive) refersTo(c *record) []byte {
	if c.Format == warc.WARC {
		if id := c.Header.Get("WARC-Record-ID"); id != "" {
			return []byte(id)
		}
	}
	return fmt.Appendf(nil, "<urn:%s:%s:%d>", c.Format, a.name, c.Offset+c.InnerOffset)
}

// A deriver makes all derivatives that are asked for.
type deriver struct {
	task   *stage.Task
	date   time.Time // of the derivatives; zero: that of the first record
	makers []maker
	record *record
}

// archive reads an archive file once.
func (d *deriver) archive(file io.ReaderAt, size int64, a *archive) error {
	reader := warc.NewReader(file, size, warc.Options{Name: a.path})
	for {
		r, err := reader.Next()
		if err == io.EOF {
			return d.begin(a, nil)
		}
		var defect *warc.Defect
		if errors.As(err, &defect) {
			if err := d.fault(a, defect); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if err := d.take(a, r, reader); err != nil {
			return err
		}
		for _, defect := range r.Defects {
			if err := d.fault(a, defect); err != nil {
				return err
			}
		}
	}
}

// take hands a record to all makers. One that cannot be read to its end is told by the
// reader and has no derivatives.
func (d *deriver) take(a *archive, r *warc.Record, reader *warc.Reader) error {
	c := d.record
	if err := c.read(r, reader); err != nil {
		if defect := (*warc.Defect)(nil); errors.As(err, &defect) {
			return nil
		}
		return err
	}
	c.name = a.name
	if err := d.begin(a, c); err != nil {
		return err
	}
	d.task.Count("records", 1)
	for _, m := range d.makers {
		if err := m.take(a, c); err != nil {
			return err
		}
	}
	return nil
}

// begin opens the output files with the first record, from which they have their
// date and what is said of the crawl.
func (d *deriver) begin(a *archive, c *record) error {
	if a.begun {
		return nil
	}
	a.begun = true
	a.date = d.date
	if c != nil {
		if a.date.IsZero() {
			a.date = c.Date()
		}
		if c.Type == warc.Warcinfo && c.Format == warc.WARC {
			lines, _ := fieldLines(bytes.Clone(c.block))
			a.info = lines
		}
	}
	if a.date.IsZero() || a.date.Year() > 9999 {
		a.date = time.Unix(0, 0).UTC()
	}
	for _, m := range d.makers {
		if err := m.open(a); err != nil {
			return err
		}
	}
	return nil
}

func (d *deriver) fault(a *archive, defect *warc.Defect) error {
	reason := fmt.Sprintf("%s: %s", defect.Kind, defect.Detail)
	if defect.IsHarmless() {
		return d.tell(d.task.Warn, a, defect.Offset, reason)
	}
	return d.reject(a, defect.Offset, reason)
}

func (d *deriver) reject(a *archive, offset int64, reason string) error {
	return d.tell(d.task.Reject, a, offset, reason)
}

func (d *deriver) tell(how func(string, []byte) error, a *archive, offset int64, reason string) error {
	if err := how(fmt.Sprintf("offset %d: %s", offset, reason), []byte(a.path)); err != nil {
		return &outputError{err}
	}
	return nil
}

// close completes the files of all makers, or leaves none of them.
func (d *deriver) close(a *archive, done bool) error {
	if !a.begun {
		return nil
	}
	var all error
	for _, m := range d.makers {
		all = errors.Join(all, m.close(a, done && all == nil))
	}
	return all
}

// An outputError is one of writing, which ends the task.
type outputError struct{ error }

func (e *outputError) Unwrap() error { return e.error }

// pageParts is what of a page the derivatives have.
const pageParts = webpage.Title | webpage.Text | webpage.Links | webpage.Metas | webpage.Language | webpage.Base
