package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/fileinfo"
	"github.com/sectile/sectile/internal/testkit"
)

// TestRootsListedTellsApart: what is listed, missing, refused or behind a link keeps its path.
func TestRootsListedTellsApart(t *testing.T) {
	dir := testkit.Folder(t, map[string]string{"Docs/Guide.md": "x", ".git/config.md": "x"})
	if err := os.Symlink("Docs", filepath.Join(dir, "Link")); err != nil {
		testkit.Missing(t, err.Error())
	}
	r := openRoots(t, RootOptions{}, dir)
	defer r.Close()
	for _, path := range []string{
		"", ".", "..", "../x.md", "Docs", "Docs/", "./Docs//Guide.md", "Docs/../Docs/Guide.md", "Docs/none.md", "none/Guide.md", "Docs/Guide.md/x", "Link/Guide.md",
		filepath.Join(dir, "Docs", "Guide.md"), "/etc/hostname", ".git/config.md", "Docs/\x00",
	} {
		if got := r.Listed(path); got != path {
			t.Errorf("%q is listed as %q", path, got)
		}
	}
}

// TestRootsListed: the rest of a path that leads below a root by other names is what is listed.
func TestRootsListed(t *testing.T) {
	dir := testkit.FoldingFolder(t, map[string]string{"Docs/Guide.md": "x", "Docs/Sub/x.md": "x", ".git/config.md": "x"})
	r := openRoots(t, RootOptions{}, dir)
	defer r.Close()
	slashed := filepath.ToSlash(dir)
	for path, want := range map[string]string{
		"docs/guide.md": "Docs/Guide.md", "./docs//../DOCS/gUIDE.MD": "Docs/Guide.md", "docs": "Docs", "docs/sub": "Docs/Sub", "docs/sub/X.md": "Docs/Sub/x.md",
		"docs/none.md": "Docs/none.md", "docs/None/x.md": "Docs/None/x.md", ".GIT/CONFIG.md": ".GIT/CONFIG.md", "../docs": "../docs",
		slashed + "/docs/guide.md": slashed + "/Docs/Guide.md", slashed + "//docs/guide.md": slashed + "/Docs/Guide.md",
	} {
		if got := r.Listed(path); got != want {
			t.Errorf("%q is listed as %q", path, got)
		}
	}
}

// TestPlacesInAnotherCase: the place of a document, by which its changes are written down, has the
// names that folders list, whatever case a root or a link has.
func TestPlacesInAnotherCase(t *testing.T) {
	dir := testkit.FoldingFolder(t, map[string]string{"docs/b.md": "x"})
	other, link := filepath.Join(dir, "DOCS"), filepath.Join(dir, "link")
	whole, err := filepath.EvalSymlinks(filepath.Join(dir, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	whole = fileinfo.Listed(whole) // a test's folder has capitals, which NTFS may list in lower case
	want := filepath.Join(whole, "b.md")
	roots := []string{other}
	if err := os.Symlink("DOCS", link); err == nil {
		roots = append(roots, link)
		if host, _ := Host(filepath.Join(link, "b.md")); host != want {
			t.Errorf("behind the link there is %s, want %s", host, want)
		}
	}
	for _, root := range roots {
		r := openRoots(t, RootOptions{}, root)
		t.Cleanup(func() { _ = r.Close() })
		if host, _ := r.Host("b.md"); host != want || r.RealDirs()[0] != whole {
			t.Errorf("below %s in %s there is %s, want %s", root, r.RealDirs(), host, want)
		}
		if _, err := r.Resolve(filepath.Join(root, "b.md")); err != nil {
			t.Errorf("by the name that the root was given: %v", err)
		}
	}
}
