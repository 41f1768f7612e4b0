package files

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/textfile"
)

func TestOpenRoots(t *testing.T) {
	base := t.TempDir()
	tree(t, base, map[string]string{"link": "ws", "hidden": "ws/.git/sub"}, "ws/a.md", "ws/.git/sub/x.md", "ws/.jj/y.md", "home/me/docs/b.md", "file.md")
	tree(t, base, map[string]string{"home/alias": "me"})
	t.Setenv("HOME", filepath.Join(base, "home", "me"))
	t.Setenv("USERPROFILE", filepath.Join(base, "home", "me"))
	t.Chdir(filepath.Join(base, "ws"))
	top := filepath.VolumeName(base) + string(filepath.Separator)
	in := func(path string) string { return filepath.Join(base, path) }
	for _, tt := range []struct {
		dirs []string
		want fileerror.Code
		out  string   // the way out that the reason names
		got  []string // Dirs
	}{
		{nil, "", "", []string{"."}},
		{[]string{"."}, "", "", []string{"."}},
		{[]string{"../ws/./"}, "", "", []string{filepath.FromSlash("../ws")}},
		{[]string{in("ws"), ".", in("link"), in("home/me/docs"), in("ws") + "/"}, "", "", []string{in("ws"), in("home/me/docs")}},
		{[]string{in("link")}, "", "", []string{in("link")}},
		{[]string{in("missing")}, fileerror.NotFound, "--root DIR", nil},
		{[]string{".", in("missing")}, fileerror.NotFound, "--root DIR", nil},
		{[]string{in("file.md")}, fileerror.InvalidArgument, "--root DIR", nil},
		{[]string{in("file.md/x")}, fileerror.NotFound, "check the path", nil},
		{[]string{""}, fileerror.InvalidArgument, "name a folder", nil},
		{[]string{"a\x00b"}, fileerror.NotFound, "no file", nil},
		{[]string{in("ws/.git")}, fileerror.PathOutsideRoot, "never read", nil},
		{[]string{in("ws/.jj")}, fileerror.PathOutsideRoot, "never read", nil},
		{[]string{in("hidden")}, fileerror.PathOutsideRoot, "never read", nil},
		{[]string{top}, fileerror.InvalidArgument, "--allow-broad-root", nil},
		{[]string{in("home/me")}, fileerror.InvalidArgument, "--allow-broad-root", nil},
		{[]string{in("home/alias")}, fileerror.InvalidArgument, "--allow-broad-root", nil},
		{[]string{in("home")}, fileerror.InvalidArgument, "--allow-broad-root", nil},
		{[]string{base}, fileerror.InvalidArgument, "--allow-broad-root", nil},
		{[]string{"../home/me/docs/.."}, fileerror.InvalidArgument, "--allow-broad-root", nil},
	} {
		r, err := OpenRoots(tt.dirs, RootOptions{})
		if codeOf(err) != tt.want || !strings.Contains(reasonOf(err), tt.out) {
			t.Errorf("%q: %v, want %q", tt.dirs, err, tt.want)
		}
		if err != nil {
			if e, ok := errors.AsType[*fileerror.Error](err); r != nil || !ok || !slices.Contains(tt.dirs, e.Path) {
				t.Errorf("%q: %v, and roots %v", tt.dirs, err, r)
			}
			if strings.Contains(tt.out, "broad") {
				openRoots(t, RootOptions{Broad: true}, tt.dirs...)
			}
			continue
		}
		if diff := cmp.Diff(tt.got, r.Dirs()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.dirs, diff)
		}
		if text := got(r, "a.md"); text != "ws/a.md" {
			t.Errorf("%q: a.md gives %q", tt.dirs, text)
		}
		r.Close()
	}
	// The home folder behind a link, and none at all.
	t.Setenv("HOME", in("home/alias"))
	for _, dir := range []string{in("home/me"), in("home")} {
		if _, err := OpenRoots([]string{dir}, RootOptions{}); runtime.GOOS != "windows" && codeOf(err) != fileerror.InvalidArgument {
			t.Errorf("%s with a home behind a link: %v", dir, err)
		}
	}
	if runtime.GOOS != "windows" {
		write(t, in("names/a.md"), "")
		tree(t, base, map[string]string{"names/moved": "../home", "names/direct": "../home/me"})
		for _, home := range []string{in("names/moved/me"), in("names/direct")} {
			t.Setenv("HOME", home)
			for _, dir := range []string{in("names"), in("home"), in("home/me")} {
				if _, err := OpenRoots([]string{dir}, RootOptions{}); codeOf(err) != fileerror.InvalidArgument {
					t.Errorf("%s with the home %s: %v", dir, home, err)
				}
			}
		}
	}
	// Without HOME, or a relative one, it is the folder that the system has for the user.
	known, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{"", "relative"} {
		t.Setenv("HOME", home)
		for _, dir := range []string{top, known.HomeDir, filepath.Dir(known.HomeDir)} {
			if _, err := os.Stat(dir); err != nil || runtime.GOOS == "windows" {
				continue
			}
			if _, err := OpenRoots([]string{dir}, RootOptions{}); codeOf(err) != fileerror.InvalidArgument {
				t.Errorf("%s with HOME=%q: %v", dir, home, err)
			}
		}
	}
}

// TestLinkedRoot reads through a root that is a link: absolute paths may have
// either of its names.
func TestLinkedRoot(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"link": "ws"}, "ws/a.md", "ws/d/b.md", "link-evil/x.md", "ws-evil/x.md")
	r := openRoots(t, RootOptions{}, filepath.Join(dir, "link"))
	for path, want := range map[string]string{
		"a.md": "ws/a.md", dir + "/link/a.md": "ws/a.md", dir + "/ws/d/b.md": "ws/d/b.md",
		dir + "/link-evil/x.md": "path_outside_root", dir + "/ws-evil/x.md": "path_outside_root",
	} {
		if text := got(r, path); text != want {
			t.Errorf("%s: %q, want %q", path, text, want)
		}
	}
}

// TestRootGone takes the root away, puts another folder or a link in its place,
// and brings it back.
func TestRootGone(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, nil, "ws/a.md", "other/a.md")
	ws, away := filepath.Join(dir, "ws"), filepath.Join(dir, "away")
	r := openRoots(t, RootOptions{}, ws)
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when, want string) {
		t.Helper()
		_, err := r.Read(new(textfile.Reader), "a.md")
		if text := got(r, "a.md"); text != want || err != nil && !strings.Contains(reasonOf(err), "start the server again") {
			t.Errorf("%s: %q (%v), want %q", when, text, err, want)
		}
		if _, err := r.Resolve(ws + "/a.md"); (err == nil) != (want != "io_error") {
			t.Errorf("%s: %v", when, err)
		}
	}
	check("first", "ws/a.md")
	rename(ws, away)
	check("moved", "io_error")
	rename(filepath.Join(dir, "other"), ws)
	check("replaced", "io_error")
	rename(ws, filepath.Join(dir, "other"))
	if runtime.GOOS != "windows" {
		if err := os.Symlink("other", ws); err != nil {
			t.Fatal(err)
		}
		check("a link instead", "io_error")
		if err := os.Remove(ws); err != nil {
			t.Fatal(err)
		}
	}
	rename(away, ws)
	check("back", "ws/a.md")
	if err := os.RemoveAll(ws); err != nil {
		t.Fatal(err)
	}
	check("removed", "io_error")
	if err := os.Mkdir(ws, 0o750); err != nil {
		t.Fatal(err)
	}
	check("made again", "io_error")
}

// TestRootsClosed reads and walks what is closed.
func TestRootsClosed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "a")
	r := openRoots(t, RootOptions{}, dir)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := r.Read(new(textfile.Reader), "a.md"); codeOf(err) != fileerror.IOError || !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	if _, err := r.Read(new(textfile.Reader), "d/a.md"); codeOf(err) != fileerror.IOError {
		t.Error(err)
	}
	for _, path := range foundBy(t.Context(), r) {
		t.Error(path)
	}
}

// TestCheckWritable: what is protected isn't written by who names it either, whatever links lead
// there; below the project of the working directory the names in it count alone.
func TestCheckWritable(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree(t, base, map[string]string{
		"link.md": ".git/x.md", "way": ".jj/store", "agents": ".claude", "open.md": ".claude/commands/none.md", "tree": ".claude/worktrees/a",
		".cursor": "plain", ".config": "plain", "host": ".config/gh", "rules.md": ".cursor/gh/x.md", "state/sectile": "../none/dots",
	}, "a.md", ".git/x.md", ".jj/store/y.md", ".github/z.md", "git/z.md", ".claude/commands/c.md", ".claude/worktrees/a/.git", ".claude/worktrees/a/docs/d.md", "plain/gh/x.md", "state/a.md")
	t.Chdir(base)
	t.Setenv("XDG_STATE_HOME", filepath.Join(base, "state"))
	for path, want := range map[string]bool{
		"a.md": false, "missing.md": false, ".github/z.md": false, "git/z.md": false, filepath.Join(base, "a.md"): false, "none/none/a.md": false,
		".git": true, ".git/x.md": true, ".git/missing.md": true, ".git/../a.md": true, "./.jj/store/y.md": true, "link.md": true, "way/y.md": true,
		filepath.Join(base, "link.md"): true,
		".claude/commands/c.md":        true, ".claude/commands/none.md": true, ".claude/none/none.md": true, "agents/commands/c.md": true, "agents/none/none.md": true,
		base + "/.claude/commands/c.md": true, ".github/workflows/README.md": true, ".ssh/notes.md": true, ".env.md": true, ".vscode/none/a.md": true,
		".claude/worktrees/a/docs/d.md": true, "tree/docs/d.md": true,
		// The names that were given count too, wherever a link of the name leads.
		".cursor/gh/x.md": true, ".config/gh/x.md": true, base + "/.config/gh/none.md": true, ".config/gj/x.md": false, "plain/gh/x.md": false,
		"host/x.md": true, "rules.md": true,
		"none/dots/journal/x.md": true, "none/dots/x.md": false,
	} {
		if err := CheckWritable(path); (err != nil) != want || err != nil && codeOf(err) != fileerror.PathOutsideRoot {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{"open.md", "agents/commands/c.md", ".ssh/none.md"} {
		if err := Update(t.Context(), []string{path}, UpdateOptions{}, put(path, "x")); codeOf(err) != fileerror.PathOutsideRoot || !strings.Contains(err.Error(), path) {
			t.Errorf("an update of %s: %v", path, err)
		}
	}
	t.Chdir(filepath.Join(base, "way"))
	if CheckWritable("y.md") == nil {
		t.Error("a file of the working directory, which a link leads to")
	}
	for _, dir := range []string{".claude/worktrees/a/docs", "tree"} {
		t.Chdir(filepath.Join(base, dir))
		for path, want := range map[string]bool{
			base + "/.claude/worktrees/a/docs/d.md": false, base + "/.claude/worktrees/a/.cursor/d.md": true,
			base + "/.claude/commands/c.md": true, filepath.Join(base, "a.md"): false, base + "/.claude/worktrees/a/.git": true,
		} {
			if err := CheckWritable(path); (err != nil) != want {
				t.Errorf("%s in %s: %v", path, dir, err)
			}
		}
	}
}

// TestUpdateHistory changes and makes files of the host in the data of version control.
func TestUpdateHistory(t *testing.T) {
	base := t.TempDir()
	tree(t, base, map[string]string{"link": ".git/config", "open": ".git/hooks/new", "hooks": ".git/hooks"}, ".git/config", ".git/hooks/a", "a.md")
	t.Chdir(base)
	for _, path := range []string{
		".git/config", "link", "open", "hooks/new", "hooks/a", ".GIT/config", ".git/new", filepath.Join(base, "link"), ".git/../a.md",
	} {
		err := Update(t.Context(), []string{path}, UpdateOptions{}, func(tx *Tx) error { return tx.Write(path, []byte("x")) })
		if !errors.Is(err, ErrProtected) && (path != ".GIT/config" || !errors.Is(err, fs.ErrNotExist)) {
			t.Errorf("%s: %v", path, err)
		}
	}
	t.Chdir(filepath.Join(base, "hooks"))
	err := Update(t.Context(), []string{"new"}, UpdateOptions{}, func(tx *Tx) error { return tx.Write("new", []byte("x")) })
	if !errors.Is(err, ErrProtected) {
		t.Errorf("in a working directory that a link leads to: %v", err)
	}
	if names, err := os.ReadDir(filepath.Join(base, ".git", "hooks")); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
}
