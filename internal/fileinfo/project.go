package fileinfo

import (
	"cmp"
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
// of the user or the system, which no clone brings along below its own; empty if there is none. One
// by a .jj alone counts unless the next .git above it may track what is in there: Jujutsu does not.
func Repository(dir string) string {
	jj := ""
	for {
		isJJ := HasOwn(dir, ".jj")
		switch {
		case HasOwn(dir, ".git") && (jj == "" || !isJJ):
			return dir
		case HasOwn(dir, ".git"):
			return jj
		case isJJ:
			jj = cmp.Or(jj, dir)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return jj
		}
		dir = above
	}
}
