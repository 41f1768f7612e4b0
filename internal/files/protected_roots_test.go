package files

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/textfile"
)

// A name of the table that has two parts counts below a root that is the first of them:
// by its own name, by that of a link to it, and by one of several that it was given by.

// halves makes a folder with roots that are the upper half of a name of the table. Plain
// and dotfiles are so by the name of a link alone.
func halves(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	tree(t, dir, nil, "docs/a.md",
		".config/gh/hosts.yml", ".config/gh/hosts.md", ".config/git/config", ".config/app/a.md", ".config/app/a.yml",
		".github/workflows/w.yml", ".github/workflows/w.md", ".github/prompts/p.md", ".github/prompts/p.yml", ".github/prompts/p.yml.mustache", ".github/c.md", ".github/c.yml",
		"dotfiles/gh/hosts.yml", "dotfiles/gh/hosts.md", "dotfiles/a.md", "dotfiles/a.yml")
	return dir
}

func TestProtectedBelowRootsOfThatName(t *testing.T) {
	dir := halves(t)
	tree(t, dir, map[string]string{"conf": ".config", "hub": ".github", "linked/.config": "../dotfiles"}, "linked/x.md")
	config := []string{"gh/hosts.yml", "gh/hosts.md", "git/config", "gh/new.md"}
	hub := []string{"workflows/w.yml", "workflows/w.md", "prompts/p.yml", "prompts/p.yml.mustache", "workflows/new.md"}
	for _, c := range []struct {
		roots    []string
		closed   []string // neither read nor written
		readable []string // and not written
		open     []string
		found    []string
	}{
		{[]string{".config"}, config, nil, []string{"app/a.md", "app/a.yml"}, []string{"app/a.md"}},
		{[]string{"conf"}, config, nil, []string{"app/a.md"}, []string{"app/a.md"}},
		{[]string{"linked/.config"}, []string{"gh/hosts.yml", "gh/hosts.md"}, nil, []string{"a.md", "a.yml"}, []string{"a.md"}},
		{[]string{"dotfiles", "linked/.config"}, []string{"gh/hosts.yml", "gh/hosts.md"}, nil, []string{"a.md"}, []string{"a.md"}},
		{[]string{".github"}, hub, []string{"prompts/p.md"}, []string{"c.md", "c.yml"}, []string{"c.md", "prompts/p.md"}},
		{[]string{"docs", ".github"}, hub, []string{"prompts/p.md"}, []string{"c.md", "c.yml"}, []string{"a.md", "c.md", "prompts/p.md"}},
		{[]string{"hub"}, hub, []string{"prompts/p.md"}, []string{"c.md"}, []string{"c.md", "prompts/p.md"}},
	} {
		for _, o := range []RootOptions{{TextFiles: true}, {TextFiles: true, DotFiles: true}} {
			var roots []string
			for _, root := range c.roots {
				roots = append(roots, filepath.Join(dir, filepath.FromSlash(root)))
			}
			o.Walk.Hidden = true
			r := openRoots(t, o, roots...)
			last := roots[len(roots)-1]
			put := func(path string) error {
				return r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
			}
			for _, path := range slices.Concat(c.closed, c.readable, c.open) {
				isClosed, isOpen := slices.Contains(c.closed, path), slices.Contains(c.open, path)
				if strings.Contains(path, "new") {
					if err := put(path); !errors.Is(err, ErrProtected) {
						t.Errorf("%v: %s is made: %v", c.roots, path, err)
					}
					continue
				}
				text, err := r.Read(new(textfile.Reader), path)
				if errors.Is(err, ErrProtected) != isClosed || (err == nil) == isClosed {
					t.Errorf("%v: %s: %q, %v", c.roots, path, text, err)
				}
				if covers := r.Covers(filepath.Join(last, filepath.FromSlash(path))); covers == isClosed {
					t.Errorf("%v: of %s is told: %v", c.roots, path, covers)
				}
				if (r.WriteProtection(path) == "") != isOpen {
					t.Errorf("%v: of %s: %q", c.roots, path, r.WriteProtection(path))
				}
				if isOpen {
					continue
				}
				if err := put(path); !errors.Is(err, ErrProtected) {
					t.Errorf("%v: %s is written: %v", c.roots, path, err)
				}
			}
			if found := slices.Sorted(slices.Values(foundBy(t.Context(), r))); !slices.Equal(found, c.found) {
				t.Errorf("%v: found %q", c.roots, found)
			}
			for _, near := range []string{"gh/host.md", "g/hosts.md", "workflows/x.md", "workflow/w.md"} {
				_, err := r.Read(new(textfile.Reader), near)
				if e, ok := errors.AsType[*fileerror.Error](err); !ok || len(e.Closest) > 0 {
					t.Errorf("%v: %s: %v", c.roots, near, err)
				}
			}
		}
	}
}

// TestProtectedInFoldersOfThatName opens the folder of a category, and the project that it
// is in, where one of them is the first part of a name of the table.
func TestProtectedInFoldersOfThatName(t *testing.T) {
	dir := halves(t)
	hub := filepath.Join(dir, ".github")
	for _, within := range []string{hub, dir, ""} {
		f := openedFolder(t, hub, within)
		if got := listedIn(t, f); !slices.Equal(got, []string{"c.md", "c.yml", "prompts/"}) {
			t.Errorf("%q", got)
		}
		for _, path := range []string{"workflows/w.md", "prompts/p.yml", "prompts/p.yml.mustache"} {
			if text, _, err := f.Read(new(textfile.Reader), path, 100); !errors.Is(err, ErrProtected) {
				t.Errorf("%s within %q: %q, %v", path, within, text, err)
			}
		}
		if _, _, err := f.Read(new(textfile.Reader), "prompts/p.md", 100); err != nil {
			t.Error(err)
		}
		prompts := openedFolder(t, filepath.Join(hub, "prompts"), within)
		if got := listedIn(t, prompts); !slices.Equal(got, []string{"p.md"}) {
			t.Errorf("within %q: %q", within, got)
		}
		if text, _, err := prompts.Read(new(textfile.Reader), "p.yml", 100); !errors.Is(err, ErrProtected) {
			t.Errorf("within %q: %q, %v", within, text, err)
		}
		if _, err := OpenFolder(filepath.Join(hub, "workflows"), within); !errors.Is(err, ErrProtected) {
			t.Errorf("within %q: %v", within, err)
		}
	}
}
