//go:build unix

package planstore

import (
	"crypto/sha1"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkProof examines a repository with 100,000 objects that aren't packed: at the
// first command of a store, and at each later one.
func BenchmarkProof(b *testing.B) {
	dir := newGit(b)
	objects := filepath.Join(dir, ".git", "objects")
	for i := range 256 {
		if err := os.MkdirAll(filepath.Join(objects, fmt.Sprintf("%02x", i)), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 100_000 {
		name := fmt.Sprintf("%x", sha1.Sum([]byte{byte(i), byte(i >> 8), byte(i >> 16)}))
		if err := os.WriteFile(filepath.Join(objects, name[:2], name[2:]), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	time.Sleep(settled) // as a repository that nobody has just made
	prove := func(s *gitStore) {
		if _, err := s.place(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			prove(gitStoreIn(b, dir).(*gitStore))
		}
	})
	b.Run("later", func(b *testing.B) {
		s := gitStoreIn(b, dir).(*gitStore)
		prove(s)
		for b.Loop() {
			prove(s)
		}
	})
}

// TestExaminedAgain has a folder get a link after it was examined.
func TestExaminedAgain(t *testing.T) {
	t.Parallel()
	dir := newGit(t)
	s := gitStoreIn(t, dir).(*gitStore)
	objects := filepath.Join(dir, ".git", "objects")
	for _, folder := range []string{objects, filepath.Join(objects, "pack")} {
		time.Sleep(settled + 100*time.Millisecond)
		for range 2 {
			if _, err := s.place(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		info, err := os.Lstat(folder)
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(folder, "x")
		if err := os.Symlink(t.TempDir(), link); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(folder, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		_, err = s.place(t.Context())
		wantType(t, err, TypeUntrusted)
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
}
