package derive

import (
	"bytes"
	"crypto/sha1"
	"errors"

	"github.com/klauspost/compress/gzip"

	"archivestream/lib/cdx"
	"archivestream/lib/index"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/warc"
)

// A captureMaker makes the index of each archive file, as package index does it, with
// what was found out about the payload; its lines are the stage's output, too.
type captureMaker struct {
	deriver *deriver
	task    *stage.Task
	side    bool
	emit    bool
	layout  cdx.Layout
	indexer *index.Indexer
	archive *archive
	current *record
	sorter  *index.Sorter
	again   warc.Record
	body    bytes.Reader
	line    []byte
	digest  []byte
}

func newCaptureMaker(d *deriver, o Options) *captureMaker {
	m := &captureMaker{deriver: d, task: d.task, side: o.has(CDXJ), emit: o.Emit, layout: cdx.LayoutMeta}
	m.indexer = index.New(index.Options{}, index.Sink{Capture: m.capture, Fault: m.fault, Count: d.task.Count})
	return m
}

// A zipped is a side file that is compressed.
type zipped struct {
	storage.Writer
	gzip *gzip.Writer
}

func (z *zipped) Write(p []byte) (int, error) { return z.gzip.Write(p) }

func (z *zipped) Close() error {
	if err := z.gzip.Close(); err != nil {
		z.Abort()
		return err
	}
	return z.Writer.Close()
}

func zip(w storage.Writer) *zipped {
	z, _ := gzip.NewWriterLevel(w, level) // the level is a valid one
	z.OS = 3
	return &zipped{w, z}
}

func (m *captureMaker) open(a *archive) error {
	m.archive = a
	m.indexer.Begin(a.indexed)
	if !m.side {
		return nil
	}
	side, err := m.task.Create(a.folder + "cdx/" + a.name + ".cdxj.gz")
	if err == nil {
		m.sorter, err = index.NewSorter(zip(side))
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

func (m *captureMaker) take(_ *archive, c *record) error {
	m.current = c
	m.again = *c.Record
	m.body.Reset(c.block)
	m.again.Body = &m.body
	return m.indexer.Record(&m.again, m.payloadDigest)
}

// payloadDigest gives the digest of the body as it was transferred.
func (m *captureMaker) payloadDigest() []byte {
	c := m.current
	if c.bodySum != nil {
		return c.bodySum
	}
	if c.slop == 0 && c.http && len(c.entity) == len(c.message.Body) {
		return c.entityDigest()
	}
	if !c.http {
		return c.blockSum
	}
	sum := sha1.Sum(c.message.Body)
	m.digest = appendSHA1(m.digest[:0], &sum)
	return m.digest
}

// capture adds what was found out.
func (m *captureMaker) capture(line *cdx.Capture) error {
	if c := m.current; c.isAnalysed() {
		found := c.analyse()
		line.PUID, line.Soft404 = []byte(found.puid), found.soft404
		if len(line.MimeDetected) == 0 {
			line.MimeDetected = []byte(c.mime)
		}
		if len(c.text) > 0 {
			line.Charset, line.Languages = []byte(charsetName(&c.set)), c.languages()
		}
	}
	m.line = m.layout.Append(m.line[:0], line)
	if m.emit {
		if err := m.task.Write(m.line); err != nil {
			return &outputError{err}
		}
	}
	if m.sorter != nil {
		if err := m.sorter.Write(append(m.line, '\n')); err != nil {
			return &outputError{err}
		}
	}
	return nil
}

func (m *captureMaker) fault(offset int64, reason string) error {
	return m.deriver.reject(m.archive, offset, reason)
}

func (m *captureMaker) close(_ *archive, done bool) error {
	err := error(nil)
	if done {
		err = m.indexer.End(nil)
	}
	if m.sorter != nil {
		if e := m.sorter.Close(done && err == nil); e != nil {
			err = errors.Join(err, &outputError{e})
		}
		m.sorter = nil
	}
	return err
}
