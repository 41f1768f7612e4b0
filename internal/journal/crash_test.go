package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/testkit"
)

// A change of five documents, among them one that is made, one that is removed and one that
// moves, ends before each call that changes a file, or has that call fail; and what comes
// next finds all documents as they were before, or all as they were to be.

// documents are those of a folder, by their paths: their texts and modes.
type documents map[string]string

// before and after are what the change makes of what.
var (
	before = documents{
		"a.md": "rw-r----- a, as it was", "b/b.md": "rw-r--r-- b, as it was", "b/gone.md": "rw------- removed",
		"moved.md": "rw-r--r-- moved", "other.md": "rw-r--r-- 1", "b/other.md": "rw-r--r-- 1", "c/other.md": "rw-r--r-- 1",
	}
	after = documents{
		"a.md": "rw-r----- a, changed", "b/b.md": "rw-r--r-- b, changed", "b/new.md": "rw-r--r-- made",
		"c/moved.md": "rw-r--r-- moved", "other.md": "rw-r--r-- 1", "b/other.md": "rw-r--r-- 1", "c/other.md": "rw-r--r-- 1",
	}
)

// make writes documents into a new folder.
func (d documents) make(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d.makeIn(t, dir)
	return dir
}

// makeIn writes documents into a folder.
func (d documents) makeIn(t testing.TB, dir string) {
	t.Helper()
	for name, what := range d {
		mode, text, _ := strings.Cut(what, " ")
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, modeOf(mode))); err != nil {
			t.Fatal(err)
		}
	}
}

// modeOf reads a mode as ls writes it.
func modeOf(text string) (mode fs.FileMode) {
	for _, c := range text {
		if mode <<= 1; c != '-' {
			mode |= 1
		}
	}
	return mode
}

// read returns the documents in a folder, and all else that lies there.
func read(t testing.TB, dir string) documents {
	t.Helper()
	d := documents{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		d[filepath.ToSlash(name)] = strings.TrimPrefix(info.Mode().String(), "-") + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// paths are those of the change, in an order that isn't that of the steps.
var paths = []string{"b/new.md", "a.md", "moved.md", "b/gone.md", "c/moved.md", "b/b.md"}

// change makes after of before.
func change(ctx context.Context, r *files.Roots) error {
	return r.Update(ctx, paths, func(tx *files.Tx) error {
		tx.Together()
		moved, err := tx.Read("moved.md")
		if err != nil {
			return err
		}
		return errors.Join(
			tx.Write("a.md", []byte("a, changed")), tx.Write("b/b.md", []byte("b, changed")),
			tx.WriteNew("b/new.md", []byte("made"), 0o644), tx.Remove("b/gone.md"),
			tx.WriteNew("c/moved.md", moved, tx.Mode("moved.md")), tx.Remove("moved.md"))
	})
}

// openRoots opens a folder.
func openRoots(t testing.TB, dir string) *files.Roots {
	t.Helper()
	r, err := files.OpenRoots([]string{dir}, files.RootOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// newJournal returns a journal in a folder of its own.
func newJournal(t testing.TB) *journal.Journal {
	t.Helper()
	return journal.New(journal.Options{Dir: filepath.Join(t.TempDir(), "state", "journal")})
}

// TestCrash ends the change before each of its steps, as a kill does: no later step is done.
func TestCrash(t *testing.T) {
	skipModes(t)
	states := map[string]int{}
	n := campaign(t, func(at int) filesystem.Steps {
		n := 0
		return func(string, string) error {
			if n++; n > at {
				return errKilled
			}
			return nil
		}
	}, func(state string) { states[state]++ })
	if n < 40 || states["before"] < 20 || states["after"] < 2 {
		t.Errorf("%d steps, and the states were %v", n, states)
	}
}

// touch writes into a file of each folder, twice, so that they are as before.
func touch(ctx context.Context, r *files.Roots) error {
	others := []string{"other.md", "b/other.md", "c/other.md"}
	var errs []error
	for _, text := range []string{"2", "1"} {
		errs = append(errs, r.Update(ctx, others, func(tx *files.Tx) error {
			var errs []error
			for _, path := range others {
				errs = append(errs, tx.Write(path, []byte(text)))
			}
			return errors.Join(errs...)
		}))
	}
	return errors.Join(errs...)
}

var errKilled = errors.New("killed")

// TestFaults has each step of the change fail, and all that follow succeed.
func TestFaults(t *testing.T) {
	skipModes(t)
	for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
		t.Run(fault.Error(), func(t *testing.T) {
			campaign(t, func(at int) filesystem.Steps {
				n := 0
				return func(string, string) error {
					if n++; n == at+1 {
						return fault
					}
					return nil
				}
			}, func(string) {})
		})
	}
}

// TestFaultsStay has all steps fail from one on, until the next change.
func TestFaultsStay(t *testing.T) {
	skipModes(t)
	campaign(t, func(at int) filesystem.Steps {
		n := 0
		return func(call, _ string) error {
			if n++; n > at && call != "remove" { // a full disk lets files be removed
				return syscall.ENOSPC
			}
			return nil
		}
	}, func(string) {})
}

// TestFaultsTwice has a step of the change fail, and then another one, as where what is taken back
// can't be, or the process is killed meanwhile. In a short run the first is the one that writes down
// that all is done, or one behind it.
func TestFaultsTwice(t *testing.T) {
	skipModes(t)
	from, n := 0, 0
	trial(t, "without a fault", func(call, name string) error {
		if n++; call == "write" && filepath.Base(filepath.Dir(name)) == "open" {
			from = n
		}
		return nil
	})
	if testkit.Long() {
		from = 1
	}
	for name, kills := range map[string]bool{"two faults": false, "a fault and a kill": true} {
		t.Run(name, func(t *testing.T) {
			for first := from; first <= n; first++ {
				for second, met := first+1, true; met; second++ {
					at := 0
					met = false
					trial(t, fmt.Sprintf("steps %d and %d", first, second), func(string, string) error {
						switch at++; {
						case at == second, kills && at > second:
							met = true
							return syscall.EIO
						case at == first:
							return syscall.EIO
						}
						return nil
					})
				}
			}
		})
	}
}

// TestFaultsAfter has a step of the change after an interrupted one fail, those that open and read
// what the journal has among them, once or from there on. That change clears away too. All but what
// another program has saved is as it was before when the next one is made, and no text is lost of
// changes that are done.
func TestFaultsAfter(t *testing.T) {
	skipModes(t)
	write := func(ctx context.Context, r *files.Roots, text string) error {
		return r.Update(ctx, []string{"other.md"}, func(tx *files.Tx) error { return tx.Write("other.md", []byte(text)) })
	}
	for _, stays := range []bool{false, true} {
		for at, reached := 1, true; reached; at++ {
			dir, j := before.make(t), newJournal(t)
			r := openRoots(t, dir)
			if err := errors.Join(write(j.In(t.Context()), r, "2"), os.Remove(filepath.Join(j.Dir(), "kept"))); err != nil {
				t.Fatal(err)
			}
			if err := change(killing(j.In(t.Context())), r); !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			want := maps.Clone(before)
			if !stays {
				want["a.md"] = "rw-r----- saved since"
				if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("saved since"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			n, what := 0, ""
			_ = write(filesystem.WithSteps(j.In(t.Context()), func(call, name string) error {
				if n++; n == at {
					what = call + " " + name
				}
				if n == at || stays && n > at {
					return syscall.EIO
				}
				return nil
			}), r, "3")
			reached = what != ""
			if err := touch(j.In(t.Context()), r); err != nil { // in each folder, so that nothing lies there any more
				t.Fatalf("step %d, %s: the next changes: %v", at, what, err)
			}
			if diff := cmp.Diff(want, read(t, dir)); diff != "" {
				t.Errorf("step %d, %s: (-want +now):\n%s", at, what, diff)
			}
			for _, done := range records(t, j) {
				for i := range done.Entries {
					if _, _, err := j.Texts(t.Context(), &done.Entries[i]); err != nil || done.Problem != "" {
						t.Fatalf("step %d, %s: %s, %q, %v", at, what, done.ID, done.Problem, err)
					}
				}
			}
		}
	}
}

// killing returns a context in which a change of several files ends as a kill does when all are
// in place, and nothing is written down of that.
func killing(ctx context.Context) context.Context {
	lines := 0
	return filesystem.WithSteps(ctx, func(call, name string) error {
		if call == "write" && strings.Contains(name, "open") {
			lines++
		}
		if lines > 1 { // the record, and that it is done
			return errKilled
		}
		return nil
	})
}

func skipModes(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
}

// campaign makes the change with the steps for 0, 1 and so on, until one isn't reached, and
// returns how many there are. It tells of the state that each comes to.
func campaign(t *testing.T, steps func(at int) filesystem.Steps, tell func(state string)) int {
	t.Helper()
	for at := 0; ; at++ {
		state, reached := trial(t, fmt.Sprintf("step %d", at), steps(at))
		tell(state)
		if !reached {
			return at
		}
		if t.Failed() || at > 1000 {
			t.Fatalf("gave up at step %d", at)
		}
	}
}

// trial makes the change with the steps, and reports whether one of them failed. The next change
// finds all as it was before, or as it was to be; if the change was said to be made, the latter.
func trial(t *testing.T, what string, steps filesystem.Steps) (state string, reached bool) {
	t.Helper()
	dir, j := before.make(t), newJournal(t)
	r := openRoots(t, dir)
	err := change(filesystem.WithSteps(j.In(t.Context()), func(call, name string) error {
		err := steps(call, name)
		reached = reached || err != nil
		return err
	}), r)
	if err := touch(j.In(t.Context()), r); err != nil {
		t.Fatalf("%s: the next changes: %v", what, err)
	}
	now := read(t, dir)
	switch {
	case cmp.Equal(now, after):
		state = "after"
	case cmp.Equal(now, before) && err == nil:
		t.Errorf("%s: it is said to be made, and isn't", what)
	case cmp.Equal(now, before):
		state = "before"
	default:
		t.Errorf("%s: %v, neither before nor after (-before +now):\n%s", what, err, cmp.Diff(before, now))
	}
	if pending := j.Pending(t.Context()); len(pending) > 0 {
		t.Errorf("%s: %d changes are still to be taken back", what, len(pending))
	}
	if !reached && err != nil {
		t.Errorf("without a fault: %v", err)
	}
	return state, reached
}
