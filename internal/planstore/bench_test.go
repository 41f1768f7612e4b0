package planstore

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// What a person waits for: reading, reading with the changed files, and writing, in
// a small project. `go test ./internal/planstore -run '^$' -bench .`
func BenchmarkStore(b *testing.B) {
	text := plan + strings.Repeat("- [ ]: a task that is to be done\n", 100)
	for _, kind := range []Kind{JJ, Git, File} {
		var s Store
		switch kind {
		case JJ:
			dir, jj := newJJ(b)
			s = open(b, Options{Root: dir, Kind: JJ, JJ: jj})
		case Git:
			s = open(b, Options{Root: newGit(b), Kind: Git})
		default:
			dir, err := os.MkdirTemp(".", ".bench-") //nolint:usetesting // on the disk of the project, not in memory
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = os.RemoveAll(dir) })
			s = open(b, Options{Root: dir, Kind: File})
		}
		save(b, s, text)
		b.Run(string(kind)+"/load", func(b *testing.B) {
			for b.Loop() {
				load(b, s)
			}
		})
		b.Run(string(kind)+"/survey", func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.Survey(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(string(kind)+"/update", func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				if _, err := s.Update(b.Context(), func(State) (string, error) { return fmt.Sprint(text, n), nil }); err != nil {
					b.Fatal(detail(err))
				}
			}
		})
	}
}
