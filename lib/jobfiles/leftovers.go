package jobfiles

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// driverVariable names the variable in the environment of all that a job script
// starts that has the script's process number.
const driverVariable = "ARCHIVESTREAM_DRIVER"

// leftoverPatience is for how long a job waits for killed processes to be gone.
const leftoverPatience = 10 * time.Second

// endLeftovers kills what a job script has left running, and waits until it is gone:
// the programs would still write into the work folder. Where the system does not tell
// the environment of processes (/proc), none are found.
func endLeftovers(driver int) error {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		left := leftovers(driver)
		if len(left) == 0 {
			return nil
		}
		if time.Since(began) > leftoverPatience {
			return &failure{message: fmt.Sprintf("processes that an interrupted job has left running cannot be ended: %v", left)}
		}
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// leftovers gives the processes that a job script has started, this one left out.
func leftovers(driver int) []int {
	var found []int
	tag := []byte(driverVariable + "=" + strconv.Itoa(driver))
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environments {
		environment, err := os.ReadFile(name)
		if err != nil {
			continue // gone meanwhile, or another user's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err == nil && pid != os.Getpid() && slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(v []byte) bool { return bytes.Equal(v, tag) }) {
			found = append(found, pid)
		}
	}
	return found
}
