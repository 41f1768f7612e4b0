package programs

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// TestWrites has a program write in a folder that it may write in, and by all ways that lead out of
// it, and says which of them it could.
func TestWrites(t *testing.T) {
	t.Parallel()
	if version, err := landlock.LandlockGetABIVersion(); err != nil || version < 2 {
		t.Skip("the kernel has no Landlock, or an old one:", version, err)
	}
	dir := t.TempDir()
	mine, theirs := filepath.Join(dir, "mine"), filepath.Join(dir, "theirs")
	for _, folder := range []string{mine, theirs} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(theirs, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": filepath.Join(theirs, "file"), "folder": theirs} {
		if err := os.Symlink(to, filepath.Join(mine, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := examine("/usr/bin/cp"); !ok {
		t.Skip("here cp is a link to another program, which is let be")
	}
	cp := func(from, to string, writes []string) bool {
		t.Helper()
		r, err := Run(t.Context(), &Call{Program: "/usr/bin/cp", Args: []string{from, to}, Writes: writes, Timeout: time.Minute})
		if err != nil {
			t.Error(err)
		}
		return r.Exit == 0
	}
	source := filepath.Join(dir, "source")
	if err := os.WriteFile(source, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]bool{
		filepath.Join(mine, "new"): true, os.DevNull: true,
		filepath.Join(mine, "link"): false, filepath.Join(mine, "folder", "new"): false, filepath.Join(theirs, "new"): false, filepath.Join(dir, "new"): false,
	} {
		if got := cp(source, to, []string{mine, filepath.Join(dir, "absent")}); got != want {
			t.Errorf("%s: written: %t", to, got)
		}
		if !cp(source, to, nil) {
			t.Errorf("%s can't be written by a program that may write anywhere", to)
		}
	}
	if cp(source, filepath.Join(mine, "other"), []string{}) {
		t.Error("a program that may write nowhere writes")
	}
	// This process may still write everywhere.
	if err := os.WriteFile(filepath.Join(theirs, "file"), []byte("mine"), 0o600); err != nil {
		t.Error(err)
	}
}

// TestReads has a program read and run what it may, and by all ways that lead elsewhere, and says
// which of them it could.
func TestReads(t *testing.T) {
	t.Parallel()
	if version, err := landlock.LandlockGetABIVersion(); err != nil || version < 2 {
		t.Skip("the kernel has no Landlock, or an old one:", version, err)
	}
	if own, ok := examine("/usr/bin/env"); !ok || own == nil {
		t.Skip("here env is a link to another program, which is let be")
	}
	dir := t.TempDir()
	mine, theirs, script := filepath.Join(dir, "mine"), filepath.Join(dir, "theirs"), filepath.Join(dir, "mine", "script")
	for _, folder := range []string{mine, theirs} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{filepath.Join(mine, "file"): "text", filepath.Join(theirs, "file"): "secret", filepath.Join(theirs, "other"): "secret", script: "#!/bin/sh\n"} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": filepath.Join(theirs, "file"), "folder": theirs} {
		if err := os.Symlink(to, filepath.Join(mine, name)); err != nil {
			t.Fatal(err)
		}
	}
	does := func(reads []string, command ...string) bool {
		t.Helper()
		r, err := Run(t.Context(), &Call{Program: "/usr/bin/env", Args: command, Writes: []string{}, Reads: reads, Timeout: time.Minute})
		if err != nil {
			t.Error(err)
		}
		return r.Exit == 0
	}
	for _, c := range []struct {
		command []string
		want    bool
	}{
		{[]string{"cat", filepath.Join(mine, "file")}, true},
		{[]string{"ls", mine}, true},
		{[]string{"cat", filepath.Join(theirs, "other")}, true}, // a file that is named
		{[]string{"cat", os.DevNull}, true},
		{[]string{"cat", filepath.Join(theirs, "file")}, false},
		{[]string{"cat", filepath.Join(mine, "link")}, false},
		{[]string{"cat", filepath.Join(mine, "folder", "file")}, false},
		{[]string{"cat", "/proc/self/environ"}, false},
		{[]string{"ls", filepath.Join(mine, "folder")}, false},
		{[]string{script}, false},
	} {
		if got := does([]string{mine, filepath.Join(theirs, "other"), filepath.Join(dir, "absent")}, c.command...); got != c.want {
			t.Errorf("%q: %t", c.command, got)
		}
		if !does(nil, c.command...) {
			t.Errorf("%q fails for a program that may read anything", c.command)
		}
	}
}

// TestExamine tells programs from what stands in their place, and those that are made of the
// system's libraries and what lies around them from others.
func TestExamine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, err := os.ReadFile("/usr/bin/env")
	if err != nil {
		t.Skip(err)
	}
	// The interpreter that the program names becomes one in an unusual folder, in as many letters.
	elsewhere := bytes.Replace(program, []byte("/lib"), []byte("/ohm"), 1)
	for name, text := range map[string][]byte{"bin/whole": program, "bin/moved": elsewhere, "bin/script": []byte("#!/bin/sh\n")} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"whole": "bin/whole", "other": "bin/whole"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][2]bool{
		"bin/whole": {true, true}, "whole": {true, true}, "other": {false, false}, "bin/script": {false, false}, "bin/moved": {true, false}, "absent": {false, false},
	} {
		own, ok := examine(filepath.Join(dir, name))
		if got := [2]bool{ok, own != nil}; got != want {
			t.Errorf("%s: itself and of known places %v, want %v", name, got, want)
		}
	}
}
