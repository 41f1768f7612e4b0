package planstore

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/testkit"
)

// gitStoreIn opens the store of a repository.
func gitStoreIn(t testing.TB, dir string) Store {
	t.Helper()
	return open(t, Options{Root: dir, Kind: Git})
}

// untouched returns all of a folder but objects, our refs and their logs: each
// path with its mode, its time and what it holds.
func untouched(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		slashed := "/" + filepath.ToSlash(rel) + "/"
		if strings.Contains(slashed, "/objects/") || strings.Contains(slashed, "/refs/sectile/") {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() { // whose time changes when a lock comes and goes
			all[rel] = info.Mode().String()
			return nil
		}
		text, err := os.ReadFile(path)
		all[rel] = fmt.Sprint(info.Mode(), info.ModTime(), string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestGitTouchesNothing(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir := newGit(t)
	write(t, filepath.Join(dir, "a.txt"), "changed\n")
	write(t, filepath.Join(dir, "staged.txt"), "staged\n")
	run(t, dir, "git", "add", "staged.txt")
	run(t, dir, "git", "branch", "other")
	run(t, dir, "git", "tag", "v1")
	before := untouched(t, dir)
	s := gitStoreIn(t, dir)
	first := save(t, s, plan)
	second := save(t, s, strings.Replace(plan, "[ ]", "[x]", 1))
	if _, _, err := s.Survey(t.Context()); err != nil {
		t.Error(err)
	}
	testDiff(t, s, "+changed")
	if _, old, err := s.New(t.Context(), never); err != nil || old.Name == "" {
		t.Error(old, err)
	}
	if _, err := s.List(t.Context()); err != nil {
		t.Error(err)
	}
	run(t, dir, "git", "update-ref", plansRef+"gone", "HEAD")
	if _, err := s.Adopt(t.Context(), "gone", never); err != nil {
		t.Error(err)
	}
	after := untouched(t, dir)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
	if got := run(t, dir, "git", "log", "--format=%B", plansRef+"main"); !strings.Contains(got, first.Text) || !strings.Contains(got, second.Text) {
		t.Errorf("history:\n%s", got)
	}
	if got := run(t, dir, "git", "reflog", "show", plansRef+"main"); strings.Count(got, "\n") != 4 {
		t.Errorf("reflog:\n%s", got)
	}
	run(t, dir, "git", "fsck", "--strict")
	if got := run(t, dir, "git", "ls-tree", plansRef+"main"); got != "" {
		t.Errorf("files: %s", got)
	}
}

// TestGitLeavesTheIndex: a file that has other line endings than git has stored, and is the
// same for git, is not listed, and git doesn't write down that it has looked at it.
func TestGitLeavesTheIndex(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	run(t, dir, "git", "config", "core.autocrlf", "true")
	write(t, filepath.Join(dir, "same.txt"), "one\ntwo\n")
	write(t, filepath.Join(dir, "b.bin"), "\x00b")
	run(t, dir, "git", "add", "same.txt", "b.bin")
	run(t, dir, "git", "commit", "-qm", "two")
	write(t, filepath.Join(dir, "same.txt"), "one\r\ntwo\r\n")
	write(t, filepath.Join(dir, "b.bin"), "\x00c")
	write(t, filepath.Join(dir, "a.txt"), "changed\n")
	index := func() string {
		return read(t, filepath.Join(dir, ".git", "index"))
	}
	before := index()
	s := gitStoreIn(t, dir)
	_, changes, err := s.Survey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Change{{"modified", "a.txt"}, {"modified", "b.bin"}}, changes.Files); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	testDiff(t, s, "+changed")
	if index() != before {
		t.Error("the index was written")
	}
}

func TestGitSurvey(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	write(t, filepath.Join(dir, "gone.txt"), "x\n")
	write(t, filepath.Join(dir, "mode.txt"), "x\n")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-qm", "two")
	s := gitStoreIn(t, dir)
	state, changes, err := s.Survey(t.Context())
	if err != nil || !changes.Empty() || changes.Against != "HEAD" || state != load(t, s) {
		t.Fatalf("%+v %+v %v", state, changes, err)
	}
	write(t, filepath.Join(dir, "a.txt"), "ünïcödé\n")
	write(t, dir+"/sub/new \"\n[.txt", "")
	write(t, filepath.Join(dir, "added.txt"), "x\n")
	run(t, dir, "git", "add", "added.txt")
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	if _, changes, err = s.Survey(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []Change{{"modified", "a.txt"}, {"added", "added.txt"}, {"removed", "gone.txt"}, {"untracked", "sub/new \"\n[.txt"}}
	if diff := cmp.Diff(want, changes.Files); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	testDiff(t, s, "+ünïcödé")
	_, changes, err = gitStoreIn(t, filepath.Join(dir, "sub")).Survey(t.Context())
	if err != nil || len(changes.Files) != 4 || changes.Files[0].Path != "../a.txt" || changes.Files[3].Path != "new \"\n[.txt" {
		t.Errorf("from a folder below: %+v %v", changes, err)
	}
	for i := range maxChanges {
		write(t, filepath.Join(dir, fmt.Sprintf("many%d.txt", i)), "")
	}
	if _, changes, err = s.Survey(t.Context()); err != nil || len(changes.Files) != maxChanges || changes.More != 4 {
		t.Errorf("%d files and %d more, %v", len(changes.Files), changes.More, err)
	}
}

// TestGitSituations are the places that HEAD can be in.
func TestGitSituations(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	wantRef := func(t *testing.T, s Store, ref string) State {
		t.Helper()
		state := save(t, s, plan)
		if state.Where != ref || state.Text != plan || load(t, s) != state {
			t.Errorf("%+v, want it on %s", state, ref)
		}
		return state
	}
	t.Run("unborn branch", func(t *testing.T) {
		t.Parallel()
		needGit(t)
		dir := t.TempDir()
		run(t, dir, "git", "init", "-q")
		s := gitStoreIn(t, dir)
		wantRef(t, s, plansRef+"main")
		write(t, filepath.Join(dir, "a.txt"), "one\n")
		run(t, dir, "git", "add", ".")
		_, changes, err := s.Survey(t.Context())
		if err != nil || len(changes.Files) != 1 {
			t.Errorf("%+v %v", changes, err)
		}
		testDiff(t, s, "+one")
		if _, err := tryRun(t, dir, "", "git", "rev-parse", "--verify", "HEAD"); err == nil {
			t.Error("the branch was born")
		}
	})
	t.Run("detached", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "My work..tree.lock")
		main := newGit(t)
		if err := os.Rename(main, dir); err != nil {
			t.Fatal(err)
		}
		run(t, dir, "git", "checkout", "-q", "--detach")
		s := gitStoreIn(t, dir)
		state := wantRef(t, s, plansRef+"-main-worktree")
		run(t, dir, "git", "checkout", "-q", "-b", "later")
		if now := load(t, s); now.Text != "" {
			t.Errorf("%+v", now)
		}
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 1 || !plans[0].Orphan || plans[0].Gone != "its worktree is on branch later now" {
			t.Errorf("%+v %v", plans, err)
		}
		adopted, err := s.Adopt(t.Context(), state.Name, never) // which is on a branch by now
		if err != nil || adopted.Text != plan || adopted.Where != plansRef+"later" {
			t.Errorf("%+v %v", adopted, err)
		}
	})
	t.Run("worktrees", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		other := filepath.Join(t.TempDir(), "other")
		run(t, dir, "git", "worktree", "add", "-q", other, "-b", "feature/x")
		s, main := gitStoreIn(t, other), gitStoreIn(t, dir)
		on := wantRef(t, s, plansRef+"feature/x")
		if now := load(t, main); now.Text != "" {
			t.Errorf("the main worktree has %+v", now)
		}
		run(t, other, "git", "checkout", "-q", "--detach")
		if now := load(t, s); now.Text != "" || now.Version == on.Version {
			t.Errorf("detached: %+v", now)
		}
		wantRef(t, s, plansRef+"-worktrees/other")
		plans, err := main.List(t.Context())
		if err != nil || len(plans) != 2 || plans[0].Name != "feature/x" || plans[0].Continue != "git switch feature/x" || plans[0].Workspace != "" ||
			plans[1].Name != "worktree other" || plans[1].Orphan || plans[1].Workspace != "other" {
			t.Errorf("%+v %v", plans, err)
		}
		write(t, filepath.Join(other, "a.txt"), "changed\n")
		if _, changes, err := s.Survey(t.Context()); err != nil || len(changes.Files) != 1 {
			t.Errorf("%+v %v", changes, err)
		}
	})
	t.Run("bare", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "bare.git")
		run(t, newGit(t), "git", "clone", "-q", "--bare", ".", dir)
		s := gitStoreIn(t, dir)
		wantRef(t, s, plansRef+"main")
		_, changes, err := s.Survey(t.Context())
		diff, errDiff := s.Diff(t.Context(), 100)
		if err != nil || errDiff != nil || changes.Against != "" || !strings.Contains(changes.Unknown, "bare") || diff != (Diff{Unknown: changes.Unknown}) {
			t.Errorf("%+v %v %+v %v", changes, err, diff, errDiff)
		}
		run(t, dir, "git", "branch", "other")
		run(t, dir, "git", "symbolic-ref", "HEAD", "refs/heads/other")
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 1 || plans[0].Name != "main" {
			t.Fatalf("%+v %v", plans, err)
		}
		program, args, _ := strings.Cut(plans[0].Continue, " ")
		run(t, dir, program, strings.Fields(args)...)
		if now := load(t, s); now.Text != plan {
			t.Errorf("%s: %+v", plans[0].Continue, now)
		}
	})
	t.Run("odd names", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		s := gitStoreIn(t, dir)
		for _, name := range []string{"a-b", "@x/y", "user/ünïcödé", "a%2Fb", "$(x)", "'\"", "heads/main", "a/b/c/d"} {
			run(t, dir, "git", "checkout", "-q", "-b", name)
			wantRef(t, s, plansRef+name)
		}
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 8 || !plans[0].Current || plans[0].Name != "a/b/c/d" {
			t.Errorf("%+v %v", plans, err)
		}
	})
	t.Run("in the way", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		s := gitStoreIn(t, dir)
		run(t, dir, "git", "checkout", "-q", "-b", "a")
		wantRef(t, s, plansRef+"a")
		run(t, dir, "git", "branch", "-m", "a", "a/b%")
		if now := load(t, s); now.Text != "" {
			t.Errorf("%+v", now)
		}
		state, err := s.Adopt(t.Context(), "a", never)
		if err != nil || state.Where != plansRef+"-/a%2Fb%25" || state.Text != plan || load(t, s) != state {
			t.Fatalf("%+v %v", state, err)
		}
		save(t, s, plan+"- [ ]: three\n")
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 1 || plans[0].Name != "a/b%" || !plans[0].Current {
			t.Errorf("%+v %v", plans, err)
		}
	})
	t.Run("no repository", func(t *testing.T) {
		t.Parallel()
		needGit(t)
		_, err := gitStoreIn(t, t.TempDir()).Load(t.Context())
		if e := typed(t, err, TypeNoRepository); !strings.Contains(e.Hint, "file or auto") {
			t.Error(e.Hint)
		}
	})
	t.Run("no repository in .git", func(t *testing.T) {
		t.Parallel()
		needGit(t)
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := open(t, Options{Root: dir, Kind: Auto}).Load(t.Context())
		if e := typed(t, err, TypeNoRepository); strings.Contains(e.Hint, "auto") || !strings.Contains(e.Hint, "`.git`") {
			t.Error(e.Hint)
		}
	})
	t.Run("not UTF-8", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		run(t, dir, "git", "-c", "i18n.commitEncoding=latin1", "commit", "-q", "--allow-empty", "-m", "feat: \xfc")
		run(t, dir, "git", "update-ref", plansRef+"main", "HEAD")
		s := gitStoreIn(t, dir)
		_, err := s.Load(t.Context())
		if e := typed(t, err, TypeNotText); !strings.Contains(e.Message, "is not UTF-8") {
			t.Error(e.Message)
		}
		nul := runWith(t, dir, "tree "+strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD^{tree}"))+"\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nfeat: a\x00b\n", "git", "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		run(t, dir, "git", "update-ref", plansRef+"main", strings.TrimSpace(nul))
		_, err = s.Load(t.Context())
		if e := typed(t, err, TypeNotText); !strings.Contains(e.Message, "has a NUL") {
			t.Error(e.Message)
		}
		_, err = s.List(t.Context())
		wantType(t, err, TypeNotText)
	})
	t.Run("no characters", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		s := gitStoreIn(t, dir)
		one := save(t, s, "feat: one\n")
		for _, r := range []rune{0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF} {
			_, err := Save(t.Context(), s, "feat: "+string(r)+"\n", one.Version)
			if e := typed(t, err, TypeNotText); !e.Unwritten || !strings.Contains(e.Message, fmt.Sprintf("U+%04X", r)) || load(t, s) != one {
				t.Errorf("%U: %s, %+v", r, detail(err), load(t, s))
			}
		}
		gone := runWith(t, dir, "tree "+strings.TrimSpace(run(t, dir, "git", "rev-parse", "HEAD^{tree}"))+"\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nfeat: \uffff\n", "git", "hash-object", "-t", "commit", "-w", "--stdin")
		run(t, dir, "git", "update-ref", plansRef+"gone", strings.TrimSpace(gone))
		if _, err := s.Adopt(t.Context(), "gone", never); !typed(t, err, TypeNotText).Unwritten || load(t, s) != one {
			t.Errorf("%s, %+v", detail(err), load(t, s))
		}
	})
	t.Run("no commit", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		run(t, dir, "git", "update-ref", plansRef+"main", "HEAD^{tree}")
		_, err := gitStoreIn(t, dir).Load(t.Context())
		wantType(t, err, TypeFailed)
	})
	t.Run("lock left behind", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		s := gitStoreIn(t, dir)
		save(t, s, plan)
		write(t, filepath.Join(dir, ".git", plansRef, "main.lock"), "")
		// How long is waited isn't the repository's to say: its minute would be 20 times 10 s,
		// after which a command is stopped.
		run(t, dir, "git", "config", "core.filesRefLockTimeout", "60000")
		_, err := Save(t.Context(), s, "feat: x\n", load(t, s).Version)
		if e := typed(t, err, TypeExit); !strings.Contains(e.Hint, ".lock") || !e.Unwritten {
			t.Errorf("%s, unwritten %v", detail(err), e.Unwritten)
		}
		version := load(t, s).Version
		short, cancel := context.WithTimeout(t.Context(), 3*time.Second) // less than all tries take
		defer cancel()
		_, err = Save(short, s, "feat: x\n", version)
		if e := typed(t, err, TypeExit); !strings.Contains(e.Hint, ".lock") || !e.Unwritten {
			t.Errorf("%s, unwritten %v", detail(err), e.Unwritten)
		}
	})
	t.Run("lock of packed refs", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		s := gitStoreIn(t, dir)
		save(t, s, plan)
		run(t, dir, "git", "pack-refs", "--all")
		run(t, dir, "git", "checkout", "-q", "-b", "other")
		run(t, dir, "git", "branch", "-q", "-D", "main")
		write(t, filepath.Join(dir, ".git", "packed-refs.lock"), "")
		run(t, dir, "git", "config", "core.packedRefsTimeout", "60000")
		_, err := s.Adopt(t.Context(), "main", never)
		if e := typed(t, err, TypeExit); !strings.Contains(e.Hint, ".lock") || !e.Unwritten {
			t.Errorf("%s, unwritten %v", detail(err), e.Unwritten)
		}
	})
	t.Run("packed", func(t *testing.T) {
		t.Parallel()
		dir := newGit(t)
		s := gitStoreIn(t, dir)
		saved := save(t, s, plan)
		run(t, dir, "git", "gc", "-q", "--prune=now")
		if now := load(t, s); now != saved {
			t.Errorf("%+v, want %+v", now, saved)
		}
		save(t, s, plan+"more\n")
	})
}

func TestGitAdopt(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir)
	run(t, dir, "git", "checkout", "-q", "-b", "old")
	first := save(t, s, "feat: first\n")
	second := save(t, s, plan)
	run(t, dir, "git", "branch", "-m", "old", "new")
	if now := load(t, s); now.Text != "" || now.Version == second.Version {
		t.Errorf("%+v", now)
	}
	plans, err := s.List(t.Context())
	if err != nil || len(plans) != 1 || !plans[0].Orphan || plans[0].Gone != "its branch is gone" || !plans[0].Open || plans[0].Continue != "sectile plan adopt old" {
		t.Fatalf("%+v %v", plans, err)
	}
	_, err = s.Adopt(t.Context(), "none", never)
	if e := typed(t, err, TypeNoPlan); !strings.Contains(e.Hint, "old") {
		t.Error(e.Hint)
	}
	adopted, err := s.Adopt(t.Context(), "old", never)
	if err != nil || adopted.Text != plan || adopted.Where != plansRef+"new" || load(t, s) != adopted {
		t.Fatalf("%+v %v", adopted, err)
	}
	again, err := s.Adopt(t.Context(), "new", never)
	if err != nil || again != adopted {
		t.Errorf("once more: %+v %v", again, err)
	}
	if got := run(t, dir, "git", "log", "--format=%B", plansRef+"new"); !strings.Contains(got, first.Text) {
		t.Errorf("history: %s", got)
	}
	if _, err := tryRun(t, dir, "", "git", "rev-parse", "--verify", "-q", plansRef+"old"); err == nil {
		t.Error("the old ref is still there")
	}

	run(t, dir, "git", "checkout", "-q", "main")
	save(t, s, "feat: of main\n\n- [ ]: open\n")
	_, err = s.Adopt(t.Context(), "new", never)
	if e := typed(t, err, TypeUnsupported); !strings.Contains(e.Hint, "`git switch new`") {
		t.Error(e.Hint)
	}
	if got := run(t, dir, "git", "log", "-1", "--format=%B", plansRef+"new"); !strings.Contains(got, plan) {
		t.Errorf("the plan of a branch that is there: %s", got)
	}
	run(t, dir, "git", "branch", "-q", "-D", "new")
	_, err = s.Adopt(t.Context(), "new", never)
	wantType(t, err, TypeOccupied)
	save(t, s, "feat: of main\n\n- [x]: done\n")
	adopted, err = s.Adopt(t.Context(), "new", never)
	if err != nil || adopted.Text != plan || adopted.Where != plansRef+"main" {
		t.Fatalf("%+v %v", adopted, err)
	}
	got := run(t, dir, "git", "log", "--format=%B", plansRef+"main")
	if !strings.Contains(got, "- [x]: done") || !strings.Contains(got, first.Text) {
		t.Errorf("history: %s", got)
	}
}

func TestRefName(t *testing.T) {
	needGit(t)
	for name, want := range map[string]string{
		"plain": "plain", "a b": "a-b", "a..b": "a--b", ".hidden.": "hidden", "x.lock": "x-lock", "": "worktree", "@": "worktree",
		"a@{b": "a--b", "a\x01~^:?*[\\\x7fb": "a---------b", "\xff": "-", "ü": "ü", "..": "--",
	} {
		if got := refName(name); (got == want) != (name == want) || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func FuzzRefName(f *testing.F) {
	if testing.Short() {
		f.Skip("runs git")
	}
	for _, name := range []string{"a", ".lock", "a.lock.lock", "/", "...", "@{", "\x00", "-", "-/a%2Fb", "-main-worktree", "-worktrees/a"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		needGit(t)
		got := refName(name)
		if out, err := tryRun(t, t.TempDir(), "", "git", "check-ref-format", plansRef+got); err != nil {
			t.Errorf("%q: %q is no name of a ref: %s", name, got, out)
		}
		if flat := flatRef(name); name != "" && nameOf(flat) != name {
			t.Errorf("%q: flat %q, back %q", name, flat, nameOf(flat))
		}
		if ref := refOf(name); name != "" && nameOf(ref) != name {
			t.Errorf("%q: ref %q, back %q", name, ref, nameOf(ref))
		}
	})
}
