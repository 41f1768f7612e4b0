//go:build unix

package httpguard

import "golang.org/x/sys/unix"

// descriptors returns how many files and connections the process may have open at
// once, or 0 if that is not known. The runtime has raised the limit as far as it goes.
func descriptors() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(limit.Cur, 1<<20))
}
