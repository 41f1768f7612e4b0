package markdown

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

// The corpus is an archive of real documents. Tests and benchmarks read it once
// and share it: unpacking takes longer than parsing all of it.

// corpusFile is a Markdown document of the corpus. Its data must not be changed.
type corpusFile struct {
	name string // its path in the archive
	data []byte
}

var corpusCache struct {
	once  sync.Once
	files []corpusFile
	err   error
}

// corpusFiles returns the Markdown documents of the corpus in the order of the
// archive, and skips the test where there is no corpus.
func corpusFiles(t testing.TB) []corpusFile {
	t.Helper()
	archive := filepath.Join(corpusDir(t), "docs.tar.gz")
	c := &corpusCache
	c.once.Do(func() { c.files, c.err = readCorpus(archive) })
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.files
}

// readCorpus reads the Markdown documents in an archive.
func readCorpus(archive string) ([]corpusFile, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var files []corpusFile
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
		files = append(files, corpusFile{h.Name, data})
	}
}
