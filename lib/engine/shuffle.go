package engine

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// order is how lines between map and reduce are sorted: GNU sort's options,
// and how many bytes in front of each line hold its partition.
type order struct {
	fields   []keyField // of KeyFieldBasedComparator; nil: the key's bytes
	n        int        // fields of a key; 0: the line is the key
	memory   int64      // MiB
	parallel int
}

// arguments are the options for lines whose first prefix bytes are the number
// of their reducer. As the partition is glued to the key, one comparison of
// bytes orders both.
func (o order) arguments(prefix int, temporary string) []string {
	args := []string{"-t", "\t", "-s", "-S", fmt.Sprintf("%dM", o.memory),
		fmt.Sprintf("--parallel=%d", o.parallel), "-T", temporary}
	switch {
	case o.fields != nil:
		args = append(args, sortKeys(o.fields, o.n, prefix)...)
	case o.n > 0:
		args = append(args, fmt.Sprintf("-k1,%d", o.n))
	}
	return args
}

// sortCommand makes a GNU sort that compares bytes.
func sortCommand(args ...string) *exec.Cmd {
	cmd := exec.Command("sort", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR=")
	cmd.Dir = "/"
	return cmd
}

// runName is the file of a map task's sorted lines for one reducer.
func runName(dir string, partition int) string {
	return filepath.Join(dir, fmt.Sprintf("%05d", partition))
}

// mapSorter takes the lines of a map task and leaves one sorted file per
// reducer that gets any.
type mapSorter struct {
	ctx       context.Context
	spawner   *spawner
	order     order
	partition partitioner
	reduces   int
	runs      string // folder of the sorted files
	temporary string

	prefix int // bytes
	held   []byte
	midway bool // within a line that is already on its way
	lines  int64
	sort   *sortProcess
	out    *bufio.Writer
}

func newMapSorter(ctx context.Context, s *spawner, o order, p partitioner, reduces int, runs, temporary string) *mapSorter {
	m := &mapSorter{ctx: ctx, spawner: s, order: o, partition: p, reduces: reduces, runs: runs, temporary: temporary}
	if reduces > 1 {
		m.prefix = len(strconv.Itoa(reduces - 1))
	}
	return m
}

// Write takes a piece of output. A line is held back only until its key, which
// decides on its reducer, is complete.
func (m *mapSorter) Write(chunk []byte) (int, error) {
	size := len(chunk)
	if size == 0 {
		return 0, nil
	}
	if m.out == nil {
		if err := m.begin(); err != nil {
			return 0, err
		}
	}
	if m.reduces == 1 {
		m.lines += int64(bytes.Count(chunk, lineFeedByte))
		m.midway = chunk[size-1] != '\n'
		if _, err := m.out.Write(chunk); err != nil {
			return 0, m.sort.fail(err)
		}
		return size, nil
	}
	if len(m.held) > 0 {
		m.held = append(m.held, chunk...)
		chunk = m.held
	}
	rest, err := m.route(chunk)
	if err != nil {
		return 0, m.sort.fail(err)
	}
	m.held = append(m.held[:0], rest...)
	return size, nil
}

// route writes lines with their partition in front and returns the begin of a
// line whose key is not complete.
func (m *mapSorter) route(chunk []byte) (rest []byte, err error) {
	for len(chunk) > 0 {
		end := bytes.IndexByte(chunk, '\n')
		if !m.midway {
			line := chunk
			if end >= 0 {
				line = chunk[:end]
			}
			key, complete := keyOf(line, m.order.n)
			if !complete && end < 0 {
				return chunk, nil
			}
			if err := m.putPartition(key); err != nil {
				return nil, err
			}
		}
		m.midway = end < 0
		if m.midway {
			_, err = m.out.Write(chunk)
			return nil, err
		}
		m.lines++
		if _, err := m.out.Write(chunk[:end+1]); err != nil {
			return nil, err
		}
		chunk = chunk[end+1:]
	}
	return nil, nil
}

// keyOf gives the first n fields; complete is false where the line has fewer,
// and then all of it is the key.
func keyOf(line []byte, n int) (key []byte, complete bool) {
	if n == 0 {
		return line, false
	}
	at := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(line[at:], '\t')
		if i < 0 {
			return line, false
		}
		at += i + 1
	}
	return line[:at-1], true
}

func (m *mapSorter) putPartition(key []byte) error {
	var digits [10]byte
	p := m.partition(key, m.reduces)
	for i := m.prefix - 1; i >= 0; i-- {
		digits[i] = byte('0' + p%10)
		p /= 10
	}
	_, err := m.out.Write(digits[:m.prefix])
	return err
}

// begin starts sort when the first line comes.
func (m *mapSorter) begin() error {
	if err := os.MkdirAll(m.runs, 0o777); err != nil {
		return err
	}
	args := m.order.arguments(m.prefix, m.temporary)
	if m.reduces == 1 {
		args = append(args, "-o", runName(m.runs, 0))
	}
	var err error
	if m.sort, err = startSort(m.ctx, m.spawner, sortCommand(args...), m.reduces > 1, true); err != nil {
		return err
	}
	m.out = bufio.NewWriterSize(m.sort.in, chunkSize)
	return nil
}

// finish waits for the sorted files.
func (m *mapSorter) finish() error {
	if m.out == nil {
		return nil
	}
	if len(m.held) > 0 || m.midway {
		held := append(m.held, '\n')
		m.held = nil
		if m.reduces == 1 {
			held = lineFeedByte
			m.lines++
			m.out.Write(held)
		} else if _, err := m.route(held); err != nil {
			return m.sort.fail(err)
		}
	}
	if err := m.out.Flush(); err != nil {
		return m.sort.fail(err)
	}
	m.sort.in.Close()
	if m.reduces > 1 {
		if err := m.divide(); err != nil {
			return m.sort.fail(err)
		}
	}
	return m.sort.wait()
}

// divide writes the sorted lines into their reducers' files.
func (m *mapSorter) divide() error {
	in := bufio.NewReaderSize(m.sort.out, chunkSize)
	var run partFile
	current, begins := -1, true
	for {
		piece, err := in.ReadSlice('\n')
		if len(piece) > 0 && begins {
			p, failed := strconv.Atoi(string(piece[:m.prefix]))
			if failed != nil {
				return fmt.Errorf("sorted lines have lost their partition: %w", failed)
			}
			if p != current {
				if err := run.close(); err != nil {
					return err
				}
				run = partFile{name: runName(m.runs, p), out: run.out}
				current = p
			}
			piece = piece[m.prefix:]
		}
		if _, failed := run.Write(piece); failed != nil {
			return failed
		}
		begins = err == nil
		if err == io.EOF {
			return run.close()
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
}

// abandon ends sort when the task has failed.
func (m *mapSorter) abandon() {
	if m.sort != nil {
		m.sort.fail(nil)
	}
}

// sortProcess is a running sort.
type sortProcess struct {
	process *process
	in, out *os.File
	errors  bytes.Buffer
	stop    func() bool
	waited  bool
}

// startSort starts cmd with a pipe to its standard input where fed is true and
// one from its standard output where read is true.
func startSort(ctx context.Context, s *spawner, cmd *exec.Cmd, read, fed bool) (*sortProcess, error) {
	p := &sortProcess{}
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	if fed {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		widen(w)
		cmd.Stdin, p.in = r, w
		theirs = append(theirs, r)
	}
	if read {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		widen(r)
		cmd.Stdout, p.out = w, r
		theirs = append(theirs, w)
	}
	cmd.Stderr = &p.errors
	var err error
	if p.process, err = s.start(cmd); err != nil {
		p.close()
		return nil, withHint(fmt.Errorf("sort: %w", err), "GNU sort (coreutils) must be on the PATH")
	}
	p.stop = context.AfterFunc(ctx, p.process.kill)
	return p, nil
}

func (p *sortProcess) close() {
	for _, f := range []*os.File{p.in, p.out} {
		if f != nil {
			f.Close()
		}
	}
}

// wait ends the process in good order.
func (p *sortProcess) wait() error {
	if p.waited {
		return nil
	}
	p.waited = true
	err := p.process.wait()
	p.stop()
	p.process.end()
	p.close()
	if err != nil {
		return fmt.Errorf("sort: %w: %s", describe(err), strings.TrimSpace(p.errors.String()))
	}
	return nil
}

// fail ends the process by force; the reason is what sort itself says, where
// it ended first, or else err.
func (p *sortProcess) fail(err error) error {
	p.close()
	if own := p.waitOrKill(); own != nil && err != nil {
		return own
	}
	return err
}

func (p *sortProcess) waitOrKill() error {
	if p.waited {
		return nil
	}
	p.process.kill()
	err := p.wait()
	if p.errors.Len() == 0 {
		return nil // it was the kill
	}
	return err
}
