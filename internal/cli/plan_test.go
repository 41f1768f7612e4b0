package cli_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/cli"
)

// states hands on each piece that is written.
type states chan string

func (s states) Write(text []byte) (int, error) {
	if len(text) > 0 {
		s <- string(text)
	}
	return len(text), nil
}

// planCommand runs a command about the plan in a folder, and fails the test if the
// exit code is not 0.
func planCommand(ctx context.Context, t *testing.T, dir string, out, errs io.Writer, args ...string) {
	t.Helper()
	args = append([]string{"plan", "--store", "file", "--root", dir}, args...)
	if code := cli.Run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: out, Err: errs}, cli.Servers{}); code != 0 {
		t.Errorf("%q: exit code %d", args, code)
	}
}

// TestPlanWatch follows a plan that is changed: each state is printed once, what can't
// be read is told once, and an interrupt ends it without an error.
func TestPlanWatch(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for flag, want := range map[string][3]string{
		"--json=false": {"feat(a): b\n", "\nfix(a): c\n", "\ndocs(a): d\n"},
		"--json":       {`"title":"b"`, `"title":"c"`, `"title":"d"`},
	} {
		t.Run(flag, func(t *testing.T) {
			dir := t.TempDir()
			planCommand(t.Context(), t, dir, io.Discard, io.Discard, "goal", "feat(a): b")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out, errs, done := make(states), make(states), make(chan struct{})
			go func() {
				defer close(done)
				planCommand(ctx, t, dir, out, errs, "show", "--watch", "--every", "50ms", flag)
			}()
			next := func(from states, want string) {
				t.Helper()
				select {
				case text := <-from:
					if !strings.Contains(text, want) || strings.Contains(text, "\x1b") {
						t.Errorf("printed %q, want %q", text, want)
					}
				case <-time.After(time.Minute):
					t.Fatalf("nothing is printed, want %q", want)
				}
			}
			next(out, want[0])
			time.Sleep(4 * 50 * time.Millisecond) // some looks, of which nothing is printed
			planCommand(t.Context(), t, dir, io.Discard, io.Discard, "goal", "fix(a): c")
			next(out, want[1])

			file := filepath.Join(dir, ".sectile", "plan.md")
			if err := errors.Join(os.WriteFile(file+".new", []byte("\x00"), 0o600), os.Rename(file+".new", file)); err != nil {
				t.Fatal(err)
			}
			if flag == "--json" {
				next(out, `{"type":"not_text"`)
			} else {
				next(errs, "sectile: not_text: ")
			}
			// Whole at once: who watches must not see it half written.
			if err := errors.Join(os.WriteFile(file+".new", []byte("docs(a): d\n"), 0o600), os.Rename(file+".new", file)); err != nil {
				t.Fatal(err)
			}
			next(out, want[2])
			cancel()
			select {
			case <-done:
			case text := <-out:
				t.Errorf("printed again: %q", text)
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
			}
		})
	}
}

// unread is a standard input that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("standard input is read")
	return 0, io.EOF
}

// TestPlanDetailLeavesInput sets constraints alone, in a loop over a list.
func TestPlanDetailLeavesInput(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	planCommand(t.Context(), t, dir, io.Discard, io.Discard, "goal", "feat(a): b")
	planCommand(t.Context(), t, dir, io.Discard, io.Discard, "detail", "--content", "Why.")
	args := []string{"plan", "--store", "file", "--root", dir, "detail", "--constraint", "Never: stop"}
	if code := cli.Run(t.Context(), args, cli.Streams{In: unread{t}, Out: io.Discard, Err: io.Discard}, cli.Servers{}); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, ".sectile", "plan.md"))
	if want := "feat(a): b\n\nWhy.\n\n- Never: stop\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}
