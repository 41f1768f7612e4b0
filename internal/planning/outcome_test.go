//go:build unix

package planning

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestPlanOutcomeOfAProgramThatIsGone has git be gone when it is to write.
func TestPlanOutcomeOfAProgramThatIsGone(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		testkit.Missing(t, "there is no git in the PATH")
	}
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), git, "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	fake := filepath.Join(t.TempDir(), "git")
	script := "#!/bin/sh\ncase \" $* \" in *' mktree '*) rm -f \"$0\";; esac\nexec '" + git + "' \"$@\"\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	p := NewPlans(PlanOptions{Start: dir, UserFile: "-", Git: fake, Store: "git"})
	e := wantPlanError(t, second(p.SetGoal(t.Context(), PlanGoal{Type: "fix", Scope: "x", Title: "y"})), planFailed)
	if !strings.Contains(e.Message.String(), "nothing was written") || strings.Contains(e.Message.String(), "may have been") {
		t.Error(e.Message.String())
	}
}
