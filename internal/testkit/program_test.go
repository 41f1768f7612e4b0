package testkit_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

func TestBuild(t *testing.T) {
	path := testkit.BuildProgram(t)
	out, err := exec.Command(path, "--version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "sectile ") {
		t.Errorf("%v: %s", err, out)
	}
	if again := testkit.BuildProgram(t); again != path {
		t.Errorf("built again: %s, before %s", again, path)
	}
}

func TestMissing(t *testing.T) {
	t.Setenv("SECTILE_REQUIRE_TOOLS", "")
	t.Run("skips", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("a test goes on without what it wants")
			}
		}()
		testkit.Missing(t, "there is nothing here")
	})
}
