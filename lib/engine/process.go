package engine

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// process is a running program that leads a process group of its own, so that
// it can be ended with everything that it started.
type process struct {
	cmd   *exec.Cmd
	guard *guard

	mu    sync.Mutex
	ended bool
}

// spawner starts processes. The kernel's parent-death signal is sent when the
// thread that forked dies, not the program: all forks are therefore made by one
// goroutine that keeps its thread until the job is over.
type spawner struct {
	requests chan func()
	guard    *guard
}

func newSpawner() (*spawner, error) {
	s := &spawner{requests: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for start := range s.requests {
			start()
		}
		// The thread ends with this goroutine; nothing that it started is left.
	}()
	var err error
	if s.guard, err = startGuard(s); err != nil {
		close(s.requests)
		return nil, err
	}
	return s, nil
}

// close ends the guard. No process may be running any more.
func (s *spawner) close() {
	s.guard.close()
	close(s.requests)
}

// fork runs cmd.Start on the spawner's thread.
func (s *spawner) fork(cmd *exec.Cmd) error {
	done := make(chan error, 1)
	s.requests <- func() { done <- cmd.Start() }
	return <-done
}

// start begins cmd as the leader of a new process group.
func (s *spawner) start(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = groupLeader()
	if err := s.fork(cmd); err != nil {
		return nil, err
	}
	s.guard.watch(cmd.Process.Pid)
	return &process{cmd: cmd, guard: s.guard}, nil
}

// wait blocks until the group's leader has ended.
func (p *process) wait() error { return p.cmd.Wait() }

// kill ends the whole group; a group that is gone is no error.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// end kills what the leader left behind, after wait. The group's number cannot
// belong to others while a member of it lives.
func (p *process) end() {
	p.kill()
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.guard.forget(p.cmd.Process.Pid)
}

// guard is a shell that outlives the engine for a moment: when the pipe to it
// closes, because the engine was killed, it kills the process groups that were
// running. The parent-death signal reaches only their leaders.
type guard struct {
	cmd  *exec.Cmd
	pipe *os.File
	mu   sync.Mutex
}

const guardScript = `trap '' HUP INT TERM QUIT
live=' '
while read -r change group; do
	case $change in
	+) live="$live$group " ;;
	-) live="${live%% $group *} ${live#* $group }" ;;
	esac
done
for group in $live; do kill -9 "-$group"; done
`

func startGuard(s *spawner) (*guard, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", guardScript)
	cmd.Stdin = r
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.fork(cmd); err != nil {
		w.Close()
		return nil, fmt.Errorf("/bin/sh: %w", err)
	}
	return &guard{cmd: cmd, pipe: w}, nil
}

func (g *guard) tell(change byte, group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	// A guard that is gone is no reason to stop: it is the second line.
	fmt.Fprintf(g.pipe, "%c %d\n", change, group)
}

func (g *guard) watch(group int)  { g.tell('+', group) }
func (g *guard) forget(group int) { g.tell('-', group) }

func (g *guard) close() {
	g.pipe.Close()
	g.cmd.Wait()
}
