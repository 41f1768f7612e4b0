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
		"extension":     {files: map[string]string{".git/config": "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\todd = 1\n"}, args: "symbolic-ref -q HEAD", want: unknownForm},
		"version":       {files: map[string]string{".git/config": "[core]\n\trepositoryFormatVersion = 7\n"}, args: "symbolic-ref -q HEAD", want: unknownForm},
		"objects":       {files: map[string]string{".git/config": "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = odd\n"}, args: "status", want: unknownForm},
		"no repository": {env: "GIT_DIR=nowhere", args: "status", want: noRepository},
		"owner":         {env: "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", args: "status", want: dubiousOwner},
		"object":        {args: "cat-file commit " + none, want: missingObject},
		"parent":        {args: "commit-tree HEAD^{tree} -m one -p " + none, want: missingObject},
		"index":         {files: map[string]string{".git/index": "junk"}, args: "status", want: damagedIndex},
		"lock":          {files: map[string]string{".git/refs/heads/x.lock": ""}, args: "update-ref refs/heads/x HEAD", want: lockedFile},
		"way":           {files: map[string]string{".git/refs/heads/y": "junk"}, args: "update-ref refs/heads/y/x HEAD", want: fileInWay},
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

// TestLostObjects takes what git says of an object that it can't use for what is lost or damaged.
func TestLostObjects(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"fatal: packed object 1234567890123456789012345678901234567890 (stored in pack-1.pack) is corrupt\n", "error: inflate: data stream error (incorrect data check)\n",
		"error: bogus commit object 1234567890123456789012345678901234567890\n", "fatal: invalid object type\n", "fatal: mmap failed: Is a directory\n",
	} {
		if r := (&result{exit: 128, stderr: said}); r.failure() != missingObject {
			t.Errorf("%q: %d", said, r.failure())
		}
	}
}

// TestRefusals takes words of git, which it repeats from the system, for the reason why it failed.
func TestRefusals(t *testing.T) {
	t.Parallel()
	const room, written = "no room is left on the disk", "a file can't be written, as where no room is left on the disk"
	for said, want := range map[string]string{
		"error: unable to write file x: No space left on device\n":                                        room,
		"fatal: cannot update ref 'refs/x': couldn't write '/r/.git/refs/x.lock'\n":                       written,
		"fatal: Unable to create '/r/.git/refs/x.lock': Read-only file system\n":                          "the file system is read-only",
		"fatal: Unable to create '/r/.git/refs/x.lock': Permission denied\n":                              "a permission was denied",
		"warning: unable to access 'x': Permission denied\nfatal: cannot lock ref: is at a, expected b\n": "",
	} {
		why := ""
		if refused := (&result{exit: 128, stderr: said}).refusal(); refused != nil {
			why = refused.why
		}
		if why != want {
			t.Errorf("%q: %q", said, why)
		}
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

// TestRevisionFaults has jj itself find fault with revisions, and fail with ones that are in order,
// whatever words these have.
func TestRevisionFaults(t *testing.T) {
	t.Parallel()
	dir, jj := newJJ(t)
	run(t, dir, jj, "commit", "-m", "one")
	run(t, dir, jj, "new", "root()")
	before := run(t, dir, jj, "op", "log", "--no-graph", "--limit", "1", "-T", "id")
	change := run(t, dir, jj, "log", "--no-graph", "-r", "@", "-T", "change_id")
	run(t, dir, jj, "bookmark", "create", "twice", "-r", `description(substring:"one")`)
	run(t, dir, jj, "describe", "-m", "two")
	run(t, dir, jj, "--at-op", before, "bookmark", "create", "twice", "-r", "@")
	run(t, dir, jj, "--at-op", before, "describe", "-m", "three")
	run(t, dir, jj, "status")
	const broken = `--config=revset-aliases."immutable_heads()"="x("`
	for _, tt := range []struct {
		revset, config string
		want           error
	}{
		{"nothing", "", ErrNoRevision},
		{strings.Repeat("1", 40), "", ErrNoRevision},
		{"nothing | @", "", ErrNoRevision},
		{"\"is immutable\"", "", ErrNoRevision},
		{"x(", "", ErrNoRevset},
		{"@^", "", ErrNoRevset},
		{"x()", "", ErrNoRevset},
		{"odd", `--config=revset-aliases.odd="x("`, ErrNoRevset},
		{"twice", "", ErrSeveralRevisions},
		{change, "", ErrSeveralRevisions},
		{"nothing", broken, nil},
		{"@", broken, nil},
		{"exactly(@, 2)", "", nil},
		{"\"Error: Revision `x` doesn't exist\"", broken, nil},
	} {
		args := []string{"log", "--no-graph", "--revisions=" + tt.revset}
		if tt.config != "" {
			args = append(args, tt.config)
		}
		if r := failed(t, dir, jj, nil, args...); !errors.Is(r.revisionFault(), tt.want) {
			t.Errorf("%s: %v, want %v: %s", tt.revset, r.revisionFault(), tt.want, r.stderr)
		}
	}
	for range 17 { // two of them begin alike
		run(t, dir, jj, "new", "--no-edit", "root()")
	}
	for _, digits := range []string{"0123456789abcdef", "klmnopqrstuvwxyz"} {
		if !strings.ContainsFunc(digits, func(digit rune) bool {
			out, err := tryRun(t, dir, "", jj, "log", "--no-graph", "--color=never", "--revisions="+string(digit))
			return err != nil && (&result{exit: 1, stderr: out}).revisionFault() == ErrSeveralRevisions //nolint:errorlint // as it is returned
		}) {
			t.Errorf("none of %s is ambiguous", digits)
		}
	}
}
