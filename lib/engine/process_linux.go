package engine

import (
	"os"
	"syscall"
)

// groupLeader makes a process group leader that dies with the engine.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// widen asks for a larger pipe: fewer switches between the two ends.
func widen(pipe *os.File) {
	const setPipeSize = 1031 // F_SETPIPE_SZ
	if c, err := pipe.SyscallConn(); err == nil {
		// Refused where the user's pipes are large already; then it stays small.
		c.Control(func(fd uintptr) { syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, 256<<10) })
	}
}

// waitForDeath blocks until the process with this number is gone.
func waitForDeath(pid int) {
	const pidfdOpen = 434 // pidfd_open has this number on all architectures
	fd, _, errno := syscall.Syscall(pidfdOpen, uintptr(pid), syscall.O_NONBLOCK, 0)
	if errno == syscall.ESRCH {
		return
	}
	if errno == 0 {
		f := os.NewFile(fd, "pidfd")
		defer f.Close()
		if awaitReadable(f) == nil {
			return
		}
	}
	pollForDeath(pid) // before Linux 5.10, or where a sandbox forbids it
}

func awaitReadable(f *os.File) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	asked := false
	return c.Read(func(uintptr) bool {
		defer func() { asked = true }()
		return asked // the second call comes when the descriptor is readable
	})
}
