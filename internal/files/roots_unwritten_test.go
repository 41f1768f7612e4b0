package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
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
		if text, err := r.Read(new(Reader), path); err != nil || len(text) == 0 {
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
