//go:build unix

package programs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sh returns a run of a shell's script, with whatever time it takes.
func sh(script string) *Call {
	return &Call{Program: "sh", Args: []string{"-c", script}, Env: []string{"PATH=" + os.Getenv("PATH")}, Timeout: time.Minute}
}

func TestRun(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line of input\n", 20_000) // more than a pipe holds
	for _, tt := range []struct {
		name string
		call *Call
		want Result
	}{
		{"output", sh("echo a; echo b >&2"), Result{Out: []byte("a\n"), Stderr: "b\n", Started: true}},
		{"exit code", sh("echo a; exit 3"), Result{Out: []byte("a\n"), Exit: 3, Started: true}},
		{"input", &Call{Program: "cat", Input: long, Timeout: time.Minute}, Result{Out: []byte(long), Started: true}},
		{"no input", sh("cat"), Result{Started: true}},
		{"more than is wanted", &Call{Program: "sh", Args: []string{"-c", "while :; do echo a; done"}, Timeout: time.Minute, Output: 4}, Result{Out: []byte("a\na\n"), Cut: true, Started: true}},
		{"all that is wanted", &Call{Program: "sh", Args: []string{"-c", "echo a"}, Timeout: time.Minute, Output: 2}, Result{Out: []byte("a\n"), Started: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := Run(t.Context(), tt.call)
			if err != nil || !bytes.Equal(r.Out, tt.want.Out) || r.Stderr != tt.want.Stderr || r.Exit != tt.want.Exit || r.Cut != tt.want.Cut || !r.Started {
				t.Errorf("%v: %d bytes, %q, exit code %d, cut %t, started %t", err, len(r.Out), r.Stderr, r.Exit, r.Cut, r.Started)
			}
		})
	}
}

// What gives no exit code says why.
func TestReasons(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	impatient := sh("sleep 60")
	impatient.Timeout = 50 * time.Millisecond
	for _, tt := range []struct {
		name string
		call *Call
		want Reason
	}{
		{"missing", &Call{Program: "no-such-program", Timeout: time.Minute}, Missing},
		{"not started", &Call{Program: empty, Timeout: time.Minute}, NotStarted},
		{"too much", sh("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done"), TooMuch},
		{"too long", impatient, TooLong},
		{"killed", sh("kill -9 $$"), Failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Run(t.Context(), tt.call)
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Reason != tt.want || e.Error() == "" || e.Unwrap() == nil != (tt.want == TooMuch) {
				t.Errorf("%v", err)
			}
		})
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Run(ended, sh("true")); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

// Without a folder of temporary files no input is stored in one.
func TestNoFolderForInput(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	in, err := temporaryInput()
	if err == nil {
		in.remove()
		t.Fatal("there is a file in no folder")
	}
}

// What a program has started is not waited for, and is killed with it.
func TestGroupIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := sh("(while :; do touch alive; sleep 0.01; done) & while [ ! -e alive ]; do sleep 0.01; done; echo ab; wait")
	c.Dir, c.Output = dir, 1
	if _, err := Run(t.Context(), c); err != nil { // it is stopped at its first line
		t.Fatal(err)
	}
	alive := filepath.Join(dir, "alive")
	for end := time.Now().Add(time.Minute); ; {
		if err := os.RemoveAll(alive); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		if _, err := os.Stat(alive); errors.Is(err, os.ErrNotExist) {
			return
		}
		if time.Now().After(end) {
			t.Fatal("it goes on")
		}
	}
}

// TestWithin: programs of one context begin only in a time that they have together, and those behind it
// say so and aren't started; one that has begun has its own time. A context of it may have another, or none.
func TestWithin(t *testing.T) {
	t.Parallel()
	ctx := Within(t.Context(), 600*time.Millisecond)
	for _, took := range []string{"0.1", "1.5"} {
		if _, err := Run(ctx, sh("sleep "+took)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		r, err := Run(ctx, sh("true"))
		if e, ok := errors.AsType[*Error](err); !ok || e.Reason != NoTime || r.Started || !strings.Contains(e.Error(), "600ms") {
			t.Errorf("%+v, %v", r, err)
		}
	}
	for _, most := range []time.Duration{0, time.Minute} {
		if _, err := Run(Within(ctx, most), sh("true")); err != nil {
			t.Error(err)
		}
	}
}
