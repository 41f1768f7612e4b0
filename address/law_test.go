package address

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/anchors"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

func parse(t testing.TB, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestLawsOnFixtures checks every law on the documents that are made for tests.
func TestLawsOnFixtures(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, f := range testkit.Fixtures() {
		t.Run(f.Name, func(t *testing.T) {
			checkLaws(t, parse(t, string(f.Source)), 1)
			checkLaws(t, parseOwn(t, string(f.Source), markdown.GitHub), 1)
		})
	}
	for _, src := range lawSeeds {
		checkLaws(t, parse(t, src), 1)
		checkLaws(t, parseOwn(t, src, markdown.GitHub), 1)
	}
}

// TestLawsOnCorpus checks them on real documents; in long ones, on a part of the
// headings.
func TestLawsOnCorpus(t *testing.T) {
	headings, without := 0, 0
	for _, f := range testkit.CorpusFiles(t) {
		t.Run(f.Name, func(t *testing.T) {
			doc := parse(t, string(f.Data))
			n := max(1, len(doc.Sections)/8)
			checkLaws(t, doc, n)
			own := parseOwn(t, string(f.Data), markdown.GitHub)
			checkLaws(t, own, max(1, len(own.Sections)/8))
			for i := 0; i < len(doc.Sections); i += n {
				headings++
				if Path(doc, i) == "" {
					without++
				}
			}
		})
	}
	// A law about what is printed would hold if nothing were.
	if without*100 > headings {
		t.Errorf("%d of %d headings have no path", without, headings)
	}
}

// checkLaws checks what holds for every document, on each n-th node.
func checkLaws(t *testing.T, doc *markdown.Document, n int) {
	t.Helper()
	named := Anchors(doc)
	for i := 0; i < len(doc.Sections); i += n {
		node := NodeOfSection(i)
		checkAddress(t, doc, "SelectorOf", SelectorOf(doc, node), node)
		checkAddress(t, doc, "AddressOf", AddressOf(doc, node), node)
		checkAddress(t, doc, "line", fmt.Sprintf("L%d", node.Lines(doc).First), node)
		if named[i] != "" {
			checkAddress(t, doc, "Anchors", named[i], node)
		}
		if path := Path(doc, i); path != "" {
			if r := checkAddress(t, doc, "Path", path, node); r != nil && r.ByPosition {
				t.Errorf("path %q is a position", path)
			}
		}
		checkOwnText(t, doc, i)
	}
	for b := 0; b < len(doc.Blocks); b += 1 + len(doc.Blocks)*(n-1)/100 {
		node := NodeOfBlock(doc, b)
		if s := SelectorOf(doc, node); s != "" {
			checkAddress(t, doc, "SelectorOf", s, node)
		}
	}
	checkSource(t, doc, n)
}

// checkAddress checks that an address that was printed leads back.
func checkAddress(t *testing.T, doc *markdown.Document, by, addr string, want Node) *Resolution {
	t.Helper()
	r, err := Resolve(doc, addr)
	if err != nil {
		t.Errorf("%s printed %q: %v\n%.300q", by, addr, err, doc.Source)
		return nil
	}
	if r.Node != want || r.Span(doc) != want.Span(doc) || r.Lines(doc) != want.Lines(doc) {
		t.Errorf("%s printed %q, which is %+v instead of %+v\n%.300q", by, addr, r.Node, want, doc.Source)
	}
	if r.Selector != SelectorOf(doc, want) {
		t.Errorf("%q: selector %q", addr, r.Selector)
	}
	return r
}

// checkOwnText checks that the text of section i leads to it or is ambiguous.
func checkOwnText(t *testing.T, doc *markdown.Document, i int) {
	t.Helper()
	text := HeadingOf(doc, i)
	checkLeads(t, doc, text, i)
	if alone := string(anchors.HeadingText(doc, int(doc.Sections[i].Heading))); alone != "" && shapeOf(oneLine(alone)) == textShape && !marksFirst(alone) {
		if strings.TrimSpace(alone) != "" {
			checkLeads(t, doc, alone, i)
		}
	}
}

func checkLeads(t *testing.T, doc *markdown.Document, text string, i int) {
	t.Helper()
	r, err := Resolve(doc, text)
	if err == nil {
		if r.Node != NodeOfSection(i) || r.Tier != TierExact {
			t.Errorf("own text %q of section %d: %+v\n%.300q", text, i, r, doc.Source)
		}
		return
	}
	var e *Error
	if !errors.As(err, &e) || e.Code != AmbiguousHeading {
		t.Errorf("own text %q: %v\n%.300q", text, err, doc.Source)
		return
	}
	checkError(t, doc, e)
}

// checkError checks what holds for every error.
func checkError(t *testing.T, doc *markdown.Document, e *Error) {
	t.Helper()
	text := e.Error()
	if len(text) >= 1024 || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n\x00") {
		t.Errorf("%d bytes of error: %q", len(text), text)
	}
	if len(e.Candidates) > maxCandidates || e.Code == AmbiguousHeading && (e.Total < 2 || len(e.Candidates) < 2) {
		t.Errorf("%d candidates of %d: %v", len(e.Candidates), e.Total, e)
	}
	for _, c := range e.Candidates {
		r, err := Resolve(doc, c.Address)
		switch {
		case err != nil:
			t.Errorf("candidate %q of %v: %v\n%.300q", c.Address, e, err, doc.Source)
		case r.Selector != c.Selector || r.Lines(doc) != markdown.Lines{First: c.StartLine, Last: c.EndLine}:
			t.Errorf("candidate %+v is %+v", c, r)
		}
	}
}

// checkSource checks that looking at the source instead of the title leaves
// nothing out.
func checkSource(t *testing.T, doc *markdown.Document, n int) {
	t.Helper()
	for i := 0; i < len(doc.Sections); i += n {
		b := int(doc.Sections[i].Heading)
		source, title := anchors.HeadingText(doc, b), doc.Title(b)
		stripped := runes.AppendStripped(nil, title)
		folded := runes.AppendFolded(nil, stripped)
		if plain, ok := runes.AppendPlain(nil, source); ok && (string(source) != title || !bytes.Equal(plain, folded)) {
			t.Errorf("source %q, title %q", source, title)
		}
		if !runes.MayHold(source, folded) {
			t.Errorf("source %q may not hold %q", source, folded)
		}
	}
}

// lawSeeds are documents that are hard to address, for the fuzzers to start from.
var lawSeeds = []string{
	"", "\n", "\uFEFF# a\n", "text\n", "---\na: b\n---\n", "---\na: b\n---\n\ntext\n# a\n",
	"# a\n## a\n# a\n## a\n", "#\n##\n##\n", "# \u00A0\n", "a\nb\n===\n", "# a > b\n## c > d\n", "# a \\> b\n# a > b\n", "# `a \\> b`\n",
	"# h2.1\n# L3\n# #a\n# @document\n# h1.0/code.0\n", "# # a\n## ## a\n", "# a ##\n# a \\#\n# a #b\n",
	"# a {#b}\n# a\n", "# {#b}\n", "# **a**\n# a\n# `a`\n", "# a-1\n# a\n# a\n", "# !\n# !\n# !-1\n", "# café\n# cafe\u0301\n",
	"> # a\n> b\n> ## c\n\n# a\n", "- # a\n  b\n\n  # c\n- # d\n", "[^a]: # b\n\n    c\n\nd[^a]\n", "# &gt; a\n", "# > a\n## a >\n### >\n",
	"# 見出し\n## 見出し 2\n", "# 🎉 a\n", "# a\tb\n", "# a\x00b\n", "# \xFF\n# \xFE\n", "# a\r# b\r\n# c\n", "| a |\n|---|\n| b |\n\n***\n\n[x]: y\n",
	"# a  b\n# a b\n", "# A\n# a\n", "# <b>a</b>\n", "# [a](b > c)\n", "   # a\n", "# ######\n", "a ##\n---\n", "# h2.0\n## x\n", "# ?\n# #\n# -1\n# \n",
	"# K\n# \u212A\n# k\n", "# \u202Ea\n", "# " + strings.Repeat("long ", 80) + "\n", "# İstanbul\n# straße\n# STRASSE\n",
	"**A**\n\n**A**\n\n# A\n\n== A ==\n> **A**\n\n**`A` > B**\n\n**A {#a}**\n\n[a]\n",
	"# a\n\n- b\n\n  ```\n  c\n  ```\n  > d\n  > - e\n\n<div>\n\n    f\n",
}

// FuzzResolve checks the laws on any document, and that any query either leads to
// one node or is an error that helps.
func FuzzResolve(f *testing.F) {
	for i, src := range lawSeeds {
		f.Add(src, hardQueries[i%len(hardQueries)].query, 0)
	}
	for _, q := range hardQueries {
		f.Add("# a\n## a b\n", q.query, 1)
	}
	f.Fuzz(func(t *testing.T, src, query string, occurrence int) {
		doc := parse(t, src)
		if len(doc.Sections) < 50 && len(doc.Blocks) < 200 {
			checkLaws(t, doc, 1)
		}
		if own := parseOwn(t, src, markdown.GitHub); len(own.Sections) < 50 && len(own.Blocks) < 200 {
			checkLaws(t, own, 1)
		}
		r, err := ResolveNth(doc, query, occurrence)
		if err == nil {
			span := r.Span(doc)
			if span.Start < 0 || span.End < span.Start || span.End > len(src) {
				t.Fatalf("%q: span %v", query, span)
			}
			if r.Selector != "" {
				checkAddress(t, doc, "Resolve", r.Selector, r.Node)
			}
			again, err := ResolveNth(doc, query, occurrence)
			if err != nil || !reflect.DeepEqual(r, again) {
				t.Fatalf("%q: %+v, then %+v", query, r, again)
			}
			return
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		checkError(t, doc, e)
	})
}

// FuzzSelector checks that a selector survives being printed, and that errors
// point into it.
func FuzzSelector(f *testing.F) {
	for _, c := range goodSelectors {
		f.Add(c.in)
	}
	for _, c := range badSelectors {
		f.Add(c.in)
	}
	doc := parse(f, lawSeeds[len(lawSeeds)-1]+"\n# b\n## c\n")
	f.Fuzz(func(t *testing.T, in string) {
		s, err := ParseSelector(in)
		if err != nil {
			var e *SelectorError
			if !errors.As(err, &e) || e.Position < 0 || e.Position > len(in) || e.Message == "" || e.Selector != in {
				t.Fatalf("%q: %#v", in, err)
			}
			return
		}
		again, err := ParseSelector(s.String())
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Fatalf("%q: %+v, printed %q: %+v, %v", in, s, s.String(), again, err)
		}
		matches, err := Select(doc, s)
		if err != nil {
			for _, suggestion := range Suggest(doc, s) {
				one, err := ParseSelector(suggestion)
				if err != nil || one.Namespace != s.Namespace {
					t.Fatalf("%q: suggestion %q: %v", in, suggestion, err)
				}
				if m, err := Select(doc, one); err != nil || len(m) != 1 {
					t.Fatalf("%q: suggestion %q: %v, %v", in, suggestion, m, err)
				}
			}
			return
		}
		for _, m := range matches[:min(len(matches), 50)] {
			one, err := ParseSelector(m.Selector)
			if err != nil {
				t.Fatalf("%q: match %q: %v", in, m.Selector, err)
			}
			if got, err := Select(doc, one); err != nil || len(got) != 1 || got[0] != m {
				t.Fatalf("%q: match %+v: %v, %v", in, m, got, err)
			}
		}
	})
}
