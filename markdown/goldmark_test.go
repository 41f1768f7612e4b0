package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// goldmark is the reference that runs inside `go test`. It has faults of its own:
// each difference has to belong to a class (explain_test.go), and where it
// doesn't, or rsc.io/markdown agrees with goldmark against us, the test fails.
// docs/conformance.md has the classes with their reasons.

// difference is where goldmark and we part.
type difference struct {
	src          []byte
	dialect      dialect
	ours, theirs []shape
	at           int // the first shape that differs
	panics       bool
}

// compareGoldmark returns the difference between goldmark and us, or nil.
func compareGoldmark(src []byte, l dialect) *difference {
	d, err := (&Parser{Options: l.options()}).Parse(src)
	if err != nil {
		panic(err)
	}
	theirs, ok := goldmarkShapes(src, l)
	x := &difference{src: src, dialect: l, ours: ourShapes(d), theirs: theirs, panics: !ok}
	// What blocks are matters more than whether a list is loose, which follows.
	if x.at = firstDifference(tightened(x.ours), tightened(x.theirs)); x.at >= 0 {
		return x
	}
	if x.at = firstDifference(x.ours, x.theirs); x.at >= 0 {
		return x
	}
	return nil
}

// tightened returns the shapes without looseness.
func tightened(shapes []shape) []shape {
	out := slices.Clone(shapes)
	for i := range out {
		out[i].fact = strings.TrimSuffix(out[i].fact, " loose")
	}
	return out
}

// our returns our shape i, or none beyond the last; their likewise.
func (x *difference) our(i int) shape   { return shapeAt(x.ours, i) }
func (x *difference) their(i int) shape { return shapeAt(x.theirs, i) }

func shapeAt(shapes []shape, i int) shape {
	if i < 0 || i >= len(shapes) {
		return shape{}
	}
	return shapes[i]
}

// cutFrontMatter returns src without its front matter.
func cutFrontMatter(src []byte) []byte {
	d, err := Parse(src)
	if err != nil || d.FrontMatter() < 0 {
		return src
	}
	return src[d.LineSpan(d.Blocks[0].Lines()).End:]
}

// String shows the lines around the difference and both trees there.
func (x *difference) String() string {
	var b strings.Builder
	line := max(x.our(x.at).line, x.our(x.at-1).line, 1)
	lines := bytes.SplitAfter(x.src, []byte("\n"))
	for i := max(0, line-6); i < min(len(lines), line+3); i++ {
		fmt.Fprintf(&b, "%4d %q\n", i+1, lines[i])
	}
	for i := max(0, x.at-3); i < min(x.at+5, max(len(x.ours), len(x.theirs))); i++ {
		var o, t string
		if i < len(x.ours) {
			o = x.ours[i].String()
		}
		if i < len(x.theirs) {
			t = x.theirs[i].String()
		}
		fmt.Fprintf(&b, "  %-40s | %s\n", o, t)
	}
	return b.String()
}

// TestCorpusGoldmark compares the trees of real documents.
func TestCorpusGoldmark(t *testing.T) {
	counts := map[string]int{}
	blocks := 0
	for _, f := range testkit.CorpusFiles(t) {
		src := cutFrontMatter(f.Data)
		v := judge(src)
		if v.unexplained != "" {
			t.Errorf("%s: %s", f.Name, v.unexplained)
		}
		for _, c := range v.classes {
			counts[c]++
		}
		d, err := (&Parser{Options: Options{NoFrontMatter: true}}).Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		blocks += len(d.Blocks)
	}
	t.Logf("%d files, %d blocks, files that differ by class: %v", len(testkit.CorpusFiles(t)), blocks, counts)
}

// TestSpecificationGoldmark compares the specifications' examples and the seeds.
func TestSpecificationGoldmark(t *testing.T) {
	counts := map[string]int{}
	for _, src := range seeds(t) {
		v := judge(cutFrontMatter([]byte(src)))
		if v.unexplained != "" {
			t.Errorf("%q: %s", src, v.unexplained)
		}
		for _, c := range v.classes {
			counts[c]++
		}
	}
	var lines []string
	for c, n := range counts {
		lines = append(lines, fmt.Sprintf("%4d %s", n, c))
	}
	sort.Strings(lines)
	t.Logf("%d documents, those that differ by class:\n%s", len(seeds(t)), strings.Join(lines, "\n"))
}

// FuzzGoldmark compares the trees of anything.
func FuzzGoldmark(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if v := judge(cutFrontMatter(src)); v.unexplained != "" {
			t.Errorf("%q: %s", src, v.unexplained)
		}
	})
}
