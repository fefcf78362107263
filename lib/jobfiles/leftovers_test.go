package jobfiles

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// child is a process that a job script of that number has started; ended waits for it
// to be killed.
func child(t *testing.T, driver string) (ended func() bool) {
	t.Helper()
	cmd := exec.Command("sleep", "300")
	cmd.Env = append(os.Environ(), driverVariable+"="+driver)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool, 1)
	go func() {
		cmd.Wait()
		status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
		done <- ok && status.Signaled() && status.Signal() == syscall.SIGKILL
	}()
	t.Cleanup(func() { cmd.Process.Kill() })
	return func() bool {
		select {
		case killed := <-done:
			return killed
		case <-time.After(500 * time.Millisecond):
			return false
		}
	}
}

// Who resumes a killed job, or stops one, ends what that has left running, and
// nothing else.
func TestLeftoversAreEnded(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("the system does not tell the environment of processes")
	}
	dir := t.TempDir()
	in := "input=" + dir + "/in.txt"
	write(t, dir+"/in.txt", "x\n")
	holder, end := sleeper(t)
	call(t, 0, "begin", dir+"/out", "mode=new", "pid="+holder, in)
	write(t, filepath.Join(dir, "out", workName, "one.done"), "x\n")
	left, others := child(t, holder), child(t, holder+"0")
	own := fmt.Sprint("pid=", os.Getpid())
	call(t, statusBusy, "begin", dir+"/out", "mode=resume", own, in)
	if left() {
		t.Error("a process of a job that lives was ended")
	}
	end()
	call(t, 0, "begin", dir+"/out", "mode=resume", own, in)
	if !left() {
		t.Error("the process of the dead job was not ended")
	}
	mine := child(t, fmt.Sprint(os.Getpid()))
	call(t, 0, "release", dir+"/out", "mode=resume", own)
	if !mine() {
		t.Error("the process of the stopped job was not ended")
	}
	if others() {
		t.Error("another job's process was ended")
	}
}
