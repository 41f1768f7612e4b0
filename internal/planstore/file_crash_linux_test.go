package planstore

import "golang.org/x/sys/unix"

// killAtNextFile has the system kill this process when another file is in the folder,
// before the call that made it returns. The folder stays open, or nobody is told.
func killAtNextFile(dir string) error {
	const created = 0x4 // DN_CREATE of fcntl.h
	folder, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	if _, err := unix.FcntlInt(uintptr(folder), unix.F_SETSIG, int(unix.SIGKILL)); err != nil {
		return err
	}
	_, err = unix.FcntlInt(uintptr(folder), unix.F_NOTIFY, created)
	return err
}

// canKill returns an error if the system has no such notifications.
func canKill(dir string) error {
	folder, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(folder) }() // nothing was written
	_, err = unix.FcntlInt(uintptr(folder), unix.F_NOTIFY, 0)
	return err
}
