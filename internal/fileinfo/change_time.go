//go:build dragonfly || illumos || linux || openbsd || solaris

package fileinfo

import (
	"io/fs"
	"syscall"
	"time"
)

// ChangeTime returns when a file was changed last, in any way. Unlike the time of its
// text, it can't be set.
func ChangeTime(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return time.Time{}
}
