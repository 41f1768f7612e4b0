package markdown

import (
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// readAll reads all inline content and all links of a document, with the texts of both.
func readAll(tb testing.TB, p *Parser, src []byte) {
	tb.Helper()
	d, err := p.Parse(src)
	if err != nil {
		tb.Fatal(err)
	}
	var (
		in   Inlines
		text []byte
	)
	for b := range d.Blocks {
		in.Read(d, b)
		for n := range in.Nodes {
			if node := &in.Nodes[n]; node.Start > node.End || int(node.Next) <= n || int(node.Next) > len(in.Nodes) {
				tb.Fatalf("node %d of block %d: %+v", n, b, *node)
			}
			text = in.AppendText(text[:0], n)
		}
	}
	links := d.Links()
	for i := range links {
		l := &links[i]
		for _, s := range []Span{l.Destination, l.Label, l.Title} {
			text = d.AppendLinkText(text[:0], l, s)
		}
	}
}

// TestHostileInlines reads the inline content and the links of each hostile input, at a
// fraction of its size or with SECTILE_LONG all of it. That it ends is the test: what takes
// quadratic time doesn't, within the time of a test.
func TestHostileInlines(t *testing.T) {
	testkit.OneGoroutine(t)
	p := &Parser{Options: Options{WikiLinks: true}}
	for _, in := range testkit.HostileInlines() {
		size := in.Size
		if !testkit.Long() {
			size /= 40
		}
		src := in.Make(size)
		if len(src) < size*8/10 || len(src) > size*13/10 {
			t.Errorf("%s has %d bytes, want about %d", in.Name, len(src), size)
		}
		readAll(t, p, src)
	}
}

// BenchmarkHostileInlines reports how much longer twice the input takes, as BenchmarkHostile
// does.
func BenchmarkHostileInlines(b *testing.B) {
	for _, in := range testkit.HostileInlines() {
		b.Run(in.Name, func(b *testing.B) {
			once, twice := in.Make(in.Size/4), in.Make(in.Size/2)
			b.SetBytes(int64(len(once) + len(twice)))
			fastest := [2]time.Duration{time.Hour, time.Hour}
			p := &Parser{Options: Options{WikiLinks: true}}
			for b.Loop() {
				for i, src := range [][]byte{once, twice} {
					start := time.Now()
					readAll(b, p, src)
					fastest[i] = min(fastest[i], time.Since(start))
				}
			}
			b.ReportMetric(float64(fastest[1])/float64(fastest[0])*float64(2*len(once))/float64(len(twice)), "t(2n)/t(n)")
		})
	}
}
