//go:build unix

package planstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestGitHostile has a repository name programs wherever one can be named. None of
// them runs.
func TestGitHostile(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir := newGit(t)
	marks, programs := t.TempDir(), t.TempDir()
	mark := func(name string) string {
		return script(t, filepath.Join(programs, name), fmt.Sprintf("touch '%s/%s'; cat; exit 0", marks, name))
	}
	hooks := filepath.Join(dir, ".git", "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"reference-transaction", "post-index-change", "pre-commit", "commit-msg", "prepare-commit-msg", "post-commit",
		"fsmonitor-watchman", "post-checkout", "pre-auto-gc", "post-rewrite",
	} {
		if err := os.Rename(mark("hook-"+name), filepath.Join(hooks, name)); err != nil {
			t.Fatal(err)
		}
	}
	config := fmt.Sprintf(`
[core]
	fsmonitor = %s
	pager = %s
	editor = %s
	sshCommand = %s
	askPass = %s
	hooksPath = %s
[alias]
	status = !%s
	cat-file = !%s
	update-ref = !%s
[diff]
	external = %s
[diff "odd"]
	textconv = %s
	command = %s
[filter "odd"]
	clean = %s
	smudge = %s
	required = true
[filter "proc"]
	process = %s
	required = true
[commit]
	gpgSign = true
[gpg]
	program = %s
[pager]
	status = %s
	cat-file = true
	diff = true
	for-each-ref = true
[credential]
	helper = !%s
[trace2]
	eventTarget = %s/trace
[submodule]
	recurse = true
[diff]
	submodule = log
[status]
	submoduleSummary = true
`, mark("fsmonitor"), mark("pager"), mark("editor"), mark("ssh"), mark("askpass"), hooks,
		mark("alias"), mark("alias"), mark("alias"), mark("external"), mark("textconv"), mark("command"), mark("clean"), mark("smudge"),
		mark("process"), mark("gpg"), mark("pager-status"), mark("credential"), marks)
	// A filter that is named in a file that is included.
	write(t, filepath.Join(dir, ".git", "more"), fmt.Sprintf("[filter \"Other One\"]\n\tclean = %s\n\trequired = true\n", mark("included")))
	write(t, filepath.Join(dir, ".gitattributes"), "a.txt filter=odd diff=odd\nb.txt filter=proc\n")
	write(t, filepath.Join(dir, ".git", "info", "attributes"), "c.txt filter=Other\\ One\n*.dat diff=odd\n")
	for _, name := range []string{"b.txt", "c.txt", "d.dat"} {
		write(t, filepath.Join(dir, name), "one\n")
	}
	// A submodule with a monitor of its own.
	sub := filepath.Join(dir, "sub")
	run(t, dir, "git", "clone", "-q", newGit(t), sub)
	run(t, sub, "git", "config", "core.fsmonitor", mark("submodule"))
	run(t, sub, "git", "config", "filter.below.clean", mark("submodule-clean"))
	write(t, filepath.Join(sub, ".gitattributes"), "* filter=below\n")
	write(t, filepath.Join(sub, "a.txt"), "two\n")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-qm", "all")
	own := filepath.Join(dir, ".git", "config")
	write(t, own, read(t, own)+config+"[include]\n\tpath = more\n")
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "d.dat"} {
		write(t, filepath.Join(dir, name), "two\n")
	}
	if err := os.RemoveAll(marks); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(marks, 0o755); err != nil {
		t.Fatal(err)
	}

	s := gitStoreIn(t, dir)
	g := s.(*gitStore)
	g.program.env = append(g.program.env, "PAGER="+mark("PAGER"), "EDITOR="+mark("EDITOR"))
	save(t, s, plan)
	save(t, s, plan+"- [ ]: three\n")
	_, changes, err := s.Survey(t.Context())
	if err != nil || len(changes.Files) < 4 {
		t.Errorf("%+v %v", changes, err)
	}
	diff, err := s.Diff(t.Context(), 1<<16)
	if err != nil || strings.Count(diff.Text, "+two") != 4 {
		t.Errorf("%+v %v", diff, err)
	}
	run(t, dir, "git", "-c", "core.hooksPath=/dev/null", "update-ref", plansRef+"gone", "HEAD")
	if _, _, err := s.New(t.Context(), never); err != nil {
		t.Error(err)
	}
	if _, err := s.Adopt(t.Context(), "gone", never); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(marks)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("%s was run", e.Name())
	}
	// What would have happened otherwise.
	_, _ = tryRun(t, dir, "", "git", "status")
	_, _ = tryRun(t, dir, "", "git", "update-ref", "refs/heads/x", "HEAD")
	for _, name := range []string{"fsmonitor", "clean", "hook-reference-transaction"} {
		if _, err := os.Stat(filepath.Join(marks, name)); err != nil {
			t.Errorf("the configuration has no effect: %v", err)
		}
	}
}

// TestGitElsewhere has a repository say that its files are others'.
func TestGitElsewhere(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	dir := filepath.Join(outside, "inner")
	if err := os.Rename(newGit(t), dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(outside, "secret.txt"), "secret\n")
	run(t, dir, "git", "config", "core.worktree", outside)
	s := gitStoreIn(t, dir)
	save(t, s, plan)
	_, changes, err := s.Survey(t.Context())
	diff, errDiff := s.Diff(t.Context(), 1000)
	if err != nil || errDiff != nil || len(changes.Files) != 0 || changes.Against != "" || diff.Text != "" ||
		!strings.Contains(changes.Unknown, "core.worktree") || diff.Unknown != changes.Unknown {
		t.Errorf("%+v %v %+v %v", changes, err, diff, errDiff)
	}
}

// TestGitEnvironment has the environment name another repository, as it does
// within a hook.
func TestGitEnvironment(t *testing.T) {
	dir, other := newGit(t), newGit(t)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, "index"))
	save(t, gitStoreIn(t, dir), plan)
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		if err := os.Unsetenv(name); err != nil { // Setenv puts back what was there before
			t.Fatal(err)
		}
	}
	if got := run(t, dir, "git", "for-each-ref", plansRef); got == "" {
		t.Error("it is not here")
	}
	if got := run(t, other, "git", "for-each-ref", plansRef); got != "" {
		t.Errorf("it went elsewhere: %s", got)
	}
}

// TestGitUntraced has the user's own configuration ask for traces of git, which are files that are written
// whatever the arguments say.
func TestGitUntraced(t *testing.T) {
	dir, traces := newGit(t), t.TempDir()
	config := filepath.Join(t.TempDir(), "config")
	var text strings.Builder
	targets := []string{"normal", "perf", "event"}
	for _, target := range targets {
		fmt.Fprintf(&text, "[trace2]\n\t%sTarget = %s\n", target, filepath.ToSlash(filepath.Join(traces, target)))
	}
	write(t, config, text.String())
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	run(t, dir, "git", "status")
	if made, err := os.ReadDir(traces); err != nil || len(made) != 3 {
		t.Fatalf("git writes %d traces by itself: %v", len(made), err)
	}
	for _, target := range targets {
		if err := os.Remove(filepath.Join(traces, target)); err != nil {
			t.Fatal(err)
		}
	}
	save(t, gitStoreIn(t, dir), plan)
	if made, err := os.ReadDir(traces); err != nil || len(made) != 0 {
		t.Errorf("%d traces, %v", len(made), err)
	}
}

// TestGitIdentity has no name for the user: neither configured nor to be guessed.
func TestGitIdentity(t *testing.T) {
	dir := newGit(t)
	config := filepath.Join(t.TempDir(), "config")
	write(t, config, "[user]\n\tuseConfigOnly = true\n")
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	if out, err := tryRun(t, dir, "", "git", "commit", "--allow-empty", "-m", "x"); err == nil {
		t.Fatalf("git knows a name: %s", out)
	}
	save(t, gitStoreIn(t, dir), plan)
	if got := run(t, dir, "git", "log", "-1", "--format=%an %ae %cn", plansRef+"main"); got != "sectile sectile@localhost sectile\n" {
		t.Error(got)
	}
	write(t, config, "[user]\n\tname = Somebody\n\temail = some@body\n")
	save(t, gitStoreIn(t, dir), plan+"more\n")
	if got := run(t, dir, "git", "log", "-1", "--format=%an %ae %cn", plansRef+"main"); got != "Somebody some@body Somebody\n" {
		t.Error(got)
	}
}

// TestGitFails has each call in turn fail.
func TestGitFails(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	genuine := gitStoreIn(t, dir)
	before := save(t, genuine, plan)
	count := filepath.Join(t.TempDir(), "count")
	fake := script(t, filepath.Join(t.TempDir(), "git"), fmt.Sprintf(`n=$(cat '%s'); echo $((n - 1)) >'%s'
[ "$n" -gt 0 ] && [ "$n" -le 2 ] && { echo "fatal: $HOME/x" >&2; exit 128; }; exec git "$@"`, count, count))
	s := open(t, Options{Root: dir, Kind: Git, Git: fake})
	for n := 2; n <= 7; n++ { // two calls fail: what is tried again fails again
		write(t, count, fmt.Sprintln(n))
		_, err := Save(t.Context(), s, plan+"more\n", before.Version)
		if e := typed(t, err, TypeExit); e.Exit != 128 || !e.Critical {
			t.Errorf("call %d: %s", n, detail(err))
		}
		if now := load(t, genuine); now != before {
			t.Fatalf("call %d: %+v", n, now)
		}
	}
	write(t, count, "0\n")
	save(t, s, plan+"more\n")
}

// TestGitReplaced has a repository show another commit in the place of a plan's.
func TestGitReplaced(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir)
	saved := save(t, s, plan)
	run(t, dir, "git", "replace", plansRef+"main", "HEAD")
	run(t, dir, "git", "config", "core.useReplaceRefs", "true") // which git before 2.42 asks in any case
	if now := load(t, s); now != saved {
		t.Errorf("%+v, want %+v", now, saved)
	}
}

// TestGitHooksOff has a configuration name hooks, and sees how each of them is set for
// the commands that git has hooks for: all versions of git read that the same way.
func TestGitHooksOff(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir := newGit(t)
	own := filepath.Join(dir, ".git", "config")
	write(t, own, read(t, own)+`
[hook "lint"]
	event = reference-transaction
	command = touch hooked
	enabled = true
[hook "A = b.C \"d"]
	event = post-index-change
	command = touch hooked
[include]
	path = more
[hook]
	jobs = 2
`)
	write(t, filepath.Join(dir, ".git", "more"), "[hook \"included\"]\n\tevent = reference-transaction\n\tcommand = touch hooked\n")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(t.TempDir(), "seen")
	recorder := script(t, filepath.Join(t.TempDir(), "git"), fmt.Sprintf(`
for arg; do
	case "$arg" in
	update-ref|ls-files|diff)
		for name in lint 'A = b.C "d' included; do
			echo "$arg $name: $('%[1]s' config "hook.$name.enabled")" >>'%[2]s'
		done
		break;;
	esac
done
exec '%[1]s' "$@"`, git, seen))
	s := open(t, Options{Root: dir, Kind: Git, Git: recorder})
	save(t, s, plan)
	write(t, filepath.Join(dir, "a.txt"), "two\n")
	if _, changes, err := s.Survey(t.Context()); err != nil || len(changes.Files) != 1 {
		t.Errorf("%+v %v", changes, err)
	}
	testDiff(t, s, "+two")
	got := read(t, seen)
	for _, command := range []string{"update-ref", "ls-files", "diff"} {
		for _, name := range []string{"lint", `A = b.C "d`, "included"} {
			if !strings.Contains(got, command+" "+name+": false\n") {
				t.Errorf("%s runs hook %s", command, name)
			}
		}
	}
	if t.Failed() || strings.Contains(got, ": true\n") || strings.Contains(got, ": \n") {
		t.Errorf("seen:\n%s", got)
	}
}

// TestGitManyHooks has a configuration name as many hooks as there may be, and one more: to switch off
// tens of thousands takes git longer than anybody waits. What runs no hooks goes on.
func TestGitManyHooks(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	run(t, dir, "git", "config", "core.sharedRepository", "0666")
	own := filepath.Join(dir, ".git", "config")
	before := read(t, own)
	var hooks strings.Builder
	for i := range maxOff {
		fmt.Fprintf(&hooks, "[hook \"%d\"]\n\tcommand = x\n\tevent = y\n", i)
	}
	write(t, own, before+hooks.String())
	s := gitStoreIn(t, dir)
	saved := save(t, s, plan)
	write(t, own, before+hooks.String()+"[hook \"more\"]\n\tcommand = x\n")
	_, err := s.Update(t.Context(), func(State) (string, error) { return plan + "- [ ]: three\n", nil })
	e := typed(t, err, TypeUntrusted)
	if !strings.Contains(e.Message, "`config`, names more than 1,000 hooks") || !strings.Contains(e.Message, "nothing was written") {
		t.Errorf("%s", detail(err))
	}
	if out := run(t, dir, "sh", "-c", strings.Split(e.Hint, "`")[1]); !strings.Contains(out, "config\thook.more.command\n") {
		t.Errorf("the hint's command prints %.200q", out)
	}
	if now := load(t, s); now != saved {
		t.Errorf("%+v, want %+v", now, saved)
	}
}

// TestGitLostCommit has the commit of a plan be gone, as after a `git gc --prune=now` at
// the moment of a write: the hint's commands get out of it.
func TestGitLostCommit(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir)
	// lose removes the commit and returns the commands of the hint.
	lose := func(want string) []string {
		t.Helper()
		now := load(t, s)
		if now.Text != want {
			t.Fatalf("%q, want %q", now.Text, want)
		}
		commit := strings.TrimSpace(run(t, dir, "git", "rev-parse", now.Where))
		if err := os.Remove(filepath.Join(dir, ".git", "objects", commit[:2], commit[2:])); err != nil {
			t.Fatal(err)
		}
		_, err := s.Load(t.Context())
		e := typed(t, err, TypeExit)
		_, err = s.Update(t.Context(), func(State) (string, error) { return "feat: x\n", nil })
		wantType(t, err, TypeExit)
		_, err = s.List(t.Context()) // not as if there were none
		wantType(t, err, TypeExit)
		parts := strings.Split(e.Hint, "`")
		if !strings.Contains(e.Message, "missing or damaged") || len(parts) != 5 {
			t.Fatalf("%s", detail(err))
		}
		return []string{parts[1], parts[3]}
	}
	do := func(command string) error {
		_, err := tryRun(t, dir, "", "sh", "-c", command)
		return err
	}
	save(t, s, "feat: one\n")
	save(t, s, "feat: two\n")
	if err := do(lose("feat: two\n")[0]); err != nil {
		t.Error(err)
	}
	out := lose("feat: one\n")
	_ = do(out[0]) // goes back to what was lost first
	if err := do(out[1]); err != nil {
		t.Error(err)
	}
	save(t, s, "feat: three\n")
	out = lose("feat: three\n")
	if do(out[0]) == nil {
		t.Error("there is no text before the first")
	}
	if err := do(out[1]); err != nil {
		t.Error(err)
	}
	save(t, s, plan)
}

// TestGitBrokenRef has the file of a plan's ref be empty, or damaged: the plan is neither shown as
// none nor written over, and the error says the way out, which is tried. Plans of other branches
// are read and written.
func TestGitBrokenRef(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "damaged\n"} {
		dir := newGit(t)
		s := gitStoreIn(t, dir)
		save(t, s, "plan\n")
		commit := strings.TrimSpace(run(t, dir, "git", "rev-parse", plansRef+"main"))
		file := filepath.Join(dir, ".git", filepath.FromSlash(plansRef+"main"))
		write(t, file, text)
		load := func() error { _, err := s.Load(t.Context()); return err }
		list := func() error { _, err := s.List(t.Context()); return err }
		update := func() error {
			_, err := s.Update(t.Context(), func(State) (string, error) { return "other\n", nil })
			return err
		}
		for what, do := range map[string]func() error{"read": load, "written": update, "listed": list} {
			e := typed(t, do(), TypeFailed)
			if !strings.Contains(e.Message, "the ref "+plansRef+"main is damaged, or may not be read: git finds no commit there") || !e.Unwritten {
				t.Errorf("%s: %+v", what, e)
			}
		}
		if now, err := os.ReadFile(file); string(now) != text || err != nil {
			t.Errorf("the ref is %q, %v", now, err)
		}
		run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/beside")
		save(t, s, "beside\n")
		if plans, err := s.List(t.Context()); err != nil || len(plans) != 2 || plans[0].Name != "beside" || plans[1].Fault == nil {
			t.Errorf("%+v, %v", plans, err)
		}
		run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/main")
		named := func(what string) string {
			path := strings.TrimSpace(run(t, dir, "git", "rev-parse", "--git-path", what+plansRef+"main"))
			return filepath.Join(dir, path)
		}
		if err := os.Remove(named("")); err != nil {
			t.Fatal(err)
		}
		if log, err := os.ReadFile(named("logs/")); err != nil || !strings.Contains(string(log), commit) {
			t.Fatalf("%q, %v", log, err)
		}
		run(t, dir, "git", "update-ref", plansRef+"main", commit)
		if state, err := s.Load(t.Context()); err != nil || state.Text != "plan\n" {
			t.Errorf("%+v, %v", state, err)
		}
	}
}

// TestGitBrokenBranch has the file of the branch that is checked out, or HEAD, be damaged: that is
// no HEAD without a branch, by which another plan would be kept. The way out is tried.
func TestGitBrokenBranch(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir)
	save(t, s, "plan\n")
	commit := strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD"))
	head, branch := filepath.Join(dir, ".git", "HEAD"), filepath.Join(dir, ".git", "refs", "heads", "main")
	refused := func(what string) {
		for name, do := range map[string]func() error{
			"read":    func() error { _, err := s.Load(t.Context()); return err },
			"listed":  func() error { _, err := s.List(t.Context()); return err },
			"adopted": func() error { _, err := s.Adopt(t.Context(), "main", never); return err },
			"written": func() error {
				_, err := s.Update(t.Context(), func(State) (string, error) { return "other\n", nil })
				return err
			},
		} {
			if e := typed(t, do(), TypeExit); !strings.Contains(e.Message, "HEAD, or the file of the branch that it names, may be damaged") || !e.Unwritten && name == "written" {
				t.Errorf("%s, %s: %+v", what, name, e)
			}
		}
	}
	for _, text := range []string{"", strings.Repeat("\x00", 41), "damaged\n", "ref: \n"} {
		write(t, branch, text)
		refused("branch " + text)
	}
	if err := os.Remove(branch); err != nil {
		t.Fatal(err)
	}
	if log := read(t, filepath.Join(dir, ".git", "logs", "refs", "heads", "main")); !strings.Contains(log, commit) {
		t.Errorf("the log is %q", log)
	}
	run(t, dir, "git", "update-ref", "refs/heads/main", commit)
	write(t, head, "ref: refs/heads/no..branch\n")
	refused("HEAD")
	write(t, head, "ref: refs/heads/main\n")
	if state := load(t, s); state.Text != "plan\n" {
		t.Errorf("%+v", state)
	}
	if refs := run(t, dir, "git", "for-each-ref", "--format=%(refname)", plansRef); refs != plansRef+"main\n" {
		t.Errorf("refs: %s", refs)
	}
}
