package programs

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// newInput makes an empty file in memory. A system that lets no file be written (Landlock,
// a full disk, a TMPDIR that isn't there) has no say in it.
func newInput() (input, error) {
	// The second flag is asked for by newer kernels, and unknown to those before 6.3.
	for _, flags := range [...]int{unix.MFD_CLOEXEC | unix.MFD_NOEXEC_SEAL, unix.MFD_CLOEXEC} {
		if fd, err := unix.MemfdCreate("sectile-input", flags); err == nil {
			return input{File: os.NewFile(uintptr(fd), "sectile-input")}, nil
		}
	}
	return temporaryInput()
}

// maxData is the number of bytes of memory of its own that a command may have. Files of a
// repository that a command maps, such as packs, don't count.
const maxData = 2 << 30

// limitMemory keeps a command that has just begun from taking all memory, as a
// repository's configuration and files can have one do. It holds for what the command
// starts from then on too, and ends a command that has taken more by then. A system that
// doesn't let it be set leaves the command as it is.
func limitMemory(p *os.Process) {
	var now unix.Rlimit
	if unix.Prlimit(p.Pid, unix.RLIMIT_DATA, nil, &now) != nil || now.Cur <= maxData {
		return
	}
	_ = unix.Prlimit(p.Pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: now.Max}, nil) // it may have ended
	if dataOf(p.Pid) > maxData {
		_ = p.Kill() // the same
	}
}

// dataOf returns the bytes of memory of its own that a process has reserved, 0 if that isn't told.
func dataOf(pid int) int64 {
	const data = 5                                             // its place in the file: see proc_pid_statm(5)
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)) //nolint:gosec // a number
	if fields := strings.Fields(string(text)); len(fields) > data {
		pages, _ := strconv.ParseInt(fields[data], 10, 64) // else 0
		return pages * int64(os.Getpagesize())
	}
	return 0
}
