// Package corpus gives tests the real documents of the reference data, which is
// too large for the repository: see CONTRIBUTING.md. Only tests use it.
package corpus

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
)

// File is a Markdown document of the corpus. Its data must not be changed.
type File struct {
	Name string // its path in the archive
	Data []byte
}

// The corpus is unpacked once for all tests of a package: that takes longer than
// parsing all of it.
var cache struct {
	once  sync.Once
	files []File
	err   error
}

// Dir returns the folder of reference data, which SECTILE_CORPUS names, and skips
// the test without it.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SECTILE_CORPUS")
	if dir == "" {
		t.Skip("SECTILE_CORPUS is not set: it names the folder of reference data (CONTRIBUTING.md)")
	}
	return dir
}

// Files returns the Markdown documents of the corpus in the order of the archive,
// and skips the test where there is no corpus.
func Files(t testing.TB) []File {
	t.Helper()
	archive := filepath.Join(Dir(t), "docs.tar.gz")
	c := &cache
	c.once.Do(func() { c.files, c.err = read(archive) })
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.files
}

// read reads the Markdown documents in an archive.
func read(archive string) ([]File, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it is only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var files []File
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
		files = append(files, File{h.Name, data})
	}
}
