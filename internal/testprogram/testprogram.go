// Package testprogram builds the program for tests that run it as a process of
// its own. Only tests use it.
package testprogram

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

var built struct {
	once sync.Once
	path string
	err  error
}

// Build builds the program once for all tests of a process and returns its path.
// Whoever uses it has a TestMain that ends with Remove.
func Build(t testing.TB) string {
	t.Helper()
	b := &built
	b.once.Do(func() {
		dir, err := os.MkdirTemp("", "sectile") //nolint:usetesting // it outlives the test that happens to be first
		if err != nil {
			b.err = err
			return
		}
		b.path = filepath.Join(dir, "sectile")
		if runtime.GOOS == "windows" {
			b.path += ".exe"
		}
		build := exec.Command("go", "build", "-o", b.path, "github.com/sectile/sectile/cmd/sectile") //nolint:gosec // the path is ours
		out, err := build.CombinedOutput()
		if err != nil {
			b.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path
}

// Remove removes what Build built.
func Remove() {
	if built.path != "" {
		_ = os.RemoveAll(filepath.Dir(built.path))
	}
}

// Missing skips the test for want of something, which SECTILE_REQUIRE_TOOLS
// forbids.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("SECTILE_REQUIRE_TOOLS") != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}
