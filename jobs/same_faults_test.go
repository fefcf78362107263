package jobs

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// failing makes a folder of the project in which the first attempt of each task is ended
// by kill -9, when it has read a part of its input and written a part of its output.
func (p *probe) failing() (string, error) {
	dir, err := p.folder()
	if err != nil {
		return "", err
	}
	if err := os.Symlink(filepath.Join(root, "jobs"), filepath.Join(dir, "jobs")); err != nil {
		return "", err
	}
	all, err := os.ReadDir(filepath.Join(root, "bin"))
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o777); err != nil {
		return "", err
	}
	for _, program := range all {
		from, to := filepath.Join(root, "bin", program.Name()), filepath.Join(dir, "bin", program.Name())
		if !stageProgram(program.Name()) {
			err = os.Symlink(from, to)
		} else {
			err = os.WriteFile(to, []byte(strings.ReplaceAll(`#!/bin/bash
if [[ ${mapreduce_task_attempt_id:-} == *_0 ]]; then
	head -c 2000 | "REAL" "$@" | head -c 1000
	kill -9 $$
fi
exec "REAL" "$@"
`, "REAL", from)), 0o777)
		}
		if err != nil {
			return "", err
		}
	}
	return dir, nil
}

// stageProgram reports whether a program is a mapper or reducer.
func stageProgram(name string) bool {
	for _, kind := range []string{"mappers", "reducers"} {
		if _, err := os.Stat(filepath.Join(root, kind, name)); err == nil {
			return true
		}
	}
	return false
}

// faults is a way on which tasks, or the job with all its processes, are killed.
func (p *probe) faults() []way {
	if p.random.chance(50) {
		return []way{{name: "each task is killed once", failing: true}}
	}
	return []way{{name: "killed and resumed", killed: time.Duration(50+p.random.IntN(1500)) * time.Millisecond}}
}

// start runs a job to its end; one that is to be killed is resumed then.
func (w *way) start(dir string, command *exec.Cmd) (said []byte, err error) {
	if w.killed == 0 {
		return command.CombinedOutput()
	}
	first := exec.Command(command.Path, command.Args[1:]...)
	first.Env, first.SysProcAttr = command.Env, &syscall.SysProcAttr{Setpgid: true}
	var out bytes.Buffer
	first.Stdout, first.Stderr, first.WaitDelay = &out, &out, time.Second
	if err := first.Start(); err != nil {
		return nil, err
	}
	timer := time.AfterFunc(w.killed, func() { syscall.Kill(-first.Process.Pid, syscall.SIGKILL) })
	err = first.Wait()
	timer.Stop()
	var status *exec.ExitError
	if !errors.As(err, &status) || status.Exited() {
		*command = *first // it was faster
		return out.Bytes(), err
	}
	if _, err := os.Stat(dir); err == nil {
		command.Args = append(command.Args, "--resume")
	}
	return command.CombinedOutput()
}
