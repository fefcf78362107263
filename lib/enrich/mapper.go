package enrich

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"archivestream/lib/buffers"
	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

// MapperOptions say what the mapper makes of captures.
type MapperOptions struct {
	Options
	Save    string        // json, csv, parquet, documents, text, tsv, plan; empty: JSON lines on standard output
	Pretty  bool          // JSON is indented
	RawCSV  bool          // texts of CSV stay as they are, also those that a spreadsheet would compute
	Workers int           // goroutines that derive values; 0: all cores
	Limit   int           // of a record, and of its payload, in bytes
	Timeout time.Duration // for an answer of an external program
	Check   string        // options or programs: these are checked, and nothing is derived; "": neither
	Verify  string        // url: records are held against their lines; digest: their payloads too
}

// Captures is the mapper that derives values from the records of a plan in archive
// order (lib/extract), keeps those that fulfil all conditions, and saves them in the
// order of the plan. What cannot be read is rejected.
func Captures(t *stage.Task, archives *extract.Archives, o MapperOptions) error {
	plan, err := newPlan(o.Options)
	if err != nil {
		return err
	}
	if o.Limit <= 0 {
		return stage.Usage("--max-payload %d: more than 0 is wanted", o.Limit)
	}
	switch o.Verify {
	case "", "url", verifyDigest:
	default:
		return stage.Usage("--verify %q: expected url or digest", o.Verify)
	}
	s, err := newSaver(t, plan, &o)
	if err != nil {
		return err
	}
	if o.Check != "" {
		if o.Check == "programs" {
			return plan.findPrograms()
		}
		return nil
	}
	if len(plan.nodes) == 0 { // the index says it all
		archives = nil
	}
	m := mapper{task: t, options: o, plan: plan, saver: s}
	if err := m.run(archives); err != nil {
		return err
	}
	return s.close()
}

// verifyDigest is the value of MapperOptions.Verify that reads payloads for it.
const verifyDigest = "digest"

const (
	// batchRecords and batchBytes end a batch: enough that handing it over costs
	// nothing, little enough that the processor's cache still has it then.
	batchRecords = 64
	batchBytes   = 256 << 10
)

// A batch is records on their way: fetched, worked on, saved.
type batch struct {
	jobs    []job
	arena   []byte // lines and records, as they lie in their archives
	out     output
	rejects []reject
	counts  counts
	err     error
	done    chan struct{}
}

// A job is a capture whose record has been fetched, or why it has not.
type job struct {
	form      cdx.Form
	line, raw []byte
	cut       bool // the record is larger than the limit
	last      bool // the archive ends where raw does
	original  place
	err       error
}

// A place is where a record lies.
type place struct {
	name   string // of its archive file
	offset int64  // in bytes
	of     []byte // whose it is, as extract.PlanLine.Original has it
}

type reject struct {
	reason string
	line   []byte
}

type counts struct {
	captures, kept, errors int64
	rows                   int64 // lines, objects or rows that are written
	lacking                int64 // revisits whose payload is in no record that was found
	bytes                  int64 // of the records of the plan that is saved
}

func (b *batch) clear() {
	b.jobs, b.rejects, b.counts, b.err = b.jobs[:0], b.rejects[:0], counts{}, nil
	b.out.clear()
	buffers.Spoil(b.arena)
	b.arena = b.arena[:0]
	if cap(b.arena) > keptBuffer {
		b.arena = nil
	}
}

// keepBytes copies bytes into the arena. When that has to grow, earlier slices keep
// the old one alive.
func (b *batch) keepBytes(p []byte) []byte {
	n := len(b.arena)
	b.arena = append(b.arena, p...)
	return b.arena[n:len(b.arena):len(b.arena)]
}

// A mapper is one task.
type mapper struct {
	task     *stage.Task
	options  MapperOptions
	plan     *Plan
	saver    *saver
	programs []*running

	free, work, ordered chan *batch
	stop                chan struct{} // closed when saving has failed
}

// errStopped ends the reading of a plan when saving has failed.
var errStopped = errors.New("stopped")

func (m *mapper) run(archives *extract.Archives) error {
	workers := m.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for _, p := range m.plan.programs {
		m.programs = append(m.programs, &running{program: p, timeout: m.options.Timeout, count: m.task.Count})
	}
	defer func() {
		for _, p := range m.programs {
			p.close()
		}
	}()
	batches := 2*workers + 1
	m.free, m.work, m.ordered = make(chan *batch, batches), make(chan *batch, batches), make(chan *batch, batches)
	m.stop = make(chan struct{})
	for range batches {
		m.free <- &batch{done: make(chan struct{}, 1), arena: make([]byte, 0, 2*batchBytes)}
	}
	var group sync.WaitGroup
	for range workers {
		w, err := m.newWorker()
		if err != nil {
			close(m.work)
			group.Wait()
			return err
		}
		group.Go(w.run)
	}
	saved := make(chan error, 1)
	go func() { saved <- m.save() }()
	err := m.fetch(archives)
	close(m.work)
	close(m.ordered)
	group.Wait()
	if failed := <-saved; failed != nil {
		return failed
	}
	return err
}

// fetch fills batches with the records of the plan.
func (m *mapper) fetch(archives *extract.Archives) error {
	b := <-m.free
	send := func() error {
		m.work <- b
		m.ordered <- b
		select {
		case b = <-m.free:
			return nil
		case <-m.stop:
			return errStopped
		}
	}
	err := extract.Fetch(m.task, archives, func(f *extract.Fetched) error {
		j := job{line: b.keepBytes(f.Line), err: f.Err}
		if f.Capture != nil {
			j.form = f.Capture.Form
			if f.Offset != f.Capture.Offset || f.Name != string(f.Capture.Filename) {
				j.original = place{f.Name, f.Offset, b.keepBytes(f.Original)}
			}
		}
		if f.Err == nil && archives != nil {
			m.take(b, &j, f)
		}
		b.jobs = append(b.jobs, j)
		if len(b.jobs) < batchRecords && len(b.arena) < batchBytes {
			return nil
		}
		return send()
	})
	if err == nil && len(b.jobs) > 0 {
		m.work <- b
		m.ordered <- b
	}
	return err
}

// take copies the bytes of a record. Of a large one as many are read as the limit
// lets through.
func (m *mapper) take(b *batch, j *job, f *extract.Fetched) {
	j.last = f.Offset+f.Length >= f.File.Size()
	if f.Bytes != nil {
		j.raw = b.keepBytes(f.Bytes)
		return
	}
	size := min(f.Length, int64(m.options.Limit)+maxHead)
	j.cut = size < f.Length
	raw := make([]byte, size)
	if _, err := f.File.ReadAt(raw, f.Offset); err != nil && err != io.EOF {
		j.err = fmt.Errorf("archive file cannot be read: %w", err)
	}
	j.raw = raw
}

// save takes the batches in the order in which they were fetched.
func (m *mapper) save() error {
	var failed error
	var line []byte
	for b := range m.ordered {
		<-b.done
		if failed == nil {
			failed = b.err
		}
		for i := 0; i < len(b.rejects) && failed == nil; i++ {
			line = append(line[:0], b.rejects[i].line...)
			failed = m.task.Reject(b.rejects[i].reason, line)
		}
		if failed == nil {
			failed = m.saver.write(&b.out)
		}
		m.task.Count("captures", b.counts.captures)
		m.task.Count("kept", b.counts.kept)
		m.task.Count("rows", b.counts.rows)
		m.task.Count("records with errors", b.counts.errors)
		m.task.Count("revisits without a payload", b.counts.lacking)
		if m.options.Save == planLines {
			m.task.Count("kept-bytes", b.counts.bytes)
		}
		b.clear()
		if failed != nil {
			select {
			case <-m.stop:
			default:
				close(m.stop)
			}
		}
		m.free <- b
	}
	return failed
}

// A worker works on batches, for one goroutine.
type worker struct {
	*mapper
	record *Record
	table  *table // nil: the output has no columns
	plans  planWriter
}

func (m *mapper) newWorker() (*worker, error) {
	w := &worker{mapper: m}
	var err error
	if m.saver.columns != nil {
		if w.table, err = m.plan.newTable(m.saver.columns, m.options.Each); err != nil {
			return nil, err
		}
	}
	if w.record, err = newRecord(m.plan, m.options.Limit, m.programs); err != nil {
		return nil, err
	}
	w.record.verify = m.options.Verify == verifyDigest
	return w, nil
}

func (w *worker) run() {
	for b := range w.work {
		for i := range b.jobs {
			if b.err == nil {
				b.err = w.derive(b, &b.jobs[i])
			}
		}
		b.done <- struct{}{}
	}
}

// derive works on one record. What is wrong with it is noted in the batch; the error
// is one that ends the task.
func (w *worker) derive(b *batch, j *job) error {
	b.counts.captures++
	r := w.record
	refuse := func(err error) error {
		b.rejects = append(b.rejects, reject{err.Error(), j.line})
		return nil
	}
	if j.form == "" { // the line of the plan itself is damaged
		return refuse(j.err)
	}
	if err := r.reset(j); err != nil {
		return refuse(err)
	}
	r.cut = j.cut
	kept, err := r.keep()
	if r.fatal != nil {
		return r.fatal
	}
	if r.failed != nil {
		return refuse(r.failed)
	}
	if err != nil {
		return refuse(err)
	}
	if !kept {
		return nil
	}
	if w.options.Save == planLines {
		b.counts.bytes += w.plans.append(&b.out, r, j)
		b.counts.kept++
		return nil
	}
	r.compute()
	before, rows := b.out, int64(0)
	if w.table == nil {
		if w.saver.record(&b.out, r); len(b.out.bytes) > len(before.bytes) {
			rows = 1
		}
	} else {
		err = w.table.rows(r, func(cells []Value) error { rows++; return w.saver.row(&b.out, cells) })
	}
	switch {
	case r.fatal != nil:
		return r.fatal
	case r.failed != nil:
		err = r.failed
	case err == nil && !w.saver.tellsErrors:
		err = r.unanswered // there is no place for it in a row
	}
	if err != nil {
		b.out = before
		return refuse(err)
	}
	b.counts.kept++
	b.counts.rows += rows
	if r.lacking {
		b.counts.lacking++
	}
	if len(r.errors) > 0 {
		b.counts.errors++
	}
	return nil
}
