package stage

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Garbage is collected late only once: behind the first collection the usual pace
// holds again.
func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	percent := debug.SetGCPercent(90)
	defer debug.SetGCPercent(percent)
	collectLate()
	if now := debug.SetMemoryLimit(-1); now != firstCollection {
		t.Errorf("the limit is %d bytes", now)
	}
	runtime.GC()
	for end := time.Now().Add(10 * time.Second); debug.SetMemoryLimit(-1) != math.MaxInt64 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if limit, now := debug.SetMemoryLimit(-1), debug.SetGCPercent(percent); limit != math.MaxInt64 || now != 90 {
		t.Errorf("after a collection the limit is %d bytes, and the pace %d %%", limit, now)
	}
}

func TestCollectWhenToldTo(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "off")
			collectLate()
			if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
				t.Errorf("the limit is %d bytes", limit)
			}
		})
	}
}
