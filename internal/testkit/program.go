package testkit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var built struct {
	once sync.Once
	path string
	err  error
}

// BuildProgram builds the program, unless Go has it in its cache of builds, and returns
// its path there: linking it takes longer than most tests. It is built without C, as a
// release is, and so takes about a quarter less CPU to start.
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

// buildProgram has "go run" name the program that it would run, instead of running it. It
// names one in a temporary folder that is gone afterwards when it had to link it.
func buildProgram() (string, error) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/sectile/sectile").Output() // of dev it is another one
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	say := "echo"
	if runtime.GOOS == "windows" {
		say = "cmd /c echo"
	}
	for range 3 {
		cmd := exec.Command("go", "run", "-C", strings.TrimSpace(string(module)), "-exec", say, "./cmd/sectile") //nolint:gosec // the path is ours
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		var errs strings.Builder
		cmd.Stderr = &errs
		path, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("go run: %w\n%s", err, errs.String())
		}
		if found, err := exec.LookPath(strings.TrimSpace(string(path))); err == nil {
			return found, nil
		}
	}
	return "", errors.New("go run names no program that is there")
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
