package markdown

import (
	"bytes"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/sectile/sectile/internal/testkit"
)

// Speed over the corpus, on one core:
//
//	SECTILE_CORPUS=… go test ./markdown -run '^$' -bench Corpus -cpu 1
//
// Figures of different machines, or of different hours on one, can't be compared;
// ratios within a run can. BenchmarkCorpusRatios measures all candidates in turns
// and reports them.

// candidate is something that goes over documents.
type candidate struct {
	name string
	pass func(files []testkit.CorpusFile)
}

func candidates() []candidate {
	var p Parser
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	// goldmark has no way to leave inline content alone but to have nobody who
	// parses it.
	blocks := goldmarkparser.NewParser(
		goldmarkparser.WithBlockParsers(goldmarkparser.DefaultBlockParsers()...),
		goldmarkparser.WithParagraphTransformers(goldmarkparser.DefaultParagraphTransformers()...),
	)
	goldmarkPass := func(m goldmarkparser.Parser) func(files []testkit.CorpusFile) {
		return func(files []testkit.CorpusFile) {
			for _, f := range files {
				m.Parse(text.NewReader(f.Data))
			}
		}
	}
	return []candidate{
		{"newlines", countNewlines},
		{"ours", func(files []testkit.CorpusFile) {
			for _, f := range files {
				_, _ = p.Parse(f.Data)
			}
		}},
		{"ours-kept", func(files []testkit.CorpusFile) {
			for _, f := range files {
				kept, _ = Parse(f.Data)
			}
		}},
		{"goldmark-gfm", goldmarkPass(gfm)},
		{"goldmark-blocks", goldmarkPass(blocks)},
	}
}

var (
	kept     *Document
	newlines int
)

// countNewlines is the least that anything that knows lines must do.
func countNewlines(files []testkit.CorpusFile) {
	for _, f := range files {
		for data := f.Data; ; newlines++ {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				break
			}
			data = data[i+1:]
		}
	}
}

func sizeOf(files []testkit.CorpusFile) (n int64) {
	for _, f := range files {
		n += int64(len(f.Data))
	}
	return n
}

func BenchmarkCorpus(b *testing.B) {
	files := testkit.CorpusFiles(b)
	for _, c := range candidates() {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(sizeOf(files))
			b.ReportAllocs()
			for b.Loop() {
				c.pass(files)
			}
		})
	}
}

// BenchmarkCorpusRatios reports how many times faster than goldmark we are, with
// its GFM extensions and without inline parsing, and how near to counting
// newlines. The fastest of several rounds counts for each: what disturbs a
// measurement only adds to it.
func BenchmarkCorpusRatios(b *testing.B) {
	files := testkit.CorpusFiles(b)
	all := candidates()
	fastest := map[string]float64{}
	for b.Loop() {
		for _, c := range all {
			start := time.Now()
			c.pass(files)
			took := time.Since(start).Seconds()
			if f, ok := fastest[c.name]; !ok || took < f {
				fastest[c.name] = took
			}
		}
	}
	mb := float64(sizeOf(files)) / 1e6
	b.ReportMetric(mb/fastest["ours"], "MB/s")
	b.ReportMetric(mb/fastest["ours-kept"], "MB/s-kept")
	b.ReportMetric(fastest["goldmark-gfm"]/fastest["ours"], "x-goldmark-gfm")
	b.ReportMetric(fastest["goldmark-blocks"]/fastest["ours"], "x-goldmark-blocks")
	b.ReportMetric(100*fastest["newlines"]/fastest["ours"], "%-of-newlines")
	b.ReportMetric(100*fastest["newlines"]/fastest["ours-kept"], "%-of-newlines-kept")
	b.ReportMetric(0, "ns/op") // a round is no figure
}
