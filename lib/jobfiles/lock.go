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

// takeLock makes a place, one of the folders of an output, that of one process, unless
// a job is at work in them that lives, or may live on another machine.
func (f folders) takeLock(place string, pid int) error {
	own, err := lockName(pid)
	if err != nil {
		return err
	}
	// A lock that is made while another job puts its output into its place would go
	// with that: who is there is looked for first.
	if dir, other, err := f.otherLock(own); err != nil || other != "" {
		return f.refuseLocked(dir, other, err)
	}
	if err := writeLock(storage.Join(place, own)); err != nil {
		return &failure{message: fmt.Sprintf("the output folder %s cannot be written: %v", place, err)}
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		dir, other, err := f.otherLock(own)
		if err == nil && other == "" {
			return nil
		}
		// Of two that see each other the one whose name comes first waits.
		if err == nil && own < other && time.Since(began) < lockPatience {
			continue
		}
		return f.refuseLocked(dir, other, errors.Join(err, f.unlock(own)))
	}
}

func (f folders) refuseLocked(dir, other string, err error) error {
	if err != nil {
		return err
	}
	return &failure{
		message: fmt.Sprintf("another job is at work in %s (%s)", f.output, describeLock(other)),
		status:  statusBusy,
		hint:    "if that job is gone, remove " + storage.Join(dir, other),
	}
}

// held returns the folder in which the lock lies, nothing where it is in none.
func (f folders) held(own string) (string, error) {
	for _, dir := range []string{f.next, f.final} {
		if there, err := storage.Exists(storage.Join(dir, own)); err != nil || there {
			return dir, err
		}
	}
	return "", nil
}

// unlock removes a lock, and a folder that held nothing else.
func (f folders) unlock(own string) error {
	dir, err := f.held(own)
	if err != nil || dir == "" {
		return err
	}
	entries, err := entriesBut(dir, own)
	if err != nil {
		return err
	}
	if entries == nil {
		return storage.RemoveAll(dir)
	}
	return storage.RemoveAll(storage.Join(dir, own))
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

// otherLock returns the first lock of another job that may live, and its folder. It
// removes those of the dead, with the processes that these have left running.
func (f folders) otherLock(own string) (dir, other string, err error) {
	for _, dir := range []string{f.next, f.final} {
		names, err := locks(dir)
		if err != nil {
			return "", "", err
		}
		for _, name := range names {
			if name == own {
				continue
			}
			if !deadLock(name) {
				return dir, name, nil
			}
			// Where another process has got the number, what bears it is that one's.
			if _, pid, _ := splitLock(name); processStart(pid) == "" {
				if err := endLeftovers(pid); err != nil {
					return "", "", err
				}
			}
			if err := storage.RemoveAll(storage.Join(dir, name)); err != nil {
				return "", "", err
			}
		}
	}
	return "", "", nil
}

func locks(dir string) (names []string, err error) {
	entries, err := storage.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
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
