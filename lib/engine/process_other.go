//go:build unix && !linux

package engine

import (
	"os"
	"syscall"
)

func groupLeader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func widen(*os.File) {}

func waitForDeath(pid int) { pollForDeath(pid) }
