package journal

import (
	"path"
	"sync"
	"testing"
	"time"
)

// TestOrderIsOfItsOwn has changes be written down at once while the clock is behind the last one: each
// has a place of its own, and the next one is behind all.
func TestOrderIsOfItsOwn(t *testing.T) {
	f := makeFolder(t)
	const writers, each = 8, 40
	later := time.Now().Add(time.Hour)
	handle, err := f.lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Chtimes(lockName, later, later); err != nil {
		t.Fatal(err)
	}
	var (
		mu  sync.Mutex
		had = map[time.Time]bool{}
		all sync.WaitGroup
	)
	for range writers {
		all.Go(func() {
			for range each {
				order, err := f.next(t.Context(), handle, time.Now())
				mu.Lock()
				if err != nil || had[order] {
					t.Errorf("%v is the place of two, %v", order, err)
				}
				had[order] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	last, err := f.next(t.Context(), handle, time.Now())
	for order := range had {
		if err != nil || !order.Before(last) {
			t.Fatalf("%v isn't before the last, %v: %v", order, last, err)
		}
	}
	_ = handle.Close()
}

// TestForgottenIsNotAhead: changes that are forgotten were made by now, whatever their places in the order
// and a note that was made while the clock was ahead say.
func TestForgottenIsNotAhead(t *testing.T) {
	ahead := time.Now().AddDate(4, 0, 0)
	for what, make := range map[string]func(f *folder) error{
		"a change": func(f *folder) error { f.writeDone(t, ahead); return nil },
		"a note":   func(f *folder) error { return f.setKept(kept{forgotten: ahead}) },
	} {
		f := makeFolder(t)
		if err := make(f); err != nil {
			t.Fatal(err)
		}
		j := New(Options{Dir: f.Name()})
		if err := j.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
		cleared := time.Now()
		if at := j.Forgotten(t.Context()); at.IsZero() || at.After(cleared) {
			t.Errorf("%s: forgotten up to %v, cleared at %v", what, at, cleared)
		}
	}
}

// TestCopyOfTheSameNumber has a record of a journal whose folder has the number of this one and was made at
// another time, as the tops of file systems have the same number: it isn't believed. One that doesn't say when
// is, for it was written before that was.
func TestCopyOfTheSameNumber(t *testing.T) {
	f := makeFolder(t)
	if f.id.Born == 0 {
		t.Skip("this system doesn't tell when a folder was made")
	}
	for born, isForeign := range map[int64]bool{0: false, f.id.Born: false, f.id.Born + 1: true} {
		here := f.id
		f.id.Born = born
		name := f.writeDone(t, time.Now())
		f.id = here
		if r := f.done(name); (r.Problem == errForeign.Error()) != isForeign {
			t.Errorf("%d: %q", born, r.Problem)
		}
		if err := f.remove(path.Join(doneDir, name)); err != nil {
			t.Error(err)
		}
	}
}
