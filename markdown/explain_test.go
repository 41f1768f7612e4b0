package markdown

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"
)

// An explanation is a reason for which goldmark differs from us, with a test for it.
// Rewrites (rewrite_test.go) explain themselves. The others look at the first
// difference: they say what goldmark is known to do there, and how the
// comparison goes on without it.

// verdict is what is to be said about a source.
type verdict struct {
	classes     []string // of the differences that are explained
	unexplained string   // the difference that isn't, shown
}

// explanation recognises a difference by the first place where the trees part.
type explanation struct {
	name string
	// example is a smallest document of the class; the docs show it.
	example string
	// match reports whether the difference belongs to the class.
	match func(x *difference) bool
	// rest is the dialect in which to compare on, for what has to do with an
	// extension. Without it the comparison ends here, for a block that is taken
	// for another one changes all that follows.
	rest func(l dialect) dialect
	// shared says that rsc.io/markdown has the same view as goldmark; else it
	// is a second opinion, which must not be against us.
	shared bool
}

func withoutTables(l dialect) dialect    { return dialect{footnotes: l.footnotes} }
func withoutFootnotes(l dialect) dialect { return dialect{tables: l.tables} }

// judge compares goldmark with us on src, which has no front matter.
func judge(src []byte) (v verdict) {
	l := dialect{tables: true, footnotes: true}
	x := compareGoldmark(src, l)
	if x == nil {
		return v
	}
	src = v.rewrite(src, l)
	for {
		if x = compareGoldmark(src, l); x == nil {
			return v
		}
		c := explain(x)
		if c == nil {
			v.unexplained = fmt.Sprintf("no class, behind %v: %q\n%v", v.classes, src, x)
			return v
		}
		v.classes = append(v.classes, c.name)
		if !c.shared && againstUs(x) {
			v.unexplained = fmt.Sprintf("rsc.io/markdown agrees, behind %v: %q\n%v", v.classes, src, x)
			return v
		}
		if c.rest == nil || c.rest(l) == l {
			return v
		}
		l = c.rest(l)
	}
}

// rewrite applies the rewrites that change goldmark's mind and not ours.
func (v *verdict) rewrite(src []byte, l dialect) []byte {
	for _, r := range rewrites {
		to := r.apply(src)
		if bytes.Equal(src, to) {
			continue
		}
		before, after := shapesOf(src, l), shapesOf(to, l)
		if !sameTree(before, after) {
			continue
		}
		theirsBefore, ok1 := goldmarkShapes(src, l)
		theirsAfter, ok2 := goldmarkShapes(to, l)
		if ok1 != ok2 || !sameTree(theirsBefore, theirsAfter) {
			v.classes = append(v.classes, r.class)
		}
		src = to
	}
	return src
}

func shapesOf(src []byte, l dialect) []shape {
	d, err := (&Parser{Options: l.options()}).Parse(src)
	if err != nil {
		panic(err)
	}
	return ourShapes(d)
}

// sameTree compares trees without lines.
func sameTree(a, b []shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		x.line, y.line = 0, 0
		if x != y {
			return false
		}
	}
	return true
}

// againstUs reports whether goldmark and rsc.io/markdown have the same tree and
// we another one, as far as the latter tells and without footnotes.
func againstUs(x *difference) bool {
	l := dialect{tables: x.dialect.tables}
	if !l.tables {
		return false // rsc.io/markdown was asked before, with tables
	}
	for _, s := range x.ours {
		if s.kind == FootnoteDefinition {
			return false // it knows none
		}
	}
	theirs, ok := goldmarkShapes(x.src, l)
	second, ok2 := rscShapes(x.src)
	ours := asRSC(shapesOf(x.src, l))
	return ok && ok2 && firstDifference(asRSC(theirs), second) < 0 && firstDifference(ours, second) >= 0
}

func explain(x *difference) *explanation {
	for i := range explanations {
		if explanations[i].match(x) {
			return &explanations[i]
		}
	}
	return nil
}

// lineOf returns line n of the source, without its line ending.
func (x *difference) lineOf(n int) []byte {
	starts := plainLines(x.src)
	if n < 1 || n >= len(starts) {
		return nil
	}
	return bytes.TrimRight(x.src[starts[n-1]:starts[n]], "\r\n")
}

// firstLine returns the line at which the difference is.
func (x *difference) firstLine() int {
	o, t := x.our(x.at).line, x.their(x.at).line
	if o == 0 || t != 0 && t < o {
		return t
	}
	return o
}

// TestExplanations finds each class by its example, and in the docs.
func TestExplanations(t *testing.T) {
	docs, err := os.ReadFile("../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, example string) {
		if v := judge([]byte(example)); v.unexplained != "" || !slices.Contains(v.classes, name) {
			t.Errorf("%s: %q is of %v\n%s", name, example, v.classes, v.unexplained)
		}
		if !bytes.Contains(docs, []byte("| "+name+" |")) {
			t.Errorf("docs/conformance.md has no row for %q", name)
		}
	}
	for _, e := range explanations {
		if e.example != "" { // goldmark panics on nothing that we know
			check(e.name, e.example)
		}
	}
	for _, r := range rewrites {
		check(r.class, r.example)
	}
	// The script's classes are data; that they are in the docs is checked here.
	var known []struct{ Class string }
	readJSON(t, "../dev/differential/known.json", &known)
	for _, k := range known {
		if !bytes.Contains(docs, []byte("| "+k.Class+" |")) {
			t.Errorf("docs/conformance.md has no row for %q", k.Class)
		}
	}
}
