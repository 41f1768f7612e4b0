//go:build unix

package journal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/filesystem"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/testkit"
)

// The campaign of crash_test.go with a process of its own that is killed: what it leaves is what
// the system has, its locks are gone, and nothing of it runs on.

// asChild is the variable that makes the test binary such a process: what it does, the folder,
// that of the journal, and before which step it is killed, with line feeds between.
const asChild = "SECTILE_TEST_JOURNAL"

func TestMain(m *testing.M) {
	task := os.Getenv(asChild)
	if task == "" {
		os.Exit(testkit.RunInMemory(testkit.KeepGarbage(m.Run)))
	}
	if err := beChild(strings.Split(task, "\n")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func beChild(task []string) error {
	at, err := strconv.Atoi(task[3])
	if err != nil {
		return err
	}
	r, err := files.OpenRoots([]string{task[1]}, files.RootOptions{})
	if err != nil {
		return err
	}
	n := 0
	ctx := journal.New(journal.Options{Dir: task[2]}).In(context.Background())
	ctx = filesystem.WithSteps(ctx, func(string, string) error {
		if n++; n == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // it is dead before this ends
		}
		return nil
	})
	if task[0] == "touch" {
		return touch(ctx, r)
	}
	return change(ctx, r)
}

// child runs the change, or touches the folders, in a process of its own, with a program and
// its arguments before it. It reports whether the process has said that it is done, and whether
// it was killed.
func child(t *testing.T, what, dir string, j *journal.Journal, at int, before ...string) (done, killed bool) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Error(err)
		return false, false
	}
	line := slices.Concat(before, []string{binary})
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\n%s\n%s\n%d", asChild, what, dir, j.Dir(), at))
	out, err := cmd.CombinedOutput()
	failed, isExit := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return true, false
	case isExit && failed.ExitCode() == 1:
		return false, false
	case isExit && !failed.Exited() && failed.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL, isExit && failed.ExitCode() == 128+int(syscall.SIGKILL):
		return false, true
	}
	t.Errorf("%v: %s", err, out)
	return false, false
}

// judge finds all as it was before the change or as it was to be, when what was interrupted is
// taken back; after it if the change was said to be made.
func judge(t *testing.T, what, dir string, j *journal.Journal, done bool) (state string) {
	t.Helper()
	now := read(t, dir)
	switch {
	case cmp.Equal(now, after):
		state = "after"
	case !cmp.Equal(now, before):
		t.Fatalf("%s: neither before nor after (-before +now):\n%s", what, cmp.Diff(before, now))
	case done:
		t.Fatalf("%s: it is said to be made, and isn't", what)
	default:
		state = "before"
	}
	if pending := j.Pending(t.Context()); len(pending) > 0 {
		t.Fatalf("%s: %d changes are still to be taken back", what, len(pending))
	}
	return state
}

// TestKilled kills the process before each of its steps, of which a short run takes some. Two
// processes recover at once.
func TestKilled(t *testing.T) {
	stride := 13
	if testkit.Long() {
		stride = 1
	}
	states := map[string]int{}
	for at := 1; ; at += stride {
		dir, j := before.make(t), newJournal(t)
		done, killed := child(t, "change", dir, j, at)
		if done == killed {
			t.Fatalf("step %d: done %v, killed %v", at, done, killed)
		}
		var two sync.WaitGroup
		for range 2 {
			two.Go(func() {
				if ok, _ := child(t, "touch", dir, j, 0); !ok {
					t.Errorf("step %d: the next changes are refused", at)
				}
			})
		}
		two.Wait()
		states[judge(t, fmt.Sprint("step ", at), dir, j, done)]++
		if done {
			break
		}
	}
	t.Log(states)
	if states["before"] < 2 || states["after"] < 1 {
		t.Errorf("the states were %v", states)
	}
}

// changing are the system's calls that change files, and those that may make one. Which of
// them are steps, the program says; here each is one that it makes.
const changing = "openat,write,pwrite64,ftruncate,mkdirat,renameat,renameat2,linkat,unlinkat,symlinkat,fchmod,fchmodat,fchown,fchownat,utimensat,fsync,fdatasync,sync_file_range,copy_file_range"

// TestTraced kills the process before each of the system's calls that change a file, as strace
// counts them, or has the call fail, whatever the program takes for a step. Calls are counted
// by thread, so that with several some are met more than once.
func TestTraced(t *testing.T) {
	if !testkit.Long() {
		t.Skip("for long runs (SECTILE_LONG=1)")
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	for _, fault := range []string{"signal=SIGKILL", "error=ENOSPC", "error=EIO"} {
		t.Run(fault, func(t *testing.T) {
			t.Setenv("GOMAXPROCS", "1")
			states, quiet := map[string]int{}, 0
			for at := 1; quiet < 3; at++ { // none met, whichever thread made it
				dir, j := before.make(t), newJournal(t)
				trace := filepath.Join(t.TempDir(), "trace")
				done, _ := child(t, "change", dir, j, 0, strace, "-f", "-qq", "-o", trace, "-e", "trace="+changing, "-e", fmt.Sprintf("inject=%s:%s:when=%d", changing, fault, at))
				calls, err := os.ReadFile(trace)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(calls), " (INJECTED)") || strings.Contains(string(calls), "+ killed by SIGKILL") {
					quiet = 0
				} else {
					quiet++
				}
				r := openRoots(t, dir)
				if err := touch(j.In(t.Context()), r); err != nil {
					t.Fatalf("call %d: the next changes: %v", at, err)
				}
				states[judge(t, fmt.Sprint("call ", at), dir, j, done)]++
			}
			t.Log(states)
			if states["before"] < 20 || states["after"] < 3 {
				t.Errorf("the states were %v", states)
			}
		})
	}
}
