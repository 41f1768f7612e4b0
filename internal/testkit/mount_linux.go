package testkit

import (
	"os"
	"syscall"
	"testing"
)

// WithMounts runs the test again in a process that can mount, and reports whether this is it.
func WithMounts(t *testing.T) bool {
	t.Helper()
	if IsElsewhere(t) {
		return true
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return Elsewhere(t, self, "/", attr)
}

// Mount makes a file system in memory of the test's own, with options of tmpfs, and returns its
// folder.
func Mount(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Skip("nothing can be mounted: ", err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skip("nothing can be mounted: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// MountReadOnly has a file system of Mount take no writes, or take them again.
func MountReadOnly(t *testing.T, dir string, readOnly bool) {
	t.Helper()
	flags := uintptr(syscall.MS_REMOUNT)
	if readOnly {
		flags |= syscall.MS_RDONLY
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, ""); err != nil {
		t.Skip("nothing can be mounted: ", err)
	}
}
