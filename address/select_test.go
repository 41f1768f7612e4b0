package address

import (
	"errors"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// docTree has blocks in each other.
const docTree = `---
a: b
---

intro

# One

p0

- i0

  i0 second

  ~~~
  i0 code
  ~~~

  > i0 quote

- i1
  1. i1a
  2. i1b

## Two

p1

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |

## Two again

> # In quote
>
> q1
>
> ## Deeper
>
> q2
>
> # Next in quote

    indented

<div>

### Three

p2

# Second

p3

[^n]: note

***
`

func TestSelect(t *testing.T) {
	doc := parse(t, docTree)
	for _, c := range []struct{ selector, want string }{
		{"h1", "h1.0 h1.1"},
		{"h1.1,0", "h1.1 h1.0"},
		{"h1.0,0-1", "h1.0 h1.0 h1.1"},
		{"h1/para", "h1.0/para.0 h1.0/para.1 h1.0/para.2"}, // the first h1 alone
		{"h1.0-1/para.0", "h1.0/para.0 h1.1/para.0"},
		{"h1.1,0/para", "h1.1/para.0 h1.0/para.0 h1.0/para.1 h1.0/para.2"},
		{"h1.0/para.2", "h1.0/para.2"}, // of a subsection
		{"h1.0/h2.1/h3.0/para.0", "h1.0/h2.1/h3.0/para.0"},
		{"h2.0/h2.0/h2.0", "h2.0/h2.0/h2.0"},
		{"h2.0/h2.1", "Index out of range: h2.0 has 1 h2 heading"},
		{"h2.0-1/table", "h2.0/table.0"}, // the other one has none
		{"h2.0-1/table.0", "Index out of range: h2.1 has no tables"},
		{"root", "root"},
		{"root.7/para.0", "para.0"},
		{"h1.0/root", "No matches: root can only be used at the beginning"},
		{"*", "root"},
		{"*/h1.0/*", "h1.0"},
		{"h1/*.0", "h1.0"},
		{"*.1", "Index out of range: document has 1 node"},
		{"section.0", "No matches: section never matches, use h1 to h6"},
		{"h1/page", "No matches: page never matches, use h1 to h6"},
		{"frontmatter", "frontmatter.0"},
		{"h1.0/frontmatter", "No matches: h1.0 has no front matter blocks"},
		{"para", "para.0 para.1 para.2 para.3 para.4"},
		{"list.0/item", "list.0/item.0 list.0/item.1"},
		{"list.0/item.0/code.0", "list.0/item.0/code.0"},
		{"list.0/item.0/quote.0/para.0", "list.0/item.0/quote.0/para.0"},
		{"list/item.1/list/item.1/para", "list.0/item.1/list.0/item.1/para.0"},
		{"table.0/row", "table.0/row.0 table.0/row.1 table.0/row.2"},
		{"quote.0/h1", "quote.0/h1.0 quote.0/h1.1"},
		{"quote.0/h1.0/para", "quote.0/h1.0/para.0 quote.0/h1.0/para.1"},
		{"quote.0/h2.0/para", "quote.0/h2.0/para.0"},
		{"quote.0/h2.0/h1.0", "Index out of range: quote.0/h2.0 has no h1 headings"},
		{"code", "code.0"},
		{"html", "html.0"},
		{"h1.2", "Index out of range: document has 2 h1 headings"},
		{"h1.0-4000000000", "Index out of range: document has 2 h1 headings"},
		{"h5", "No matches: document has no h5 headings"},
		{"h5.0", "Index out of range: document has no h5 headings"},
		{"h1.0/h5", "No matches: h1.0 has no h5 headings"},
		{"x::h1.0?full=true", "h1.0"},
	} {
		s, err := ParseSelector(c.selector)
		if err != nil {
			t.Fatal(err)
		}
		matches, err := Select(doc, s)
		got := fmtMatches(matches)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.selector, got, c.want)
		}
	}
}

func fmtMatches(matches []Match) string {
	names := make([]string, len(matches))
	for i := range matches {
		names[i] = matches[i].Selector
	}
	return strings.Join(names, " ")
}

// TestSelectedText looks at the bytes of what was selected.
func TestSelectedText(t *testing.T) {
	doc := parse(t, docTree)
	for selector, want := range map[string]string{
		"table.0/row.0":      "| a | b |",
		"table.0/row.2":      "| 3 | 4 |",
		"quote.0/h1.0":       "# In quote\n>\n> q1\n>\n> ## Deeper\n>\n> q2",
		"quote.0/h2.0":       "## Deeper\n>\n> q2",
		"quote.0/h1.1":       "# Next in quote",
		"h3.0":               "### Three\n\np2\n\n",
		"frontmatter":        "---\na: b\n---",
		"list.0/item.1/para": "i1",
		"code.0":             "    indented",
		"root":               docTree,
	} {
		s, err := ParseSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		matches, err := Select(doc, s)
		if err != nil || len(matches) != 1 {
			t.Fatalf("%s: %v, %v", selector, matches, err)
		}
		n := matches[0].Node
		if got := string(doc.Text(n.Span(doc))); got != want {
			t.Errorf("%s: %q, want %q", selector, got, want)
		}
		if lines, span := n.Lines(doc), n.Span(doc); lines.First != doc.LineAt(span.Start) || lines.Last < doc.LineAt(max(span.Start, span.End-1)) {
			t.Errorf("%s: lines %v, span %v", selector, lines, span)
		}
	}
}

// TestSelectCosts gives Select what would not end if ranges or repeats were written
// out.
func TestSelectCosts(t *testing.T) {
	doc := parse(t, strings.Repeat("# a\n\nb\n\n", 2000))
	for _, in := range []string{
		"h1.0-99999999999999999999",
		"h1.5-4000000000/para.0-4000000000",
		"h1.0" + strings.Repeat(",0-1999", 400),
		"h1.0" + strings.Repeat(",0", 3000) + "/para.0" + strings.Repeat(",0", 3000),
		strings.Repeat("h1.0,0/", 60) + "para",
	} {
		s, err := ParseSelector(in)
		if err != nil {
			t.Fatal(err)
		}
		var beyond *RangeError
		if _, err := Select(doc, s); !errors.As(err, &beyond) && !errors.Is(err, ErrTooManyMatches) {
			t.Errorf("%.30s: %v", in, err)
		}
	}
}

func TestSuggest(t *testing.T) {
	doc := parse(t, docTree)
	for _, c := range []struct{ selector, want string }{
		{"h1.0", ""},
		{"h2.99", "h2.0 h2.1"},
		{"para.14", "para.1 para.4 para.0 para.2 para.3"},
		{"h5.0", "h1.0 h2.0 h3.0 h1.1 h2.1"},
		{"h1.0/h2.7/code.0", "h1.0/h2.0 h1.0/h2.1"},
		{"h2.0/code.0", "h2.0/para.0 h2.0/table.0"},
		{"h2.0/root", "h2.0/para.0 h2.0/table.0"},
		{"notes::h1.7", "notes::h1.0 notes::h1.1"},
		{`"my notes"::h1.7`, `"my notes"::h1.0 "my notes"::h1.1`},
		{"section.0", ""},
	} {
		s, err := ParseSelector(c.selector)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(Suggest(doc, s), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.selector, got, c.want)
		}
	}
}

// TestNodes looks at nodes that no address leads to.
func TestNodes(t *testing.T) {
	doc := parse(t, docTree)
	for b := range doc.Blocks {
		n := NodeOfBlock(doc, b)
		switch doc.Blocks[b].Kind {
		case markdown.ThematicBreak, markdown.FootnoteDefinition:
			if s := SelectorOf(doc, n); s != "" {
				t.Errorf("%s: %s", doc.Blocks[b].Kind, s)
			}
		}
	}
	if got := breadcrumb(doc, NodeOfBlock(doc, 0)); got != nil {
		t.Errorf("front matter stands in %q", got)
	}
	if SelectorOf(doc, Node{}) != "" || NodeKind(0).String() != "invalid" || FrontMatterNode.String() != "front_matter" ||
		Type(99).String() != "" || TierSubstring.String() != "substring" {
		t.Error("names of values")
	}
}
