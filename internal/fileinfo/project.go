package fileinfo

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// ProjectMarks are names in a folder that make it the root of a project, of a file or folder.
func ProjectMarks() []string { return []string{".sectile.yaml", ".jj", ".git"} }

// HasOwn reports whether a folder has something of this name that is the user's or the
// system's.
func HasOwn(dir, name string) bool {
	info, err := os.Lstat(filepath.Join(dir, name))
	return err == nil && OwnedByUserOrRoot(info)
}

// ProjectRoot returns the nearest folder from an absolute path upwards that the user or the
// system has marked as the root of a project; empty if there is none, or that can't be told.
func ProjectRoot(dir string) string {
	root, err := Marked(dir, func(_, _ string, mark os.FileInfo) bool { return OwnedByUserOrRoot(mark) })
	if err != nil {
		return ""
	}
	return root
}

// Marked returns the nearest folder from an absolute path upwards with a mark of a project that
// counts, given the folder and the name of the mark; empty if there is none. The error is
// IsUntold: another folder further up may be taken for the project by mistake then.
func Marked(dir string, counts func(dir, name string, mark os.FileInfo) bool) (string, error) {
	return marked(dir, os.Lstat, counts)
}

// marked is Marked by what lstat tells.
func marked(dir string, lstat func(string) (os.FileInfo, error), counts func(dir, name string, mark os.FileInfo) bool) (string, error) {
	for {
		for _, name := range ProjectMarks() {
			switch mark, err := lstat(filepath.Join(dir, name)); {
			case IsUntold(err):
				return "", err
			case err == nil && counts(dir, name, mark):
				return dir, nil
			}
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", nil
		}
		dir = above
	}
}

// IsUntold reports whether an error of the system's leaves open whether a file is there: one of the
// disk, of a file system on the network, or for want of memory.
func IsUntold(err error) bool {
	return errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.ESTALE) || errors.Is(err, syscall.ETIMEDOUT)
}

// Repository returns the nearest folder from an absolute path upwards that is a repository by a .git
// of the user or the system, which a clone brings along below its own for submodules alone; without
// any, the nearest one by a .jj, which git tracks as it does all else, and Jujutsu doesn't. It is empty
// if there is none.
func Repository(dir string) string {
	jj := ""
	for {
		if HasOwn(dir, ".git") {
			return dir
		}
		if jj == "" && HasOwn(dir, ".jj") {
			jj = dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return jj
		}
		dir = above
	}
}
