package files

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
)

func TestLockFolder(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.md"), "0")
	var (
		all sync.WaitGroup
		n   int // the race detector watches it
	)
	for range 20 {
		all.Go(func() {
			l, err := LockFolder(t.Context(), dir)
			if err != nil {
				t.Error(err)
				return
			}
			n++
			l.Release()
		})
	}
	all.Wait()
	if n != 20 {
		t.Errorf("%d holders, want 20", n)
	}

	l, err := LockFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := LockFolder(ended, dir); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second holder: %v", err)
	}
	change := func(tx *Tx) error { return tx.Write(path, []byte("1")) }
	if err := Update(ended, []string{path}, UpdateOptions{}, change); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an update beside the holder: %v", err)
	}
	l.Release()
	if err := Update(t.Context(), []string{path}, UpdateOptions{}, change); err != nil {
		t.Errorf("an update after the holder: %v", err)
	}

	_, err = LockFolder(t.Context(), filepath.Join(dir, "none"))
	if e, ok := errors.AsType[*fileerror.Error](err); !ok || e.Code != fileerror.NotFound {
		t.Errorf("a folder that is missing: %v", err)
	}
	if _, err = LockFolder(t.Context(), path); err == nil {
		t.Error("a file was locked")
	}
}
