package journal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
)

// doubts are what becomes of the call that puts a document in place, or takes it away.
var doubts = map[string]doubt{
	"its folder is shut before": {shut: true},
	"its folder is shut behind": {done: syscall.EIO, shut: true},
	"its answer is lost":        {done: syscall.EIO},
	"it is done and forbidden":  {done: syscall.EACCES},
}

// doubt is one of them: the call is done and fails so, and its folder is shut.
type doubt struct {
	done error
	shut bool
}

// at is a step in a folder.
func (d doubt) at(t *testing.T, folder, call, name string) error {
	t.Helper()
	if d.done != nil && !do(folder, call, name) {
		return nil
	}
	if d.shut {
		chmod(t, folder, 0)
	}
	return d.done
}

// TestDoubt has calls that put documents in place fail when they are done, or the rights on the folder
// be taken away before or behind a call, until the update has ended: a document that isn't named as written is as
// it was, and the next change finds all as before, or as they were to be.
func TestDoubt(t *testing.T) {
	for name, way := range doubts {
		for _, folder := range []string{".", "b", "c"} {
			t.Run(name+" "+folder, func(t *testing.T) {
				withoutRights(t)
				for at, reached := 1, true; reached; at++ {
					reached = false
					dir, j := before.make(t), newJournal(t)
					r, n := openRoots(t, dir), 0
					shut := filepath.Join(dir, folder)
					err := change(filesystem.WithSteps(j.In(t.Context()), func(call, name string) error {
						if n++; n != at {
							return nil
						}
						reached = true
						return way.at(t, shut, call, name)
					}), r)
					chmod(t, shut, 0o700)
					doubtful(t, fmt.Sprintf("step %d", at), dir, err)
					if err := touch(j.In(t.Context()), r); err != nil {
						t.Fatalf("step %d: the next changes: %v", at, err)
					}
					if now := read(t, dir); !cmp.Equal(now, after) && (err == nil || !cmp.Equal(now, before)) {
						t.Errorf("step %d: %v, neither before nor after (-before +now):\n%s", at, err, cmp.Diff(before, now))
					}
				}
			})
		}
	}
}

// TestDoubtOfOne is TestDoubt for changes of one document: one that is changed, made and removed.
func TestDoubtOfOne(t *testing.T) {
	for name, way := range doubts {
		for _, path := range []string{"b/b.md", "b/new.md", "b/gone.md"} {
			for _, journaled := range []bool{true, false} {
				t.Run(fmt.Sprint(name, " ", path, " ", journaled), func(t *testing.T) {
					withoutRights(t)
					for at, reached := 1, true; reached; at++ {
						reached = false
						dir, ctx := before.make(t), t.Context()
						j := newJournal(t)
						if journaled {
							ctx = j.In(ctx)
						}
						r, n := openRoots(t, dir), 0
						shut := filepath.Join(dir, "b")
						err := r.Update(filesystem.WithSteps(ctx, func(call, name string) error {
							if n++; n != at {
								return nil
							}
							reached = true
							return way.at(t, shut, call, name)
						}), []string{path}, func(tx *files.Tx) error {
							switch path {
							case "b/new.md":
								return tx.WriteNew(path, []byte("made"), 0o644)
							case "b/gone.md":
								return tx.Remove(path)
							}
							return tx.Write(path, []byte("b, changed"))
						})
						chmod(t, shut, 0o700)
						doubtful(t, fmt.Sprintf("step %d", at), dir, err)
						if err := touch(ctx, r); err != nil {
							t.Fatalf("step %d: the next changes: %v", at, err)
						}
						now := read(t, dir)
						is, was, changed := now[path], before[path], after[path]
						if is != was && is != changed || err == nil && is != changed {
							t.Errorf("step %d: %v: %q", at, err, is)
						}
						for name := range now {
							if strings.HasPrefix(filepath.Base(name), filenames.TempPrefix) || name != path && before[name] == "" {
								t.Errorf("step %d: %v: %s is left", at, err, name)
							}
						}
					}
				})
			}
		}
	}
}

// doubtful sees that the documents that an error doesn't name as written are as they were.
func doubtful(t *testing.T, what, dir string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	now := read(t, dir)
	var written []string
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		written = e.Written
	}
	for _, path := range paths {
		if now[path] != before[path] && !slices.Contains(written, path) {
			t.Errorf("%s: %q in %s, and the error says nothing of it: %v", what, now[path], path, err)
		}
	}
}

// do does what a step would, if it is one that puts a document of the folder in place or takes it away, and
// reports whether it is.
func do(dir, call, name string) bool {
	at := func(name string) string { return filepath.Join(dir, name) }
	held, _ := filepath.Glob(at(".sectile-*-" + name + ".held"))
	_, _, of, away := filenames.ParseHeld(name)
	switch {
	case call == "exchange" && len(held) == 1:
		return unix.Renameat2(unix.AT_FDCWD, held[0], unix.AT_FDCWD, at(name), unix.RENAME_EXCHANGE) == nil
	case call == "rename" && away:
		temps, _ := filepath.Glob(at(".sectile-*.tmp"))
		return len(temps) == 0 && os.Rename(at(of), at(name)) == nil
	case call == "rename" && strings.HasSuffix(name, ".md"):
		list, _ := filepath.Glob(at(".sectile-*.tmp"))
		for _, temp := range list {
			text, err := os.ReadFile(temp)
			if err == nil && (string(text) == "made" && name == "new.md" || string(text) == "moved" && name == "moved.md") {
				return unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, at(name), unix.RENAME_NOREPLACE) == nil
			}
		}
	}
	return false
}

// withoutRights has the test's thread open nothing that the mode of a folder doesn't allow, until it ends.
func withoutRights(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread()
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	had, has := make([]unix.CapUserData, 2), make([]unix.CapUserData, 2)
	if err := unix.Capget(header, &had[0]); err != nil {
		t.Fatal(err)
	}
	copy(has, had)
	has[0].Effective &^= 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
	if err := unix.Capset(header, &has[0]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Capset(header, &had[0]); err == nil {
			runtime.UnlockOSThread() // the thread ends with the test else
		}
	})
}

func chmod(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(dir, mode); err != nil {
		t.Error(err)
	}
}

// TestNameOfRecordIsLost has the record of a change get its name, and the answer to that be lost; its removal fails,
// and maybe all that is asked about names from then on. The change of one document stays and can be undone, or
// its reply says that it can't; one of several isn't made. No later one takes any of it back.
func TestNameOfRecordIsLost(t *testing.T) {
	for _, shut := range []bool{false, true} {
		for _, together := range []bool{false, true} {
			t.Run(fmt.Sprint(shut, " ", together), func(t *testing.T) {
				withoutRights(t)
				dir, j := before.make(t), newJournal(t)
				r, open := openRoots(t, dir), filepath.Join(j.Dir(), "open")
				var last *files.Tx
				err := r.Update(filesystem.WithSteps(j.In(t.Context()), func(call, name string) error {
					switch at := filepath.Join(j.Dir(), name); {
					case filepath.Dir(at) != open:
						return nil
					case call == "rename":
						err := os.Rename(at+".new", at)
						if shut {
							chmod(t, open, 0)
						}
						return errors.Join(err, syscall.EIO)
					case call == "remove":
						return syscall.EIO
					}
					return nil
				}), []string{"a.md", "b/b.md"}, func(tx *files.Tx) error {
					last = tx
					if err := tx.Write("a.md", []byte("a, changed")); err != nil || !together {
						return err
					}
					tx.Together()
					return tx.Write("b/b.md", []byte("b, changed"))
				})
				chmod(t, open, 0o700)
				if want := shut && together; (err != nil) != want || err == nil && (last.Undo().Not != "") != shut {
					t.Errorf("%v, %+v", err, last.Undo())
				}
				now := read(t, dir)
				if err := touch(j.In(t.Context()), r); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(now, read(t, dir)); diff != "" || (now["a.md"] == before["a.md"]) != (err != nil) {
					t.Errorf("%v: %q, then (-now +then):\n%s", err, now["a.md"], diff)
				}
			})
		}
	}
}
