package testkit

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// disk is the folder of temporary files of a run whose own is in memory.
var disk string

// RunInMemory calls m.Run, or a function around it, with the temporary files of the tests in
// memory, and returns the exit code: tests make many files, and a disk takes several times
// as long for each. It is for packages whose subject is what lies in files, and not how they
// are written; OnDisk gives a folder to those of their tests that are about writing.
//
// Files lie where they always do if TMPDIR is set, or SECTILE_LONG, if there is no file
// system in memory that programs may be run from, or if less than 1 GiB of it is free.
func RunInMemory(run func() int) int {
	state, err := os.MkdirTemp("", "sectile-state-")
	if err != nil {
		panic(err) // there is no test yet that could fail
	}
	defer func() { _ = os.RemoveAll(state) }()
	_ = os.Setenv("XDG_STATE_HOME", state) // the user's own journal is none of theirs
	memory := freeMemory(1 << 30)
	if memory == "" || os.Getenv("TMPDIR") != "" || Long() {
		return run()
	}
	dir, err := os.MkdirTemp(memory, "sectile-")
	if err != nil {
		return run()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	disk = os.TempDir()
	// Tests that are another user for a while must reach what they make.
	if err := errors.Join(os.Chmod(dir, 0o755), os.Setenv("TMPDIR", dir)); err != nil { //nolint:gosec // see above
		panic(err) // there is no test yet that could fail
	}
	return run()
}

// KeepGarbage has the tests of a package that hold little and make much of it clear garbage
// away less often: by Go's own measure a third of their time goes into it.
func KeepGarbage(run func() int) func() int {
	return func() int {
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(400)
		}
		return run()
	}
}

// OnDisk returns a temporary folder that is on the disk though those of the run are not.
func OnDisk(t testing.TB) string {
	t.Helper()
	if disk == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(disk, "sectile-") //nolint:usetesting // that one is in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TempFolders returns the folders in which the temporary files of the run lie.
func TempFolders() []string {
	if disk == "" {
		return []string{os.TempDir()}
	}
	return []string{os.TempDir(), disk}
}
