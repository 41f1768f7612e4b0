package testkit

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// TestCorpusFiles reads an archive that it makes.
func TestCorpusFiles(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "docs.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"b/a.md": "# A\n", "b/a.txt": "no"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{w, z, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SECTILE_CORPUS", dir)
	files := CorpusFiles(t)
	if len(files) != 1 || files[0].Name != "b/a.md" || string(files[0].Data) != "# A\n" {
		t.Errorf("got %v", files)
	}
	if _, err := readCorpus(filepath.Join(dir, "missing")); err == nil {
		t.Error("an archive that is not there is no error")
	}
	if err := os.WriteFile(filepath.Join(dir, "broken"), []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readCorpus(filepath.Join(dir, "broken")); err == nil {
		t.Error("what is no archive is no error")
	}
}
