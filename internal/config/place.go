package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

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
// configuration does if refused, so that whoever goes by it hears why it isn't obeyed.
func (l *Loader) findRoot(dir string, refused bool) string {
	for {
		for _, marker := range fileinfo.ProjectMarks() {
			mark, err := os.Lstat(filepath.Join(dir, marker))
			if err == nil && (refused && marker == Name || !l.isLeft(mark, dir)) {
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

// isLeft reports whether a file in a folder that everybody may write to, such as /tmp, belongs
// neither to the user, to root nor to the owner of the folder, and the user's file doesn't trust
// the folder.
func (l *Loader) isLeft(file fs.FileInfo, dir string) bool {
	const everybody = 0o002
	folder, err := os.Stat(dir)
	if err != nil || folder.Mode().Perm()&everybody == 0 || fileinfo.OwnedByUserOrRoot(file) || fileinfo.HaveOneOwner(file, folder) {
		return false
	}
	user, _ := l.readUser(l.userFile()) // one that can't be read trusts nobody
	return !fileinfo.IsListed(folder, user.trust().Folders)
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

// ProjectRoot returns the root of the project, absolute; empty if there is none.
func (l *Loader) ProjectRoot() string {
	dir, err := l.start()
	if err != nil {
		return ""
	}
	return l.findRoot(dir, true)
}

// UserFile returns the path of the user's file, whether or not it is there; empty if
// there is no place for one.
func (l *Loader) UserFile() string { return l.userFile() }

// userFile returns the path of the user's file, empty if there is none.
func (l *Loader) userFile() string {
	switch l.options.UserFile {
	case "-":
		return ""
	case "":
	default:
		return l.options.UserFile
	}
	dir, err := userConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "sectile", "config.yaml")
}

// userConfigDir returns the folder of the user's configurations. A relative
// XDG_CONFIG_HOME doesn't count, as its specification has it, and neither does a relative
// HOME: a project would have the folder. Without HOME it is in the home folder that the
// system has for the user.
func userConfigDir() (string, error) {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	if dir, err := os.UserConfigDir(); err == nil && filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := fileinfo.HomeDir()
	if err != nil {
		return "", err
	}
	switch runtime.GOOS {
	case "windows":
		return filepath.Join(home, "AppData", "Roaming"), nil
	case "darwin":
		return filepath.Join(home, "Library", "Application Support"), nil
	default:
		return filepath.Join(home, ".config"), nil
	}
}
