package documents

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPictureOfReplacedRoot: no picture is shown of a folder that has the name of a root now.
func TestPictureOfReplacedRoot(t *testing.T) {
	const picture = "\x89PNG\r\n\x1a\n"
	dir := filepath.Join(t.TempDir(), "root")
	put := func(text string) {
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "a.png"), []byte(picture+text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	put("mine")
	w, err := OpenWorkspace(Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, path := range []string{"a.png", filepath.Join(dir, "a.png")} {
		if data, _, err := w.Picture(path, 1000); string(data) != picture+"mine" || err != nil {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Skip(err) // Windows keeps an open folder where it is
	}
	put("other")
	for _, path := range []string{"a.png", filepath.Join(dir, "a.png")} {
		if data, _, err := w.Picture(path, 1000); err == nil || !strings.Contains(err.Error(), "removed or replaced") {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
}
