package testkit_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestCrowd makes files in folders that aren't there yet, and expects each by its name with
// the text.
func TestCrowd(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"a/1.md", "a/2.md", "b/c/3.md"} {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	testkit.Crowd(t, "# A\n", paths)
	for _, path := range paths {
		if text, err := os.ReadFile(path); err != nil || string(text) != "# A\n" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// TestFolder makes a folder of files with the texts, in folders of their own.
func TestFolder(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"a.md": "# A\n", "sub/b.md": "# B\n"})
	for name, want := range map[string]string{"a.md": "# A\n", "sub/b.md": "# B\n"} {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
