package anchors

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestLawsOnFixtures checks what holds of every document on those that are made for tests.
func TestLawsOnFixtures(t *testing.T) {
	for _, f := range testkit.Fixtures() {
		checkLaws(t, string(f.Source))
	}
}

// TestLawsOnCorpus checks it on real ones.
func TestLawsOnCorpus(t *testing.T) {
	for _, f := range testkit.CorpusFiles(t) {
		checkLaws(t, string(f.Data))
	}
}

// FuzzHeadings checks it on any document.
func FuzzHeadings(f *testing.F) {
	for _, src := range []string{
		"# a\n## a\n# a\n## a\n", "# a {#b}\n# a\n# b\n", "# a-1\n# a\n# a\n", "# a_1\n# a\n# a\n", "# !\n# !\n# !-1\n", "# caf\u00e9\n# cafe\u0301\n",
		"> # a\n> b\n> ## c\n\n# a\n", "# &gt; a\n# a\tb\n# a\x00b\n# \xFF\n", "a\nb\n===\n", "# \u0130stanbul\n# K\n# \u212A\n", "# a ^b\n\n- c ^d\n\n^e\n", "# a%20b\n# \u00A0\n", "# a {#\xe7}\n", "# a {#b%\xe7\ufffd}\n",
		"# [a](b){ .c } d {#e}\n# **`f`{:g=\"}\"} h**{i} {}\n> *a*{.b}\n> {#c}\n> ===\n",
		"<h2>a</h2>\n\n# a\n\n> <h1 x='>'>\n> A\n\nb</h1>\n<h6/>\n",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { checkLaws(t, src) })
}

func checkLaws(t *testing.T, src string) {
	t.Helper()
	for _, name := range markdown.Dialects() {
		dialect, _ := markdown.DialectNamed(name)
		doc := parseIn(t, dialect, src)
		checkHeadings(t, doc)
		if dialect == markdown.GitHub {
			checkQueries(t, doc)
		}
	}
}

// checkHeadings checks that no heading gets an anchor that another one has, but where that can
// be, and that each survives being written.
func checkHeadings(t *testing.T, doc *markdown.Document) {
	t.Helper()
	had := map[string]bool{}
	nested := NestedOf(doc)
	for b, anchor := range Headings(doc) {
		if written := Escaped(anchor); Unescaped(written) != anchor || !utf8.ValidString(written) {
			t.Errorf("%q is %q, written and read", anchor, written)
		}
		if id, ok := OwnID(doc, b); ok && ruleOf(doc).attributes {
			if anchor != string(doc.Text(id)) {
				t.Errorf("the anchor %q isn't the heading's own", anchor)
			}
			continue
		}
		if anchor != "" && had[anchor] && !HaveTwins(doc) {
			t.Errorf("%q is there twice\n%.300q", anchor, doc.Source)
		}
		had[anchor] = true
		if nested != nil && anchor != "" && doc.Blocks[b].Parent < 0 {
			if h, ok := nested.Find(anchor); !ok || h.Block > b || Folded(string(obsidianSlug(nil, doc, h.Block))) != Folded(anchor) {
				t.Errorf("%q is %+v, %v\n%.300q", anchor, h, ok, doc.Source)
			}
		}
	}
}

// checkQueries checks that looking at the source instead of the title leaves no slug out, and,
// of some headings, that each is found by its anchor.
func checkQueries(t *testing.T, doc *markdown.Document) {
	t.Helper()
	for b := range doc.Blocks {
		if !doc.Blocks[b].HasAnchor() {
			continue
		}
		slug := gitHubSlug(nil, doc, b)
		if got, ok := newQuery(string(slug)).slug(nil, doc, b); !ok || !bytes.Equal(got, slug) {
			t.Errorf("slug of %q is %q, not %q", HeadingText(doc, b), slug, got)
		}
	}
	n := 0
	for at, anchor := range All(doc) {
		if n++; n > 30 {
			break
		}
		if found, _, ok := Find(doc, anchor); anchor != "" && (!ok || found != at) {
			t.Errorf("%q is at %v, want %v\n%.300q", anchor, found, at, doc.Source)
		}
	}
}
