package edit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
)

// regressions are cases that the laws have found: what is wanted is a source, or the
// codes of a refusal.
var regressions = []struct {
	why   string
	doc   string
	ops   []edit.Op
	want  string
	codes []edit.Code
}{
	{
		why:  "the body of a section goes without the sections below it, also where the next one stands near to it",
		doc:  "# A\n## B\n\nb\n# C\n",
		ops:  []edit.Op{{Action: edit.Remove, Address: "# A", Scope: edit.ScopeBody, AllowRestructure: true}},
		want: "## B\n\nb\n# C\n",
	},
	{
		why:   "two sections that are the same are as they were after they have changed places",
		doc:   "# A\n\n# A\n",
		ops:   []edit.Op{{Action: edit.Reorder, Address: "@document", Order: []string{"#a-1", "#a"}}},
		codes: []edit.Code{edit.NoChange},
	},
	{
		why:   "code that isn't closed has the blank lines at the end, and what is put between them is code",
		doc:   "# A\n\n```\ncode\n\n\n",
		ops:   []edit.Op{{Action: edit.InsertAfter, Address: "# A", Text: "# B\n\ntext\n"}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "subsections that stay would belong to another section of the text",
		doc:   "# T\n\n## A\n\nb\n\n### K\n\n## Z\n",
		ops:   []edit.Op{{Action: edit.Replace, Address: "## A", Scope: edit.ScopeBody, Text: "## N\n\nx\n\n## M\n\ny\n"}},
		codes: []edit.Code{edit.LevelMismatch},
	},
	{
		why:  "and may not, with deeper headings",
		doc:  "# T\n\n## A\n\nb\n\n### K\n\n## Z\n",
		ops:  []edit.Op{{Action: edit.Replace, Address: "## A", Scope: edit.ScopeBody, Text: "## N\n\nx\n\n### M\n\ny\n"}},
		want: "# T\n\n## N\n\nx\n\n### M\n\ny\n\n### K\n\n## Z\n",
	},
	{
		why:  "attributes of a heading are its anchor",
		doc:  "## Old *name* {#old-id .x}  \n\ntext\n\n## Set {#b} ##\n",
		ops:  []edit.Op{{Action: edit.Rename, Address: "## Old *name*", Text: "New"}, {Action: edit.Rename, Address: "## Set", Text: "Get {#c}"}},
		want: "## New {#old-id .x}  \n\ntext\n\n## Get {#c} ##\n",
	},
	{
		why:   "front matter is no heading",
		doc:   "# T\n\n## U\n",
		ops:   []edit.Op{{Action: edit.Replace, Address: "@document", Text: "---\na: 2\n---\n\njust text\n"}},
		codes: []edit.Code{edit.HasSubsections},
	},
	{
		why:   "there is one front matter",
		doc:   "---\na: 1\n---\n\n# T\n",
		ops:   []edit.Op{{Action: edit.Prepend, Address: "@document", Text: "---\na: 2\n---\n"}},
		codes: []edit.Code{edit.InvalidArgument},
	},
	{
		why:   "nor below a deeper one",
		doc:   "# T\n\n## A\n\nb\n\n#### K\n\n## Z\n",
		ops:   []edit.Op{{Action: edit.Replace, Address: "## A", Scope: edit.ScopeBody, Text: "## N\n\nx\n\n### M\n\ny\n"}},
		codes: []edit.Code{edit.LevelMismatch},
	},
	{
		why:   "the same for text at the end of a section",
		doc:   "# A\n\n```\ncode\n\n\n",
		ops:   []edit.Op{{Action: edit.Append, Address: "# A", Text: "text\n"}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "the same for HTML",
		doc:   "# A\n<![CDATA[\n\n\n",
		ops:   []edit.Op{{Action: edit.InsertAfter, Address: "# A", Text: "# B\n\ntext\n"}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "what the new text ends is not what it was to stand behind",
		doc:   "# A\n<script>\n\n\n",
		ops:   []edit.Op{{Action: edit.InsertAfter, Address: "# A", Text: "# B\n\n<style>\n</style>\n"}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "a list that is joined stays in its section",
		doc:   "## A\n\n- a\n",
		ops:   []edit.Op{{Action: edit.Prepend, Address: "## A", Text: "### Deeper\n\n- one\n"}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:  "the line ending of the last line stays, where a CR put before an LF would make one of the two",
		doc:  "# A\r\n\r\nold\r\n\r## B\r\n\rtext\r\n\n## C\r\n",
		ops:  []edit.Op{{Action: edit.Replace, Address: "## B", Text: "new\n"}},
		want: "# A\r\n\r\nold\r\n\r## B\r\n\rnew\r\n\n## C\r\n",
	},
	{
		why:  "the same where the CR is all there is before",
		doc:  "## A\r```\r\n```\n\n## B\n",
		ops:  []edit.Op{{Action: edit.Replace, Address: "## A", Text: "new\n"}},
		want: "## A\rnew\n\n## B\n",
	},
	{
		why:   "a block in a quote stays in its section, too",
		doc:   "# A\n\n## B\n\n> # c\n>\n> text\n",
		ops:   []edit.Op{{Action: edit.ReplaceText, Old: " B\n\n> # c\n", Text: ""}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "and an item",
		doc:   "# A\n\n## B\n\n- [ ] one\n- [x] two\n",
		ops:   []edit.Op{{Action: edit.ReplaceText, Old: "## B\n\n- [ ] one\n", Text: ""}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "and a cell",
		doc:   "A\n===\n\n| a | b |\n|---|---|\n",
		ops:   []edit.Op{{Action: edit.ReplaceText, Old: "===\n\n| ", Text: "text\n"}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "a heading that would stand below the target's last child is no child of the target",
		doc:   "# A\n\n## B\n\ntext\n",
		ops:   []edit.Op{{Action: edit.InsertAfter, Address: "# A", Text: "### C\n"}},
		codes: []edit.Code{edit.LevelMismatch},
	},
	{
		why: "the document's line ending holds when a batch has taken all of it out",
		doc: "# A\r\rtext\r",
		ops: []edit.Op{
			{Action: edit.Remove, Address: "# A"},
			{Action: edit.Prepend, Address: "@document", Text: "# B\n\ntext\n"},
		},
		want: "# B\r\rtext\r",
	},
	{
		why: "the same when one line is left",
		doc: "text\r# A",
		ops: []edit.Op{
			{Action: edit.Replace, Address: "@document", Scope: edit.ScopeSection, Text: "one"},
			{Action: edit.Append, Address: "@document", Text: "two\nthree"},
		},
		want: "one\r\rtwo\rthree",
	},
	{
		why:  "a CR and an LF that a removal brings together are two line endings",
		doc:  "#\r###### A\n```\n```\r\n\n\n###### B\n",
		ops:  []edit.Op{{Action: edit.Remove, Address: "###### A"}},
		want: "#\r###### B\n",
	},
	{
		why: "a subsection that a batch has put in is one when its section's body goes",
		doc: "# A\n\n# B\n",
		ops: []edit.Op{
			{Action: edit.InsertAfter, Address: "# B", Text: "## C\n"},
			{Action: edit.Remove, Address: "# B", Scope: edit.ScopeBody},
		},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:   "a list that would go on with the one that is put before it is refused where its numbers go on, too",
		doc:   "+ current\r    1. range\r",
		ops:   []edit.Op{{Action: edit.InsertAfter, Address: "list.0/item.0/para.0", Text: "\n9. nine\n10. ten\n", Renumber: true}},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why: "and where an operation before has put it there",
		doc: "+ current\n    1. range\n",
		ops: []edit.Op{
			{Action: edit.InsertAfter, Address: "list.0/item.0/para.0", Text: "9. nine\n10. ten\n"},
			{Action: edit.InsertBefore, Address: "list.0/item.0/list.0/item.0", Text: "5. five\n", Renumber: true},
		},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:  "a byte order mark before a text that has as many lines as what stood there",
		doc:  "# A\r\n# [Link](x)\r\n\r\n\r\ntext\r\n",
		ops:  []edit.Op{{Action: edit.Replace, Address: "h1.1", Text: "\uFEFF# Top\n"}},
		want: "# A\r\n# Top\r\n",
	},
	{
		why: "a section that is put in elsewhere doesn't keep replaced text from dividing one, where each is judged by itself",
		doc: "\r\n\nchecked\n- current\n\n# Notes",
		ops: []edit.Op{
			{Action: edit.InsertAfter, Address: "L6", Text: "### Linux\n"},
			{Action: edit.ReplaceText, Address: "para.0", Old: "checked", Text: "# Install notes\n\n***\n", AllowRestructure: true},
		},
		want: "\r\n\n# Install notes\n\n***\n\n- current\n\n# Notes\n\n### Linux",
	},
	{
		why: "the same by a deeper heading",
		doc: "[a]\n\n[a]: /url\n## After\n",
		ops: []edit.Op{
			{Action: edit.InsertAfter, Address: "h2.0", Text: "## Café\n\ntext\n"},
			{Action: edit.ReplaceText, Old: "a]\n\n", Text: "\n#### Deep\n\n", All: true, AllowRestructure: true},
		},
		want: "[\n#### Deep\n\n[a]: /url\n## After\n\n## Café\n\ntext\n",
	},
	{
		why:  "rows at the end of a table whose last line ends otherwise than those before",
		doc:  "# A\r\na | b\r\n:-|-:\r",
		ops:  []edit.Op{{Action: edit.Append, Address: "h1.0/table.0", Rows: [][]string{{"c", "d"}}, AllowRestructure: true}},
		want: "# A\r\na | b\r\n:-|-:\r| c | d |\r",
	},
	{
		why:  "rows at the end of the preamble are a table of their own",
		doc:  "  ```\n  ```\n",
		ops:  []edit.Op{{Action: edit.Append, Address: "@preamble", Rows: [][]string{{"a", "b"}, {"c", "d"}}}},
		want: "  ```\n  ```\n\n| a | b |\n| --- | --- |\n| c | d |\n",
	},
	{
		why:  "a table in the place of a paragraph with a lazy line is a table",
		doc:  "> old\nlazy\n",
		ops:  []edit.Op{{Action: edit.Replace, Address: "quote.0/para.0", Text: "| a |\n|---|\n"}},
		want: "> | a |\n> |---|\n",
	},
	{
		why:  "and what keeps a line of it goes in its place",
		doc:  "> old\nlazy\n",
		ops:  []edit.Op{{Action: edit.Replace, Address: "quote.0/para.0", Text: "old\n==\n"}},
		want: "> old\n==\n",
	},
	{
		why:  "line endings that stand beside each other all go",
		doc:  "# A\r\r\n\n",
		ops:  []edit.Op{{Action: edit.ReplaceText, Old: "\n", All: true}},
		want: "# A",
	},
	{
		why: "a section is divided with what is in its blocks, where another operation changes one of them",
		doc: "# A\n\nold\n\n> | a | b |\n> |---|---|\n> | c | d |\n",
		ops: []edit.Op{
			{Action: edit.ReplaceText, Old: "old", Text: "## B\n", AllowRestructure: true},
			{Action: edit.ReplaceText, Address: "h1.0/quote.0/table.0", Old: "d", Text: "e"},
		},
		want: "# A\n\n## B\n\n\n> | a | b |\n> |---|---|\n> | c | e |\n",
	},
	{
		why:  "rows in the place of a section's text have the line endings that a text there has",
		doc:  "# A\n| --- | --- |\r\n",
		ops:  []edit.Op{{Action: edit.Replace, Address: "# A", Scope: edit.ScopeBody, Rows: [][]string{{"a", "b"}, {"c", "d"}}}},
		want: "# A\n| a | b |\n| --- | --- |\r\n| c | d |\r\n",
	},
	{
		why: "a text behind a paragraph that the one before has put into an item is refused as one in an item is",
		doc: "  a\n\n",
		ops: []edit.Op{
			{Action: edit.InsertBefore, Address: "para.0", Text: "text\n--- \n-\n- b\n"},
			{Action: edit.InsertAfter, Address: "para.0", Text: "text\n```\n"},
		},
		codes: []edit.Code{edit.StructureChanged},
	},
	{
		why:  "a heading that comes to stand behind a table and code is a heading, which two other parsers take for a row",
		doc:  "# A\n\n| a |\n|---|\n| b |\n    code\n# B\n\nL\n---\n\ntext\n",
		ops:  []edit.Op{{Action: edit.Move, Address: "h2.0", To: "# A", Where: "last"}},
		want: "# A\n\n| a |\n|---|\n| b |\n    code\nL\n---\n\ntext\n\n# B\n",
	},
}

func TestRegressions(t *testing.T) {
	for _, c := range regressions {
		t.Run(c.why, func(t *testing.T) {
			a := &attempt{doc: parse(t, []byte(c.doc)), options: edit.Options{Pinned: true}}
			for _, op := range c.ops {
				m := made{Op: op}
				if r, err := address.Resolve(a.doc, op.Address); err == nil {
					m.node = r.Node
				}
				a.ops = append(a.ops, m)
			}
			if err := newTally().try(a); err != nil {
				t.Error(err)
			}
			res, err := a.apply()
			if err == nil {
				if diff := cmp.Diff(c.want, string(res.Doc.Source)); diff != "" || c.codes != nil {
					t.Errorf("%q, want codes %v:\n%s", res.Doc.Source, c.codes, diff)
				}
				return
			}
			all, ok := errors.AsType[edit.Errors](err)
			var got []edit.Code
			for _, e := range all {
				got = append(got, e.Code)
			}
			if !ok || !slices.Equal(got, c.codes) {
				t.Errorf("%v, want %v", err, c.codes)
			}
		})
	}
}

// TestNoNewMark: what is put at the start of a document doesn't become its byte order
// mark.
func TestNoNewMark(t *testing.T) {
	res, err := edit.Apply(parse(t, []byte("old\n")), []edit.Op{{Action: edit.ReplaceText, Old: "old", Text: "\uFEFFnew"}})
	if err == nil && strings.HasPrefix(string(res.Doc.Source), "\uFEFF") {
		t.Errorf("%q", res.Doc.Source)
	}
}

// TestSubsectionsOfDocument: has_subsections lists them, those of a document too.
func TestSubsectionsOfDocument(t *testing.T) {
	_, err := edit.Apply(parse(t, []byte("# A\n\n## B\n")), []edit.Op{{Action: edit.Replace, Address: "@document", Text: "text\n"}})
	e, ok := errors.AsType[*edit.Error](err)
	if !ok || e.Code != edit.HasSubsections || len(e.Candidates) == 0 {
		t.Errorf("%+v", err)
	}
}

// TestLostFrontMatter: what is left of front matter that is none any more is refused,
// or said, beside operations that are allowed to restructure, too.
func TestLostFrontMatter(t *testing.T) {
	const (
		doc  = "---\ntitle: x\n---\n\n# A\n"
		lost = "the front matter on lines 1-3 would be none"
	)
	loose := edit.Op{Action: edit.Append, Address: "# A", Text: "more\n", AllowRestructure: true}
	opens := edit.Op{Action: edit.ReplaceText, Old: "title: x\n---", Text: "title: x\n***"}
	allowed := opens
	allowed.AllowRestructure = true
	for _, c := range []struct {
		name    string
		doc     string
		ops     []edit.Op
		refused int    // the operation that is refused, or -1
		message string // the beginning of what it is refused with
		told    []string
	}{
		{"alone", doc, []edit.Op{opens}, 0, lost + "; keep the lines that it begins and ends with", nil},
		{"behind another", doc, []edit.Op{{Action: edit.Append, Address: "# A", Text: "more\n"}, opens}, 1, lost, nil},
		{"behind a loose one", doc, []edit.Op{loose, opens}, 1, lost, nil},
		{"before a loose one", doc, []edit.Op{opens, loose}, 0, lost, nil},
		{"untouched", doc, []edit.Op{loose, {Action: edit.ReplaceText, Old: "\n\n# A", Text: "x\n\n# A"}}, 1, "the front matter on lines 1-3 would become", nil},
		{"allowed", doc, []edit.Op{allowed, loose}, -1, "", []string{"the front matter on lines 1-3 is none"}},
		{"changed", doc, []edit.Op{loose, {Action: edit.ReplaceText, Old: "x\n---", Text: "y\n---"}}, -1, "", nil},
		{"taken out", doc, []edit.Op{loose, {Action: edit.Remove, Address: "@frontmatter"}}, -1, "", nil},
		{"taken out line by line", "---\n---\n\n# A\n", []edit.Op{loose, {Action: edit.ReplaceText, Old: "---\n", All: true}}, -1, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := edit.Apply(parse(t, []byte(c.doc)), c.ops)
			if e, ok := errors.AsType[*edit.Error](err); ok {
				if e.Op != c.refused || e.Code != edit.StructureChanged || e.Total != 1 || !strings.HasPrefix(e.Message, c.message) || !strings.HasPrefix(e.Message, e.Changed[0]+"; ") {
					t.Errorf("%+v, want operation %d to be refused: %s", e, c.refused, c.message)
				}
				return
			}
			if err != nil || c.refused >= 0 {
				t.Fatalf("%v, want operation %d to be refused", err, c.refused)
			}
			var told []string
			for i := range res.Changes {
				told = append(told, res.Changes[i].Restructured...)
			}
			if diff := cmp.Diff(c.told, told); diff != "" {
				t.Error(diff)
			}
		})
	}
}
