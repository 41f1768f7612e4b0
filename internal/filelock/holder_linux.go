package filelock

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/sys/unix"
)

// holderOf returns which process has the lock on a folder, for people, or nothing if
// the system doesn't tell. It is for messages alone: by then another may have it.
func holderOf(id ID) string {
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(id.Device), unix.Minor(id.Device), id.File)
	for line := range strings.Lines(string(locks)) {
		// As in "1: FLOCK  ADVISORY  WRITE 123 fd:01:4567 0 EOF"; who waits has an arrow
		// after the number.
		fields := strings.Fields(line)
		if len(fields) < 6 || fields[1] != "FLOCK" || fields[5] != file {
			continue
		}
		if pid, err := strconv.Atoi(fields[4]); err == nil && pid > 0 {
			return processName(pid)
		}
	}
	return ""
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
