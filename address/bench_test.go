package address

import (
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// The limit is 50 µs for an address in a document of about 2,500 lines; the large
// fixture has 2,400 and 208 sections.

func BenchmarkResolve(b *testing.B) {
	doc := parse(b, string(testkit.LargeFixture().Source))
	last := len(doc.Sections) - 2
	for _, bench := range []struct {
		name, addr string
		fails      bool
	}{
		{"exact", HeadingOf(doc, last), false},
		{"stripped", doc.SectionTitle(193), false},
		{"prefix", "planning doc", true},
		{"substring", "ning docum", true},
		{"selector", "h3.60", false},
		{"block", "h3.60/para.0", false},
		{"anchor", Anchors(doc)[last], false},
		{"path", Path(doc, last), false},
		{"line", "L2300", false},
		{"ambiguous", "Open Questions", true},
		{"miss", "Nothing that is there", true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resolve(doc, bench.addr); err != nil != bench.fails {
					b.Fatal(bench.addr, err)
				}
			}
		})
	}
}

func BenchmarkAnchors(b *testing.B) {
	doc := parse(b, string(testkit.LargeFixture().Source))
	for b.Loop() {
		Anchors(doc)
	}
}

func BenchmarkParseSelector(b *testing.B) {
	for b.Loop() {
		if _, err := ParseSelector("readme::h2.1,3-5/code.0?full=true"); err != nil {
			b.Fatal(err)
		}
	}
}
