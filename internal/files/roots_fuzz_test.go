package files

import (
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/textfile"
)

// FuzzRootsPath reads any path in a stronghold: no secret comes out, no error
// tells of the host, and what is found has a resolved path that gives the same.
func FuzzRootsPath(f *testing.F) {
	base := stronghold(f)
	for _, a := range attacks("/base") {
		if len(a.path) < 10_000 { // more takes too long to vary
			f.Add(a.path)
		}
	}
	for _, a := range linkAttacks {
		f.Add(a.path)
	}
	for _, path := range []string{"guide.md", "docs/a.md", "docs/up/notes.txt", "docs/../docs/deep/b.md", "%2e%2e/x.md"} {
		f.Add(path)
	}
	markdown, all := openRoots(f, RootOptions{}, base+"/ws"), openRoots(f, RootOptions{TextFiles: true}, base+"/ws")
	f.Fuzz(func(t *testing.T, path string) {
		for _, path := range []string{path, base + path, base + "/ws/" + path} {
			for _, r := range []*Roots{markdown, all} {
				text, err := r.Read(new(textfile.Reader), path)
				if told := leaks(err, base, path); told != "" {
					t.Fatalf("%q tells %q: %v", path, told, err)
				}
				if err != nil {
					continue
				}
				if string(text) != "open" {
					t.Fatalf("%q gives %q", path, text)
				}
				clean, err := r.Resolve(path)
				if again := got(r, clean); err != nil || again != "open" || !filepath.IsLocal(clean) {
					t.Fatalf("%q resolves to %q, %v, which gives %q", path, clean, err, again)
				}
			}
		}
	})
}
