package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// WriteDocuments writes documents into a folder, and returns their paths.
func WriteDocuments(t *testing.T, dir string, files []CorpusFile) []string {
	t.Helper()
	var paths []string
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// HeadingDocument returns a document that has so many headings of each level.
func HeadingDocument(counts ...int) []byte {
	var text []byte
	for i, n := range counts {
		for j := range n {
			text = fmt.Appendf(text, "%s Heading %d of level %d\n\n", "######"[:i+1], j, i+1)
		}
	}
	return text
}

// Folder makes a folder with files in it.
func Folder(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range contents {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// FoldingFolder is Folder where the file system of temporary files finds a file by its name in
// another case too, as on macOS and Windows; a test is skipped elsewhere. On Linux it runs with
// TMPDIR in such a file system.
func FoldingFolder(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := Folder(t, map[string]string{"Probe": ""})
	if _, err := os.Lstat(filepath.Join(dir, "pROBE")); err != nil {
		t.Skip("the file system of temporary files tells names in another case apart")
	}
	return Folder(t, contents)
}

// Crowd makes files that have all the same text. Each is another name of one file where
// the system allows so many: that takes a tenth of making a file.
func Crowd(t testing.TB, text string, paths []string) {
	t.Helper()
	for i, path := range paths {
		if i > 0 && os.Link(paths[0], path) == nil {
			continue
		}
		err := os.MkdirAll(filepath.Dir(path), 0o750)
		if err == nil && (i == 0 || os.Link(paths[0], path) != nil) {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// WriteFile writes a file of a test.
func WriteFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
