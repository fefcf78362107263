package stage

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"archivestream/lib/storage"
)

// A Task is one run of a stage: under an engine one attempt of one task, in a
// plain pipe the whole. Count and Status are for any goroutine; Lines, the methods
// that write lines or rejects, and Create for one each. The context gives the
// values of the options.
type Task struct {
	*cli.Context
	name   string
	in     io.Reader
	out    *bufio.Writer
	errw   io.Writer
	read   atomic.Int64 // lines
	mu     sync.Mutex   // of counters, status and errw
	counts map[string]int64
	sent   map[string]int64 // what the engine has been told of counts
	status string
	order  sequence // of the lines that are read
	reject *rejects

	foreign bool // the input is no lines: the rest of it is left
	looked  bool // whether it is
	again   bool // another stage rejects
	files   []storage.Writer
	quit    chan struct{}
}

// outBuffer is how much output is collected for one write, in bytes.
const outBuffer = 256 << 10

// keepalive is how often a task that is silent otherwise tells its engine that
// it lives; engines kill a task after ten minutes of silence.
const keepalive = 30 * time.Second

func newTask(name string, ctx *cli.Context, in io.Reader, out, errw io.Writer) *Task {
	t := &Task{
		Context: ctx, name: name, in: in, errw: errw,
		out:    bufio.NewWriterSize(out, outBuffer),
		counts: map[string]int64{}, sent: map[string]int64{},
		quit: make(chan struct{}),
	}
	t.order.Order = orderOf(name)
	t.reject = &rejects{task: t}
	if UnderEngine() {
		go t.keepAlive()
	}
	return t
}

// UnderEngine says whether an engine started this process as a task.
func UnderEngine() bool { return os.Getenv("mapreduce_task_attempt_id") != "" }

// Write writes one line as it is.
func (t *Task) Write(line []byte) error {
	if _, err := t.out.Write(line); err != nil {
		return err
	}
	return t.out.WriteByte('\n')
}

// Writer is where Write and Emit write to: for text of many whole lines.
func (t *Task) Writer() io.Writer { return t.out }

// Emit writes one line of fields. A field that could hold a tab or a line end
// must have been escaped.
func (t *Task) Emit(fields ...[]byte) error {
	for i, f := range fields {
		if i > 0 {
			if err := t.out.WriteByte('\t'); err != nil {
				return err
			}
		}
		if _, err := t.out.Write(f); err != nil {
			return err
		}
	}
	return t.out.WriteByte('\n')
}

// Count adds to one of the stage's counters.
func (t *Task) Count(name string, n int64) {
	t.mu.Lock()
	t.counts[name] += n
	t.mu.Unlock()
}

// Status sets the line that an engine shows for the running task.
func (t *Task) Status(format string, args ...any) {
	t.mu.Lock()
	t.status = fmt.Sprintf(format, args...)
	t.mu.Unlock()
}

// Create makes a side file. Under an engine it belongs to the attempt and needs
// no temporary name; it must be closed by the stage in either case.
func (t *Task) Create(name string) (storage.Writer, error) {
	create := storage.CreateData
	if UnderEngine() {
		create = storage.CreateDirect
	}
	w, err := create(storage.Join(t.OutputDir(), name))
	if err != nil {
		return nil, fmt.Errorf("side file: %w", err)
	}
	t.files = append(t.files, w)
	return w, nil
}

// OutputDir is the folder that side files are written into.
func (t *Task) OutputDir() string {
	if dir := os.Getenv("mapreduce_task_output_dir"); dir != "" {
		return dir
	}
	return t.String("output")
}

// InputFile is the path or URI of the file that a map task's lines come from;
// empty where no engine tells it.
func (t *Task) InputFile() string { return os.Getenv("mapreduce_map_input_file") }

// InputStart is where in InputFile the task's split begins, in bytes.
func (t *Task) InputStart() int64 {
	n, _ := strconv.ParseInt(os.Getenv("mapreduce_map_input_start"), 10, 64)
	return n
}

// Partition is the task's number, from 0.
func (t *Task) Partition() int {
	n, _ := strconv.Atoi(os.Getenv("mapreduce_task_partition"))
	return n
}

// IsMap says whether the task is a map task (a plain pipe counts as one).
func (t *Task) IsMap() bool { return os.Getenv("mapreduce_task_ismap") != "false" }

// LastAttempt says whether no other attempt at the task follows if this one fails:
// an error that may pass is worth another one, and then no reason to fail. Without
// an engine the first attempt is the last.
func (t *Task) LastAttempt() bool {
	id := os.Getenv("mapreduce_task_attempt_id")
	number, err := strconv.Atoi(id[strings.LastIndexByte(id, '_')+1:])
	if err != nil {
		return true
	}
	kind := "map"
	if !t.IsMap() {
		kind = "reduce"
	}
	most, err := strconv.Atoi(os.Getenv("mapreduce_" + kind + "_maxattempts"))
	if err != nil {
		most = 4 // the engines' default
	}
	return number+1 >= most
}

// close flushes what was written and, where the stage did its work, reports the
// counters. Side files that the stage left open have failed with it.
func (t *Task) close(done bool) error {
	err := t.reject.close(done)
	for _, f := range t.files {
		f.Abort()
	}
	if e := t.out.Flush(); err == nil {
		err = e
	}
	if err == nil && done {
		t.report()
	}
	return err
}

// report prints the counters: for an engine, or for a person.
func (t *Task) report() {
	if f, ok := t.errw.(*os.File); ok && !UnderEngine() && terminal(f) {
		t.summarize()
		return
	}
	t.sendCounters()
}

func (t *Task) summarize() {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.errw, "%s: %d lines read\n", t.name, t.read.Load())
	for _, name := range sortedKeys(t.counts) {
		fmt.Fprintf(t.errw, "%s: %d %s\n", t.name, t.counts[name], name)
	}
}

// sendCounters tells the engine what has been counted since the last time.
func (t *Task) sendCounters() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range sortedKeys(t.counts) {
		if n := t.counts[name] - t.sent[name]; n != 0 {
			fmt.Fprintf(t.errw, "reporter:counter:%s,%s,%d\n", t.name, name, n)
			t.sent[name] = t.counts[name]
		}
	}
}

func sortedKeys(m map[string]int64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func (t *Task) keepAlive() {
	tick := time.NewTicker(keepalive)
	defer tick.Stop()
	for {
		select {
		case <-t.quit:
			return
		case <-tick.C:
			t.sendCounters()
			t.mu.Lock()
			status := t.status
			if status == "" {
				status = fmt.Sprintf("%d lines read", t.read.Load())
			}
			fmt.Fprintf(t.errw, "reporter:status:%s\n", status)
			t.mu.Unlock()
		}
	}
}

func (t *Task) stopKeepalive() { close(t.quit) }

// terminal says whether a person looks at the file.
func terminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0 && st.Mode()&os.ModeDevice != 0 && f.Name() != os.DevNull
}
