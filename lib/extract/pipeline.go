package extract

import (
	"bytes"
	"strconv"
	"sync"
	"sync/atomic"

	"archivestream/lib/buffers"
	"archivestream/lib/cdx"
	"archivestream/lib/stage"
	"archivestream/lib/warc"
)

const (
	// chunkEntries is how many lines of a plan go through the pipeline together:
	// enough that handing them over costs nothing.
	chunkEntries = 256
	// chunkBytes is how many bytes of lines end a chunk before that.
	chunkBytes = 256 << 10
	// chunks is how many are under way: one in each part, and one waiting.
	chunks = 4
)

// An entry is a line of a plan on its way: parsed, extracted, told.
type entry struct {
	item
	text    []byte // the line of the list, as it was listed
	capture cdx.Capture
	place   warc.Place // of the record in the output
	fault   *fault     // why there is none
	beside  *request   // that was copied with it, nil for none
	again   bool       // a request that another entry has copied: the manifest has it
}

// A chunk is some entries and the memory that they point into.
type chunk struct {
	entries []entry
	arena   []byte
}

// keep copies bytes into the arena. When it has to grow, earlier slices keep the
// old one alive, so they stay valid.
func (c *chunk) keep(p []byte) []byte {
	n := len(c.arena)
	c.arena = append(c.arena, p...)
	return c.arena[n:len(c.arena):len(c.arena)]
}

// full says whether no more entries should go into the chunk.
func (c *chunk) full() bool { return len(c.entries) >= chunkEntries || len(c.arena) >= chunkBytes }

func (c *chunk) clear() {
	buffers.Spoil(c.arena)
	c.entries, c.arena = c.entries[:0], c.arena[:0]
}

// next gives a cleared entry that keeps the buffers of an earlier one.
func (c *chunk) next() *entry {
	if len(c.entries) == cap(c.entries) {
		c.entries = append(c.entries, entry{})
	} else {
		c.entries = c.entries[:len(c.entries)+1]
	}
	e := &c.entries[len(c.entries)-1]
	*e = entry{capture: e.capture}
	return e
}

// add parses a line of the plan.
func (c *chunk) add(line []byte) {
	e := c.next()
	line = c.keep(line)
	e.text = line
	err := e.item.parse(line, ByArchive)
	if err == nil && bytes.IndexByte(e.line, '\\') < 0 {
		e.text = e.line
	} else if err == nil {
		begin := len(c.arena)
		if c.arena, err = stage.AppendUnescaped(c.arena, e.line); err == nil {
			e.text = c.arena[begin:len(c.arena):len(c.arena)]
		}
	}
	if err == nil {
		err = e.form.Parse(e.text, &e.capture)
	}
	if err != nil {
		e.fault = &fault{err.Error()}
	}
}

// runPipeline parses the lines of a plan, has their records extracted and tells
// what became of them, each in a goroutine of its own: extraction, which moves
// the bytes, is not held up by the rest.
func runPipeline(t *stage.Task, extract func(*chunk) error) error {
	free, parsed, done := make(chan *chunk, chunks), make(chan *chunk, chunks), make(chan *chunk, chunks)
	for range chunks {
		free <- &chunk{}
	}
	var failed failure
	var parts sync.WaitGroup
	parts.Go(func() {
		defer close(parsed)
		failed.note(parsePlan(t, free, parsed, &failed))
	})
	parts.Go(func() {
		r := reporter{task: t}
		for c := range done {
			if !failed.has() {
				failed.note(r.tell(c))
			}
			c.clear()
			free <- c
		}
	})
	for c := range parsed {
		if !failed.has() {
			failed.note(extract(c))
		}
		done <- c
	}
	close(done)
	parts.Wait()
	return failed.err
}

// A failure is the first error of the parts of a pipeline.
type failure struct {
	once sync.Once
	flag atomic.Bool
	err  error
}

func (f *failure) note(err error) {
	if err != nil {
		f.once.Do(func() { f.err = err })
		f.flag.Store(true)
	}
}

func (f *failure) has() bool { return f.flag.Load() }

// parsePlan fills chunks with the lines of the plan.
func parsePlan(t *stage.Task, free <-chan *chunk, parsed chan<- *chunk, failed *failure) error {
	c := <-free
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		c.add(line)
		if !c.full() {
			continue
		}
		parsed <- c
		if c = <-free; failed.has() {
			return nil
		}
	}
	parsed <- c
	return nil
}

// A reporter tells what became of the entries: lines of the tables, or rejects.
type reporter struct {
	task     *stage.Task
	key, row []byte
}

var manifestTable, indexTable = []byte(ManifestTable), []byte(IndexTable)

func (r *reporter) tell(c *chunk) error {
	var records, size int64
	for i := range c.entries {
		e := &c.entries[i]
		if e.fault != nil {
			if err := r.task.Reject(e.fault.reason, e.text); err != nil {
				return err
			}
			continue
		}
		records++
		if !e.again {
			size += e.place.Length
		}
		if e.beside != nil {
			size += e.beside.place.Length
		}
		if err := r.emit(e); err != nil {
			return err
		}
	}
	r.task.Count("records", records)
	r.task.Count("bytes", size)
	return nil
}

// emit writes a record's lines of the tables.
func (r *reporter) emit(e *entry) error {
	if !e.again {
		if err := r.emitPlace(e, &e.place, e.offset, e.capture.URL); err != nil {
			return err
		}
	}
	if e.beside != nil {
		if err := r.emitPlace(e, &e.beside.place, e.beside.offset, []byte(e.beside.url)); err != nil {
			return err
		}
	}
	if e.capture.Form == cdx.FormTSV {
		return nil
	}
	to := &e.place
	r.row = e.capture.AppendCDXJ(r.row[:0], to.File, to.Offset, to.Length)
	return r.task.Emit(indexTable, r.row, nil)
}

// emitPlace writes the line of the manifest for a copy: where it is and where it is from.
func (r *reporter) emitPlace(e *entry, to *warc.Place, offset int64, url []byte) error {
	r.key = append(append(r.key[:0], to.File...), ' ')
	r.key = appendPadded(r.key, to.Offset, offsetDigits)
	r.row = append(append(r.row[:0], to.File...), '\t')
	r.row = append(strconv.AppendInt(r.row, to.Offset, 10), '\t')
	r.row = append(strconv.AppendInt(r.row, to.Length, 10), '\t')
	r.row = append(append(r.row, e.archive...), '\t')
	r.row = append(strconv.AppendInt(r.row, offset, 10), '\t')
	r.row = stage.AppendEscaped(r.row, url)
	return r.task.Emit(manifestTable, r.key, r.row)
}
