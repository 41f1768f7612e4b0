package editing

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/journal"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/testkit"
)

// BenchmarkJournal measures an edit of a document of 2,400 lines without a journal and with
// one. Run it with temporary files in memory, where syncs cost nothing.
func BenchmarkJournal(b *testing.B) {
	for _, tt := range []struct {
		name string
		j    *journal.Journal
	}{{"without", nil}, {"with", journal.New(journal.Options{Dir: filepath.Join(b.TempDir(), "journal")})}} {
		b.Run(tt.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "a.md")
			if err := os.WriteFile(path, append(testkit.LargeFixture().Source, "\n# Counted 0\n"...), 0o600); err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				old, now := fmt.Sprintf("# Counted %d\n", n), fmt.Sprintf("# Counted %d\n", n+1)
				n++
				_, err := EditFile(tt.j.In(b.Context()), documents.Set{Paths: []string{path}}, EditFileRequest{Edit: sent.Edit{OldString: &old, NewString: &now}})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
