//go:build unix

package testkit

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// again is the variable that tells a test that it is in a process of its own.
const again = "SECTILE_TEST_AGAIN"

// Elsewhere runs the test again in another process, in the folder dir, and reports
// whether this is it. It is for a test that needs what would hurt the others: another
// user, mounts, or limits, which hold for whatever the process writes.
func Elsewhere(t *testing.T, self, dir string, attr *syscall.SysProcAttr, variables ...string) bool {
	t.Helper()
	if IsElsewhere(t) {
		return true
	}
	cmd := exec.Command(self, "-test.v", "-test.run", "^"+t.Name()+"$") //nolint:gosec // it is the test
	cmd.Env, cmd.Dir = append(append(os.Environ(), again+"="+t.Name()), variables...), dir
	cmd.SysProcAttr = attr
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.EACCES),
		bytes.Contains(out, []byte("--- SKIP: "+t.Name()+" (")): // some of its parts may be skipped
		refused(t, "no such process can be started here: "+strings.TrimSpace(string(out)))
	case err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name()+" (")):
		t.Errorf("%v: %s", err, out)
	}
	return false
}

// IsElsewhere reports whether this is the process that Elsewhere has started.
func IsElsewhere(t *testing.T) bool { return os.Getenv(again) == t.Name() }

// refused skips a test that the system doesn't let us make, which is no wonder if
// we are not root.
func refused(t *testing.T, why string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip(why)
	}
	Missing(t, why)
}
