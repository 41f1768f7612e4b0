package fileinfo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// TestListedTellsApart: names that are listed, or lead nowhere, are what they are, hard links that
// differ in case too.
func TestListedTellsApart(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"Docs/Guide.md": "x", "\u00e4/\u00c4b.md": "x"})
	if err := os.Link(filepath.Join(dir, "Docs", "Guide.md"), filepath.Join(dir, "Docs", "gUIDE.MD")); err != nil {
		t.Log("without hard links in another case: ", err)
	}
	if err := os.Symlink("Docs", filepath.Join(dir, "Link")); err != nil {
		testkit.Missing(t, err.Error())
	}
	t.Chdir(dir)
	for _, path := range []string{
		"", ".", "/", "..", "Docs", "Docs/", "./Docs//Guide.md", "Docs/../Docs/Guide.md", "Docs/none.md", "none/Guide.md", "Docs/Guide.md/x", "Link/Guide.md",
		"\u00e4/\u00c4b.md", filepath.Join(dir, "Docs", "Guide.md"), "Docs/\x00", "guide://a/b.md",
	} {
		if got := fileinfo.Listed(path); got != path {
			t.Errorf("%q is listed as %q", path, got)
		}
	}
	if _, err := os.Lstat(filepath.Join("Docs", "gUIDE.MD")); err == nil {
		names, err := filepath.Glob("Docs/*")
		for _, name := range names {
			if got := fileinfo.Listed(name); err != nil || got != name {
				t.Errorf("%q of %q is listed as %q", name, names, got)
			}
		}
	}
}

// TestListed: names in another case or form are those that are listed, whatever else leads to the
// same file.
func TestListed(t *testing.T) {
	dir := testkit.FoldingFolder(t, map[string]string{"Docs/Guide.md": "x", "Docs/\u00c4b.md": "x", "Docs/\u00d6/x.md": ""})
	if err := os.Link(filepath.Join(dir, "Docs", "Guide.md"), filepath.Join(dir, "Docs", "Another.md")); err != nil {
		t.Log("without hard links: ", err)
	}
	t.Chdir(dir)
	for path, want := range map[string]string{
		"docs/guide.md": "Docs/Guide.md", "./docs/../DOCS//gUIDE.MD": "./Docs/../Docs//Guide.md", "docs": "Docs", "DOCS/": "Docs/",
		"docs/none.md": "Docs/none.md", "docs/None/x.md": "Docs/None/x.md", "docs/\u00e4b.md": "Docs/\u00c4b.md", "docs/\u00f6/X.md": "Docs/\u00d6/x.md",
	} {
		if got := filepath.ToSlash(fileinfo.Listed(path)); got != want {
			t.Errorf("%q is listed as %q", path, got)
		}
	}
	nfd := "Docs/A\u0308b.md"
	if _, err := os.Lstat(nfd); err == nil {
		if got := fileinfo.Listed(nfd); got != "Docs/\u00c4b.md" {
			t.Errorf("%q is listed as %q", nfd, got)
		}
	}
}
