package outline_test

import (
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/outline"
)

// TestFit: what fits is rendered in so many characters, and one section more is not.
func TestFit(t *testing.T) {
	sources := append([]string{"", guide, "# A\n### C \"é\\\n## B\n##### E\n### C\n# Z\n"}, fuzzSeeds...)
	for _, f := range testkit.Fixtures() {
		sources = append(sources, string(f.Source))
	}
	note := func(_ outline.Level, shown int) int { return 30 + len(strconv.Itoa(shown)) }
	for _, src := range sources {
		doc := parse(t, src)
		for _, opts := range []outline.TreeOptions{{Safe: true}, {}, {Raw: true, Safe: true}, {Pattern: "e", Safe: true}, {MaxDepth: 2, Safe: true}} {
			tree := outline.NewTree(doc, opts)
			for _, format := range []outline.Format{outline.JSON, outline.ASCII} {
				chars := func(t *outline.Tree) int {
					if format == outline.ASCII {
						return utf8.RuneCount(t.AppendASCII(nil, "é.md"))
					}
					return utf8.RuneCount(t.AppendJSON(nil, "é.md"))
				}
				whole := chars(tree)
				for _, limit := range []int{0, 10, 70, 100, 120, 150, 200, 300, 500, whole / 3, whole / 2, whole - 40, whole - 1, whole, whole + 1} {
					level, some, ok := tree.Fit(format, "é.md", limit, utf8.RuneCount, note)
					cut := func(n int) int {
						shown := tree.UpToSome(level, n)
						return chars(shown) + note(level, shown.Len())
					}
					switch next := tree.UpTo(level+1).Len() - tree.UpTo(level).Len(); {
					case whole <= limit:
						if !ok || level != 6 || some != 0 {
							t.Errorf("%+v %s, all %d in %d: %v, %v, %v", opts, format, whole, limit, level, some, ok)
						}
					case !ok:
						if level = 0; cut(0) <= limit {
							t.Errorf("%+v %s, %d in %d: nothing fits, but %d do", opts, format, whole, limit, cut(0))
						}
					case cut(some) > limit, some < next && cut(some+1) <= limit, some >= next && next > 0, level == 6:
						t.Errorf("%+v %s, %d in %d: up to %v and %d of %d: %d, %d with one more", opts, format, whole, limit, level, some, next, cut(some), cut(some+1))
					}
				}
			}
		}
	}
}
