package editing

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/sent"
)

// manyDocs makes documents of some lines, each with a counter.
func manyDocs(b *testing.B, n int) (dir string, paths []string) {
	b.Helper()
	dir = b.TempDir()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("d%04d.md", i))
		text := fmt.Sprintf("---\ntitle: Document %d\n---\n\n# Document %d\n\nCounted 0.\n\n## Usage\n\n", i, i)
		for line := range 40 {
			text += fmt.Sprintf("Line %d of it says something about the matter.\n", line)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		paths = append(paths, path)
	}
	return dir, paths
}

// BenchmarkHundred changes a hundred documents: by a plain atomic write each, and by one change
// of all of them with the journal. Run it with temporary files in memory, where syncs cost
// nothing.
func BenchmarkHundred(b *testing.B) {
	const n = 100
	b.Run("plain", func(b *testing.B) {
		_, paths := manyDocs(b, n)
		for b.Loop() {
			for _, path := range paths {
				err := files.Update(b.Context(), []string{path}, files.UpdateOptions{}, func(tx *files.Tx) error {
					src, err := tx.Read(path)
					if err != nil {
						return err
					}
					return tx.Write(path, append(src, "x\n"...))
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("together", func(b *testing.B) {
		dir, _ := manyDocs(b, n)
		ctx := journal.New(journal.Options{Dir: filepath.Join(b.TempDir(), "journal")}).In(b.Context())
		count := 0
		for b.Loop() {
			old, now := fmt.Sprintf("Counted %d.", count), fmt.Sprintf("Counted %d.", count+1)
			count++
			_, err := EditFile(ctx, documents.Set{Paths: []string{dir}}, EditFileRequest{Edit: sent.Edit{OldString: &old, NewString: &now, ExpectedCount: n}})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkKeyInThousand sets a key of the front matter of a thousand documents by one change.
func BenchmarkKeyInThousand(b *testing.B) {
	const n = 1000
	dir, _ := manyDocs(b, n)
	ctx := journal.New(journal.Options{Dir: filepath.Join(b.TempDir(), "journal")}).In(b.Context())
	count := 0
	for b.Loop() {
		count++
		value := fmt.Sprint(count)
		_, err := EditSection(ctx, documents.Set{Paths: []string{dir}}, EditSectionRequest{Heading: "@frontmatter.count", Action: "set", Content: &value, ExpectedCount: n})
		if err != nil {
			b.Fatal(err)
		}
	}
}
