//go:build unix

package fileinfo

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// userOf returns the number of the user whose a file is. What the system does not say
// counts as nobody's.
func userOf(info fs.FileInfo) (user int64, ok bool) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(st.Uid), true
	}
	return -1, true
}

// isUser reports whether a number is the user's.
func isUser(user int64) bool {
	own := int64(os.Geteuid())
	if user == own {
		return true
	}
	caller, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32)
	return own == rootUser && err == nil && user == int64(caller)
}

// HasOtherNames reports whether a file has more names than one (hard links). On Windows
// it is false.
func HasOtherNames(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
