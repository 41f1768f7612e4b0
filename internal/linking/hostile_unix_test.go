//go:build unix

package linking

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
)

// TestHostileTargets: of links to what is no document, is elsewhere, or is called otherwise
// nothing is opened that can't end, and nothing is broken that can't be judged.
func TestHostileTargets(t *testing.T) {
	targets := []struct{ destination, want string }{
		{"folder.md", "-> folder.md"},
		{"folder.md/", "-> folder.md"},
		{"folder.md#x", "unknown"},
		{"zero.md#x", "unknown"},
		{"pipe.md#x", "unknown"},
		{"loop.md#x", "unknown, it can't be looked at"},
		{"../outside.md", "unknown, it leads outside"},
		{"%2e%2e/outside.md", "unknown, it leads outside"},
		{"..%2Foutside.md#x", "unknown, it leads outside"},
		{"/etc/passwd", "unknown"},
		{"B.md", "broken, in another case"},
		{"e\u0301.md", "broken, in another normal form of Unicode"},
		{"b.md#B", "(in another case)"},
		{"b.md%00", "unknown"},
		{strings.Repeat("x", 5000) + ".md", "unknown, it can't be looked at"},
	}
	var text strings.Builder
	for _, target := range targets {
		text.WriteString("[x](" + target.destination + ")\n\n")
	}
	text.WriteString("[x](javascript:alert(1)) [y](data:text/html,z) [z](FILE:///etc/passwd)\n")
	outer := testkit.Folder(t, map[string]string{
		"outside.md": "# X\n", "in/a.md": text.String(), "in/b.md": "# b\n", "in/\u00e9.md": "", "in/folder.md/c.md": "", "in/.git/x": "",
	})
	dir := filepath.Join(outer, "in")
	for name, to := range map[string]string{"zero.md": "/dev/zero", "loop.md": "loop.md"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	docs := documents.Set{Paths: []string{"a.md", "b.md", "\u00e9.md"}, MaxBytes: 1 << 20}
	var out []byte
	res, err := Links(t.Context(), docs, &Request{}, func(line []byte) error {
		out = append(out, line...)
		return nil
	}, func(e *replies.Error) error { return e })
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(targets) || res.Links != len(targets) {
		t.Fatalf("%d links:\n%s", res.Links, out)
	}
	for i, line := range lines {
		if !strings.Contains(line, targets[i].want) {
			t.Errorf("%.100q: %.200s", targets[i].destination, line[max(0, len(line)-200):])
		}
	}
}

// TestElsewhereTooLong: a document behind so long a path that the system takes it for no name may
// link to what is renamed, and isn't taken for one that is gone.
func TestElsewhereTooLong(t *testing.T) {
	const src, folders = "# Head\n", 25
	dir, name := testkit.Folder(t, map[string]string{".sectile.yaml": "", "a.md": src}), strings.Repeat("d", 200)
	t.Chdir(dir)
	for range folders {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Skip(err) // a system that has no such folders
		}
		if err := os.Chdir(name); err != nil { //nolint:usetesting // it takes no path that is so long
			t.Fatal(err)
		}
	}
	testkit.WriteFile(t, "b.md", "[1](a.md#head)\n")
	t.Chdir(dir)
	docs := documents.Set{Paths: []string{"a.md"}, MaxBytes: 1 << 20}
	found, err := elsewhere(t, docs, renaming(t, src, "Title"))
	if err == nil || !strings.Contains(err.Error(), "no file can have this name; links in it may lead") {
		t.Errorf("%v, %v", found, err)
	}
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if found, err = elsewhere(t, docs, renaming(t, src, "Title")); err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// TestIsGone: a document that goes between the listing and the reading is told from one that is there,
// on the host and below roots.
func TestIsGone(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"file": "", "binary.md": "\x00"})
	if err := os.Symlink("loop.md", filepath.Join(dir, "loop.md")); err != nil {
		t.Fatal(err)
	}
	w, err := documents.OpenWorkspace(documents.Options{Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	t.Chdir(dir)
	for _, docs := range []documents.Set{{MaxBytes: 1 << 20}, {Workspace: w}} {
		for path, gone := range map[string]bool{
			"none.md": true, "none/a.md": true, "file/a.md": true, "loop.md": true,
			"binary.md": false, strings.Repeat("d/", 2500) + "a.md": false, strings.Repeat("d", 300) + ".md": false,
		} {
			if _, err := docs.Open(path); err == nil || isGone(replies.AsError(err)) != gone {
				t.Errorf("%.20s: %v", path, err)
			}
		}
	}
}
