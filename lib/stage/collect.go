package stage

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is the size of the heap, in bytes, from which on garbage is
// collected. A collection costs a short task a tenth of its time and frees what its
// end frees anyway.
const firstCollection = 24 << 20

// collectLate puts the first garbage collection off until the heap has that size;
// from then on the runtime's own pace holds. Whoever sets GOGC or GOMEMLIMIT decides
// for himself.
func collectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(firstCollection)
	// The first collection finds that nobody holds this.
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, struct{}{})
}
