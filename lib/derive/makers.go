package derive

import (
	"fmt"
	"net/http"
	"path"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// A recordFile is an output file of WARC records. Its makers embed it.
type recordFile struct {
	task  *stage.Task
	press *press
	kind  string // wat, wet or meta
	side  storage.Writer
	file  *file
	head  head
	block []byte
}

// crawlFields are those of a crawl's warcinfo record that its derivatives keep.
var crawlFields = []string{"robots", "isPartOf", "operator", "description", "publisher"}

// open creates the file and writes its warcinfo record.
func (f *recordFile) open(a *archive) error {
	name := a.outputName(f.kind)
	side, err := f.task.Create(name)
	if err != nil {
		return &outputError{err}
	}
	f.side, f.file = side, f.press.file(side)
	m := f.press.member()
	f.head.begin(m, warc.Warcinfo)
	f.head.field("WARC-Date", a.date.AppendFormat(nil, "2006-01-02T15:04:05Z"))
	f.head.field("WARC-Filename", []byte(path.Base(name)))
	f.block = fmt.Appendf(f.block[:0], "Software-Info: archivestream %s\r\nExtracted-Date: %s\r\nformat: WARC File Format 1.0\r\nconformsTo: http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf\r\n",
		stage.Version, a.date.Format(http.TimeFormat))
	for _, name := range crawlFields {
		for _, l := range a.info {
			if string(l.name) == name {
				f.block = fmt.Appendf(f.block, "%s: %s\r\n", name, l.value)
			}
		}
	}
	f.head.end("application/warc-fields", f.block)
	f.file.put(m)
	return nil
}

func (f *recordFile) close(_ *archive, done bool) error {
	if f.file == nil {
		return nil
	}
	err := f.file.close()
	f.file = nil
	if err != nil || !done {
		f.side.Abort()
	} else {
		err = f.side.Close()
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// begin begins a record about another.
func (f *recordFile) begin(a *archive, c *record, kind string) *member {
	m := f.press.member()
	f.head.begin(m, kind)
	uri := c.TargetURI()
	if uri == "" && c.Type == warc.Warcinfo {
		uri = c.Header.Get("WARC-Filename")
	}
	f.head.field("WARC-Target-URI", []byte(uri))
	f.head.field("WARC-Date", a.dateOf(c))
	f.head.field("WARC-Refers-To", a.refersTo(c))
	return m
}

// A watMaker makes WAT files.
type watMaker struct {
	recordFile
	json jsonWriter
}

func (w *watMaker) take(a *archive, c *record) error {
	m := w.begin(a, c, warc.Metadata)
	w.json.envelope(c)
	w.head.end("application/json", w.json.b)
	w.file.put(m)
	return nil
}

// A wetMaker makes WET files.
type wetMaker struct{ recordFile }

func (w *wetMaker) take(a *archive, c *record) error {
	if c.parse(); len(c.text) == 0 {
		return nil
	}
	m := w.begin(a, c, warc.Conversion)
	w.head.field("WARC-Identified-Content-Language", c.languages())
	w.head.end("text/plain", c.text)
	w.file.put(m)
	w.task.Count("texts", 1)
	return nil
}
