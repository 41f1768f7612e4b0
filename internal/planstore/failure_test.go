package planstore

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// failed runs a program that fails, and returns what it says of it.
func failed(t *testing.T, dir, name string, env []string, args ...string) *result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	_, err := cmd.Output()
	e, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		t.Fatalf("%s %q: %v", filepath.Base(name), args, err)
	}
	return &result{exit: e.ExitCode(), stderr: string(e.Stderr)}
}

// TestFailuresOfGit has git itself fail in the ways that are known by its words.
func TestFailuresOfGit(t *testing.T) {
	t.Parallel()
	const none = "1234567890123456789012345678901234567890"
	for name, tt := range map[string]struct {
		files map[string]string // in the repository
		env   string
		args  string
		want  gitFailure
	}{
		"configuration": {files: map[string]string{".git/config": "[core"}, args: "status", want: badConfig},
		"value":         {files: map[string]string{".git/config": "[core]\n\tbare = no idea\n"}, args: "status", want: badConfig},
		"no repository": {env: "GIT_DIR=nowhere", args: "status", want: noRepository},
		"owner":         {env: "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", args: "status", want: dubiousOwner},
		"object":        {args: "cat-file commit " + none, want: missingObject},
		"parent":        {args: "commit-tree HEAD^{tree} -m one -p " + none, want: missingObject},
		"index":         {files: map[string]string{".git/index": "junk"}, args: "status", want: damagedIndex},
		"lock":          {files: map[string]string{".git/refs/heads/x.lock": ""}, args: "update-ref refs/heads/x HEAD", want: lockedFile},
		"another":       {args: "rev-parse --verify nothing", want: unknownFailure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newGit(t)
			for name, text := range tt.files {
				write(t, filepath.Join(dir, name), text)
			}
			if r := failed(t, dir, "git", []string{"LC_ALL=C", tt.env}, strings.Fields(tt.args)...); r.failure() != tt.want {
				t.Errorf("%d, want %d: %s", r.failure(), tt.want, r.stderr)
			}
		})
	}
}

// TestFailuresOfJJ has jj itself fail in the ways that are known by its words. Stale,
// immutable and divergent ones are in TestJJ.
func TestFailuresOfJJ(t *testing.T) {
	t.Parallel()
	const at = `--config=debug.commit-timestamp="2001-02-03T04:05:06+07:00"`
	for name, tt := range map[string]struct {
		before [][]string
		args   []string
		said   string
		twice  bool
	}{
		"no repository": {args: []string{"log", "--repository", "/"}, said: "There is no jj repo"},
		"template":      {args: []string{"log", "-T", "self."}, said: "Failed to parse template"},
		"configuration": {args: []string{"log", "--config=ui.color=[]"}, said: "Config error"},
		"same commit": {
			before: [][]string{{"describe", "-m", "one", at}, {"describe", "-m", "two", at}, {"undo"}},
			args:   []string{"describe", "-m", "two", at}, said: "Unexpected error from backend", twice: true,
		},
		"no commit": {before: [][]string{{"workspace", "forget"}}, args: []string{"describe", "-m", "x"}, said: "doesn't have a working-copy commit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, jj := newJJ(t)
			for _, args := range tt.before {
				run(t, dir, jj, args...)
			}
			r := failed(t, dir, jj, nil, tt.args...)
			if said := ownMessage(r.stderr); !strings.Contains(said, tt.said) || r.madeTwice() != tt.twice {
				t.Errorf("%q in %s", said, r.stderr)
			}
		})
	}
}
