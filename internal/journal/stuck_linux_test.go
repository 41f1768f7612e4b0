package journal_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/testkit"
)

// stuckWays have what is put back on a file system be refused, and let it be done again.
var stuckWays = map[string]struct {
	options   string // of the file system
	code      fileerror.Code
	stop, let func(t *testing.T, dir string)
}{
	"read-only": {
		"", fileerror.ReadOnly,
		func(t *testing.T, dir string) { testkit.MountReadOnly(t, dir, true) },
		func(t *testing.T, dir string) { testkit.MountReadOnly(t, dir, false) },
	},
	"full": {
		"size=2m", fileerror.NoSpace,
		func(t *testing.T, dir string) {
			t.Helper()
			// What the kill has left would be removed, and give room.
			for _, pattern := range []string{"docs/.sectile-*", "docs/*/.sectile-*"} {
				held, err := filepath.Glob(filepath.Join(dir, pattern))
				for _, path := range held {
					err = errors.Join(err, os.Remove(path))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			f, err := os.Create(filepath.Join(dir, "fill"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for err == nil {
				_, err = f.Write(make([]byte, 4<<10))
			}
		},
		func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, "fill")); err != nil {
				t.Fatal(err)
			}
		},
	},
}

// TestStuck kills a change on a file system that is read-only or full afterwards, one elsewhere
// before it, and one after it. The next change elsewhere takes back both, and is made; the stuck
// one is told of with its file, and only its own documents wait for it, with an error that names
// no other. When there is room again, it is taken back like any.
func TestStuck(t *testing.T) {
	if !testkit.WithMounts(t) {
		return
	}
	for name, way := range stuckWays {
		t.Run(name, func(t *testing.T) {
			j := newJournal(t)
			mounted := testkit.Mount(t, way.options)
			old := maps.Clone(before)
			old["a.md"] += strings.Repeat("long ", 8<<10) // so that it needs room
			old["b/b.md"] += strings.Repeat("long ", 8<<10)
			dirs := []string{before.make(t), filepath.Join(mounted, "docs"), before.make(t)}
			old.makeIn(t, dirs[1])
			for _, dir := range dirs {
				// Their records are moved away, so that none takes back another.
				if err := change(killing(j.In(t.Context())), openRoots(t, dir)); !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				aside(t, j, true)
			}
			aside(t, j, false)
			if n := len(j.Pending(t.Context())); n != len(dirs) {
				t.Fatalf("%d changes are to be taken back", n)
			}
			way.stop(t, mounted)

			r := openRoots(t, dirs[2])
			put(t, r, j, "a.md", "later")
			for _, dir := range []string{dirs[0], dirs[2]} {
				want := maps.Clone(before)
				if dir == dirs[2] {
					want["a.md"] = "rw-r----- later"
				}
				if diff := cmp.Diff(want, read(t, dir)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			stuck, err := j.TakeBack(t.Context())
			if err != nil || len(stuck) != 1 {
				t.Fatalf("%+v, %v", stuck, err)
			}
			e, ok := errors.AsType[*fileerror.Error](stuck[0].Err)
			if !ok || e.Code != way.code || e.Path == "" || filepath.Dir(filepath.Dir(e.Path)) != dirs[1] && filepath.Dir(e.Path) != dirs[1] {
				t.Errorf("%v", stuck[0].Err)
			}

			theirs := openRoots(t, dirs[1])
			for _, path := range paths {
				err := theirs.Update(j.In(t.Context()), []string{path}, func(tx *files.Tx) error { return tx.WriteNew(path, []byte("x"), 0o600) })
				e, ok := errors.AsType[*fileerror.Error](err)
				if !ok || e.Path != path || !strings.Contains(e.Reason, "must be taken back first, and can't be: ") || strings.Contains(err.Error(), mounted) {
					t.Errorf("%s: %v", path, err)
				}
			}
			if name == "full" { // a document beside them, which needs no more room than it has
				put(t, theirs, j, "other.md", "")
				put(t, theirs, j, "other.md", "1")
			}

			way.let(t, mounted)
			put(t, r, j, "other.md", "2")
			if diff := cmp.Diff(old, read(t, dirs[1])); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if n := len(j.Pending(t.Context())); n != 0 {
				t.Errorf("%d changes are still to be taken back", n)
			}
		})
	}
}

// TestStuckShut has the record of an interrupted change be one that can't be opened: it is named,
// the texts that it needs stay, also those that older changes had, when all else is forgotten, and the
// change is taken back when it can be.
func TestStuckShut(t *testing.T) {
	runtime.LockOSThread() // for ever: this thread has no power over modes, though it be root's
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &make([]unix.CapUserData, 2)[0]); err != nil && os.Geteuid() == 0 {
		testkit.Missing(t, "root's power over modes can't be given up here: "+err.Error())
	}
	dir, j := before.make(t), newJournal(t)
	old, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, openRoots(t, dir), j, "a.md", "older")
	put(t, openRoots(t, dir), j, "a.md", string(old))
	if err := change(killing(j.In(t.Context())), openRoots(t, dir)); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	list, err := filepath.Glob(filepath.Join(j.Dir(), "open", "*"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := os.Chmod(list[0], 0); err != nil {
		t.Fatal(err)
	}
	put(t, openRoots(t, before.make(t)), j, "a.md", "elsewhere")
	const want = "can't be opened: permission denied"
	stuck, err := j.TakeBack(t.Context())
	if err != nil || len(stuck) != 1 || stuck[0].Record != nil || !strings.Contains(stuck[0].Err.Error(), want) {
		t.Errorf("%+v, %v", stuck, err)
	}
	if problems := slices.DeleteFunc(records(t, j), func(r *journal.Record) bool { return r.Problem == "" }); len(problems) != 1 {
		t.Errorf("%+v", problems)
	}
	hasCopy := func(text string) bool {
		_, err := os.Lstat(filepath.Join(j.Dir(), "copies", fmt.Sprintf("%x", sha256.Sum256([]byte(text)))))
		return err == nil
	}
	if err := j.ClearOld(t.Context()); err != nil || !hasCopy("older") {
		t.Errorf("a text is cleared away, %v", err)
	}
	if err := j.Clear(t.Context()); err != nil || hasCopy("older") || !hasCopy(string(old)) {
		t.Errorf("%v; a text that was kept before is there: %v, one of the change: %v", err, hasCopy("older"), hasCopy(string(old)))
	}
	if left := slices.DeleteFunc(records(t, j), func(r *journal.Record) bool { return r.Problem != "" }); len(left) > 0 {
		t.Errorf("%+v", left)
	}
	if err := os.Chmod(list[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if stuck, err := j.TakeBack(t.Context()); err != nil || len(stuck) > 0 {
		t.Errorf("%+v, %v", stuck, err)
	}
	if diff := cmp.Diff(before, read(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
