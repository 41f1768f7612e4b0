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

// TestWriteDocuments writes documents where their names say, which have the headings that were
// asked for.
func TestWriteDocuments(t *testing.T) {
	dir := t.TempDir()
	paths := testkit.WriteDocuments(t, dir, []testkit.CorpusFile{{Name: "a/b.md", Data: testkit.HeadingDocument(1, 0, 2)}})
	if len(paths) != 1 || paths[0] != filepath.Join(dir, "a", "b.md") {
		t.Fatal(paths)
	}
	const want = "# Heading 0 of level 1\n\n### Heading 0 of level 3\n\n### Heading 1 of level 3\n\n"
	if text, err := os.ReadFile(paths[0]); err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
	testkit.WriteFile(t, paths[0], "# B\n")
	if text, err := os.ReadFile(paths[0]); err != nil || string(text) != "# B\n" {
		t.Errorf("%q, %v", text, err)
	}
}
