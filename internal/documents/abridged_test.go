package documents

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestAbridgedIsOneVersion: the text of a section comes from the version whose headings were
// read, or is refused, though another one has the same size and headings in the same places.
func TestAbridgedIsOneVersion(t *testing.T) {
	text := func(word string) []byte {
		return bytes.Repeat(fmt.Appendf(nil, "# A\n\n%s\n\n## B\n\n%s\n\n", word, word), 500)
	}
	for name, change := range map[string]func(path string) error{
		"nothing": func(string) error { return nil },
		"another file": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", text("two"), 0o600), os.Rename(path+".new", path))
		},
		"in place": func(path string) error { return os.WriteFile(path, text("two"), 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "large.md")
		if err := os.WriteFile(path, text("one"), 0o600); err != nil {
			t.Fatal(err)
		}
		set := Set{MaxBytes: 1000}
		doc, large, err := set.OpenAny(path)
		if err != nil || large == nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		_, err = large.Fill(doc, doc.BodyLines(1))
		if want := name != "nothing"; errors.Is(err, errShrunk) != want || !want && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
