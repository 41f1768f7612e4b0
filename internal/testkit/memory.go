package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// disk is the folder of temporary files of a run whose own is in memory.
var disk string

// RunInMemory has m.Run, or a function around it, run the tests of a package with their
// temporary files in memory, and returns what that does: tests make many files, and a disk takes several times as long
// for each. It is for packages whose subject is what lies in files, and not how they are
// written; OnDisk gives those tests of them a folder that are about writing.
//
// Files lie where they always do if TMPDIR is set, or SECTILE_LONG, if there is no file
// system in memory that programs may be run from, or if less than 1 GiB of it is free.
func RunInMemory(run func() int) int {
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
	if err := os.Setenv("TMPDIR", dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
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
