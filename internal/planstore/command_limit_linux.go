package planstore

import "golang.org/x/sys/unix"

// maxData is the number of bytes of memory of its own that a command may have. Files of a
// repository that a command maps, such as packs, don't count.
const maxData = 2 << 30

// limitMemory keeps a command that has just begun from taking all memory, as a
// repository's configuration and files can have one do. It holds for what the command
// starts from then on too. A system that doesn't let it be set leaves the command as it is.
func limitMemory(pid int) {
	var now unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &now) != nil || now.Cur <= maxData {
		return
	}
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: now.Max}, nil) // it may have ended
}
