package markdown

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// readInlines parses and reads the inline content of all blocks.
func readInlines(files []testkit.CorpusFile) (nodes int) {
	var (
		p  Parser
		in Inlines
	)
	for _, f := range files {
		d, err := p.Parse(f.Data)
		if err != nil {
			continue
		}
		for b := range d.Blocks {
			switch d.Blocks[b].Kind {
			case Paragraph, Heading, TableCell:
				in.Read(d, b)
				nodes += len(in.Nodes)
			}
		}
	}
	return nodes
}

func BenchmarkCorpusInlines(b *testing.B) {
	files := testkit.CorpusFiles(b)
	b.SetBytes(sizeOf(files))
	b.ReportAllocs()
	for b.Loop() {
		readInlines(files)
	}
}
