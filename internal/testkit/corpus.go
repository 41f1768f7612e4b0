package testkit

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Number returns a number that a pattern found.
func Number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// LargeFile writes a document of 2,500 lines in 208 sections, and returns its path.
func LargeFile(b *testing.B) string {
	b.Helper()
	text := slices.Concat(LargeFixture().Source, bytes.Repeat([]byte("One more line of text.\n"), 100))
	path := filepath.Join(b.TempDir(), "large.md")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return path
}

// Budgets are the numbers of characters that laws are tried with.
var Budgets = []int{500, 700, 1000, 2000, 5000, 10_000, 20_000}

// CorpusFile is a Markdown document of the corpus. Its data must not be changed.
type CorpusFile struct {
	Name string // its path in the archive
	Data []byte
}

// The corpus is unpacked once for all tests of a package: that takes longer than
// parsing all of it.
var corpus struct {
	once  sync.Once
	files []CorpusFile
	err   error
}

// SomeCorpusFiles returns every nth of CorpusFiles, and with SECTILE_LONG all.
func SomeCorpusFiles(t testing.TB, n int) []CorpusFile {
	t.Helper()
	all := CorpusFiles(t)
	if Long() {
		return all
	}
	var some []CorpusFile
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// CorpusDir returns the folder of reference data, which SECTILE_CORPUS names, and skips
// the test without it.
func CorpusDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SECTILE_CORPUS")
	if dir == "" {
		t.Skip("SECTILE_CORPUS is not set: it names the folder of reference data (CONTRIBUTING.md)")
	}
	return dir
}

// CorpusFiles returns the Markdown documents of the corpus in the order of the archive,
// and skips the test where there is no corpus.
func CorpusFiles(t testing.TB) []CorpusFile {
	t.Helper()
	archive := filepath.Join(CorpusDir(t), "docs.tar.gz")
	c := &corpus
	c.once.Do(func() { c.files, c.err = readCorpus(archive) })
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.files
}

// readCorpus reads the Markdown documents in an archive.
func readCorpus(archive string) ([]CorpusFile, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it is only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var files []CorpusFile
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return files, nil
		case err != nil:
			return nil, err
		case h.Typeflag != tar.TypeReg || path.Ext(h.Name) != ".md":
			continue
		}
		data := make([]byte, h.Size)
		if _, err := io.ReadFull(r, data); err != nil {
			return nil, err
		}
		files = append(files, CorpusFile{h.Name, data})
	}
}
