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
	d, err := folder.Open(".")
	if err != nil {
		return 0
	}
	defer d.Close() //nolint:errcheck // nothing was written
	conn, err := d.SyscallConn()
	if err != nil {
		return 0
	}
	var st unix.Statx_t
	var statErr error
	err = conn.Control(func(fd uintptr) { statErr = unix.Statx(int(fd), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &st) })
	if err != nil || statErr != nil || st.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)).UnixNano()
}
