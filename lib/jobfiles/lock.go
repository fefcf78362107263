package jobfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"archivestream/lib/storage"
)

// lockPrefix begins the name of a lock in an output folder. The name goes on with
// the holder: HOST.PID.START, where START is when the process began, so that a
// reused number is not taken for the process of old. The file is empty.
//
// Each job makes a lock of a name of its own and then looks for others, which
// needs no more of the storage than that a file that was made is listed: of two
// jobs at least the one that looks last sees the other. A lock whose holder has
// died can be removed by anyone, since its name never comes again.
const lockPrefix = "_lock."

// lockPatience is for how long a job waits for another one that has begun at the
// same moment to step back.
const lockPatience = 500 * time.Millisecond

// lockName is the lock of a process of this machine.
func lockName(pid int) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s%s.%d.%s", lockPrefix, host, pid, processStart(pid)), nil
}

// takeLock makes the output folder that of one process, unless a job is at work
// there that lives, or may live on another machine.
func takeLock(output string, pid int) error {
	own, err := lockName(pid)
	if err != nil {
		return err
	}
	if err := writeLock(storage.Join(output, own)); err != nil {
		return &failure{message: fmt.Sprintf("the output folder %s cannot be written: %v", output, err)}
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		other, err := otherLock(output, own)
		if err == nil && other == "" {
			return nil
		}
		// Of two that see each other the one whose name comes first waits.
		if err == nil && own < other && time.Since(began) < lockPatience {
			continue
		}
		removed := storage.RemoveAll(storage.Join(output, own))
		if err = errors.Join(err, removed); err != nil {
			return err
		}
		return &failure{
			message: fmt.Sprintf("another job is at work in %s (%s)", output, describeLock(other)),
			hint:    "if that job is gone, remove " + storage.Join(output, other),
		}
	}
}

func writeLock(name string) error {
	w, err := storage.CreateDirect(name)
	if errors.Is(err, fs.ErrExist) {
		return nil // taken by this job already
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// otherLock gives the first lock of another job that may live, and removes those
// of the dead, with the processes that these have left running.
func otherLock(output, own string) (string, error) {
	names, err := locks(output)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if name == own {
			continue
		}
		if !deadLock(name) {
			return name, nil
		}
		// Where another process has got the number, what bears it is that one's.
		if _, pid, _ := splitLock(name); processStart(pid) == "" {
			if err := endLeftovers(pid); err != nil {
				return "", err
			}
		}
		if err := storage.RemoveAll(storage.Join(output, name)); err != nil {
			return "", err
		}
	}
	return "", nil
}

func locks(output string) (names []string, err error) {
	entries, err := storage.List(output)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), lockPrefix) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// splitLock takes a lock's name apart; host names have dots.
func splitLock(name string) (host string, pid int, start string) {
	rest := strings.TrimPrefix(name, lockPrefix)
	i := strings.LastIndexByte(rest, '.')
	if i < 0 {
		return rest, 0, ""
	}
	rest, start = rest[:i], rest[i+1:]
	i = strings.LastIndexByte(rest, '.')
	pid, err := strconv.Atoi(rest[i+1:])
	if i < 0 || err != nil {
		return rest, 0, start
	}
	return rest[:i], pid, start
}

// deadLock says whether the holder was a process of this machine that is gone.
func deadLock(name string) bool {
	host, pid, start := splitLock(name)
	here, err := os.Hostname()
	return err == nil && host == here && pid > 0 && processStart(pid) != start
}

func describeLock(name string) string {
	host, pid, _ := splitLock(name)
	return fmt.Sprintf("process %d on %s", pid, host)
}

// processStart is when a process of this machine began, in clock ticks since the
// machine did: "running" where the system does not tell, "" for one that is gone.
func processStart(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		// Field 22, counted behind the command's name, which may hold spaces.
		if fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(fields) > 19 {
			return fields[19]
		}
	}
	if err := syscall.Kill(pid, 0); err == nil || errors.Is(err, syscall.EPERM) {
		return "running"
	}
	return ""
}
