package planstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/testkit"
)

const plan = "feat: plan\n\nWhy.\n\n- [ ]: one\n- [ ]: two\n"

// jjStoreIn opens the store of a repository.
func jjStoreIn(t *testing.T, dir, jj string) Store {
	t.Helper()
	return open(t, Options{Root: dir, Kind: JJ, JJ: jj})
}

// operations returns the log of what was done to a repository.
func operations(t *testing.T, dir, jj string) string {
	t.Helper()
	return run(t, dir, jj, "op", "log", "--no-graph", "--ignore-working-copy", "-T", `id.short() ++ " " ++ description ++ "\n"`)
}

func TestJJSurvey(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	s := jjStoreIn(t, dir, jj)
	state, changes, err := s.Survey(t.Context())
	if err != nil || !changes.Empty() || changes.Against == "" || state.Stale {
		t.Fatalf("%+v %+v %v", state, changes, err)
	}
	write(t, filepath.Join(dir, "old.txt"), "1\n2\n3\n4\n5\n")
	write(t, filepath.Join(dir, "gone.txt"), "gone\n")
	run(t, dir, jj, "commit", "-m", "base")
	saved := save(t, s, plan)

	write(t, filepath.Join(dir, "old.txt"), "1\n2\n3\n4\n5\n6 ünïcödé\n")
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/sub/new \"\n[.txt", "")
	before := operations(t, dir, jj)
	if now := load(t, s); now != saved || operations(t, dir, jj) != before {
		t.Errorf("reading took a snapshot: %+v", now)
	}
	state, changes, err = s.Survey(t.Context())
	if err != nil || state != saved {
		t.Fatalf("%+v %v", state, err)
	}
	want := Changes{Against: "the parent of " + saved.Where, Files: []Change{
		{"removed", "gone.txt"}, {"modified", "old.txt"}, {"added", "sub/new \"\n[.txt"},
	}}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	testDiff(t, s, "+6 ünïcödé")

	below := jjStoreIn(t, filepath.Join(dir, "sub"), jj)
	if _, changes, err = below.Survey(t.Context()); err != nil || len(changes.Files) != 3 || changes.Files[1].Path != "../old.txt" {
		t.Errorf("from a folder below: %+v %v", changes, err)
	}
	if now := load(t, below); now != saved {
		t.Errorf("from a folder below: %+v", now)
	}
}

// testDiff cuts a difference that has want in it at every length.
func testDiff(t *testing.T, s Store, want string) {
	t.Helper()
	all, err := s.Diff(t.Context(), 1<<20)
	if err != nil || all.Cut || !strings.Contains(all.Text, want) {
		t.Fatalf("%+v %v", all, err)
	}
	at := strings.Index(all.Text, want)
	for _, limit := range []int{0, 1, at + 3, at + 4, at + 5, at + 6, len(all.Text) - 1, len(all.Text)} {
		part, err := s.Diff(t.Context(), limit)
		whole, cut := runes.WholePrefix([]byte(all.Text), limit)
		if err != nil || part.Text != whole || limit > 0 && part.Cut != cut {
			t.Errorf("%d bytes: %+v, want %q %v; %v", limit, part, whole, cut, err)
		}
	}
}

// TestJJMoved has the user's commands take the working copy off the plan.
func TestJJMoved(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	for name, move := range map[string]func(t *testing.T, dir, jj string){
		"jj new":    func(t *testing.T, dir, jj string) { run(t, dir, jj, "new") },
		"jj commit": func(t *testing.T, dir, jj string) { run(t, dir, jj, "commit", "-m", plan) },
		"sibling":   func(t *testing.T, dir, jj string) { run(t, dir, jj, "new", "@-") },
		"git commit": func(t *testing.T, dir, _ string) {
			write(t, filepath.Join(dir, "b.txt"), "two\n")
			run(t, dir, "git", "add", ".")
			run(t, dir, "git", "commit", "-qm", "two")
			run(t, dir, "git", "commit", "-qm", "three", "--allow-empty")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			jj := initBoth(t, dir)
			s := jjStoreIn(t, dir, jj)
			saved := save(t, s, plan)
			head := run(t, dir, "git", "rev-parse", "HEAD")
			move(t, dir, jj)

			moved, _, err := s.Survey(t.Context())
			if err != nil || moved.Text != "" || moved.Version == saved.Version {
				t.Fatalf("survey: %+v %v", moved, err)
			}
			_, err = Save(t.Context(), s, plan+"- [ ]: three\n", saved.Version)
			wantType(t, err, TypeConcurrent)
			plans, err := s.List(t.Context())
			if err != nil || len(plans) != 1 {
				t.Fatalf("list: %+v %v", plans, err)
			}
			p := plans[0]
			if p.Name != saved.Name || p.Text != plan || p.Current || !p.Open || p.Workspace != "" {
				t.Errorf("listed: %+v", p)
			}
			_, err = s.Adopt(t.Context(), p.Name, never)
			if e := typed(t, err, TypeUnsupported); !strings.Contains(e.Hint, p.Continue) {
				t.Errorf("hint: %s", e.Hint)
			}
			_, err = s.Adopt(t.Context(), "zzzz", never)
			wantType(t, err, TypeNoPlan)

			run(t, dir, jj, strings.Fields(p.Continue)[1:]...)
			if now := load(t, s); now != saved {
				t.Errorf("back: %+v, want %+v", now, saved)
			}
			if name != "git commit" && run(t, dir, "git", "rev-parse", "main") != head {
				t.Error("a branch of git has moved")
			}
		})
	}
}

// TestJJGitCommitBetween has a `git commit` come between reading and saving: the
// working copy has moved as soon as jj knows of it.
func TestJJGitCommitBetween(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	jj := initBoth(t, dir)
	s := jjStoreIn(t, dir, jj)
	saved := save(t, s, plan)
	run(t, dir, "git", "commit", "-qm", "two", "--allow-empty")
	if now := load(t, s); now != saved {
		t.Errorf("reading has looked for commits of git: %+v", now)
	}
	_, err := Save(t.Context(), s, plan+"- [ ]: three\n", saved.Version)
	wantType(t, err, TypeConcurrent)
	if now := load(t, s); now.Text != "" {
		t.Errorf("something was written to the next change: %+v", now)
	}
}

// jjAfter returns a program that runs a shell command once, right before Jujutsu runs the
// command of this name, as another program of the user may at that moment.
func jjAfter(t *testing.T, dir, jj, name, before string) string {
	t.Helper()
	folder := t.TempDir()
	once := filepath.Join(folder, "once")
	write(t, once, "")
	return script(t, filepath.Join(folder, "jj"), fmt.Sprintf(
		`if [ "$1" = %s ] && [ -e '%s' ]; then rm '%s'; (cd '%s'; jj() { '%s' "$@"; }; %s) >/dev/null 2>&1; fi; exec '%s' "$@"`,
		name, once, once, dir, jj, before, jj))
}

// jjThen is jjAfter with the shell command run right after Jujutsu's.
func jjThen(t *testing.T, dir, jj, name, after string) string {
	t.Helper()
	return script(t, filepath.Join(t.TempDir(), "jj"), fmt.Sprintf(
		`'%s' "$@" || exit; if [ "$1" = %s ]; then (cd '%s'; jj() { '%s' "$@"; }; %s) >/dev/null 2>&1; fi`, jj, name, dir, jj, after))
}

// TestJJDescribedBetween: a description that somebody writes right before ours stays, and
// ours is refused, unless it is the plan that was read.
func TestJJDescribedBetween(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A \"long\" \\ reason, ä.\n", 800)
	for _, theirs := range []string{"my own words", plan + "- [x]: theirs\n", strings.Replace(plan, "Why.", long+"\nTheirs.\n\n"+long, 1)} {
		dir, jj := newJJ(t)
		run(t, dir, jj, "config", "set", "--repo", "revset-aliases.'description(x)'", "all()")
		plan := plan
		if strings.Contains(theirs, long) {
			plan = strings.Replace(plan, "Why.", long+"\nOurs.\n\n"+long, 1)
		}
		saved := save(t, jjStoreIn(t, dir, jj), plan+"- [ ]: \"quoted\" \\n\n")
		s := jjStoreIn(t, dir, jjAfter(t, dir, jj, "describe", "jj describe -m '"+theirs+"'"))
		_, err := Save(t.Context(), s, plan+"- [ ]: ours\n", saved.Version)
		wantType(t, err, TypeConcurrent)
		if now := load(t, s); now.Text != strings.TrimRight(theirs, "\n")+"\n" || now.Divergent {
			t.Errorf("%q: %+v", theirs, now)
		}
	}
}

// TestJJSavedBetween: a file that is saved right before a plan is written, or before a
// change is begun, is where it was saved, and no change is two commits.
func TestJJSavedBetween(t *testing.T) {
	t.Parallel()
	for _, theirs := range []string{"echo new >new.md", "echo more >>a.md", "echo new >new.md; jj status", "echo more >>a.md; jj log"} {
		for _, name := range []string{"describe", "new"} {
			dir, jj := newJJ(t)
			write(t, filepath.Join(dir, "a.md"), "text\n")
			saved := save(t, jjStoreIn(t, dir, jj), plan)
			s := jjStoreIn(t, dir, jjAfter(t, dir, jj, name, theirs))
			var err error
			if name == "describe" {
				_, err = Save(t.Context(), s, plan+"- [ ]: ours\n", saved.Version)
			} else {
				_, _, err = s.New(t.Context(), never)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", theirs, name, err)
			}
			if got := read(t, filepath.Join(dir, "a.md")); strings.Contains(theirs, "more") && got != "text\nmore\n" {
				t.Errorf("%s, %s: a.md has %q", theirs, name, got)
			}
			if strings.Contains(theirs, "new.md") && read(t, filepath.Join(dir, "new.md")) != "new\n" {
				t.Errorf("%s, %s: new.md is another", theirs, name)
			}
			if out := run(t, dir, jj, "log", "--no-graph", "-r", "all()", "-T", `divergent ++ "\n"`); strings.Contains(out, "true") {
				t.Errorf("%s, %s: divergent", theirs, name)
			}
		}
	}
}

func TestJJUndo(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	s := jjStoreIn(t, dir, jj)
	one := save(t, s, plan)
	if out := run(t, dir, jj, "log", "-r", "@", "-T", "description"); !strings.Contains(out, "- [ ]: two") {
		t.Errorf("jj log shows %s", out)
	}
	two := save(t, s, strings.Replace(plan, "[ ]", "[x]", 1))
	run(t, dir, jj, "undo")
	if now := load(t, s); now != one {
		t.Errorf("undone: %+v, want %+v", now, one)
	}
	if again := save(t, s, two.Text); again != two {
		t.Errorf("again: %+v, want %+v", again, two)
	}
	_, err := Save(t.Context(), jjStoreIn(t, dir, jjThen(t, dir, jj, "describe", "jj undo")), one.Text, two.Version)
	if e := typed(t, err, TypeConcurrent); !strings.Contains(e.Message, "took back what was written") || e.Version != two.Version || load(t, s) != two {
		t.Errorf("undone at once: %s", detail(err))
	}
}

func TestJJSituations(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	refused := func(t *testing.T, s Store, want Type) {
		t.Helper()
		before := load(t, s)
		_, err := Save(t.Context(), s, "feat: other\n", before.Version)
		wantType(t, err, want)
		if now := load(t, s); now != before {
			t.Errorf("something was written: %+v", now)
		}
	}
	t.Run("no plan", func(t *testing.T) {
		t.Parallel()
		dir, jj := newJJ(t)
		runWith(t, dir, "Just some words\nof mine", jj, "describe", "--stdin")
		s := jjStoreIn(t, dir, jj)
		if now := load(t, s); now.Text != "Just some words\nof mine\n" {
			t.Errorf("%+v", now)
		}
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 1 || !plans[0].Current || plans[0].Open {
			t.Errorf("%+v %v", plans, err)
		}
	})
	t.Run("immutable", func(t *testing.T) {
		t.Parallel()
		dir, jj := newJJ(t)
		s := jjStoreIn(t, dir, jj)
		save(t, s, plan)
		run(t, dir, jj, "config", "set", "--repo", `revset-aliases."immutable_heads()"`, "@")
		if now := load(t, s); !now.Immutable || now.Text != plan {
			t.Errorf("%+v", now)
		}
		refused(t, s, TypeImmutable)
	})
	t.Run("immutable and empty", func(t *testing.T) {
		t.Parallel()
		dir, jj := newJJ(t)
		s := jjStoreIn(t, dir, jj)
		before := load(t, s)
		run(t, dir, jj, "config", "set", "--repo", `revset-aliases."immutable_heads()"`, before.Name)
		if now := load(t, s); !now.Immutable || now.Text != "" {
			t.Errorf("%+v", now)
		}
		refused(t, s, TypeImmutable)
		after, old, err := s.New(t.Context(), never)
		if err != nil || old != (Old{}) || after.Name == before.Name || after.Immutable {
			t.Errorf("%+v %+v %v", after, old, err)
		}
		save(t, s, plan)
	})
	t.Run("conflict", func(t *testing.T) {
		t.Parallel()
		dir, jj := newJJ(t)
		write(t, filepath.Join(dir, "a.txt"), "left\n")
		run(t, dir, jj, "commit", "-m", "left")
		run(t, dir, jj, "new", "root()")
		write(t, filepath.Join(dir, "a.txt"), "right\n")
		run(t, dir, jj, "commit", "-m", "right")
		run(t, dir, jj, "new", `description(substring:"left")`, `description(substring:"right")`)
		s := jjStoreIn(t, dir, jj)
		if now := load(t, s); !now.Conflict {
			t.Errorf("%+v", now)
		}
		if now := save(t, s, plan); !now.Conflict || now.Text != plan {
			t.Errorf("%+v", now)
		}
	})
	t.Run("divergent", func(t *testing.T) {
		t.Parallel()
		dir, jj := newJJ(t)
		s := jjStoreIn(t, dir, jj)
		save(t, s, plan)
		run(t, dir, jj, "describe", "-m", "here")
		run(t, dir, jj, "describe", "-m", "there", "--at-op=@-")
		if now := load(t, s); !now.Divergent || now.Text == "" {
			t.Errorf("%+v", now)
		}
		refused(t, s, TypeDivergent)
		if _, err := s.List(t.Context()); err != nil {
			t.Error(err)
		}
		// The other commit is named wherever the state is told of, and giving it up helps.
		now, _, err := s.Survey(t.Context())
		if here := run(t, dir, jj, "log", "--no-graph", "-r", "@", "-T", "commit_id"); err != nil || len(now.Twins) != 12 || strings.HasPrefix(here, now.Twins) || load(t, s).Twins != now.Twins {
			t.Errorf("%+v %v, here is %s", now, err, here)
		}
		_, err = Save(t.Context(), s, plan+"- [ ]: three\n", now.Version)
		if e := typed(t, err, TypeDivergent); !strings.Contains(e.Hint, "`jj abandon "+now.Twins+"`") {
			t.Errorf("%s", e.Hint)
		}
		_, old, err := s.New(t.Context(), never)
		if err != nil {
			t.Fatal(err)
		}
		if out := run(t, dir, jj, strings.Fields(old.See)[1:]...); !strings.Contains(out, "here") && !strings.Contains(out, "there") {
			t.Errorf("%s: %s", old.See, out)
		}
		run(t, dir, jj, "edit", old.See[len("jj log -r "):])
		run(t, dir, jj, "abandon", now.Twins)
		if saved := save(t, s, plan); saved.Divergent || saved.Twins != "" {
			t.Errorf("%+v", saved)
		}
	})
	t.Run("stale", func(t *testing.T) {
		t.Parallel()
		dir, jj := newJJ(t)
		other := filepath.Join(t.TempDir(), "other")
		first := jjStoreIn(t, dir, jj)
		saved := save(t, first, plan)
		run(t, dir, jj, "workspace", "add", other)
		s := jjStoreIn(t, other, jj)
		plans, err := s.List(t.Context())
		if err != nil || len(plans) != 1 || plans[0].Workspace != "default" {
			t.Errorf("%+v %v", plans, err)
		}
		if _, err := s.Adopt(t.Context(), saved.Name, never); err == nil || !strings.Contains(err.Error(), "workspace default") {
			t.Errorf("adopt: %v", err)
		}
		run(t, other, jj, "edit", saved.Name)
		write(t, filepath.Join(dir, "a.txt"), "one\n")
		run(t, dir, jj, "status")

		if now := load(t, s); now != saved {
			t.Errorf("%+v, want %+v", now, saved)
		}
		now, changes, err := s.Survey(t.Context())
		if err != nil || !now.Stale || len(changes.Files) != 1 {
			t.Errorf("%+v %+v %v", now, changes, err)
		}
		refused(t, s, TypeStale)
		run(t, other, jj, "workspace", "update-stale")
		save(t, s, plan+"- [ ]: three\n")
	})
	t.Run("no repository", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".jj"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := jjStoreIn(t, dir, findJJ(t)).Load(t.Context())
		e, ok := err.(*Error) //nolint:errorlint // it must be one
		if !ok || !e.Critical || strings.Contains(detail(e), dir) {
			t.Errorf("%s", detail(err))
		}
	})
	t.Run("forgotten", func(t *testing.T) {
		t.Parallel()
		dir, jj := newJJ(t)
		run(t, dir, jj, "workspace", "forget")
		_, err := jjStoreIn(t, dir, jj).Load(t.Context())
		wantType(t, err, TypeNoRepository)
	})
}

// TestJJWorkspaces has two workspaces write to one change: they share a lock.
func TestJJWorkspaces(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	first := jjStoreIn(t, dir, jj)
	saved := save(t, first, plan)
	other := filepath.Join(t.TempDir(), "other")
	run(t, dir, jj, "workspace", "add", other)
	run(t, other, jj, "edit", saved.Name)
	second := jjStoreIn(t, other, jj)
	if now := load(t, second); now != saved {
		t.Fatalf("%+v, want %+v", now, saved)
	}
	const each = 4
	failures := make(chan error)
	for _, s := range []Store{first, second} {
		go func() {
			for range each {
				failures <- updateLine(t.Context(), s, "more")
			}
		}()
	}
	for range 2 * each {
		if err := <-failures; err != nil {
			t.Error(detail(err))
		}
	}
	now := load(t, first)
	if strings.Count(now.Text, "more") != 2*each || now.Divergent {
		t.Errorf("%+v", now)
	}
}

func TestJJNewWithFiles(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	s := jjStoreIn(t, dir, jj)
	before := load(t, s)
	write(t, filepath.Join(dir, "a.txt"), "one\n")
	after, old, err := s.New(t.Context(), never)
	if err != nil || after.Name == before.Name || old != (Old{}) {
		t.Errorf("files without a description, which are no plan: %+v %+v %v", after, old, err)
	}
}

// TestJJLock has somebody else hold the lock.
func TestJJLock(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	saved := save(t, jjStoreIn(t, dir, jj), plan)
	lock, err := files.LockFolder(t.Context(), filepath.Join(dir, ".jj", "repo"))
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, Options{Root: dir, Kind: JJ, JJ: jj, LockTimeout: 50 * time.Millisecond})
	if now := load(t, s); now != saved {
		t.Errorf("%+v", now)
	}
	_, err = Save(t.Context(), s, "feat: x\n", saved.Version)
	wantType(t, err, TypeConcurrent)
	_, _, err = s.New(t.Context(), never)
	wantType(t, err, TypeConcurrent)
	_, _, err = s.Survey(t.Context())
	wantType(t, err, TypeConcurrent)
	ended, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Save(ended, jjStoreIn(t, dir, jj), "feat: x\n", saved.Version); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	lock.Release()
	if now := save(t, s, saved.Text); now != saved {
		t.Errorf("%+v", now)
	}
	if err := os.WriteFile(filepath.Join(dir, ".jj", "gone"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, ".jj", "repo"), filepath.Join(dir, ".jj", "moved")); err != nil {
		t.Fatal(err)
	}
	_, err = Save(t.Context(), s, "feat: x\n", saved.Version)
	wantType(t, err, TypeNoRepository)
}

// TestJJRenames: of a file that was renamed both names are told, as git does: who may see one of them
// may not see the other.
func TestJJRenames(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	s := jjStoreIn(t, dir, jj)
	write(t, filepath.Join(dir, "docs", "a.md"), "# A\n\nsome text\n")
	write(t, filepath.Join(dir, "b.md"), "# B\n\nother text\n")
	run(t, dir, jj, "commit", "-m", "one")
	if err := os.Rename(filepath.Join(dir, "docs", "a.md"), filepath.Join(dir, "moved.md")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "b.md"), "# B\n\nchanged\n")
	_, changes, err := s.Survey(t.Context())
	want := []Change{{"modified", "b.md"}, {"removed", "docs/a.md"}, {"added", "moved.md"}}
	slices.SortFunc(changes.Files, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	if diff := cmp.Diff(want, changes.Files); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}
