//go:build unix

package view

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJournalThatCantBeRead has the journal be one that isn't believed, or be damaged: documents
// are shown all the same, and each page that tells of changes says what is wrong with which
// folder. With the folder as it should be all is told again.
func TestJournalThatCantBeRead(t *testing.T) {
	for name, tt := range map[string]struct {
		damage, mend func(dir string) error
		want         string
	}{
		"others may open it": {func(dir string) error { return os.Chmod(dir, 0o755) }, func(dir string) error { return os.Chmod(dir, 0o700) }, "others than its owner may open its folder (mode 0755, not 0700)"},
		"a link": {
			func(dir string) error { return errors.Join(os.Rename(dir, dir+".x"), os.Symlink(dir+".x", dir)) },
			func(dir string) error { return errors.Join(os.Remove(dir), os.Rename(dir+".x", dir)) }, "its folder is a link, or none",
		},
		"a file": {
			func(dir string) error { return errors.Join(os.Rename(dir, dir+".x"), os.WriteFile(dir, nil, 0o600)) },
			func(dir string) error { return errors.Join(os.Remove(dir), os.Rename(dir+".x", dir)) }, "its folder is a link, or none",
		},
		"no texts": {
			func(dir string) error {
				return os.Rename(filepath.Join(dir, "copies"), filepath.Join(dir, "x"))
			},
			func(dir string) error {
				return os.Rename(filepath.Join(dir, "x"), filepath.Join(dir, "copies"))
			}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := open(t, true, map[string]string{"a.md": "# A\n\nold words\n", "sub/b.md": "# B\n"})
			o.change("a.md", "old words", "new words")
			dir := o.history.Dir()
			if err := tt.damage(dir); err != nil {
				t.Fatal(err)
			}
			pages := map[string]string{"/": "a.md", "/read?path=a.md": "new words", "/read?path=a.md&source=1": "new words", "/changes": "Changed", "/map": "<svg", "/folder?path=sub": "b.md", "/search?q=words": "a.md", "/totals": "sections"}
			const told = "What was read and changed can’t be told."
			for path, has := range pages {
				status, page := o.get(path)
				if status != http.StatusOK || !strings.Contains(page, has) {
					t.Errorf("%s: %d\n%s", path, status, page)
				}
				says := strings.Contains(page, told) && strings.Contains(page, tt.want) && strings.Contains(page, "<code>"+dir+"</code>") && !strings.Contains(page, "sectile undo")
				if should := path == "/" || strings.HasPrefix(path, "/read") || path == "/changes" || path == "/map"; tt.want != "" && says != should {
					t.Errorf("%s: it says what is wrong: %v\n%s", path, says, page)
				}
			}
			if err := tt.mend(dir); err != nil {
				t.Fatal(err)
			}
			for path, has := range pages {
				if status, page := o.get(path); status != http.StatusOK || !strings.Contains(page, has) || strings.Contains(page, told) {
					t.Errorf("mended, %s: %d\n%s", path, status, page)
				}
			}
			if _, page := o.get("/changes"); !strings.Contains(page, "<button>Undo</button>") {
				t.Errorf("mended: %s", page)
			}
		})
	}
}
