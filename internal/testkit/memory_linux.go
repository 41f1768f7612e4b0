package testkit

import "golang.org/x/sys/unix"

// tmpfs is the type of a file system in memory, by statfs(2).
const tmpfs = 0x01021994

// freeMemory returns a folder in memory that has so many bytes free and that programs may
// be run from, or nothing.
func freeMemory(bytes uint64) string {
	const dir = "/dev/shm"
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Type != tmpfs || s.Flags&unix.ST_NOEXEC != 0 ||
		s.Bavail*uint64(s.Bsize) < bytes || unix.Access(dir, unix.W_OK) != nil { //nolint:gosec // no size is below zero
		return ""
	}
	return dir
}
