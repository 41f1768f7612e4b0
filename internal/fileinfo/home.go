package fileinfo

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
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

// ConfigDir returns the folder of the user's configurations. A relative
// XDG_CONFIG_HOME doesn't count, as its specification has it, and neither does a relative
// HOME: a project would have the folder. Without HOME it is in the home folder that the
// system has for the user.
func ConfigDir() (string, error) {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	if dir, err := os.UserConfigDir(); err == nil && filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := HomeDir()
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
