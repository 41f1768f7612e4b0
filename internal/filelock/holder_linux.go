package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/sys/unix"
)

// holderOf returns which process has the lock on a folder, for people, or nothing if
// the system doesn't tell. It is for messages alone: by then another may have it.
func holderOf(id ID) string {
	locks, err := os.ReadFile(proc + "/locks")
	if err != nil {
		return ""
	}
	file := lockedFile(id.Device, id.File)
	for line := range strings.Lines(string(locks)) {
		if pid := takerIn(line, file); pid > 0 {
			return haveIt(proc, pid, file)
		}
	}
	return ""
}

// proc is where the system tells of processes.
const proc = "/proc"

// lockedFile returns how the system calls a file in its lists of locks.
func lockedFile(device, file uint64) string {
	return fmt.Sprintf("%02x:%02x:%d", unix.Major(device), unix.Minor(device), file)
}

// takerIn returns the process that took the lock on a file by a line of such a list, 0 if that is about none:
// as in "1: FLOCK  ADVISORY  WRITE 123 fd:01:4567 0 EOF"; who waits has an arrow after the number.
func takerIn(line, file string) int {
	fields := strings.Fields(line)
	if len(fields) < 6 || fields[1] != "FLOCK" || fields[5] != file {
		return 0
	}
	pid, _ := strconv.Atoi(fields[4]) // 0 if it is another thing
	return pid
}

// haveIt returns which process has the lock that one took: that, or another one that has inherited it, as when the
// first has ended. Of the processes of other users it can't be told, and the first counts if it is one.
func haveIt(proc string, taker int, file string) string {
	if has, told := hasLock(proc, taker, file); has || !told {
		return processName(taker)
	}
	all, _ := os.ReadDir(proc) // without it there is none
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if has, _ := hasLock(proc, pid, file); has {
			return processName(pid)
		}
	}
	return fmt.Sprintf("a process that has the lock from process %d", taker)
}

// hasLock reports whether a process has the lock on a file through one of its handles, and whether the system
// tells.
func hasLock(proc string, pid int, file string) (has, told bool) {
	dir := filepath.Join(proc, strconv.Itoa(pid), "fdinfo")
	handles, err := os.ReadDir(dir)
	if err != nil {
		return false, errors.Is(err, fs.ErrNotExist)
	}
	for _, e := range handles {
		info, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it may have been closed
			return false, false
		}
		for line := range strings.Lines(string(info)) {
			if lock, ok := strings.CutPrefix(line, "lock:"); ok && takerIn(lock, file) > 0 {
				return true, true
			}
		}
	}
	return false, true
}

// holderOfFile is holderOf for the lock on an open file.
func holderOfFile(f *os.File) string {
	var info unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &info); err != nil {
		return ""
	}
	return holderOf(ID{info.Dev, info.Ino})
}

// processName returns the name and number of a process.
func processName(pid int) string {
	if pid == os.Getpid() {
		return fmt.Sprintf("another request to this process (%d)", pid)
	}
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)) // it may have ended
	shown := strings.Map(func(c rune) rune {
		if unicode.IsGraphic(c) && c != unicode.ReplacementChar {
			return c
		}
		return -1
	}, strings.TrimSpace(string(name)))
	if shown == "" {
		return fmt.Sprintf("process %d", pid)
	}
	return fmt.Sprintf("%q (process %d)", shown, pid)
}
