package markdown

import (
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// TestHostile parses every hostile input, at a tenth of its size or with SECTILE_LONG
// all of it, and looks at the blocks: that the parse ends, and that the laws hold, is
// the test; how long it takes is for BenchmarkHostile.
func TestHostile(t *testing.T) {
	for _, in := range testkit.HostileInputs() {
		t.Run(in.Name, func(t *testing.T) {
			size := in.Size
			if !testkit.Long() {
				size = testkit.Some(in.Size/20, 5)
			}
			src := in.Make(size)
			if len(src) < size*8/10 || len(src) > size*13/10 {
				t.Errorf("%d bytes, want about %d", len(src), size)
			}
			checkLaws(t, mustParse(t, string(src), Options{}))
		})
	}
}

// BenchmarkHostile reports how much longer twice the input takes, its links included: 2 is linear.
// Each is measured several times, in turns, and the fastest counts, for what
// disturbs a measurement only adds to it.
func BenchmarkHostile(b *testing.B) {
	for _, in := range testkit.HostileInputs() {
		b.Run(in.Name, func(b *testing.B) {
			size := max(in.Size/2, 500_000)
			once, twice := in.Make(size), in.Make(2*size)
			b.SetBytes(int64(len(once) + len(twice)))
			fastest := [2]time.Duration{time.Hour, time.Hour}
			var p Parser
			n := 0
			for b.Loop() {
				for i, src := range [][]byte{once, twice} {
					start := time.Now()
					doc, err := p.Parse(src)
					if err != nil {
						b.Fatal(err)
					}
					doc.Links()
					if n > 0 { // the first run finds out how much memory is needed
						fastest[i] = min(fastest[i], time.Since(start))
					}
				}
				n++
			}
			ratio := float64(fastest[1]) / float64(fastest[0]) * float64(2*len(once)) / float64(len(twice))
			b.ReportMetric(ratio, "t(2n)/t(n)")
		})
	}
}
