//go:build unix

package guiding

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestGuideInitUnreadable goes on without a folder that may not be read, and tells.
func TestGuideInitUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := testkit.Folder(t, map[string]string{"docs/a.md": "", "guides/a.md": ""})
	locked := filepath.Join(dir, "docs")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(locked, 0o700) })
	start, err := guidesIn(dir).Init(t.Context(), false)
	if err != nil || start.Categories != 1 || len(start.Notes) != 1 || !strings.Contains(start.Notes[0], "docs: permission denied") {
		t.Errorf("%+v, %v", start, err)
	}
}

// TestGuideInitLinks leaves out what is a link: where it leads counts there, or is
// not the project's.
func TestGuideInitLinks(t *testing.T) {
	outside := testkit.Folder(t, map[string]string{"docs/a.md": "", "README.md": ""})
	dir := testkit.Folder(t, map[string]string{"AGENTS.md": "", "guides/a.md": ""})
	for to, at := range map[string]string{
		filepath.Join(outside, "docs"): "docs", filepath.Join(outside, "README.md"): "README.md", "AGENTS.md": "CLAUDE.md", "guides": "handbook",
		".": "guides/again",
	} {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	got, s := categories(t, dir)
	if text := strings.Join(got, "; "); text != "agents . AGENTS.md; guides guides **/*.md; start: agents guides" || len(s.notes) > 0 {
		t.Errorf("%s, %q", text, s.notes)
	}
}
