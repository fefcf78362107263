package storage

import (
	"io/fs"
	"syscall"
)

// umask is the process's file mode creation mask. It can only be read by
// setting it, which is safe before any goroutine has started.
var umask = func() fs.FileMode {
	m := syscall.Umask(0)
	syscall.Umask(m)
	return fs.FileMode(m)
}()
