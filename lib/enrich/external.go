package enrich

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A program is an external one that derives values: a JSON value on a line of its
// standard input makes one on a line of its standard output. It is kept running.
type program struct {
	command string // for the shell, and in messages
	own     string // option that makes this program the one that is asked; empty: the command is
}

const (
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 64 << 20
	// maxFailures is the number of times in a row that a program may fail to answer
	// until it is given up: one that never answers would hold up the job for days.
	maxFailures = 20
	// saidPatience is for how long the standard error of a program that has ended is
	// read on.
	saidPatience = 2 * time.Second
)

// A running is an external program that is kept running, for all goroutines of a
// task. It is started when it is first needed, and again when it has died or had to
// be ended; that is told of the record that it was asked for.
type running struct {
	program
	timeout time.Duration
	count   func(name string, n int64)

	mu       sync.Mutex
	answered bool // it has answered, so that it is there
	process  *exec.Cmd
	in       io.WriteCloser
	said     *saidWriter
	answers  chan answer
	question []byte
	failures int
}

// An answer is a line of the program, or why there is none.
type answer struct {
	line []byte
	err  error
}

// own gives the program that an option makes of this one.
func (r *Record) own(option string) *running {
	for _, p := range r.programs {
		if p.own == option {
			return p
		}
	}
	return nil
}

// external asks a program for the value that it derives.
func (r *Record) external(number int, from, out *Value) error {
	raw, err := r.programs[number].ask(from)
	if err == nil {
		err = r.setRaw(raw, out)
	}
	var never *neverStarted
	if err != nil && errors.As(err, &never) {
		r.fatal = err
	} else if err != nil && r.unanswered == nil {
		r.unanswered = err
	}
	return err
}

// A neverStarted is the error of a program that cannot be run at all: what it was to
// derive would be missing everywhere.
type neverStarted struct{ command, why string }

func (e *neverStarted) Error() string {
	return fmt.Sprintf("--enrich-with: program cannot be run (%s): %s", e.why, e.command)
}

// Of a shell: the command was found but is not executable, or was not found (POSIX,
// Shell Command Language, 2.8.2).
const (
	notExecutable = 126
	notFound      = 127
)

// ask sends a value and takes the answer.
func (p *running) ask(from *Value) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failures >= maxFailures {
		return nil, fmt.Errorf("program was given up after %d failures in a row: %s", maxFailures, p.command)
	}
	raw, err := p.exchange(from)
	if p.failures++; err == nil {
		p.failures = 0
	}
	return raw, err
}

// exchange sends a value and takes the answer of a program that is started if need
// be.
func (p *running) exchange(from *Value) ([]byte, error) {
	if p.process == nil {
		if err := p.start(); err != nil {
			return nil, err
		}
	}
	p.question = append(appendQuestion(p.question[:0], from), '\n')
	sent := make(chan error, 1)
	go func(in io.Writer, question []byte) {
		_, err := in.Write(question)
		sent <- err
	}(p.in, p.question)
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	select {
	case a := <-p.answers:
		if a.err != nil {
			err := p.ended(a.err)
			<-sent
			return nil, err
		}
		if err := p.received(sent, timer); err != nil {
			return nil, err
		}
		p.answered = true
		return p.check(a.line)
	case <-timer.C:
		p.stop(true)
		<-sent
		p.count("programs ended for being silent", 1)
		return nil, fmt.Errorf("program gave no answer in %s and was started again: %s", p.timeout, p.command)
	}
}

// appendQuestion appends a value as programs get it: JSON, bytes as Base64 (RFC 4648,
// section 4) in a string.
func appendQuestion(dst []byte, v *Value) []byte {
	if v.Kind != Binary {
		return v.AppendJSON(dst)
	}
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v.Bytes), '"')
}

// received waits until the question has been written: a program may answer before
// it has read all of it.
func (p *running) received(sent chan error, timer *time.Timer) error {
	select {
	case err := <-sent:
		if err != nil {
			p.stop(true)
			return fmt.Errorf("program does not read its input and was started again: %s", p.command)
		}
		return nil
	case <-timer.C:
		p.stop(true)
		<-sent
		return fmt.Errorf("program does not read its input and was started again: %s", p.command)
	}
}

// check takes a line for one JSON value. A program whose answers are something
// else may be out of step: it is started again.
func (p *running) check(line []byte) ([]byte, error) {
	var b bytes.Buffer
	if json.Compact(&b, line) != nil || b.Len() == 0 {
		p.stop(true)
		p.count("answers of programs that are no JSON", 1)
		return nil, fmt.Errorf("program gave no JSON and was started again: %s", p.command)
	}
	return b.Bytes(), nil
}

// start runs the program by the shell, or this one with an option, in a process group
// of its own.
func (p *running) start() error {
	c := exec.Command("/bin/sh", "-c", p.command)
	said := &saidWriter{to: os.Stderr}
	c.Stderr = said
	// What a program has started may hold its standard error open.
	c.WaitDelay = saidPatience
	if p.own != "" {
		name, err := os.Executable()
		if err != nil {
			return fmt.Errorf("program cannot be started: %w", err)
		}
		c = exec.Command(name, p.own) // which says in its answers what there is to say
		c.Args[0] = "enrich-captures" // the file has a name for all programs
		c.Env = []string{"PATH=" + os.Getenv("PATH")}
	}
	ownGroup(c)
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		if p.own == "" {
			return &neverStarted{p.command, err.Error()}
		}
		return fmt.Errorf("program cannot be started: %w", err)
	}
	p.process, p.in, p.said, p.answers = c, in, said, make(chan answer, 1)
	go readAnswers(out, p.answers)
	p.count("starts of programs", 1)
	return nil
}

// readAnswers gives the lines of a program, at last why there are no more. It waits
// for each to be taken, and ends when the program's output does.
func readAnswers(out io.Reader, answers chan<- answer) {
	r := bufio.NewReaderSize(out, 64<<10)
	for {
		var line []byte
		for {
			part, err := r.ReadSlice('\n')
			line = append(line, part...)
			if err == nil {
				break
			}
			if err != bufio.ErrBufferFull || len(line) > maxAnswer {
				if err == bufio.ErrBufferFull {
					err = errors.New("its answer is too long")
				}
				answers <- answer{err: err}
				close(answers)
				io.Copy(io.Discard, r)
				return
			}
		}
		answers <- answer{line: line}
	}
}

// ended takes note of a program that has ended by itself, or whose answer is too
// long.
func (p *running) ended(why error) error {
	p.count("programs that ended by themselves", 1)
	process := p.process
	state := p.stop(true)
	if code := process.ProcessState.ExitCode(); p.own == "" && !p.answered && (code == notExecutable || code == notFound) {
		return &neverStarted{p.command, state}
	}
	if strings.Contains(state, "killed") { // just now: it had closed its output alone
		state = "it closed its output"
	}
	if why != io.EOF {
		return fmt.Errorf("program: %w: %s", why, p.command)
	}
	return fmt.Errorf("program ended (%s) before it answered: %s", state, p.command)
}

// stop ends the program; it is waited for. Without force it has half a minute to
// end by itself when its input does.
func (p *running) stop(force bool) string {
	if p.process == nil {
		return ""
	}
	if force {
		// Before its input ends: it would end by itself then, and its state would not
		// tell that from a program that had ended before.
		killGroup(p.process)
		p.in.Close()
	} else {
		p.in.Close()
		timer := time.AfterFunc(30*time.Second, func() { killGroup(p.process) })
		defer timer.Stop()
	}
	go func(answers <-chan answer) { // its reader may wait for an answer to be taken
		for range answers {
			continue
		}
	}(p.answers)
	p.process.Wait()
	p.said.close()
	state := p.process.ProcessState.String()
	p.process = nil
	return state
}

// close ends the program.
func (p *running) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop(false)
}
