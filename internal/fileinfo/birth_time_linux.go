package fileinfo

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// BirthTime returns when a folder was made, in nanoseconds since 1970, which nobody can set; 0
// if the file system doesn't tell. File systems give the number of a folder that is gone to a
// new one, and both differ in this.
func BirthTime(folder *os.Root) int64 {
	st, ok := statx(folder, unix.STATX_BTIME)
	if !ok {
		return 0
	}
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)).UnixNano()
}

// Mount returns a number for the mount that a folder lies on, which another one may have after this is gone; 0 if
// the system doesn't tell.
func Mount(folder *os.Root) uint64 {
	st, _ := statx(folder, unix.STATX_MNT_ID)
	return st.Mnt_id
}

// statx returns what the system tells of a folder, and whether it tells this.
func statx(folder *os.Root, what uint32) (st unix.Statx_t, ok bool) {
	d, err := folder.Open(".")
	if err != nil {
		return st, false
	}
	defer d.Close() //nolint:errcheck // nothing was written
	conn, err := d.SyscallConn()
	if err != nil {
		return st, false
	}
	var statErr error
	err = conn.Control(func(fd uintptr) { statErr = unix.Statx(int(fd), "", unix.AT_EMPTY_PATH, int(what), &st) })
	return st, err == nil && statErr == nil && st.Mask&what != 0
}
