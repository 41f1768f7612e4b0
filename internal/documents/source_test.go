package documents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/testkit"
)

// TestManyMissing: of many paths that aren't there the first alone name files that might have been
// meant, and none is looked for once the request has ended.
func TestManyMissing(t *testing.T) {
	w, err := OpenWorkspace(Options{Roots: []string{testkit.Folder(t, map[string]string{"docs/guide.md": "# G\n"})}})
	if err != nil {
		t.Fatal(err)
	}
	docs := Set{Workspace: w}
	for i := range 3 * maxSuggested {
		docs.Paths = append(docs.Paths, fmt.Sprintf("docs/guid%d.md", i))
	}
	all, suggested := 0, 0
	for _, err := range docs.Find(t.Context()) {
		e, ok := errors.AsType[*fileerror.Error](err)
		if !ok || e.Code != fileerror.NotFound {
			t.Fatal(err)
		}
		if all++; len(e.Closest) > 0 {
			suggested++
		}
	}
	if all != len(docs.Paths) || suggested != maxSuggested {
		t.Errorf("%d of %d, of which %d name others, want %d", all, len(docs.Paths), suggested, maxSuggested)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for path, err := range docs.Find(ended) {
		t.Errorf("%s is looked for: %v", path, err)
	}
}

// TestFindBelowPatternRoot: the folder that an absolute pattern begins with may have signs of patterns in
// its name, with a backslash before them.
func TestFindBelowPatternRoot(t *testing.T) {
	if filepath.Separator == '\\' {
		t.Skip("a backslash is a separator")
	}
	top := testkit.Folder(t, map[string]string{"[q]/z.md": "", "q/y.md": ""})
	w, err := OpenWorkspace(Options{Roots: []string{filepath.Join(top, "[q]")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() }) // nothing was written
	for pattern, want := range map[string]string{`/\[q]/*.md`: "z.md", "/[q]/*.md": "", `/[q]/\*.md`: "", "/q/*.md": ""} {
		got := ""
		docs := Set{Paths: []string{top + pattern}, Workspace: w}
		for name, err := range docs.Find(t.Context()) {
			if err == nil {
				got += name
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
