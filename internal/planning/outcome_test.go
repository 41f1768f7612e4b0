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

// TestPlanOutcomeOfALostRace has another writer claim a task at the moment in which git is to write:
// who is refused then is told that nothing was written.
func TestPlanOutcomeOfALostRace(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		testkit.Missing(t, "there is no git in the PATH")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), git, append([]string{"-C", dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	const ref = "refs/sectile/plans/main"
	first := NewPlans(PlanOptions{Start: dir, UserFile: "-", Store: "git"})
	ok := must(t)
	ok(first.SetGoal(t.Context(), PlanGoal{Type: "fix", Scope: "x", Title: "y"}))
	ok(first.SetPlan(t.Context(), PlanTasks{Tasks: "- a\n- b"}))
	free := run("rev-parse", ref)
	ok(first.Mark(t.Context(), PlanMark{Task: "a", Claim: "another", Keep: true}))
	claimed := run("rev-parse", ref)
	run("update-ref", ref, free)
	fake, once := filepath.Join(t.TempDir(), "git"), filepath.Join(t.TempDir(), "once")
	script := "#!/bin/sh\ncase \" $* \" in *' update-ref '*) if mkdir '" + once + "' 2>/dev/null; then '" + git + "' -C '" + dir + "' update-ref " + ref + " " + claimed + "; fi;; esac\nexec '" + git + "' \"$@\"\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = NewPlans(PlanOptions{Start: dir, UserFile: "-", Git: fake, Store: "git"}).Mark(t.Context(), PlanMark{Task: "a", Claim: "me", Keep: true})
	if _, raced := os.Stat(once); err == nil || raced != nil || !strings.Contains(err.Error(), "nothing was written") || strings.Contains(err.Error(), "may have been") {
		t.Errorf("%v, %v", err, raced)
	}
	if now := run("rev-parse", ref); now != claimed {
		t.Errorf("the plan is at %s, and was left at %s", now, claimed)
	}
}

// TestPlanOutcomeOfAdopt has another jj describe the change that a plan is taken over into, at the moment
// in which that is written: who is refused then isn't told that nothing was written.
func TestPlanOutcomeOfAdopt(t *testing.T) {
	tools, err := filepath.Abs(filepath.Join("..", "..", ".tools", "bin")) // where scripts/install-jj puts jj
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+string(filepath.ListSeparator)+os.Getenv("PATH"))
	jj, err := exec.LookPath("jj")
	if err != nil {
		testkit.Missing(t, "there is no jj")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), jj, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "JJ_CONFIG": os.DevNull} {
		t.Setenv(name, value)
	}
	run("git", "init", "--quiet")
	first := NewPlans(PlanOptions{Start: dir, UserFile: "-", Store: "jj"})
	ok := must(t)
	ok(first.SetGoal(t.Context(), PlanGoal{Type: "fix", Scope: "x", Title: "y"}))
	ok(first.SetPlan(t.Context(), PlanTasks{Tasks: "- a\n- b"}))
	run("commit", "--quiet", "-m", "begin")
	plans, err := first.List(t.Context())
	if err != nil || len(plans) != 1 || !plans[0].Orphan {
		t.Fatalf("%+v, %v", plans, err)
	}
	fake := filepath.Join(t.TempDir(), "jj")
	script := "#!/bin/sh\ncase \" $* \" in *' describe --stdin '*)\n" +
		"op=$('" + jj + "' op log --no-graph --limit 1 -T 'id.short()' --ignore-working-copy); '" + jj + "' \"$@\"; exit=$?\n" +
		"'" + jj + "' describe --at-op \"$op\" -m another; exit $exit;;\nesac\nexec '" + jj + "' \"$@\"\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = NewPlans(PlanOptions{Start: dir, UserFile: "-", JJ: fake, Store: "jj"}).Adopt(t.Context(), plans[0].Name)
	if now := run("log", "--no-graph", "-r", "@", "-T", "description"); err == nil || !strings.Contains(now, "- [ ]: b") || !strings.Contains(err.Error(), "it may have been written or not") {
		t.Errorf("%v, and there is\n%s", err, now)
	}
	for _, name := range []string{"none", plans[0].Name} {
		if _, err := first.Adopt(t.Context(), name); err == nil || !strings.Contains(err.Error(), "nothing was") || strings.Contains(err.Error(), "may have been") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
