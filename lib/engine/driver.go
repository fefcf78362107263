package engine

import (
	"syscall"
	"time"
)

// pollForDeath is for systems that cannot wait for a process of others.
func pollForDeath(pid int) error {
	for {
		if err := syscall.Kill(pid, 0); err == syscall.ESRCH {
			return nil
		}
		time.Sleep(500 * time.Millisecond)
	}
}
