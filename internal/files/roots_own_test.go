package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/textfile"
)

// TestUnwritten has a file that is never written lie below a root by names and links that
// its own path doesn't have.
func TestUnwritten(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"home/.config": "../dot/config", "dot/link.yaml": "config/sectile/config.yaml", "dot/other": "config", "user.yaml": "dot/stowed.yaml"},
		"dot/config/sectile/config.yaml", "dot/config/sectile/a.md", "dot/stowed.yaml", "home/x.md")
	r := openRoots(t, RootOptions{TextFiles: true, Unwritten: []string{filepath.Join(dir, "home", ".config", "sectile", "config.yaml"), filepath.Join(dir, "user.yaml"), ""}}, filepath.Join(dir, "dot"))
	put := func(path string) error {
		return r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
	}
	ways := []string{"config/sectile/config.yaml", "link.yaml", "other/sectile/config.yaml", "config/../other/sectile/config.yaml", filepath.Join(dir, "dot", "config", "sectile", "config.yaml"), "stowed.yaml"}
	for _, path := range ways {
		if text, err := r.Read(new(textfile.Reader), path); err != nil || len(text) == 0 {
			t.Errorf("%s isn't read: %v", path, err)
		}
		if err := put(path); !errors.Is(err, ErrProtected) || leaks(err, dir, path) != "" {
			t.Errorf("%s is written: %v", path, err)
		}
	}
	// Nor is it made, and then the name counts as file systems compare it.
	for _, path := range []string{"config/sectile/config.yaml", "stowed.yaml"} {
		if err := os.Remove(filepath.Join(dir, "dot", filepath.FromSlash(path))); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range append(ways, "config/sectile/Config.YAML", "config/sectile/con\u200cfig.yaml") {
		if err := put(path); !errors.Is(err, ErrProtected) {
			t.Errorf("%s is made: %v", path, err)
		}
	}
	// What stands beside it is a file like any other, and so is one of its name elsewhere.
	for _, path := range []string{"config/sectile/a.md", "config/sectile/config.md", "config/config.yaml"} {
		if err := put(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestJournal has the user's journal of changes lie below a root by several names: it is neither
// read nor written, nor listed, nor made, and is no root.
func TestJournal(t *testing.T) {
	for _, real := range []string{"sectile/journal", "kept/changes"} { // the names of the table, and others
		t.Run(real, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
			tree(t, dir, map[string]string{"other": "state/" + real, "done": "state/" + real + "/done", "one": "state/" + real + "/copies/0"},
				"state/"+real+"/copies/0", "state/"+real+"/done/1.md", "a.md")
			if real != "sectile/journal" {
				if err := errors.Join(os.Mkdir(filepath.Join(dir, "state", "sectile"), 0o700), os.Symlink("../"+real, filepath.Join(dir, "state", "sectile", "journal"))); err != nil {
					t.Fatal(err)
				}
			}
			r := openRoots(t, RootOptions{TextFiles: true, DotFiles: true}, dir)
			for _, path := range []string{
				"state/" + real + "/copies/0", "state/" + real + "/done/1.md", "state/" + real + "/done/2.md", "state/" + real + "/new", "state/sectile/journal/copies/0", "other/copies/0", "done/1.md",
				"one", "state/../state/" + real + "/copies/0", filepath.Join(dir, "state", filepath.FromSlash(real), "copies", "0"),
			} {
				text, err := r.Read(new(textfile.Reader), path)
				if !errors.Is(err, ErrProtected) || leaks(err, dir, path) != "" {
					t.Errorf("%s is read: %q, %v", path, text, err)
				}
				err = r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
				if !errors.Is(err, ErrProtected) || leaks(err, dir, path) != "" {
					t.Errorf("%s is written: %v", path, err)
				}
			}
			for path, err := range r.Find(t.Context()) {
				if path != "a.md" || err != nil {
					t.Errorf("%s is listed, %v", path, err)
				}
			}
			if _, err := r.Read(new(textfile.Reader), "1.md"); len(err.(*fileerror.Error).Closest) > 0 { //nolint:errorlint,forcetypeassert // as documented
				t.Errorf("it is suggested: %v", err)
			}
			for _, in := range []string{"state/" + real, "state/sectile/journal", "state/" + real + "/copies", "done"} {
				in = filepath.Join(dir, filepath.FromSlash(in))
				if _, err := OpenRoots([]string{in}, RootOptions{Broad: true}); err == nil {
					t.Errorf("%s is a root", in)
				}
				for _, within := range []string{"", dir} {
					if _, err := OpenFolder(in, within); err == nil {
						t.Errorf("%s is a category", in)
					}
				}
			}
		})
	}
}

// TestJournalIsNotMade has there be no journal yet: nothing below a root is made in its place.
func TestJournalIsNotMade(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	r := openRoots(t, RootOptions{TextFiles: true}, dir)
	put := func(path string) error {
		return r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
	}
	for _, made := range []string{"state", "state/sectile"} {
		for _, path := range []string{made, made + "/x"} {
			if err := put(path); !errors.Is(err, ErrProtected) {
				t.Errorf("%s is made: %v", path, err)
			}
			if _, _, err := r.MakeFolders(t.Context(), path+"/journal/x.md", nil, false); !errors.Is(err, ErrProtected) {
				t.Errorf("folders on the way to %s are made: %v", path, err)
			}
		}
		if err := os.Mkdir(filepath.Join(dir, filepath.FromSlash(made)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := put(made + "/a.md"); err != nil {
			t.Errorf("a file beside it: %v", err)
		}
	}
	for _, path := range []string{"state/sectile/journal", "state/sectile/Journal", "state/sectile/journal/x.md"} {
		if err := put(path); !errors.Is(err, ErrProtected) {
			t.Errorf("%s is made: %v", path, err)
		}
	}
}

// TestNothingIsMadeOnTheWay has files that are never written be missing with the folders above
// them, and links lead there: no folder is made in their place. Elsewhere folders are, and go
// again when they are not wanted.
func TestNothingIsMadeOnTheWay(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"state/sectile": "../root/dots/state", "root/link": "plain"}, "root/plain/a.md", "state/a.md")
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	root := filepath.Join(dir, "root")
	r := openRoots(t, RootOptions{TextFiles: true, Unwritten: []string{filepath.Join(root, "cfg", "sectile", "config.yaml")}}, root)
	for _, path := range []string{"cfg/sectile/config.yaml/x.md", "cfg/sectile/Config.yaml/in/x.md", "cfg/sectile/config.yaml", "dots/state/journal/x.md", "dots/x.md"} {
		if _, _, err := r.MakeFolders(t.Context(), path, nil, false); !errors.Is(err, ErrProtected) {
			t.Errorf("folders on the way to %s: %v", path, err)
		}
	}
	for path, want := range map[string]int{"cfg/sectile/x.md": 2, "plain/b/c/x.md": 2, "link/b/x.md": 1} {
		made, undo, err := r.MakeFolders(t.Context(), path, nil, false)
		if err != nil || made != want {
			t.Errorf("%s: %d folders, %v", path, made, err)
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path), "..")); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		undo()
	}
	for path, want := range map[string][]string{".": {"link", "plain"}, "plain": {"a.md"}} {
		entries, err := os.ReadDir(filepath.Join(root, path))
		if err != nil || !slices.EqualFunc(entries, want, func(e os.DirEntry, name string) bool { return e.Name() == name }) {
			t.Errorf("%s has %v, want %q: %v", path, entries, want, err)
		}
	}
}

// TestGivenNamesCount has links of protected names lead to folders of other names.
func TestGivenNamesCount(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		".config": "real", ".github": "real", ".claude": "real", "docs": "real",
		"chain.md": ".claude/gh/a.md", "flows": ".github/workflows", "hosts": "real/in/up", "real/in/up": "../../.config/gh", "fine": "docs/gh",
	}, "real/in/x.md", "real/gh/a.md", "real/workflows/a.md", "real/a.json")
	r := openRoots(t, RootOptions{TextFiles: true, DotFiles: true}, dir)
	for path, want := range map[string]struct{ read, write bool }{
		".config/gh/a.md": {}, ".github/workflows/a.md": {}, ".claude/gh/a.md": {read: true}, ".claude/a.json": {},
		".config/workflows/a.md": {true, true}, "docs/gh/a.md": {true, true}, "docs/a.json": {true, true},
		// And those that a chain of links comes by.
		"chain.md": {read: true}, "flows/a.md": {}, "hosts/a.md": {}, "fine/a.md": {true, true},
	} {
		if _, err := r.Read(new(textfile.Reader), path); (err == nil) != want.read {
			t.Errorf("%s is read: %v", path, err)
		}
		err := r.Update(t.Context(), []string{path}, func(tx *Tx) error { return tx.Write(path, []byte("new")) })
		if (err == nil) != want.write || err != nil && !errors.Is(err, ErrProtected) {
			t.Errorf("%s is written: %v", path, err)
		}
	}
}
