package comparing

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/testkit"
)

// BenchmarkCorpus compares two folders with all documents of the corpus, read and parsed anew: in
// one of them a word of every tenth line is another one.
func BenchmarkCorpus(b *testing.B) {
	dir := b.TempDir()
	size := int64(0)
	for _, file := range testkit.CorpusFiles(b) {
		var now []byte
		n := 0
		for line := range bytes.Lines(file.Data) {
			if n++; n%10 == 0 {
				line = bytes.Replace(line, []byte(" the "), []byte(" a "), 1)
			}
			now = append(now, line...)
		}
		for name, text := range map[string][]byte{"old": file.Data, "new": now} {
			path := filepath.Join(dir, name, filepath.FromSlash(file.Name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
				b.Fatal(err)
			}
		}
		size += int64(len(file.Data))
	}
	b.SetBytes(size)
	for b.Loop() {
		r, err := Compare(b.Context(), documents.Set{}, Request{Old: filepath.Join(dir, "old"), New: filepath.Join(dir, "new"), Stat: true})
		if err != nil || !r.Differs {
			b.Fatal(err)
		}
	}
}
