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
		{"prefix", "planning doc", false},
		{"substring", "ning docum", false},
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

// BenchmarkResolveParts compares addresses of parts with those of the headings above them, in a
// document as long as that of BenchmarkResolve.
func BenchmarkResolveParts(b *testing.B) {
	src := "---\ntitle: T\ntags: [a, b]\n---\n\n" + string(testkit.LargeFixture().Source) +
		"\n## Parts here\n\n- [ ] one\n- [x] two\n\n| Name | Price |\n| --- | --- |\n| Apple | 1 |\n\n```rust\nx\n```\n\nSee [the pear](#pear).\n\n[lab]: /url\n"
	doc := parse(b, src)
	for _, bench := range []struct{ name, addr string }{
		{"heading", "## Parts here"},
		{"title", "Parts here"},
		{"code", "Parts here/code[rust]"},
		{"task", `Parts here/task["one"]`},
		{"done", "Parts here/task[done]"},
		{"row", "Parts here/table.0[1]"},
		{"column", `Parts here/table.0["Price"]`},
		{"cell", `Parts here/table.0["Apple", "Price"]`},
		{"link", `Parts here/link["the pear"]`},
		{"definition", `Parts here/def["lab"]`},
		{"key", "@frontmatter.tags.0"},
		{"everywhere", `task["one"]`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resolve(doc, bench.addr); err != nil {
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
