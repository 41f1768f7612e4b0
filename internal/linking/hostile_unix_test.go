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
		{"loop.md#x", "unknown, no such file"},
		{"../outside.md", "unknown, it leads outside"},
		{"%2e%2e/outside.md", "unknown, it leads outside"},
		{"..%2Foutside.md#x", "unknown, it leads outside"},
		{"/etc/passwd", "unknown"},
		{"B.md", "broken, in another case"},
		{"e\u0301.md", "(in another normal form of Unicode)"},
		{"b.md#B", "(in another case)"},
		{"b.md%00", "unknown"},
		{strings.Repeat("x", 5000) + ".md", "unknown, no such file"},
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
