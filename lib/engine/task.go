package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
)

// task is one part of a phase: a split to map, or a partition to reduce.
type task struct {
	id    string // local…_m_000003
	index int
	split *split // nil for reducers

	attempts int // begun
	failures int
	running  map[*attempt]bool
	done     bool
	given    bool // it failed for good, and the job may go on without it
}

func (t *task) isMap() bool { return t.split != nil }

func (t *task) kind() string {
	if t.isMap() {
		return "map"
	}
	return "reduce"
}

// attempt is one try of a task.
type attempt struct {
	id       string // attempt_local…_m_000003_0
	task     *task
	dir      string
	counters *counters
	began    int64 // nanoseconds since the phase began
	cancel   context.CancelCauseFunc

	moved atomic.Int64 // bytes of input fed
	total atomic.Int64 // bytes of input
}

func (a *attempt) output() string    { return filepath.Join(a.dir, outputName) }
func (a *attempt) runs() string      { return filepath.Join(a.dir, runsName) }
func (a *attempt) folder() string    { return filepath.Join(a.dir, "folder") }
func (a *attempt) temporary() string { return filepath.Join(a.dir, "temporary") }

// progress is how much of the input the attempt has read, 0 to 1.
func (a *attempt) progress() float64 {
	total := a.total.Load()
	if total <= 0 {
		return 0
	}
	return min(1, float64(a.moved.Load())/float64(total))
}

// run does the attempt's work; its folder is ready to be committed when the
// error is nil.
func (j *job) run(ctx context.Context, a *attempt) error {
	if err := j.prepare(a); err != nil {
		return err
	}
	work := j.reduce
	if a.task.isMap() {
		work = j.mapSplit
	}
	stderr := &errorOutput{prefix: j.prefix, counters: a.counters, log: filepath.Join(a.dir, "stderr")}
	if err := work(ctx, a, stderr); err != nil {
		return stderr.explain(err)
	}
	err := errors.Join(os.RemoveAll(a.folder()), os.RemoveAll(a.temporary()))
	if err != nil {
		return err
	}
	return writeJSON(filepath.Join(a.dir, countersName), a.counters.sums)
}

// prepare makes the attempt's folders and links the job's files.
func (j *job) prepare(a *attempt) error {
	for _, dir := range []string{a.output(), a.folder(), a.temporary()} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	for _, f := range j.files {
		if err := os.Symlink(f.path, filepath.Join(a.folder(), f.name)); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}

func (j *job) child(a *attempt, command []string, stderr *errorOutput) *child {
	return &child{command: command, dir: a.folder(), env: j.environmentOf(a.task, a),
		timeout: j.timeout, failing: j.exitFails, stderr: stderr}
}

func (j *job) mapSplit(ctx context.Context, a *attempt, stderr *errorOutput) error {
	a.total.Store(a.task.split.Length)
	feed := &lineFeed{split: *a.task.split, offsets: j.offsets, moved: func(n int64) { a.moved.Add(n) }}
	c := j.child(a, j.mapper, stderr)
	c.feed = func(w io.Writer) error {
		_, err := feed.run(w)
		return err
	}
	var printed int64
	var err error
	if j.reduces == 0 {
		printed, err = j.writePart(ctx, a, c, j.mapTabs)
	} else {
		printed, err = j.writeRuns(ctx, a, c, stderr)
	}
	a.counters.add(groupFramework, mapInputRecords, feed.lines)
	a.counters.add(groupFramework, mapOutputRecords, printed)
	return err
}

// writePart runs c and writes its lines to the task's part file.
func (j *job) writePart(ctx context.Context, a *attempt, c *child, tabs int) (lines int64, err error) {
	part := &partFile{name: filepath.Join(a.output(), fmt.Sprintf("part-%05d", a.task.index))}
	if !j.lazyOutput {
		if err := part.open(); err != nil {
			return 0, err
		}
	}
	text := &tabWriter{w: part, need: tabs}
	c.sink = &returnEnds{w: text}
	err = c.run(ctx, j.spawner)
	if err == nil {
		err = text.finish()
	}
	return text.lines, errors.Join(err, part.close())
}

// partFile is a text output that is made when it is first written.
type partFile struct {
	name string
	file *os.File
	out  *bufio.Writer
}

func (p *partFile) open() (err error) {
	if p.file, err = os.Create(p.name); err != nil {
		return err
	}
	if p.out == nil {
		p.out = bufio.NewWriterSize(nil, chunkSize)
	}
	p.out.Reset(p.file)
	return nil
}

func (p *partFile) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if p.file == nil {
		if err := p.open(); err != nil {
			return 0, err
		}
	}
	return p.out.Write(b)
}

func (p *partFile) close() error {
	if p.file == nil {
		return nil
	}
	return errors.Join(p.out.Flush(), p.file.Close())
}

// writeRuns runs c and sorts its lines into one file per reducer.
func (j *job) writeRuns(ctx context.Context, a *attempt, c *child, stderr *errorOutput) (lines int64, err error) {
	sorter := newMapSorter(ctx, j.spawner, j.order, j.partitioner(), j.reduces, a.runs(), a.temporary())
	defer sorter.abandon()
	c.sink = &returnEnds{w: sorter}
	if err := c.run(ctx, j.spawner); err != nil {
		return 0, err
	}
	if err := sorter.finish(); err != nil {
		return 0, err
	}
	if j.combiner == nil {
		return sorter.lines, nil
	}
	return sorter.lines, j.combine(ctx, a, stderr)
}

// combine replaces each sorted file by what the combiner makes of it. Hadoop
// may run a combiner any number of times; here it runs once.
func (j *job) combine(ctx context.Context, a *attempt, stderr *errorOutput) error {
	for p := range j.reduces {
		name := runName(a.runs(), p)
		in, err := os.Open(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		c := j.child(a, j.combiner, stderr)
		out := &partFile{name: name + ".combined"}
		read, printed := &tabWriter{need: j.feedTabs}, &tabWriter{w: out}
		c.feed = func(w io.Writer) error { return feedLines(read, w, in, func(int64) {}) }
		c.sink = &returnEnds{w: printed}
		err = c.run(ctx, j.spawner)
		in.Close()
		if err = errors.Join(err, printed.finish(), out.close(), os.Remove(name)); err != nil {
			return err
		}
		if out.file != nil {
			if err := os.Rename(out.name, name); err != nil {
				return err
			}
		}
		a.counters.add(groupFramework, combineInput, read.lines)
		a.counters.add(groupFramework, combineOutput, printed.lines)
	}
	return nil
}

// feedLines copies sorted lines to a reducer's standard input through t.
func feedLines(t *tabWriter, w io.Writer, r io.Reader, moved func(int64)) error {
	t.w = w
	buffer := make([]byte, chunkSize)
	for {
		n, err := r.Read(buffer)
		moved(int64(n))
		if _, err := t.Write(buffer[:n]); err != nil {
			return err
		}
		if err == io.EOF {
			return t.finish()
		}
		if err != nil {
			return err
		}
	}
}

func (j *job) reduce(ctx context.Context, a *attempt, stderr *errorOutput) error {
	files, err := j.runsOf(a)
	if err != nil {
		return err
	}
	in, err := openMerged(ctx, j.spawner, j.order, files, a.temporary())
	if err != nil {
		return err
	}
	// The reducer starts when the merge is there, as on Hadoop: a long merge
	// is not a reducer that does nothing.
	lines := bufio.NewReaderSize(in, chunkSize)
	_, empty := lines.Peek(1)
	if empty != nil && empty != io.EOF {
		return errors.Join(empty, in.close(false))
	}
	c := j.child(a, j.reducer, stderr)
	read := &tabWriter{need: j.feedTabs}
	complete := false
	c.feed = func(w io.Writer) error {
		err := feedLines(read, w, lines, func(n int64) { a.moved.Add(n) })
		complete = err == nil
		return err
	}
	var printed int64
	if empty == io.EOF {
		err = j.reduceNothing(ctx, a, c)
	} else {
		printed, err = j.writePart(ctx, a, c, j.reduceTabs)
	}
	if closing := in.close(complete); err == nil {
		err = closing
	}
	a.counters.add(groupFramework, reduceInputRecords, read.lines)
	a.counters.add(groupFramework, reduceOutputRecords, printed)
	return err
}

// reduceNothing runs a reducer without input: hadoop-streaming throws away what
// it prints and counts, and an output that a cluster would not make must not
// appear here.
func (j *job) reduceNothing(ctx context.Context, a *attempt, c *child) error {
	if !j.lazyOutput {
		part := &partFile{name: filepath.Join(a.output(), fmt.Sprintf("part-%05d", a.task.index))}
		if err := errors.Join(part.open(), part.close()); err != nil {
			return err
		}
	}
	c.sink = io.Discard
	c.stderr.counters = newCounters()
	return c.run(ctx, j.spawner)
}

// runsOf lists the sorted files of all map tasks for one reducer, in the order
// of the inputs rather than of the tasks: so lines with equal keys come in the
// same order however the inputs were cut.
func (j *job) runsOf(a *attempt) ([]string, error) {
	var files []string
	tasks := make([]int, len(j.splits))
	for i, s := range j.splits {
		tasks[s.rank] = i
	}
	for _, i := range tasks {
		name := runName(filepath.Join(j.work.task("task_"+j.taskID('m', i)), runsName), a.task.index)
		info, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, name)
		a.total.Add(info.Size())
	}
	return files, nil
}

func (j *job) taskID(kind byte, index int) string {
	return fmt.Sprintf("%s_%c_%06d", j.id, kind, index)
}
