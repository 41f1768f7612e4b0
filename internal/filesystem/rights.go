package filesystem

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Giving a new file the mode and owner of an old one. Some file systems, mounted so or on a network,
// take that and don't do it, so what has become of it is looked at.

// ErrIgnored says that a file system has taken a mode, owner or group for a file, which has another one.
var ErrIgnored = errors.New("the file system ignores that")

// rights is what decides who may do what with an open file: an os.File.
type rights interface {
	Stat() (fs.FileInfo, error)
	Chmod(mode os.FileMode) error
	Chown(user, group int) error
}

// KeepMode gives an open file the mode, unless it has it, and returns what the file is then. The error
// is that of the system, or ErrIgnored.
func KeepMode(f rights, mode fs.FileMode) (fs.FileInfo, error) {
	info, err := f.Stat()
	if err != nil || info.Mode() == mode {
		return info, err
	}
	if err := f.Chmod(mode); err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !isMode(info, mode) {
		err = ErrIgnored
	}
	return info, err
}

// isMode reports whether a file has a mode, as far as the system has modes.
func isMode(info fs.FileInfo, mode fs.FileMode) bool {
	if runtime.GOOS == "windows" { // a file is read-only or not
		return (info.Mode()^mode)&0o200 == 0
	}
	return info.Mode() == mode
}

// KeepFolderMode gives an open folder a mode. That its new files get its group is left out where the
// system takes it from who isn't of that group.
func KeepFolderMode(f *os.File, mode fs.FileMode) error {
	info, err := KeepMode(f, fs.ModeDir|mode)
	if errors.Is(err, ErrIgnored) && info.Mode()|fs.ModeSetgid == fs.ModeDir|mode|fs.ModeSetgid {
		return nil
	}
	return err
}
