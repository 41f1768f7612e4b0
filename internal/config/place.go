package config

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/fileinfo"
)

// Where the two files are.

// start returns the folder from which the project is looked for, absolute and
// with links resolved: what is above it is what is above it on disk.
func (l *Loader) start() (string, error) {
	dir := l.options.Start
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	return dir, nil
}

// findRoot returns the root of the project that a folder lies in, empty if there is
// none. A repository that somebody has left in a folder of everybody makes no project of it; a
// configuration does if refused, so that whoever goes by it hears why it isn't obeyed. The error is a
// *fileerror.Error: that can't be told.
func (l *Loader) findRoot(dir string, refused bool) (string, error) {
	trusted := func() []string {
		user, _ := l.readUser(l.UserFile()) // one that can't be read trusts nobody
		return user.trust().Folders
	}
	root, err := fileinfo.Marked(dir, func(at, name string, mark fs.FileInfo) bool {
		return refused && name == Name || !fileinfo.IsLeft(mark, at, trusted)
	})
	if err != nil {
		return "", &fileerror.Error{Code: fileerror.IOError, Path: Name, Reason: "the system doesn't tell which project this is: " + fileinfo.Cause(err).Error(), Hint: "try again", Err: err}
	}
	return root, nil
}

// ofLinks returns the root of the project that a folder lies in and its file, nil if there is none,
// as links go by them: a configuration that somebody has left in a folder of everybody is no file
// of a project, nor does it make one.
func (l *Loader) ofLinks(dir string, user *file) (root string, project *file, err error) {
	if root, err = l.findRoot(dir, false); err != nil {
		return "", nil, err
	}
	if mark, err := os.Lstat(filepath.Join(root, Name)); err == nil && fileinfo.IsLeft(mark, root, func() []string { return user.trust().Folders }) {
		return root, nil, nil // it is one by a repository beside that file
	}
	project, err = l.readProject(root, user)
	return root, project, err
}

// findMisnamed returns the name of the nearest file that is called almost as a
// project's should be, from a folder up to the root of the project; empty if there is
// none.
func findMisnamed(dir, root string) string {
	for {
		for _, name := range []string{".sectile.yml", "sectile.yaml"} {
			if i, err := os.Stat(filepath.Join(dir, name)); err == nil && i.Mode().IsRegular() {
				return name
			}
		}
		above := filepath.Dir(dir)
		if dir == root || above == dir {
			return ""
		}
		dir = above
	}
}

// ProjectRoot returns the root of the project, absolute; empty if there is none, or that can't be
// told, which the error of Load, Change or Create says.
func (l *Loader) ProjectRoot() string {
	_, root, _ := l.project()
	return root
}

// project returns the folder from which the project is looked for and its root, empty if there is
// none.
func (l *Loader) project() (dir, root string, err error) {
	if dir, err = l.start(); err != nil {
		return "", "", shown(Project, err)
	}
	root, err = l.findRoot(dir, true)
	return dir, root, err
}

// UserFile returns the path of the user's file, whether or not it is there; empty if
// there is no place for one.
func (l *Loader) UserFile() string {
	switch l.options.UserFile {
	case "-":
		return ""
	case "":
	default:
		return l.options.UserFile
	}
	dir, err := fileinfo.ConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "sectile", "config.yaml")
}
