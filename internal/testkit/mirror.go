package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Mirror has bindfs, a program that is a file system (FUSE), mirror a folder in another one until the test ends.
// It exchanges no files. The test is skipped where that isn't installed, or may not.
func Mirror(t *testing.T, dir, mirror string) {
	t.Helper()
	ofProgram(t, mirror, "bindfs", dir, mirror)
}

// NumberingMirror is Mirror by sshfs, without a network: each name of a linked file has a number of its own there.
func NumberingMirror(t *testing.T, dir, mirror string) {
	t.Helper()
	const server = "/usr/lib/openssh/sftp-server"
	if _, err := os.Stat(server); err != nil {
		Missing(t, err.Error()+"; scripts/install-tools installs it")
	}
	command := filepath.Join(t.TempDir(), "ssh")                                                 // which gets arguments for a network
	if err := os.WriteFile(command, []byte("#!/bin/sh\nexec "+server+"\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	ofProgram(t, mirror, "sshfs", "-o", "ssh_command="+command, "here:"+dir, mirror)
}

// ShortNames has gocryptfs, a program that is a file system, show an encrypted folder in another one until the test
// ends: a name has at most so many bytes there as it returns, fewer than the system says. The test is skipped as
// that of Mirror.
func ShortNames(t *testing.T, top string) (longest int) {
	t.Helper()
	dir := t.TempDir()
	of := []string{"-q", "-extpass", "echo secret", "-longnames=false", dir}
	if _, err := exec.LookPath("gocryptfs"); err == nil {
		if out, err := exec.CommandContext(t.Context(), "gocryptfs", append([]string{"-init", "-scryptn", "10"}, of...)...).CombinedOutput(); err != nil { //nolint:gosec // those above
			t.Fatalf("%v: %s", err, out)
		}
	}
	ofProgram(t, top, "gocryptfs", append(of, top)...)
	return 175
}

// ofProgram has a program with these arguments be the file system of a folder until the test ends.
func ofProgram(t *testing.T, top, program string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		Missing(t, err.Error()+"; scripts/install-tools installs it")
	}
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil { //nolint:gosec // those above
		t.Skipf("nothing can be mounted: %s: %v: %s", program, err, out)
	}
	t.Cleanup(func() {
		if err := exec.Command("fusermount", "-u", top).Run(); err != nil { //nolint:noctx,gosec // the test has ended
			t.Error(err)
		}
	})
}
