package edit

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sectile/sectile/markdown"
)

// TestHardParts changes the parts of documents that make it hard: what can't be done without
// changing something beside it is refused, and nothing else.
func TestHardParts(t *testing.T) {
	const table = "| A | B |\n|---|---|\n| x | 1 |\n"
	for _, c := range []struct {
		src     string
		action  Action
		address string
		text    string
		want    string // the document, or how the error begins
	}{
		// Two tables with the same head, and rows with the same first cell.
		{table + "\n" + table, Replace, `table["x", "B"]`, "2", "ambiguous_heading: 2 parts match"},
		{table + "\n" + table, Rename, `table["B"]`, "C", "ambiguous_heading: 2 parts match"},
		{"# One\n\n" + table + "\n# Two\n\n" + table, Replace, `Two/table["x", "B"]`, "2", "# One\n\n" + table + "\n# Two\n\n" + strings.Replace(table, "1", "2", 1)},
		{table + "| x | 2 |\n", Replace, `table["x", "B"]`, "3", "ambiguous_heading: 2 parts match"},
		{"| A | A |\n|---|---|\n| x | 1 |\n", Replace, `table["x", "A"]`, "3", "ambiguous_heading: 2 parts match"},

		// Cells with pipes, line breaks, and nothing; rows that are too short.
		{table, Replace, `table["x", "B"]`, "a|b\r\nc\\|d", strings.Replace(table, "| 1 |", `| a\|b<br>c\|d |`, 1)},
		{"| A | B |\n|---|---|\n| x |\n", Replace, `table["x", "B"]`, "1", "heading_not_found: "},
		{"| A | B |\n|---|---|\n| x ||\n", Replace, `table["x", "B"]`, "1", "| A | B |\n|---|---|\n| x | 1 |\n"},
		{"> | A | B |\n> |---|---|\n> | x | 1 |\n", Replace, `table["x", "B"]`, "2\n3", "> | A | B |\n> |---|---|\n> | x | 2<br>3 |\n"},
		{"- | A | B |\n  |---|---|\n  | x | 1 |\n", InsertBefore, `table["A"]`, "N\n0", "- | N | A | B |\n  | --- |---|---|\n  | 0 | x | 1 |\n"},
		{"| A | B |\n|---|---|\n| x |\n| y | 1 | 2 |\n", Remove, `table["B"]`, "", "| A |\n|---|\n| x |\n| y | 2 |\n"},

		// Keys that are there twice, anchors and aliases, templates, no mapping.
		{"---\na: 1\na: 2\n---\n", Set, "@frontmatter.a", "3", "invalid_address: the front matter has the key \"a\" twice"},
		{"---\na: 1\na: 2\nb: 1\n---\n", Set, "@frontmatter.b", "3", "invalid_address: the front matter has the key \"a\" twice"},
		{"---\na: &x 1\nb: *x\nc: 1\n---\n", Set, "@frontmatter.c", "3", "---\na: &x 1\nb: *x\nc: 3\n---\n"},
		{"---\na: &x 1\nb: *x\n---\n", Set, "@frontmatter.a", "3", "invalid_argument: "},
		{"---\na: &x 1\nb: *x\n---\n", Set, "@frontmatter.b", "3", "---\na: &x 1\nb: 3\n---\n"},
		{"---\na: &x {k: 1}\nb: {<<: *x, l: 2}\n---\n", Set, "@frontmatter.b.l", "3", "---\na: &x {k: 1}\nb: {<<: *x, l: 3}\n---\n"},
		{"---\n{{ if x }}\na: 1\n{{ end }}\n---\n", Set, "@frontmatter.a", "3", "invalid_address: the front matter is no YAML: "},
		{"---\n- a\n---\n", Set, "@frontmatter.a", "3", "invalid_address: the front matter is no mapping of keys"},
		{"---\njust text\n---\n", Append, "@frontmatter.a", "3", "invalid_address: the front matter is no mapping of keys"},
		{"---\na: [1, 2\n---\n", Set, "@frontmatter.b", "3", "invalid_address: the front matter is no YAML: "},

		// Lines of dashes in a value and in the text; dates.
		{"---\na: x\n---\n\n---\nb: 1\n---\n", Set, "@frontmatter.a", "---", "---\na: \"---\"\n---\n\n---\nb: 1\n---\n"},
		{"---\na: x\n---\n\n---\nb: 1\n---\n", Set, "@frontmatter.b", "2", "---\na: x\nb: 2\n---\n\n---\nb: 1\n---\n"},
		{"---\na: |\n  x\n  ---\n  y\n---\n", Set, "@frontmatter.b", "2", "---\na: |\n  x\n  ---\n  y\nb: 2\n---\n"},
		{"+++\nd = 1979-05-27T07:32:00Z\ne = 07:32:00\n+++\n", Set, "@frontmatter.f", "1979-05-27", "+++\nd = 1979-05-27T07:32:00Z\ne = 07:32:00\nf = 1979-05-27\n+++\n"},
		{"+++\nd = 1979-05-27\n+++\n", Set, "@frontmatter.d", "2020-01-01", "+++\nd = 2020-01-01\n+++\n"},
		{"+++\nd = 1979-05-27\n+++\n", Set, "@frontmatter.d", `"2020-01-01"`, "+++\nd = \"2020-01-01\"\n+++\n"},
		{"---\nd: 2020-01-01\n---\n", Set, "@frontmatter.e", "2020-01-02", "---\nd: 2020-01-01\ne: \"2020-01-02\"\n---\n"},
	} {
		doc, err := markdown.Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Apply(doc, []Op{{Action: c.action, Address: c.address, Text: c.text}})
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = string(r.Doc.Source)
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s %s %q in\n%s\n%q, want\n%q", c.action, c.address, c.text, c.src, got, c.want)
		}
		if string(doc.Source) != c.src {
			t.Errorf("%s %s: the document was changed", c.action, c.address)
		}
	}
}

// TestUnlessPresent appends what may be there already: then nothing is changed, and it is no error.
func TestUnlessPresent(t *testing.T) {
	const src = "# A\n\none\n\n- x\n- y\n\n```\ncode\n\nmore\n```\n\n## B\n\ntwo\n\n| a |\n|---|\n| 1 |\n"
	for _, c := range []struct {
		address, text string
		there         bool
	}{
		{"A", "one", true},
		{"A", "\none\r\n", true},
		{"A", "on", false},
		{"A", "one\n\n- x\n- y", true},
		{"A", "one\n\n- x", true},
		{"A", "- y", true},
		{"A", "y", true},
		{"A", "more", false},
		{"A", "```\ncode\n\nmore\n```", true},
		{"A", "two", false},
		{"B", "two", true},
		{"B", "1", false}, // a cell
		{"B", "| 1 |", true},
		{"@document", "two", true},
		{"@document", "## B", true},
		{"@document", "# C", false},
	} {
		for _, endings := range [][2]string{{"\n", "\n"}, {"\r\n", "\r\n"}, {"\n", "\r\n"}, {"\r\n", "\r"}} {
			mixed := &strings.Builder{}
			for i, line := range strings.SplitAfter(src, "\n") { // each ending, by turns
				mixed.WriteString(strings.ReplaceAll(line, "\n", endings[i%2]))
			}
			doc, err := markdown.Parse([]byte(mixed.String()))
			if err != nil {
				t.Fatal(err)
			}
			op := Op{Action: Append, Address: c.address, Text: c.text, UnlessPresent: true}
			r, err := ApplyContext(t.Context(), doc, []Op{op}, Options{Pinned: true})
			if err != nil {
				t.Errorf("%s %q: %v", c.address, c.text, err)
				continue
			}
			if same := bytes.Equal(r.Doc.Source, doc.Source); same != c.there || r.Changes[0].Target == nil {
				t.Errorf("%s %q: %q", c.address, c.text, r.Doc.Source)
			}
		}
	}
}

// TestUnlessPresentMany looks for texts in documents of many blocks: in a time that grows with both
// and not with their product, which would be minutes.
func TestUnlessPresentMany(t *testing.T) {
	const n = 100_000
	for src, text := range map[string]string{
		strings.Repeat("- xxxxxxxxxx\n", n):     strings.Repeat("- xxxxxxxxxx\n", n/2) + "- y",
		strings.Repeat("- ", n) + "x\n":         "- y",
		strings.Repeat("a ", n) + "\n":          strings.Repeat("a ", n/2) + "a",
		strings.Repeat("1. a\n\n- b\n\n", n/10): strings.Repeat("1. a\n", n),
	} {
		doc, err := markdown.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		op := Op{Action: Append, Address: "@document", Text: text, UnlessPresent: true, Renumber: text[0] == '1'}
		if r, err := ApplyContext(t.Context(), doc, []Op{op}, Options{}); err != nil || len(r.Splices) == 0 {
			t.Errorf("%.10q: %v", src, err)
		}
	}
}
