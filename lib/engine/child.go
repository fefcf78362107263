package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// child is one run of a mapper, combiner or reducer: lines in, lines out.
type child struct {
	command []string
	dir     string   // its working folder
	env     []string // NAME=VALUE, whole environment
	timeout time.Duration
	failing bool // a status other than 0 is a failure
	stderr  *errorOutput

	// feed writes standard input and takes its own pause from a pipe that the
	// program closed early.
	feed func(io.Writer) error
	// sink takes standard output as it comes.
	sink io.Writer

	last  atomic.Int64 // when something moved, since began
	began time.Time
}

// killGrace is how long what was printed before a kill may still be read.
const killGrace = time.Second

var errTimeout = errors.New("no input read, no output and no status")

// alive notes that the task does something.
func (c *child) alive() { c.last.Store(int64(time.Since(c.began))) }

// idle is for how long nothing has moved.
func (c *child) idle() time.Duration { return time.Since(c.began) - time.Duration(c.last.Load()) }

// run starts the program and returns when it and all that it started are gone.
func (c *child) run(ctx context.Context, s *spawner) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := &exec.Cmd{}
	cmd.Path, cmd.Args = c.program(), c.command
	cmd.Dir, cmd.Env = c.dir, c.env
	pipes, err := connect(cmd)
	if err != nil {
		return err
	}
	defer pipes.close()
	c.began = time.Now()
	p, err := s.start(cmd)
	pipes.closeTheirs()
	if err != nil {
		err = fmt.Errorf("%s: %w", c.command[0], err)
		if errors.Is(err, fs.ErrPermission) {
			err = withHint(err, "is it executable? chmod +x")
		}
		return err
	}
	defer context.AfterFunc(ctx, func() {
		p.kill()
		// What has left the group can still hold the pipes.
		pipes.out.SetReadDeadline(time.Now().Add(killGrace))
		pipes.err.SetReadDeadline(time.Now().Add(killGrace))
	})()
	if c.timeout > 0 {
		defer c.watch(cancel)()
	}

	var ends, feeding sync.WaitGroup
	together := func(group *sync.WaitGroup, part func() error) {
		group.Go(func() {
			if err := part(); err != nil {
				cancel(err)
			}
		})
	}
	together(&feeding, func() error { return c.write(pipes.in) })
	together(&ends, func() error { return c.read(pipes.out) })
	together(&ends, func() error { return c.stderr.read(pipes.err, c.alive) })
	status := p.wait()
	if status != nil && c.failing {
		p.kill() // others of the group may hold the pipes open
	}
	ends.Wait()
	p.end()
	// A program may end before it has read everything.
	pipes.in.SetWriteDeadline(time.Unix(1, 0))
	feeding.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if status != nil && c.failing {
		return fmt.Errorf("%s: %w", filepath.Base(c.command[0]), describe(status))
	}
	return nil
}

// program finds the command as hadoop-streaming does: in the task's folder
// first, then on the PATH.
func (c *child) program() string {
	name := c.command[0]
	if filepath.IsAbs(name) {
		return name
	}
	here := filepath.Join(c.dir, name)
	if info, err := os.Stat(here); err == nil && !info.IsDir() {
		return here
	}
	if strings.Contains(name, "/") {
		return name
	}
	if found, err := exec.LookPath(name); err == nil {
		return found
	}
	return here
}

func (c *child) write(in *os.File) error {
	defer in.Close()
	err := c.feed(&activeWriter{in, c.alive})
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

func (c *child) read(out io.Reader) error {
	buffer := make([]byte, chunkSize)
	for {
		n, err := out.Read(buffer)
		if n > 0 {
			c.alive()
			if _, err := c.sink.Write(buffer[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// watch cancels the run when nothing moves for too long.
func (c *child) watch(cancel context.CancelCauseFunc) (stop func()) {
	var timer *time.Timer
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(c.timeout, func() {
		mu.Lock()
		defer mu.Unlock()
		rest := c.timeout - c.idle()
		if rest > 0 {
			timer.Reset(rest)
			return
		}
		cancel(fmt.Errorf("%w for %v (%s)", errTimeout, c.timeout, keyTimeout))
	})
	return func() { timer.Stop() }
}

type activeWriter struct {
	w     io.Writer
	alive func()
}

func (a *activeWriter) Write(b []byte) (int, error) {
	// In pieces, because a slow reader of a large chunk is not idle.
	written := 0
	for written < len(b) {
		n, err := a.w.Write(b[written:min(len(b), written+64<<10)])
		written += n
		a.alive()
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// describe says how a program ended.
func describe(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return fmt.Errorf("killed by signal %d (%v)", int(status.Signal()), status.Signal())
		}
		return exitStatus(exit.ExitCode())
	}
	return err
}

// exitStatus is that of a program which failed by itself.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// unusable is the status of a program that cannot be run with its options: another
// attempt would end alike.
const unusable exitStatus = 2

// standardPipes are the engine's ends of a child's three standard files, and
// the child's own.
type standardPipes struct {
	in, out, err *os.File
	theirs       []*os.File
}

func connect(cmd *exec.Cmd) (*standardPipes, error) {
	var p standardPipes
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err != nil {
			p.closeTheirs()
			p.close()
		}
		return r, w, err
	}
	r, w, err := pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdin, p.in = r, w
	p.theirs = append(p.theirs, r)
	widen(w)
	if r, w, err = pipe(); err != nil {
		return nil, err
	}
	cmd.Stdout, p.out = w, r
	p.theirs = append(p.theirs, w)
	widen(r)
	if r, w, err = pipe(); err != nil {
		return nil, err
	}
	cmd.Stderr, p.err = w, r
	p.theirs = append(p.theirs, w)
	return &p, nil
}

func (p *standardPipes) closeTheirs() {
	for _, f := range p.theirs {
		f.Close()
	}
}

func (p *standardPipes) close() {
	for _, f := range []*os.File{p.in, p.out, p.err} {
		if f != nil {
			f.Close()
		}
	}
}
