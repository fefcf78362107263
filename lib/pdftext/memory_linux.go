package pdftext

import "syscall"

// maxMemory is how much a process that reads documents may have, in bytes: a payload
// and its Base64 are at most some hundred megabytes of it.
const maxMemory = 2 << 30

// limitMemory lets the kernel refuse more. Where that cannot be had, nothing is lost
// but the bound.
func limitMemory() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &limit) == nil && limit.Max >= maxMemory {
		limit.Cur = maxMemory
		_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
	}
}
