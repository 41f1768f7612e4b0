//go:build unix

package files

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
)

// TestUpdateTooLarge writes more than the process may write to a file. That room is no
// help against it is what the error must not hide. The process is one of its own: the
// limit would hold for the log that the testing package writes of it too.
func TestUpdateTooLarge(t *testing.T) {
	if !testkit.Elsewhere(t, testBinary(t), "", nil) {
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "old")
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	r := openRoots(t, RootOptions{}, dir)
	defer r.Close()
	little := limit
	little.Cur = 64 << 10
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &little); err != nil {
		t.Fatal(err)
	}
	err := r.Update(t.Context(), []string{"a.md"}, put("a.md", strings.Repeat("x", 128<<10)))
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if reason := reasonOf(err); codeOf(err) != fileerror.NoSpace || !strings.Contains(reason, "raise the limit") || strings.Contains(reason, "try again") || leaks(err, dir, "a.md") != "" {
		t.Errorf("%v", err)
	}
	expect(t, dir, map[string]string{"a.md": "old"})
	if err := r.Update(t.Context(), []string{"a.md"}, put("a.md", "new")); err != nil {
		t.Error(err)
	}
	expect(t, dir, map[string]string{"a.md": "new"})
}
