package fileinfo

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
)

// HomeDir returns the user's home folder, an absolute path: the one that the environment
// names (HOME, on Windows USERPROFILE) or, where that names none or by a relative path,
// the one that the system has for the user.
func HomeDir() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil && filepath.IsAbs(home) {
		return home, nil
	}
	known, err := user.Current()
	switch {
	case err != nil:
		return "", err
	case !filepath.IsAbs(known.HomeDir):
		return "", errors.New("the user has no home folder")
	}
	return known.HomeDir, nil
}
