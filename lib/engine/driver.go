package engine

import (
	"syscall"
	"time"
)

// pollForDeath is for systems that cannot wait for a process of others.
func pollForDeath(pid int) {
	for syscall.Kill(pid, 0) != syscall.ESRCH {
		time.Sleep(500 * time.Millisecond)
	}
}
