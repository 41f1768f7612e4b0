package blockcheck

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// parsed returns a document.
func parsed(t *testing.T, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// spliced returns the document that has a text in the place of another one, which must be there
// once, and the splice that makes it. An empty one stands for the end.
func spliced(t *testing.T, src, old, text string) (*markdown.Document, Splice) {
	t.Helper()
	at := len(src)
	if old != "" {
		if at = strings.Index(src, old); at < 0 || strings.Count(src, old) != 1 {
			t.Fatalf("%q is %d times in %q", old, strings.Count(src, old), src)
		}
	}
	s := Splice{markdown.Span{Start: at, End: at + len(old)}, []byte(text)}
	return parsed(t, src[:s.Start]+text+src[s.End:]), s
}

// TestCompare changes documents, and tells what becomes of the blocks beside the change.
func TestCompare(t *testing.T) {
	const doc = "---\ntitle: x\n---\n# A\n\none\n\n## B\n\ntwo\n\n- x\n- y\n\n# C\n\nthree\n"
	for _, c := range []struct {
		old, text string
		divides   bool
		first     Fate
		want      string // all that has changed, "" for nothing
	}{
		{"one", "1\n\nand more", false, 0, ""},
		{"two", "", false, 0, ""},
		{"two\n\n", "", false, 0, ""},
		{"", "\n# D\n\nlast\n", false, 0, ""},
		{"title: x", "title: y\nmore: z", false, 0, ""},
		{"---\ntitle: x\n---\n", "", false, 0, ""},
		{"title: x\n---\n", "title: x\n", false, HalfOfFront, "the front matter on lines 1-3 would be none"},
		{"one", "```\none", false, Swallowed, "the heading on line 8 would become part of the fenced code on lines 6-18; " +
			"the paragraph on line 10 would become part of the fenced code on lines 6-18; the list on lines 12-13 would become part of the fenced code on lines 6-18; " +
			"the heading on line 15 would become part of the fenced code on lines 6-18; the paragraph on line 17 would become part of the fenced code on lines 6-18"},
		{"one\n\n", "one\n", false, 0, ""},
		{"three", "three\n===", false, 0, ""},
		{"\n\n# C", "\n    # C", false, Elsewhere, "the list on lines 12-13 would go on differently, as the list on lines 12-14; the paragraph on line 17 would stand in the section that begins on line 8"},
		{"# A", "A", false, Elsewhere, "the paragraph on line 6 and the block behind it would stand in no section"},
		{"one", "### New", false, 0, ""},
		{"two", "### New", false, Elsewhere, "the list on lines 12-13 would stand in the section that begins on line 10"},
		{"two", "### New", true, 0, ""},
		{"two", "New\n---", true, Elsewhere, "the list on lines 12-13 would stand in the section that begins on line 10"},
		{"- x\n", "- x\n\n  1. z\n", false, 0, ""},
		{"- x\n- y", "* x\n* y", false, 0, ""},
		{"- x\n", "", false, 0, ""},
	} {
		was := parsed(t, doc)
		now, s := spliced(t, doc, c.old, c.text)
		got := Compare(was, now, []Splice{s}, nil, Comparison{Divides: c.divides})
		text := strings.Join(got.Changed, "; ")
		if text != c.want || got.First != c.first || got.Total != len(got.Changed) {
			t.Errorf("%q to %q, %v: %d %v %q", c.old, c.text, c.divides, got.Total, got.First, text)
		}
	}
}

// TestCompareContainers changes quotes and items.
func TestCompareContainers(t *testing.T) {
	for _, c := range []struct{ doc, old, text, want string }{
		// A line without a mark goes on with the paragraph of a quote or item, or is none of it any more.
		{"# A\n\n> x\nS1\n===\n# B\n", "> x", "> #", "the block quote on lines 3-5 would end before the heading on lines 4-5"},
		{"# A\n\n> x\nS1\n===\n# B\n", "> x", "> <!--", "the block quote on lines 3-5 would end before the heading on lines 4-5"},
		{"# A\n\n> x\nS1\n===\n# B\n", "> x", "> y", ""},
		{"# A\n\n> x\nS1\n===\n# B\n", "> x\nS1\n===", "> #\nS1\n===", "the block quote on lines 3-5 would end before the heading on lines 4-5"},
		{"# A\n\n> x\nS1\n===\n# B\n", "> x\nS1\n===", "## C\n\ntext", ""},
		{"- i\n\n  x\nS\n===\n\ntext\n", "  x", "  ```", "the paragraph on line 7 would stand in the section that begins on line 4; the list on lines 1-5 would end before the heading on lines 4-5"},
		{"text\n\n> x\n\n# B\n", "> x", "> y\n> ===", ""},
		// What stands behind a text in a quote or list stays in there.
		{"> ```\n> a\n> b\n> ```\n", "> a", "> a\nc", "the block quote on lines 1-4 would end on line 2"},
		{"> ```\n> a\n> b\n> ```\n", "> a", "> a\n> c", ""},
		{"> ```\n> a\n> b\n> ```\n", "a\n> b\n> ```", "a\nc", ""},
		{"> ```\n> a\n> ```\n", "> a", "> a\n\n> ", "the block quote on lines 1-3 would end on line 2"},
		{"> one, two and three\n", ", ", "\n\n", "the block quote on line 1 would end on line 1"},
		{"> one, two and three\n", ", ", "\n", ""},
		{"> one\n", "> one", "> one\n\n> two", ""},
		{"- x\n\n  ```\n  a\n  b\n  ```\n", "  a\n", "  a\nc\n", "the list on lines 1-6 would end on line 4"},
		{"- one, two\n- three\n", ", ", "\n- ", ""},
		{"- ```\n  make\n  all\n  ```\n- b\n", "make", "make\n- x", "the item on lines 1-4 would end on line 2"},
		{"- ```\n  make\n  all\n  ```\n- b\n", "make", "make\n  ```\n- ```", ""},
		{"- ```\n  make\n  <div>\n  ```\n- b\n", "make", "make\n- x", "the item on lines 1-4 would end on line 2"},
		{"- a\n  ```\n  one\n\n        deep\n  two\n  ```\n- b\n", "one", "one\n- x", "the item on lines 1-7 would end on line 3"},
		{"- run\n\n      one\n      two\n- b\n", "      two", "- two", ""},
		{"- ```\n  make\n  all\n  ```\n- b\n", "make\n  all\n", "make\n  ```\n- all\n  ```\n", ""},
		{"- > ```\n  > a\n  > b\n  > ```\n", "> a\n", "> a\n  c\n", "the block quote on lines 1-4 would end on line 2"},
		{"> <div\n>   class\n> >\n", "class", "class\n  id", "the block quote on lines 1-3 would end on line 2"},
		{"> x\n>\n", "x", "x\n\ny", ""},
		{"- see\n\n      $ a\n      >>>\n", "$ a", "$ b\n$ a", "the list on lines 1-4 would end on line 3"},
		{"> one two\n", "one ", "one\n\nx ", "the block quote on line 1 would end on line 1"},
		{"> > a\n> > b\n", "> > a\n> > b", "> a\n> b", ""},
		{"> - run\n>\n>       make\n>       vet\n>\n> x\n", "      make", "go\n      make", "the list on lines 1-4 would end on line 1"},
		{"> > ```\n> > make\n> > vet\n> > ```\n>\n> x\n", "> make", "make", "the block quote on lines 1-4 would end on line 1"},
		{"> ```\n> make\n> vet\n> ```\n", "make\n> vet\n> ```\n", "make\nall\n> vet\n> ```\n", "the block quote on lines 1-4 would end on line 2"},
		{"> ```\n> make\n> vet\n> ```\n", "> ```\n> make\n> vet\n> ```\n", "> ```\n> make\n> ```\n\n> ```\n> vet\n> ```\n", ""},
		{"> one\n> two\n> three\n", "> two\n> three", "> two\n\n> three", ""},
		{"- run\n\n  ```\n  old\n  next\n\n  more\n  ```\n", "  old", "-   x", "the item on lines 1-8 would end on line 3"},
		// A box stays with the item that has it.
		{"- [x] a\n\n  b\n", "[x]", "new\n\n  [x]", ""},
		{"- [ ] a\n\n  b\n", "[ ] a\n\n  ", "", ""},
		// How far code is indented comes of what stands before it.
		{"- a\n\n    ```\n    x\n    ```\n", "a\n\n    ", "", "the fenced code on lines 3-5 would have other blanks before its lines"},
		{"- a\n\n    > ```\n    > x\n    > ```\n", "a\n\n    ", "", ""},
		{"- a\n\n  ```\n  x\n  ```\n", "a\n\n  ", "", ""},
		{"- a\n\n    <p>\n    x\n", "a\n\n    ", "", ""},
		{"-  a\n\n     ```\n     x\n     ```\n", "-  a", "- a", ""},
	} {
		now, s := spliced(t, c.doc, c.old, c.text)
		if text := strings.Join(Compare(parsed(t, c.doc), now, []Splice{s}, nil, Comparison{}).Changed, "; "); text != c.want {
			t.Errorf("%q, %q to %q: %q, want %q", c.doc, c.old, c.text, text, c.want)
		}
	}
	for doc, want := range map[string]string{
		"- [x] a\n": "the paragraph on line 1 would have another box, or none",
		"- a\n":     "",
	} { // a paragraph before the first one
		at := len("- ")
		s := Splice{markdown.Span{Start: at, End: at}, []byte("new\n\n  ")}
		got := Compare(parsed(t, doc), parsed(t, doc[:at]+string(s.Text)+doc[at:]), []Splice{s}, nil, Comparison{})
		if text := strings.Join(got.Changed, "; "); text != want {
			t.Errorf("%q: %q, want %q", doc, text, want)
		}
	}
	for _, c := range []struct{ doc, old, text, want string }{ // in all places
		{"> ```\n> make\n> vet\n> ```\n>\n> make", "make", "go\nmake", "the block quote on lines 1-6 would end on line 2"},
		{"> ```\n> make\n> vet\n> ```\n>\n> make", "make", "go\n> make", ""},
		{"> a\n> a\n", "a", "b", ""},
		{"- a, b\n- c, d\n", ", ", "\n- ", ""},
	} {
		splices := everywhere(c.doc, c.old, c.text)
		now := parsed(t, strings.ReplaceAll(c.doc, c.old, c.text))
		if text := strings.Join(Compare(parsed(t, c.doc), now, splices, nil, Comparison{}).Changed, "; "); text != c.want {
			t.Errorf("%q, all %q to %q: %q, want %q", c.doc, c.old, c.text, text, c.want)
		}
	}
	gone := Splice{markdown.Span{Start: 2, End: 7}, nil}
	if got := Compare(parsed(t, "- a\n\n  [x] b\n"), parsed(t, "- [x] b\n"), []Splice{gone}, nil, Comparison{}); got.Total != 1 {
		t.Errorf("an item that becomes a task: %q", got.Changed)
	}
}

// everywhere returns the splices that put a text in all places of another one.
func everywhere(doc, old, text string) (splices []Splice) {
	for at := 0; ; {
		i := strings.Index(doc[at:], old)
		if i < 0 {
			return splices
		}
		splices = append(splices, Splice{markdown.Span{Start: at + i, End: at + i + len(old)}, []byte(text)})
		at += i + len(old)
	}
}

// TestCompareManyMarks changes documents of marks of quotes in many places, or far within. What takes time by the
// square of their length takes hours here.
func TestCompareManyMarks(t *testing.T) {
	const many = 200_000
	for _, c := range []struct{ doc, old, text string }{
		{"```\n" + strings.Repeat(">\t", many) + "x\n```\n", "\t", " "},
		{"x" + strings.Repeat(">,", many) + "\n", ",", "."},
		{"> x" + strings.Repeat(">,", many) + "\n", ",", "."},
		{strings.Repeat("> \n> ,\n", many/8), ",", "."},
		{strings.Repeat(">", 2000) + "a X b\n" + strings.Repeat(">", 2000) + "y" + strings.Repeat(" ", many) + "\n", "X", "Y"},
	} {
		now := parsed(t, strings.ReplaceAll(c.doc, c.old, c.text))
		if got := Compare(parsed(t, c.doc), now, everywhere(c.doc, c.old, c.text), nil, Comparison{}); got.Total != 0 {
			t.Errorf("%.10q: %q", c.doc, got.Changed)
		}
	}
}

// TestSameDocument: in a document that isn't changed nothing has changed, whatever it is.
func TestSameDocument(t *testing.T) {
	for _, in := range testkit.HostileInputs() {
		doc, err := markdown.Parse(in.Make(8000))
		if err != nil {
			t.Fatal(err)
		}
		if got := Compare(doc, doc, nil, nil, Comparison{}); got.Total != 0 {
			t.Errorf("%s: %q", in.Name, got.Changed)
		}
	}
}

// TestParagraphBetweenBlocks puts a paragraph of its own between the blocks of random documents,
// which changes none of them; and code that nothing closes, which takes in all that follows.
func TestParagraphBetweenBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	blocks := []string{"text\nmore", "# Title", "## Part", "- a\n- b", "1. x", "> quote", "```\ncode\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "***", "<div>\n</div>", "[x]: /y", "Under\n---"}
	for range 400 {
		list := make([]string, 1+r.IntN(7))
		at, offset := r.IntN(len(list)+1), 0
		for i := range list {
			list[i] = blocks[r.IntN(len(blocks))]
			for i > 0 && list[i] == list[i-1] { // two lists beside each other may be one
				list[i] = blocks[r.IntN(len(blocks))]
			}
			if i < at {
				offset += len(list[i]) + 2
			}
		}
		src := strings.Join(list, "\n\n") + "\n\n"
		was := parsed(t, src)
		for _, text := range []string{"alone\n\n", "```\n\n"} {
			s := Splice{markdown.Span{Start: offset, End: offset}, []byte(text)}
			got := Compare(was, parsed(t, src[:offset]+text+src[offset:]), []Splice{s}, nil, Comparison{Done: true})
			if swallows := text != "alone\n\n" && offset < len(src); swallows != (got.Total > 0) || got.First == HalfOfFront {
				t.Fatalf("%q at %d of %q: %d, %q", text, offset, src, got.Total, got.Changed)
			}
		}
	}
}

// TestManyChanges tells of few blocks, and counts all.
func TestManyChanges(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "# T %d\n\ntext %d\n\n", i, i)
	}
	now, s := spliced(t, b.String(), "text 0\n", "<!--\n")
	got := Compare(parsed(t, b.String()), now, []Splice{s}, nil, Comparison{})
	if got.Total != 58 || len(got.Changed) != MaxListed || got.First != Swallowed {
		t.Errorf("%d, %d listed, %v", got.Total, len(got.Changed), got.First)
	}
}

// TestOpenFrom tells what goes on to the end of a document.
func TestOpenFrom(t *testing.T) {
	for src, want := range map[string]int{
		"":                               -1,
		"text\n":                         -1,
		"a\n\n```\ncode\n":               3,
		"a\n\n```\ncode\n```\n":          -1,
		"    code\n":                     -1,
		"<!-- open\n\nmore\n":            0,
		"<!-- closed -->\n":              -1,
		"<!-- closed\n\non another -->":  -1,
		"<pre>\nx\n":                     0,
		"<pre>\nx\n</PRE>\n":             -1,
		"<?php\n":                        0,
		"<?php ?>\n":                     -1,
		"<!DOCTYPE html>\n":              -1,
		"<![CDATA[ x\n":                  0,
		"<![CDATA[ x ]]>\n":              -1,
		"<div>\nopen\n":                  -1,
		"> ```\n> in a quote\n":          2,
		"- item\n\n  ~~~\n  in a list\n": 10,
	} {
		if got := OpenFrom(parsed(t, src)); got != want {
			t.Errorf("%q: %d, want %d", src, got, want)
		}
	}
}
