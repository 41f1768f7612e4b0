package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var built struct {
	once sync.Once
	path string
	err  error
}

// BuildProgram builds the program once for all tests of a process and returns its path.
// Whoever uses it has a TestMain that ends with RemoveProgram.
//
// With the race detector it skips the test: the program is a process of its own without
// it, in which no race is found. The run without the detector tests the same, but for
// races among what the test itself does.
func BuildProgram(t testing.TB) string {
	t.Helper()
	OtherProcess(t)
	built.once.Do(func() { built.path, built.err = buildProgram() })
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// buildProgram builds the program in a folder of its own, which outlives the test that
// happens to be first.
func buildProgram() (string, error) {
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

// RemoveProgram removes what BuildProgram built.
func RemoveProgram() {
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
