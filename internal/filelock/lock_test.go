package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLockOfOurOwn has another request of this process hold the lock, and nobody wait
// for the time that is the default, or until a context ends: the error comes before.
func TestLockOfOurOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := ID{1, 2}
		if err := queues.enter(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		_, err := Acquire(t.Context(), nil, id)
		if waited := time.Since(begin); waited != Patience || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "10s") {
			t.Errorf("%v after %v", err, waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		begin = time.Now()
		_, err = Acquire(ctx, nil, id)
		if waited := time.Since(begin); waited != 18*time.Second || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v after %v, of 20s", err, waited)
		}
		cancel()
		if _, err := Acquire(ctx, nil, id); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		queues.leave(id)
	})
}

// TestQueue lets many wait for a turn: each has it alone, who came first is first,
// and who leaves does not count.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := queueSet{queues: map[ID]*queue{}}
		id := ID{1, 2}
		if err := s.enter(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var order []int
		for i := range 10 {
			go func() {
				own := t.Context()
				if i%2 == 1 {
					own = ctx
				}
				if err := s.enter(own, id); err == nil {
					order = append(order, i)
					s.leave(id)
				} else if i%2 == 0 || !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		if err := s.enter(t.Context(), ID{1, 3}); err != nil { // another folder
			t.Fatal(err)
		}
		s.leave(ID{1, 3})
		cancel()
		synctest.Wait()
		s.leave(id)
		synctest.Wait()
		if got := fmt.Sprint(order); got != "[0 2 4 6 8]" || len(s.queues) != 0 {
			t.Errorf("the order was %s, and %d queues are left", got, len(s.queues))
		}
	})
}

// TestTryFile locks a file by several handles.
func TestTryFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	one, two, three := open(), open(), open()
	if err := errors.Join(TryFile(one, true), TryFile(two, true)); err != nil {
		t.Errorf("shared twice: %v", err)
	}
	if err := TryFile(three, false); !errors.Is(err, ErrHeld) {
		t.Errorf("alone beside others: %v", err)
	}
	_, _ = one.Close(), two.Close()
	if err := TryFile(three, false); err != nil {
		t.Errorf("alone: %v", err)
	}
	if err := TryFile(open(), true); !errors.Is(err, ErrHeld) {
		t.Errorf("beside who is alone: %v", err)
	}
}
