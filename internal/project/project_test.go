package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/markdown"
)

// TestDialects compares the names of dialects with those that the configuration takes.
func TestDialects(t *testing.T) {
	if !slices.Equal(markdown.Dialects(), config.LinkDialects()) {
		t.Errorf("%q, and the configuration takes %q", markdown.Dialects(), config.LinkDialects())
	}
}

// TestDialect reads the dialect of a project; one whose file is wrong has the usual one.
func TestDialect(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for text, want := range map[string]markdown.Dialect{
		"links: {dialect: mkdocs}\n": markdown.MkDocs, "links: {dialect: other}\n": markdown.GitHub, "": markdown.GitHub,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, config.Name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Dialect(t.Context(), dir); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
