package sectiondiff

import (
	"bytes"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// BenchmarkCompareCorpus compares two versions of all documents of the corpus, parsed: in
// each a word of every tenth line is another one.
func BenchmarkCompareCorpus(b *testing.B) {
	var pairs []Pair
	bytesOf := int64(0)
	for _, file := range testkit.CorpusFiles(b) {
		var now []byte
		n := 0
		for line := range bytes.Lines(file.Data) {
			if n++; n%10 == 0 {
				line = bytes.Replace(line, []byte(" the "), []byte(" a "), 1)
			}
			now = append(now, line...)
		}
		pairs = append(pairs, Pair{parse(b, string(file.Data)), parse(b, string(now))})
		bytesOf += int64(len(file.Data))
	}
	b.SetBytes(bytesOf)
	for b.Loop() {
		if _, err := Compare(b.Context(), pairs); err != nil {
			b.Fatal(err)
		}
	}
}
