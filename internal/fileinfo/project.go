package fileinfo

import (
	"os"
	"path/filepath"
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
// system has marked as the root of a project; empty if there is none.
func ProjectRoot(dir string) string {
	return Marked(dir, func(_, _ string, mark os.FileInfo) bool { return OwnedByUserOrRoot(mark) })
}

// Marked returns the nearest folder from an absolute path upwards with a mark of a project that
// counts, given the folder and the name of the mark; empty if there is none.
func Marked(dir string, counts func(dir, name string, mark os.FileInfo) bool) string {
	for {
		for _, name := range ProjectMarks() {
			if mark, err := os.Lstat(filepath.Join(dir, name)); err == nil && counts(dir, name, mark) {
				return dir
			}
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
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
