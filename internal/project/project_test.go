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

// TestDialect reads the dialect of a project; one whose file is wrong and may set one has none.
func TestDialect(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	const refused = markdown.Dialect(200)
	for text, want := range map[string]markdown.Dialect{
		"links: {dialect: mkdocs}\n": markdown.MkDocs, "links: {dialect: other}\n": refused, "": markdown.GitHub,
		"links: {dialect: mkdocs}\nx: [*.md]\n": refused, "x: [*.md]\n": markdown.GitHub, "links: {\"d\\u0069alect\": mkdocs}\nx: [*.md]\n": refused, "# \xff\n": refused,
		"categories: {a: {dir: a, description: \"the dialect\\a\"}}\n": markdown.GitHub, "x: \"\\e[1m\"\n": markdown.GitHub,
		"categories: {a: {dir: \"a\\\\b\", description: \x07}}\n": markdown.GitHub, "x: *a\n\"d\\x69alect\" : mkdocs\n": refused,
		"dialect: mkdocs\n": refused, "links: dialect mkdocs\n": refused, "links: [dialect]\n": refused,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, config.Name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Dialect(t.Context(), dir); (err != nil) != (want == refused) || err == nil && got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}
