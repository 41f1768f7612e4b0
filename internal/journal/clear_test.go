package journal

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filesystem"
)

// TestRecordsAreReadOnce reads the records of what is done a second time: only those that have
// come meanwhile are opened, so that clearing away keeps others from writing for a moment alone.
func TestRecordsAreReadOnce(t *testing.T) {
	f := makeFolder(t)
	first := f.writeDone(t, time.Unix(1, 0))
	read := claims{}
	if names, err := f.readDone(read); err != nil || len(names) != 1 || read[first] == nil || read[first].texts == nil {
		t.Fatalf("%v, %q, %+v", err, names, read[first])
	}
	if err := os.WriteFile(filepath.Join(f.Name(), doneDir, first), []byte("another one"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := f.writeDone(t, time.Unix(2, 0))
	if names, err := f.readDone(read); err != nil || len(names) != 2 || read[first].texts == nil || read[second] == nil || read[second].texts == nil {
		t.Errorf("%v, %q, %+v, %+v", err, names, read[first], read[second])
	}
}

// makeFolder makes a journal and opens it until the end of the test.
func makeFolder(t *testing.T) *folder {
	t.Helper()
	f, err := New(Options{Dir: filepath.Join(t.TempDir(), "journal")}).open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// writeDone writes the record of a change that was made at a time, and returns its name.
func (f *folder) writeDone(t *testing.T, at time.Time) string {
	t.Helper()
	r := &Record{ID: newID(), Time: at, Journal: f.id.File, JournalBorn: f.id.Born, Entries: []Entry{{Path: filepath.Join(f.Name(), "a.md"), After: &Text{Hash: hashOf(nil)}}}}
	text, err := r.format()
	if err != nil {
		t.Fatal(err)
	}
	name := newName(at, r.ID)
	if err := os.WriteFile(filepath.Join(f.Name(), doneDir, name), append(text, Committed+"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestClearOld: what is too old goes with the next change, or a look at the list, once an hour; and
// when nothing is known of what is kept.
func TestClearOld(t *testing.T) {
	day := 24 * time.Hour
	ago := func(d time.Duration) time.Time { return time.Now().Add(-d) }
	for name, tt := range map[string]struct {
		kept *kept
		want int
	}{
		"nothing known":    {nil, 1},
		"one is old":       {&kept{oldest: ago(9 * day), cleared: ago(2 * time.Hour)}, 1},
		"cleared just now": {&kept{oldest: ago(9 * day), cleared: ago(time.Minute)}, 2},
		"all are young":    {&kept{oldest: ago(time.Hour), cleared: ago(2 * time.Hour)}, 2},
		"cleared later":    {&kept{oldest: ago(9 * day), cleared: time.Now().Add(day)}, 1},
		"a clock ahead":    {&kept{oldest: time.Now().Add(day), cleared: time.Now().Add(day)}, 1},
		"just so much":     {&kept{oldest: time.Now(), cleared: time.Now(), bytes: 1 << 20}, 2},
		"much since":       {&kept{oldest: time.Now(), cleared: time.Now(), bytes: 1<<20 - 2*block, since: 3}, 1},
		"less since":       {&kept{oldest: time.Now(), cleared: time.Now(), bytes: 1<<20 - 3*block, since: 2}, 2},
		"less is kept now": {&kept{oldest: time.Now(), cleared: time.Now(), bytes: 1<<20 + 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := makeFolder(t)
			f.writeDone(t, ago(9*day))
			f.writeDone(t, ago(time.Hour))
			if tt.kept != nil {
				if err := f.setKept(*tt.kept); err != nil {
					t.Fatal(err)
				}
				f.note(tt.kept.since * block)
			}
			j := New(Options{Dir: f.Name(), MaxAge: day, MaxBytes: 1 << 20})
			if err := j.ClearOld(t.Context()); err != nil {
				t.Fatal(err)
			}
			if names, err := f.names(doneDir); err != nil || len(names) != tt.want {
				t.Errorf("%d are left, %v; want %d", len(names), err, tt.want)
			}
			if k, ok := f.kept(); !ok || tt.want == 1 && (k.since != 0 || k.bytes > block || time.Since(k.oldest) < time.Hour || time.Since(k.cleared) > time.Minute) {
				t.Errorf("%+v, %v", k, ok)
			}
			if err := j.Refusing(os.ErrPermission).ClearOld(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestClearUnread: nothing is cleared away while the record of a change that is kept can't be read,
// for nobody knows which texts it needs; one that is too old goes in any case.
func TestClearUnread(t *testing.T) {
	for name, tt := range map[string]struct {
		call  string
		young bool // it is the younger record that can't be read
		want  int
	}{
		"the young one read":   {"read", true, 2},
		"the young one opened": {"open", true, 2},
		"the old one read":     {"read", false, 1},
		"the old one opened":   {"open", false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := makeFolder(t)
			shut, young := f.writeDone(t, time.Now().Add(-48*time.Hour)), f.writeDone(t, time.Now())
			if tt.young {
				shut = young
			}
			if err := os.WriteFile(filepath.Join(f.Name(), copyDir, hashOf(nil)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx := filesystem.WithSteps(t.Context(), func(call, name string) error {
				if call == tt.call && path.Base(name) == shut {
					return syscall.EIO
				}
				return nil
			})
			j := New(Options{Dir: f.Name(), MaxAge: 24 * time.Hour})
			if err := j.ClearOld(ctx); err != nil {
				t.Fatal(err)
			}
			done, err := f.names(doneDir)
			copies, copyErr := f.names(copyDir)
			if len(done) != tt.want || len(copies) != 1 || err != nil || copyErr != nil {
				t.Errorf("%d changes and %d texts are left, %v, %v", len(done), len(copies), err, copyErr)
			}
			if err := j.Clear(ctx); err != nil {
				t.Error(err)
			}
			if done, err := f.names(doneDir); len(done) > 0 || err != nil {
				t.Errorf("%d changes are left of none, %v", len(done), err)
			}
		})
	}
}

// TestClearTellsWhatIsLeft: what can't be removed is told of as that, and all else is forgotten.
func TestClearTellsWhatIsLeft(t *testing.T) {
	for dir, want := range map[string]string{
		doneDir: "records of changes in the journal can't be removed: input/output error; what else was to be forgotten is",
		copyDir: "copies of texts in the journal can't be removed: input/output error; what else was to be forgotten is",
	} {
		f := makeFolder(t)
		stuck := map[string]string{doneDir: f.writeDone(t, time.Now().Add(-time.Hour)), copyDir: hashOf(nil)}[dir]
		failed := map[string]error{ // neither says where the journal is
			doneDir: &os.PathError{Op: "unlinkat", Path: "/home/u/x", Err: syscall.EIO},
			copyDir: &os.LinkError{Op: "renameat", Old: "/home/u/x", New: "/home/u/y", Err: syscall.EIO},
		}[dir]
		f.writeDone(t, time.Now())
		for _, name := range []string{hashOf(nil), hashOf([]byte("2"))} {
			if err := os.WriteFile(filepath.Join(f.Name(), copyDir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := New(Options{Dir: f.Name()}).Clear(filesystem.WithSteps(t.Context(), func(call, name string) error {
			if call == "remove" && name == path.Join(dir, stuck) {
				return failed
			}
			return nil
		}))
		if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Reason != want {
			t.Errorf("%s: %v", dir, err)
		}
		for _, of := range []string{doneDir, copyDir} {
			if names, err := f.names(of); err != nil || of == dir && !slices.Equal(names, []string{stuck}) || of != dir && len(names) > 0 {
				t.Errorf("%s can't be removed: %s has %q, %v", path.Join(dir, stuck), of, names, err)
			}
		}
	}
}

// TestForgotten: what is cleared away is known by the time of its newest change, however often that is
// done, and what an older sectile has noted counts as that from which on it knew all.
func TestForgotten(t *testing.T) {
	f := makeFolder(t)
	j := New(Options{Dir: f.Name(), MaxAge: 24 * time.Hour, MaxBytes: 1 << 20})
	forgotten := func(want string) {
		t.Helper()
		at := ""
		if found := j.Forgotten(t.Context()); !found.IsZero() {
			at, _, _ = strings.Cut(newName(found, ""), "-")
		}
		if at != want {
			t.Errorf("%q is forgotten, want %q", at, want)
		}
	}
	forgotten("")
	var times []string
	for _, days := range []int{9, 8, 0} {
		at, _, _ := strings.Cut(f.writeDone(t, time.Now().AddDate(0, 0, -days)), "-")
		times = append(times, at)
	}
	for range 2 {
		if err := j.clear(f, func(*os.File) error { return nil }); err != nil {
			t.Fatal(err)
		}
		forgotten(times[1])
	}
	if err := j.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	forgotten(times[2])
	if err := os.WriteFile(filepath.Join(f.Name(), keptName), []byte("1700000000000000 1700000000000001 7\n..."), 0o600); err != nil {
		t.Fatal(err)
	}
	old, _, _ := strings.Cut(newName(time.UnixMicro(1700000000000000), ""), "-")
	forgotten(old)
}

// TestForgottenIsNotedFirst: whoever is killed before any step of clearing away, or has that fail, leaves
// either all changes or a note of when the newest was made that may be gone; and the next one goes on.
func TestForgottenIsNotedFirst(t *testing.T) {
	for _, fails := range []bool{false, true} {
		for step, isOver := 1, false; !isOver; step++ {
			f := makeFolder(t)
			last, _, _ := parseName(f.writeDone(t, time.Now().AddDate(0, 0, -8)))
			f.writeDone(t, time.Now().AddDate(0, 0, -9))
			const all = 2
			j := New(Options{Dir: f.Name(), MaxAge: 24 * time.Hour})
			if err := f.setKept(kept{oldest: time.Now().AddDate(0, 0, -9), cleared: time.Now().AddDate(0, 0, -2)}); err != nil {
				t.Fatal(err)
			}
			steps := 0
			ctx := filesystem.WithSteps(t.Context(), func(string, string) error {
				if steps++; steps != step {
					return nil
				}
				if fails {
					return syscall.ENOSPC
				}
				panic(errKilled)
			})
			isOver = !killed(func() { _ = j.ClearOld(ctx) }) && steps < step
			names, err := f.names(doneDir)
			if at := j.Forgotten(t.Context()); err != nil || len(names) < all && !at.Equal(last) {
				t.Errorf("step %d: of %d changes %d are left, %v, and what is forgotten ends at %s, not %s", step, all, len(names), err, at, last)
			}
			if fails { // what can't be cleared away is tried again in an hour
				continue
			}
			if err := j.ClearOld(t.Context()); err != nil {
				t.Error(err)
			}
			if names, err := f.names(doneDir); len(names) > 0 || err != nil || !j.Forgotten(t.Context()).Equal(last) {
				t.Errorf("step %d: the next one leaves %q, %v", step, names, err)
			}
		}
	}
}

// errKilled is what a process is ended with.
var errKilled = errors.New("killed")

// killed reports whether do is ended with errKilled.
func killed(do func()) (is bool) {
	defer func() {
		if r := recover(); r != nil {
			if r != errKilled { //nolint:errorlint // it is no error that is wrapped
				panic(r)
			}
			is = true
		}
	}()
	do()
	return false
}
