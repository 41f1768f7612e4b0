package files

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/filenames"
	"github.com/sectile/sectile/internal/textfile"
)

// TestProtectedFiles reads, lists, finds and writes below a root in which all that is
// protected is there.
func TestProtectedFiles(t *testing.T) {
	dir := t.TempDir()
	closed := []string{
		".env", ".env.md", ".envrc", ".envrc.md", "id_rsa", "id_rsa.md", "tls.pem", ".ssh/notes.md", ".vscode/settings.json", ".vscode/a.md", ".github/workflows/ci.yml",
		".github/workflows/a.md", ".hg/a.md", ".claude/settings.json", ".claude/hooks/run.sh",
	}
	readable := []string{".claude/a.md", ".cursor/rules/b.mdc", ".github/c.md", "d.md", ".sectile/plan.md"}
	links := map[string]string{
		"env.md": ".env", "notes.md": ".ssh/notes.md", "ssh": ".ssh", "work": ".github/workflows", "hub": ".github", "settings.md": ".claude/settings.json",
		"claude": ".claude", "round.md": "ssh/../.ssh/notes.md", ".claude/up.md": "../.env", "chain.md": "env.md",
	}
	tree(t, dir, links, slices.Concat(closed, readable)...)
	ways := append(slices.Clone(closed), "env.md", "notes.md", "ssh/notes.md", "work/a.md", "hub/workflows/a.md", "settings.md", "claude/settings.json", "round.md",
		".claude/up.md", "chain.md", "./.env.md", ".github/../.ssh/notes.md", "hub/../.vscode/a.md", filepath.Join(dir, ".env.md"))
	if runtime.GOOS != "windows" {
		ways = append(ways, ".SSH/notes.md", ".Env.md")
	}
	for _, o := range []RootOptions{{}, {TextFiles: true}, {TextFiles: true, DotFiles: true}} {
		o.Walk.Hidden = true
		r := openRoots(t, o, dir)
		for _, path := range ways {
			text, err := r.Read(new(textfile.Reader), path)
			if err == nil || codeOf(err) == fileerror.NotFound && !strings.ContainsAny(path, "SE") {
				t.Errorf("%s with %+v: %q, %v", path, o, text, err)
			}
			if leaks(err, dir, path) != "" {
				t.Errorf("%s: %v", path, err)
			}
			wrote := r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
			if wrote == nil {
				t.Errorf("%s is written with %+v", path, o)
			}
		}
		for _, path := range []string{".claude/a.md", ".claude/new.md", "claude/a.md", "claude/new.md", ".cursor/rules/new.md"} {
			err := r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
			if !errors.Is(err, ErrProtected) {
				t.Errorf("%s is written: %v", path, err)
			}
		}
		if found := slices.Sorted(slices.Values(foundBy(t.Context(), r))); !slices.Equal(found, []string{".claude/a.md", ".github/c.md", ".sectile/plan.md", "d.md"}) {
			t.Errorf("found %q", found)
		}
		for _, near := range []string{".env.m", ".ssh/note.md", "id_rsa.m", ".envmd", ".vscod/a.md"} {
			_, err := r.Read(new(textfile.Reader), near)
			if e, ok := errors.AsType[*fileerror.Error](err); !ok || slices.ContainsFunc(e.Closest, func(c string) bool { return filenames.FileProtection(c) != "" }) {
				t.Errorf("%s: %v", near, err)
			}
		}
	}
	for _, path := range closed {
		if text, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(text) != path {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// TestProtectedFolders opens folders as categories do, and reads in them.
func TestProtectedFolders(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"ssh": ".ssh", "claude": ".claude", "env.md": ".env"},
		".ssh/a.md", ".env", "a.md", ".vscode/a.md", ".github/workflows/w.md", ".github/c.md", ".claude/settings.json", ".claude/a.md", ".claude/deep/b.md", ".claude/deep/run.sh")
	for _, closed := range []string{".ssh", "ssh", ".vscode", ".github/workflows", ".env"} {
		for _, within := range []string{dir, ""} {
			if f, err := OpenFolder(filepath.Join(dir, closed), within); !errors.Is(err, ErrProtected) && closed != ".env" || err == nil {
				f.Close()
				t.Errorf("%s within %q is opened: %v", closed, within, err)
			}
		}
	}
	for _, within := range []string{dir, ""} {
		top := openedFolder(t, dir, within)
		if got := listedIn(t, top); !slices.Equal(got, []string{".claude/", ".github/", "a.md", "claude@", "env.md@", "ssh@"}) {
			t.Errorf("%q", got)
		}
		for _, path := range []string{".env", "env.md", ".ssh/a.md", "ssh/a.md", ".vscode/a.md", ".claude/settings.json", "claude/settings.json", "claude/deep/run.sh"} {
			if text, _, err := top.Read(new(textfile.Reader), path, 100); !errors.Is(err, ErrProtected) {
				t.Errorf("%s: %q, %v", path, text, err)
			}
		}
		for _, agents := range []string{".claude", "claude"} {
			f := openedFolder(t, filepath.Join(dir, agents), within)
			if got := listedIn(t, f); !slices.Equal(got, []string{"a.md", "deep/"}) {
				t.Errorf("%s: %q", agents, got)
			}
			deep, err := f.Enter("deep")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(deep.Close)
			if got := listedIn(t, deep); !slices.Equal(got, []string{"b.md"}) {
				t.Errorf("%s: %q", agents, got)
			}
			if _, _, err := f.Read(new(textfile.Reader), "settings.json", 100); !errors.Is(err, ErrProtected) {
				t.Errorf("%s: %v", agents, err)
			}
			if text, _, err := f.Read(new(textfile.Reader), "deep/b.md", 100); err != nil || len(text) == 0 {
				t.Errorf("%s: %v", agents, err)
			}
		}
		hub, err := top.Enter(".github")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(hub.Close)
		if got := listedIn(t, hub); !slices.Equal(got, []string{"c.md"}) {
			t.Errorf("%q", got)
		}
		if _, err := hub.Enter("workflows"); !errors.Is(err, ErrProtected) {
			t.Errorf("workflows: %v", err)
		}
	}
}
