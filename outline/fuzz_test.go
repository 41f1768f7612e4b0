package outline_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

var fuzzSeeds = []string{
	"", "#", "# A\n## B\n#### C\n### D\n# E\n", "A\n===\nB\n---\n", "# \xff\x00\x1b\u202e\"\\\n",
	"# Größe ΣΑΣ \u212a \u017f\r## b\r\n", "###### a\n##### a\n#### a\n", "- # a\n> # b\n```\n# c\n",
	"---\na: b\n---\n# *a* `b` [c](d)\n\nx\n  y\n-\n", guide,
	"# a  b\n# C#\n# a_b_ ~~c~~ <b>d</b> &amp; \\* ![e](f) http://g.h\n# [k]\n\n[k]: l\n",
}

func FuzzJSON(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s), "a.md", false)
		f.Add([]byte(s), s, true)
	}
	f.Add(testkit.MediumFixture().Source, "medium.md", true)
	f.Fuzz(func(t *testing.T, src []byte, file string, raw bool) {
		doc, err := markdown.Parse(src)
		if err != nil {
			t.Skip()
		}
		tree := outline.NewTree(doc, outline.TreeOptions{Raw: raw})
		text := tree.AppendJSON(nil, file)
		if !json.Valid(text) || !utf8.Valid(text) || strings.ContainsFunc(string(text), func(r rune) bool { return r < ' ' || r == 0x7F }) {
			t.Fatalf("not JSON that can be printed: %q", text)
		}
		root := decode(t, text)
		if got := root.count() - 1; got != len(doc.Sections) {
			t.Fatalf("%d nodes, want %d", got, len(doc.Sections))
		}
		if root.Name != strings.ToValidUTF8(file, "\uFFFD") && root.Name != eachInvalid(file) {
			t.Errorf("the root's name is %q, want %q", root.Name, file)
		}
		i := 0
		var walk func(n node)
		walk = func(n node) {
			for _, c := range *n.Children {
				e := want(doc, i, raw)
				got := outline.Entry{Section: i, Name: c.Name, StartLine: c.StartLine, EndLine: c.EndLine, Level: outline.Level(c.Level[1] - '0')}
				if diff := cmp.Diff(e, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				i++
				walk(c)
			}
		}
		walk(root)

		page, err := outline.List(doc, outline.ListOptions{Raw: raw})
		if err != nil {
			t.Fatal(err)
		}
		var back struct {
			Sections []struct{ Name string }
			Count    int
		}
		if err := json.Unmarshal(page.AppendJSON(nil), &back); err != nil || back.Count != len(doc.Sections) || len(back.Sections) != back.Count {
			t.Errorf("list: %v, %d of %d", err, len(back.Sections), back.Count)
		}
		lines := bytes.Count(tree.AppendASCII(nil, file), []byte("\n"))
		if lines != 2+len(doc.Sections) {
			t.Errorf("%d lines of ASCII for %d sections", lines, len(doc.Sections))
		}
	})
}

// want returns section i as its JSON decodes.
func want(doc *markdown.Document, i int, raw bool) outline.Entry {
	name := doc.SectionTitle(i)
	if raw {
		name = string(doc.Text(doc.Content(int(doc.Sections[i].Heading))))
	}
	l := doc.SectionLines(i)
	return outline.Entry{Section: i, Name: eachInvalid(name), StartLine: l.First, EndLine: l.Last, Level: outline.Level(doc.Sections[i].Level)}
}

// eachInvalid returns s with U+FFFD for every byte that is no UTF-8.
func eachInvalid(s string) string { return string([]rune(s)) }

func FuzzFilter(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s), "a", int8(0), false)
		f.Add([]byte(s), "K", int8(3), true)
		f.Add([]byte(s), "", int8(2), false)
	}
	f.Add(testkit.MediumFixture().Source, "search", int8(0), true)
	f.Fuzz(func(t *testing.T, src []byte, pattern string, depth int8, children bool) {
		doc, err := markdown.Parse(src)
		// U+FFFD stands for what can't be seen, and is left out of account.
		if err != nil || len(src) > 1<<14 || strings.ContainsRune(pattern, utf8.RuneError) {
			t.Skip()
		}
		opts := outline.TreeOptions{Pattern: pattern, MaxDepth: int(depth), KeepChildren: children}
		var got []naiveNode
		for n := range outline.NewTree(doc, opts).Nodes() {
			got = append(got, naiveNode{n.Section, n.Depth, n.Last})
		}
		if diff := cmp.Diff(naiveTree(doc, opts), got, cmp.AllowUnexported(naiveNode{})); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", opts, diff)
		}
		matches := 0
		for i := range doc.Sections {
			if strings.TrimSpace(pattern) == "" || naiveContains(doc.SectionTitle(i), pattern) {
				matches++
			}
		}
		page, err := outline.List(doc, outline.ListOptions{Pattern: pattern, Max: 1})
		if err != nil || page.Count != matches {
			t.Errorf("the list counts %d, %v, want %d", page.Count, err, matches)
		}
	})
}

type naiveNode struct {
	section, depth int
	last           bool
}

// naiveTree says what a tree holds in the words of the contract, for every pair
// of sections anew, from levels alone.
func naiveTree(doc *markdown.Document, opts outline.TreeOptions) []naiveNode {
	s := doc.Sections
	// above reports whether a is an ancestor of b.
	above := func(a, b int) bool {
		if a >= b || s[a].Level >= s[b].Level {
			return false
		}
		for i := a + 1; i < b; i++ {
			if s[i].Level <= s[a].Level {
				return false
			}
		}
		return true
	}
	all := strings.TrimSpace(opts.Pattern) == ""
	matched := make([]bool, len(s))
	for i := range s {
		matched[i] = all || naiveContains(doc.SectionTitle(i), opts.Pattern)
	}
	kept := make([]bool, len(s))
	for i := range s {
		for j := range s {
			if matched[j] && (i == j || above(i, j) || opts.KeepChildren && above(j, i)) {
				kept[i] = true
			}
		}
		if opts.MaxDepth > 0 && int(s[i].Level) > opts.MaxDepth {
			kept[i] = false
		}
	}
	ancestors := func(i int) (n []int) {
		for a := range i {
			if kept[a] && above(a, i) {
				n = append(n, a)
			}
		}
		return n
	}
	var nodes []naiveNode
	for i := range s {
		if !kept[i] {
			continue
		}
		n := naiveNode{i, len(ancestors(i)), true}
		for j := i + 1; j < len(s); j++ {
			if kept[j] && cmp.Equal(ancestors(i), ancestors(j)) {
				n.last = false
			}
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// naiveContains tries every part of the text, composed as the contract has it.
func naiveContains(text, pattern string) bool {
	t := []rune(norm.NFC.String(text)) // which is the same letter in one rune or in two
	pattern = norm.NFC.String(pattern)
	n := len([]rune(pattern))
	for i := 0; i+n <= len(t); i++ {
		if strings.EqualFold(string(t[i:i+n]), string([]rune(pattern))) {
			return true
		}
	}
	return false
}
