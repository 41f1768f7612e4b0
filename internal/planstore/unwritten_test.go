//go:build unix

package planstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/programs"
	"github.com/sectile/sectile/internal/testkit"
)

// TestUnwritten has a program be gone from some command on: the error says that nothing was
// written if that is so, and doesn't if the plan was.
func TestUnwritten(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	gone := func(t *testing.T, program, from string) string {
		return script(t, filepath.Join(t.TempDir(), "program"), fmt.Sprintf(`case " $* " in *" %s "*) rm -f "$0";; esac; exec '%s' "$@"`, from, program))
	}
	for _, c := range []struct {
		kind          Kind
		from          string
		new           bool
		written, says bool
	}{
		{kind: Git, from: "for-each-ref", says: true},
		{kind: Git, from: "mktree", says: true},
		{kind: Git, from: "commit-tree", says: true},
		{kind: Git, from: "update-ref", written: true},
		{kind: JJ, from: "log", says: true},
		{kind: JJ, from: "describe", written: true},
		{kind: JJ, from: "new", new: true, written: true},
	} {
		t.Run(fmt.Sprint(c.kind, " ", c.from), func(t *testing.T) {
			t.Parallel()
			o := Options{Kind: c.kind}
			if c.kind == JJ {
				dir, jj := newJJ(t)
				o.Root, o.JJ = dir, jj
			} else {
				o.Root, o.Git = newGit(t), "git"
			}
			sound := open(t, o)
			save(t, sound, "feat: one\n")
			o.JJ, o.Git = gone(t, o.JJ, c.from), gone(t, o.Git, c.from)
			s := open(t, o)
			var err error
			if c.new {
				_, _, err = s.New(t.Context(), never)
			} else {
				_, err = s.Update(t.Context(), func(State) (string, error) { return plan, nil })
			}
			if c.written != (load(t, sound).Text != "feat: one\n") {
				t.Errorf("written: %v; %s", !c.written, detail(err))
			}
			if c.kind == Git && c.written { // there is nothing to read after it
				if err != nil {
					t.Errorf("%s", detail(err))
				}
				return
			}
			if e := typed(t, err, TypeFailed); e.Unwritten != c.says {
				t.Errorf("%s", detail(err))
			}
		})
	}
}

// TestNoTemporaryFiles has the folder of temporary files be gone: where the input of a
// program is a file in memory that does nothing, and else nothing was written.
func TestNoTemporaryFiles(t *testing.T) {
	s := gitStoreIn(t, newGit(t))
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	_, err := s.Update(t.Context(), func(State) (string, error) { return plan, nil })
	if runtime.GOOS == "linux" {
		if err != nil || load(t, s).Text != plan {
			t.Errorf("%s", detail(err))
		}
	} else if e := typed(t, err, TypeFailed); !e.Unwritten {
		t.Errorf("%s", detail(err))
	}
	failed := (&program{name: "git"}).failed(&call{}, &programs.Error{Reason: programs.NoInput, Err: &os.PathError{Op: "open", Path: "x", Err: os.ErrPermission}})
	if e := typed(t, failed, TypeFailed); errors.Unwrap(e) == nil || !e.Unwritten {
		t.Errorf("%s", detail(failed))
	}
}

// TestFileSaysWhetherItWasWritten: what package files knows of a failed update is told on.
func TestFileSaysWhetherItWasWritten(t *testing.T) {
	s := &fileStore{path: DefaultFile}
	for _, written := range [][]string{nil, {"plan.1.md"}} {
		err := s.fail("written", &fileerror.Error{Code: fileerror.NoSpace, Path: DefaultFile, Reason: "no room", Written: written})
		if e, ok := errors.AsType[*Error](err); !ok || e.Unwritten != (written == nil) {
			t.Errorf("%q: %+v", written, err)
		}
	}
}

// TestGitFailsAfterItHasMoved has git fail when it has moved the ref of a plan, and left the one
// that was to go: what is told is where the refs are.
func TestGitFailsAfterItHasMoved(t *testing.T) {
	testkit.OneGoroutine(t)
	t.Parallel()
	dir := newGit(t)
	save(t, gitStoreIn(t, dir), plan)
	run(t, dir, "git", "update-ref", plansRef+"gone", plansRef+"main")
	run(t, dir, "git", "update-ref", "-d", plansRef+"main")
	fails := script(t, filepath.Join(t.TempDir(), "git"), `case " $* " in
*" --stdin "*) was=$(git rev-parse `+plansRef+`gone); git "$@"; git update-ref `+plansRef+`gone "$was"; exit 128;;
*" update-ref "*) git "$@"; exit 128;;
esac; exec git "$@"`)
	s := open(t, Options{Root: dir, Kind: Git, Git: fails})
	_, err := s.Adopt(t.Context(), "gone", never)
	if e := typed(t, err, TypeExit); e.Unwritten || !e.Told || !strings.Contains(e.Message, "the plan was written to "+plansRef+"main, and is at "+plansRef+"gone too") {
		t.Errorf("%s", detail(err))
	}
	if now := load(t, s); now.Text != plan {
		t.Errorf("%+v", now)
	}
	save(t, s, "feat: two\n")
	run(t, dir, "git", "update-ref", "-d", plansRef+"gone")
	if plans, err := s.List(t.Context()); err != nil || len(plans) != 1 {
		t.Errorf("%+v %v", plans, err)
	}
}
