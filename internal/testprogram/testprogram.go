// Package testprogram builds the program for tests that run it as a process of
// its own. Only tests use it.
package testprogram

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sectile/sectile/internal/racing"
)

var built struct {
	once sync.Once
	path string
	err  error
}

// Build builds the program once for all tests of a process and returns its path.
// Whoever uses it has a TestMain that ends with Remove.
//
// With the race detector it skips the test: the program is a process of its own without
// it, in which no race is found. The run without the detector tests the same, but for
// races among what the test itself does.
func Build(t testing.TB) string {
	t.Helper()
	racing.OtherProcess(t)
	built.once.Do(func() { built.path, built.err = build() })
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// build builds the program in a folder of its own, which outlives the test that
// happens to be first.
func build() (string, error) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/sectile/sectile").Output() // of dev it is another one
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	dir, err := os.MkdirTemp("", "sectile")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "sectile")
	cmd := exec.Command("go", "build", "-C", strings.TrimSpace(string(module)), "-o", dir+string(filepath.Separator), "./cmd/sectile") //nolint:gosec // the paths are ours
	if out, err := cmd.CombinedOutput(); err != nil {
		return path, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return exec.LookPath(path) // which knows the extension that programs have here
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
