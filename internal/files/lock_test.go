package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filelock"
)

// TestUpdateByManyGoroutines has 64 goroutines change one file, by paths that
// differ: every change is there.
func TestUpdateByManyGoroutines(t *testing.T) {
	const goroutines, edits = 64, 8
	base := t.TempDir()
	dir := filepath.Join(base, "d")
	write(t, filepath.Join(dir, "a.md"), "")
	outer, inner := openRoots(t, RootOptions{}, base), openRoots(t, RootOptions{}, dir)
	var all sync.WaitGroup
	for i := range goroutines {
		all.Go(func() {
			for j := range edits {
				line := fmt.Sprintf("%d-%d\n", i, j)
				var err error
				switch host := filepath.Join(dir, "a.md"); i % 3 {
				case 0:
					err = outer.Update(t.Context(), []string{"d/a.md"}, add("d/a.md", line))
				case 1:
					err = inner.Update(t.Context(), []string{"a.md"}, add("a.md", line))
				default:
					err = Update(t.Context(), []string{host}, UpdateOptions{}, add(host, line))
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for line := range strings.Lines(string(text)) {
		lines[line]++
	}
	for i := range goroutines {
		for j := range edits {
			if n := lines[fmt.Sprintf("%d-%d\n", i, j)]; n != 1 {
				t.Errorf("change %d of goroutine %d is there %d times", j, i, n)
			}
		}
	}
	expect(t, dir, map[string]string{"a.md": string(text)})
	idle(t)
}

// idle checks that nobody has a lock or waits for one.
func idle(t *testing.T) {
	t.Helper()
	if n := filelock.Busy(); n != 0 {
		t.Errorf("%d folders are locked", n)
	}
}

// TestUpdateInOppositeOrders changes files of several folders, named in different
// orders: nobody waits for another who waits for him.
func TestUpdateInOppositeOrders(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a/1.md", "a/2.md", "b/1.md", "c/1.md")
	r := openRoots(t, RootOptions{}, dir)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var all sync.WaitGroup
	orders := [][]string{{"a/1.md", "b/1.md", "c/1.md"}, {"c/1.md", "b/1.md", "a/2.md"}, {"b/1.md", "a/1.md", "a/2.md"}, {"c/1.md", "a/1.md"}}
	for _, order := range orders {
		for range 2 {
			all.Go(func() {
				for range 10 {
					err := r.Update(ctx, order, func(tx *Tx) error {
						for _, path := range order {
							if err := add(path, ".")(tx); err != nil {
								return err
							}
						}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	for path, n := range map[string]int{"a/1.md": 60, "a/2.md": 40, "b/1.md": 60, "c/1.md": 60} {
		if text := got(r, path); text != path+strings.Repeat(".", n) {
			t.Errorf("%s was changed %d times, want %d", path, len(text)-len(path), n)
		}
	}
	idle(t)
}

// TestUpdateEndsWaiting ends the context of somebody who waits in this process for
// a lock: it ends, and the lock goes on to the next.
func TestUpdateEndsWaiting(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md", "b.md")
	r := openRoots(t, RootOptions{}, dir)
	err := r.Update(t.Context(), []string{"a.md"}, func(tx *Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		err := r.Update(ctx, []string{"b.md"}, func(*Tx) error {
			t.Error("a change is made while another one is")
			return nil
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		return tx.Write("a.md", []byte("new"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Update(t.Context(), []string{"b.md"}, put("b.md", "new")); err != nil {
		t.Error(err)
	}
	expect(t, dir, map[string]string{"a.md": "new", "b.md": "new"})
	idle(t)
}

// TestUpdateEndsWaitingForProcesses holds the system's lock as another process
// does: waiting for it ends with the context, or when it is released, and what has
// been left is not held.
func TestUpdateEndsWaitingForProcesses(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "a.md")
	r := openRoots(t, RootOptions{}, dir)
	foreign, err := filelock.NewHold(r.roots[0].handle)
	if err != nil {
		t.Fatal(err)
	}
	if err := foreign.Take(false); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		err := r.Update(ctx, []string{"a.md"}, func(*Tx) error {
			t.Error("a change is made while another process has the lock")
			return nil
		})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	}
	done := make(chan error)
	go func() { done <- r.Update(t.Context(), []string{"a.md"}, put("a.md", "new")) }()
	select {
	case err := <-done:
		t.Errorf("the lock was not waited for: %v", err)
	case <-time.After(10 * time.Millisecond):
	}
	foreign.Release()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("the lock is held by somebody who left")
	}
	expect(t, dir, map[string]string{"a.md": "new"})
	idle(t)
}

// TestLockTimeout has another process hold the lock: who waits is told of it, and gets an
// error that names that process.
func TestLockTimeout(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "old")
	cmd, errs, out := process(t, "hold", dir, "a.md", "-")
	if n, err := out.Read(make([]byte, len("held"))); n == 0 {
		t.Fatalf("%v: %s", err, errs)
	}
	who := "another program"
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/locks"); err == nil {
			who = fmt.Sprintf("(process %d)", cmd.Process.Pid)
		}
	}
	notices := make(chan string, 10)
	var waiting sync.WaitGroup
	for name, do := range map[string]func(ctx context.Context) error{
		"an update": func(ctx context.Context) error {
			return openRoots(t, RootOptions{}, dir).Update(ctx, []string{"a.md"}, put("a.md", "new"))
		},
		"a lock": func(ctx context.Context) error {
			_, err := LockFolder(ctx, dir)
			return err
		},
	} {
		waiting.Go(func() {
			ctx, cancel := context.WithTimeout(filelock.WithNotice(t.Context(), func(holder string) { notices <- holder }), 3*filelock.NoticeAfter/2)
			defer cancel()
			err := do(ctx)
			if e, ok := errors.AsType[*fileerror.Error](err); !ok || !errors.Is(err, context.DeadlineExceeded) ||
				e.Code != fileerror.IOError || !strings.Contains(e.Sentence(), who) || !strings.Contains(e.Sentence(), "locked") {
				t.Errorf("%s: %v, want an error that names %s", name, err, who)
			}
			if holder := <-notices; who != "another program" && !strings.Contains(holder, who) {
				t.Errorf("%s: told of %q", name, holder)
			}
		})
	}
	waiting.Wait()
	if len(notices) > 0 {
		t.Errorf("told again of %q", <-notices)
	}
	expect(t, dir, map[string]string{"a.md": "old"})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if err := openRoots(t, RootOptions{}, dir).Update(t.Context(), []string{"a.md"}, put("a.md", "new")); err != nil {
		t.Error(err)
	}
	idle(t)
}

// TestUpdateWaitsWithoutThreads has many wait for a lock that another process has: no
// more than one of them costs a thread, which is what a goroutine in a system call has.
// Threads themselves aren't counted: Go keeps those of system calls that are over.
func TestUpdateWaitsWithoutThreads(t *testing.T) {
	const waiters = 200
	dir := t.TempDir()
	tree(t, dir, nil, "a.md")
	r := openRoots(t, RootOptions{}, dir)
	foreign, err := filelock.NewHold(r.roots[0].handle)
	if err != nil {
		t.Fatal(err)
	}
	if err := foreign.Take(false); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range waiters {
		all.Go(func() {
			if err := r.Update(t.Context(), []string{"a.md"}, add("a.md", ".")); err != nil {
				t.Error(err)
			}
		})
	}
	id, err := filelock.Identify(r.roots[0].handle)
	if err != nil {
		t.Fatal(err)
	}
	for users := 0; users < waiters && !t.Failed(); runtime.Gosched() {
		users = filelock.Users(id)
	}
	inCalls, busy := waitersStates(t)
	for ; (busy > 0 || inCalls == 0) && !t.Failed(); inCalls, busy = waitersStates(t) {
		time.Sleep(time.Millisecond)
	}
	if inCalls > 2 { // who waits for the system, and who has just asked it
		t.Errorf("%d of %d who wait are in system calls", inCalls, waiters)
	}
	foreign.Release()
	all.Wait()
	expect(t, dir, map[string]string{"a.md": "a.md" + strings.Repeat(".", waiters)})
	idle(t)
}

// waitersStates returns how many goroutines that are in Update, or began in it, are in a
// system call, and how many run or could.
func waitersStates(t *testing.T) (inCalls, busy int) {
	t.Helper()
	var stacks strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&stacks, 2); err != nil {
		t.Fatal(err)
	}
	for stack := range strings.SplitSeq(stacks.String(), "\n\n") {
		head, frames, _ := strings.Cut(stack, "\n")
		switch _, state, _ := strings.Cut(head, "["); {
		case !strings.Contains(frames, "TestUpdateWaitsWithoutThreads.") && !strings.Contains(frames, "filelock.(*Lock).wait"):
		case strings.HasPrefix(state, "syscall"):
			inCalls++
		case strings.HasPrefix(state, "runn"):
			busy++
		}
	}
	return inCalls, busy
}
