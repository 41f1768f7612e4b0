package documents

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// TestUndivided has what can't be read in pieces be named: a text that is long, or blocks that take
// too much memory.
func TestUndivided(t *testing.T) {
	for text, want := range map[string]string{
		"x\n\n" + strings.Repeat("- a b\n- c d\n", 150_000): "has a list, table or quote with so many blocks that they take more than 16 MiB of memory, which",
		"x\n\n" + strings.Repeat("a ", 9<<20):               "has a line, paragraph, list, table or quote of more than 16 MiB, which",
	} {
		path := filepath.Join(t.TempDir(), "a.md")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		set := Set{Paths: []string{path}, MaxBytes: 500_000}
		a := &Abridged{set: &set, path: path}
		if _, err := a.Open(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
