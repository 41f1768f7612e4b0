package edit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// Operations that touch the same part, one after another.

// TestBatchTakesNothingIn: what an operation makes stand in the target of a later one
// does not go with it.
func TestBatchTakesNothingIn(t *testing.T) {
	const doc = "# R\n\n## A\n\na\n\n## Next\n\nprecious\n"
	const items = "- a\n\n- b\n\npara\n"
	text := func(old, text string) edit.Op { return edit.Op{Action: edit.ReplaceText, Old: old, Text: text} }
	at := func(a edit.Action, addr, text string) edit.Op { return edit.Op{Action: a, Address: addr, Text: text} }
	for _, c := range []struct {
		name, doc string
		ops       []edit.Op
	}{
		{"replace behind an open fence", doc, []edit.Op{at(edit.Append, "A", "```sh\nmake"), at(edit.Replace, "A", "new")}},
		{"remove behind an open fence", doc, []edit.Op{at(edit.Append, "A", "```"), at(edit.Remove, "A", "")}},
		{"replace behind an open comment", doc, []edit.Op{
			at(edit.Append, "A", "<!-- todo"), {Action: edit.Replace, Address: "A", Text: "x", Scope: edit.ScopeSection},
		}},
		{"all below the first heading in the preamble", "p\n\n" + doc, []edit.Op{at(edit.Replace, "@preamble", "<!--"), at(edit.Replace, "@preamble", "new")}},
		{"no heading behind the preamble", "p\n\n# A\n\na\n", []edit.Op{text("# A\n", ""), at(edit.Replace, "@preamble", "new")}},
		{"a sibling made a subsection", doc, []edit.Op{text("## Next", "### Next"), at(edit.Remove, "A", "")}},
		{"a paragraph made part of an item", items, []edit.Op{text("para", "  para"), at(edit.Remove, "list.0/item.1", "")}},
		{"text of a section that an open comment hides", doc, []edit.Op{
			at(edit.Append, "A", "<!--"), {Action: edit.ReplaceText, Address: "A", Old: "precious", Text: "x"}, text("<!--", "done"),
		}},
		{"a heading that divides the target", "## A\n\na\n\nb\n", []edit.Op{text("a\n", "a\n\n## Half\n"), at(edit.Replace, "A", "new")}},
		{"a sibling that was put in anew and made a subsection", doc, []edit.Op{
			at(edit.Append, "A", "x"), text("## Next\n\nprecious", "### Next\n\nprecious things"), at(edit.Remove, "A", ""),
		}},
		{"an item of a list that was replaced", "- a\n- b\n", []edit.Op{at(edit.Replace, "list.0", "- x\n- y"), at(edit.Replace, "list.0/item.0", "- z")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			parsed, err := markdown.Parse([]byte(c.doc))
			if err != nil {
				t.Fatal(err)
			}
			r, err := applyWith(parsed, c.ops, edit.Options{Pinned: true})
			if err == nil {
				t.Fatalf("accepted: %q", r.Doc.Source)
			}
			if codeOf(err) != edit.Conflict {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestBatchTakesItselfBack: operations that leave the document as it is are refused, each that
// did something.
func TestBatchTakesItselfBack(t *testing.T) {
	text := func(old, text string) edit.Op { return edit.Op{Action: edit.ReplaceText, Old: old, Text: text} }
	present := edit.Op{Action: edit.Append, Address: "A", Text: "word", UnlessPresent: true}
	for _, c := range []struct {
		ops    []edit.Op
		failed []int
	}{
		{[]edit.Op{text("word", "W1"), text("W1", "word")}, []int{0, 1}},
		{[]edit.Op{{Action: edit.Rename, Address: "A", Text: "B"}, present, text("# B", "# A")}, []int{0, 2}},
		{[]edit.Op{{Action: edit.Remove, Address: "A"}, {Action: edit.Append, Address: "@document", Text: "# A\n\nword"}}, []int{0, 1}},
		{[]edit.Op{present}, nil},
		{[]edit.Op{text("word", "W1"), text("W1", "words")}, nil},
	} {
		_, err := edit.Apply(parse(t, []byte("# A\n\nword\n")), c.ops)
		var failed []int
		if errs, ok := errors.AsType[edit.Errors](err); ok {
			for _, e := range errs {
				if failed = append(failed, e.Op); e.Code != edit.NoChange {
					t.Errorf("%+v: %v", c.ops, e)
				}
			}
		}
		if !slices.Equal(failed, c.failed) {
			t.Errorf("%+v: %v failed, want %v: %v", c.ops, failed, c.failed, err)
		}
	}
}

// TestBatchOnOnePart: several operations on one part follow each other.
func TestBatchOnOnePart(t *testing.T) {
	const doc = "# R\n\n## A\n\na\n\n## B\n\nb\n"
	at := func(a edit.Action, addr, text string) edit.Op { return edit.Op{Action: a, Address: addr, Text: text} }
	for _, c := range []struct {
		ops  []edit.Op
		want string
	}{
		{[]edit.Op{at(edit.Append, "A", "x"), at(edit.Append, "A", "y")}, "# R\n\n## A\n\na\n\nx\n\ny\n\n## B\n\nb\n"},
		{[]edit.Op{at(edit.Append, "A", "x"), at(edit.Replace, "A", "y")}, "# R\n\n## A\n\ny\n\n## B\n\nb\n"},
		{[]edit.Op{at(edit.Rename, "A", "C"), at(edit.Append, "A", "y")}, "# R\n\n## C\n\na\n\ny\n\n## B\n\nb\n"},
		{[]edit.Op{at(edit.Replace, "A", "## C\n\nc"), at(edit.Append, "A", "y")}, "# R\n\n## C\n\nc\n\ny\n\n## B\n\nb\n"},
		{[]edit.Op{at(edit.InsertBefore, "A", "## X"), at(edit.Remove, "A", "")}, "# R\n\n## X\n\n## B\n\nb\n"},
		{[]edit.Op{at(edit.InsertAfter, "A", "## X\n\nx"), at(edit.Replace, "A", "new")}, "# R\n\n## A\n\nnew\n\n## X\n\nx\n\n## B\n\nb\n"},
		{[]edit.Op{at(edit.InsertBefore, "B", "## X"), at(edit.InsertBefore, "B", "## Y"), at(edit.Append, "B", "z")}, "# R\n\n## A\n\na\n\n## X\n\n## Y\n\n## B\n\nb\n\nz\n"},
		{[]edit.Op{at(edit.Remove, "B", ""), at(edit.InsertAfter, "A", "## B\n\nbb")}, "# R\n\n## A\n\na\n\n## B\n\nbb\n"},
		{[]edit.Op{at(edit.Remove, "A", ""), at(edit.InsertAfter, "B", "## A\n\na")}, "# R\n\n## B\n\nb\n\n## A\n\na\n"},
		{[]edit.Op{at(edit.Remove, "A", ""), at(edit.Append, "R", "r"), at(edit.Replace, "B", "bb")}, "# R\n\nr\n\n## B\n\nbb\n"},
		{[]edit.Op{at(edit.Append, "B", "x"), at(edit.Replace, "B", "y"), at(edit.Remove, "A", "")}, "# R\n\n## B\n\ny\n"},
	} {
		var names []string
		for _, op := range c.ops {
			names = append(names, fmt.Sprint(op.Action, " ", op.Address))
		}
		t.Run(strings.Join(names, ", "), func(t *testing.T) {
			parsed, err := markdown.Parse([]byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			r, err := edit.Apply(parsed, c.ops)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(r.Doc.Source)); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTwins: a position and a hash don't tell parts apart that have the same text.
func TestTwins(t *testing.T) {
	const doc = "# Log\n\n## 1.1\n\n### Fixed\n\n- bugs\n\n```\nx\n```\n\n## 1.0\n\n### Fixed\n\n- bugs\n\n```\nx\n```\n"
	parsed, err := markdown.Parse([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	section := markdown.Hash([]byte("### Fixed\n\n- bugs\n\n```\nx\n```"))
	for _, op := range []edit.Op{
		{Action: edit.Append, Address: "h3.1", Text: "- more", ExpectedHash: section},
		{Action: edit.Append, Address: "#fixed-1", Text: "- more", ExpectedHash: section},
		{Action: edit.Remove, Address: "L15", ExpectedHash: section},
		{Action: edit.Replace, Address: "h3.1/code.0", Text: "y", ExpectedHash: hash("```\nx\n```")},
		{Action: edit.ReplaceText, Address: "h3.1", Old: "bugs", Text: "faults", ExpectedHash: section},
	} {
		_, err := edit.Apply(parsed, []edit.Op{op})
		e, ok := errors.AsType[*edit.Error](err)
		if !ok || e.Code != "ambiguous_heading" || e.Total != 2 || len(e.Candidates) != 2 {
			t.Errorf("%s %s: %+v", op.Action, op.Address, err)
		}
		if _, err := applyWith(parsed, []edit.Op{op}, edit.Options{Pinned: true}); err != nil {
			t.Errorf("%s %s in a pinned document: %v", op.Action, op.Address, err)
		}
	}
	r, err := edit.Apply(parsed, []edit.Op{{Action: edit.Append, Address: "1.0 > Fixed", Text: "text", ExpectedHash: section}})
	if err != nil || !strings.HasSuffix(string(r.Doc.Source), "```\n\ntext\n") {
		t.Errorf("by its path: %v", err)
	}
}

// TestTwinsOfWhatIsProved: what counts is the part whose hash is given, which may be less than what
// the address stands for, or more.
func TestTwinsOfWhatIsProved(t *testing.T) {
	const (
		sections = "# T\n\n## S\n\nsame\n\n### New\n\ny\n\n## S\n\nsame\n\n### Old\n\nx\n"
		alone    = "# T\n\n## S\n\nsame\n\n### New\n\ny\n\n## S\n\nsame\n"
		tables   = "| F | P |\n| - | - |\n| A | 1 |\n\nx\n\n| F | P |\n| - | - |\n| A | 1 |\n"
		table    = "| F | P |\n| - | - |\n| A | 1 |\n| B | 1 |\n"
		keys     = "---\nitems:\n  - title: x\n    n: 1\n  - title: x\n    n: 2\nother:\n  title: x\n---\n"
	)
	body, both := hash("## S\n\nsame"), hash("| F | P |\n| - | - |\n| A | 1 |")
	for _, c := range []struct {
		doc   string
		op    edit.Op
		twins int
	}{
		{sections, edit.Op{Action: edit.Append, Scope: edit.ScopeBody, Address: "h2.0", Text: "z", ExpectedHash: body}, 2},
		{sections, edit.Op{Action: edit.Rename, Address: "h2.1", Text: "Z", ExpectedHash: body}, 2},
		{sections, edit.Op{Action: edit.Rename, Address: "h2.1", Text: "Z", ExpectedHash: hash("## S\n\nsame\n\n### Old\n\nx")}, 0},
		{"## S\n\nsame\n\n### Old\n\nx  \n\n## S\n\nsame\n", edit.Op{Action: edit.Rename, Address: "h2.0", Text: "Z", ExpectedHash: hash("## S\n\nsame\n\n### Old\n\nx  ")}, 0},
		{alone, edit.Op{Action: edit.Rename, Address: "h2.0", Text: "Z", ExpectedHash: body}, 2},
		{alone, edit.Op{Action: edit.Rename, Address: "h2.1", Text: "Z", ExpectedHash: body}, 2},
		{alone, edit.Op{Action: edit.Remove, Address: "h2.1", ExpectedHash: body}, 2}, // it may have been read of the other one, where it was that of the body
		{tables, edit.Op{Action: edit.Remove, Address: `table.0["P"]`, ExpectedHash: both}, 2},
		{tables, edit.Op{Action: edit.Replace, Address: "table.1[1,1]", Text: "2", ExpectedHash: both}, 2},
		{table, edit.Op{Action: edit.Replace, Address: "table.0[1,1]", Text: "2", ExpectedHash: hash("1")}, 2},
		{table, edit.Op{Action: edit.Replace, Address: "table.0[1,1]", Text: "2", ExpectedHash: hash("| A | 1 |")}, 0},
		{table, edit.Op{Action: edit.Replace, Address: "table.0[1,1]", Text: "2", ExpectedHash: hash(table)}, 0},
		{keys, edit.Op{Action: edit.Set, Address: "@frontmatter.items.1.title", Text: "y", ExpectedHash: hash("x")}, 2},
		{keys, edit.Op{Action: edit.Set, Address: "@frontmatter.items.1.n", Text: "3", ExpectedHash: hash("2")}, 0},
		{keys, edit.Op{Action: edit.Set, Address: "@frontmatter.other.title", Text: "y", ExpectedHash: hash("x")}, 0},
		{keys, edit.Op{Action: edit.Set, Address: "@frontmatter.items.1.title", Text: "y", ExpectedHash: hash(keys)}, 0},
	} {
		_, err := edit.Apply(parse(t, []byte(c.doc)), []edit.Op{c.op})
		e, refused := errors.AsType[*edit.Error](err)
		if refused != (c.twins > 0) || refused && (e.Code != "ambiguous_heading" || e.Total != c.twins) || !refused && err != nil {
			t.Errorf("%s %s, hash %s: %v, want %d twins", c.op.Action, c.op.Address, c.op.ExpectedHash, err, c.twins)
		}
	}
}

func TestRowsAndItems(t *testing.T) {
	for _, c := range []actionCase{
		{name: "rows go on with their table", doc: "## A\n\n| h |\n|---|\n| 1 |\n", op: edit.Op{Action: edit.Append, Address: "A", Text: "| 2 |\n| 3 |"}, to: "## A\n\n| h |\n|---|\n| 1 |\n| 2 |\n| 3 |\n"},
		{name: "a table behind a table", doc: "## A\n\n| h |\n|---|\n", op: edit.Op{Action: edit.Append, Address: "A", Text: "| g |\n|---|"}, to: "## A\n\n| h |\n|---|\n\n| g |\n|---|\n"},
		{name: "pipes behind text", doc: "## A\n\ntext\n", op: edit.Op{Action: edit.Append, Address: "A", Text: "| 2 |"}, to: "## A\n\ntext\n\n| 2 |\n"},
		{
			name: "another marker behind the last item", doc: "- a\n- b\n",
			op: edit.Op{Action: edit.InsertAfter, Address: "list.0/item.1", ExpectedHash: hash("- b"), Text: "* c"}, code: edit.StructureChanged,
		},
		{
			name: "an item and a paragraph", doc: "- a\n- b\n",
			op: edit.Op{Action: edit.InsertAfter, Address: "list.0/item.1", ExpectedHash: hash("- b"), Text: "- c\n\ntext"}, code: edit.StructureChanged,
		},
		{
			name: "two items", doc: "- a\n- b\n",
			op: edit.Op{Action: edit.InsertAfter, Address: "list.0/item.0", ExpectedHash: hash("- a"), Text: "- c\n- d"}, to: "- a\n- c\n- d\n- b\n",
		},
		{name: "a byte order mark", doc: "a\n", op: edit.Op{Action: edit.ReplaceText, Old: "a", Text: "\uFEFFb"}, code: edit.InvalidArgument},
		{name: "nothing but a page break", doc: "# A\n", op: edit.Op{Action: edit.Append, Address: "A", Text: "\f"}, to: "# A\n\n\f\n"},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// TestMovedBlocks tells in one line of blocks that follow each other into another section.
func TestMovedBlocks(t *testing.T) {
	const doc = "# A\n\na\n\nb\n\n- c\n- d\n\n> e\n\n## B\n\nf\n"
	op := edit.Op{Action: edit.ReplaceText, Old: "a\n", Text: "a\n\nNew\n---\n"}
	_, err := edit.Apply(parse(t, []byte(doc)), []edit.Op{op})
	e, ok := errors.AsType[*edit.Error](err)
	want := []string{"the paragraph on line 5 and the 2 blocks behind it would stand in the section that begins on line 5"}
	if !ok || e.Code != edit.StructureChanged || e.Total != 1 || !slices.Equal(e.Changed, want) {
		t.Errorf("%+v", err)
	}
	op.AllowRestructure = true
	r, err := edit.Apply(parse(t, []byte(doc)), []edit.Op{op})
	want[0] = strings.Replace(want[0], "would stand", "stand", 1)
	if err != nil || !slices.Equal(r.Changes[0].Restructured, want) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTooManyPlaces(t *testing.T) {
	doc, err := markdown.Parse([]byte(strings.Repeat("a ", 100_001)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = edit.Apply(doc, []edit.Op{{Action: edit.ReplaceText, Old: "a", Text: "b", All: true}})
	if codeOf(err) != edit.InvalidArgument {
		t.Errorf("%v", err)
	}
}

// TestOpenEnd: what nothing closes is told, where it is so in the end.
func TestOpenEnd(t *testing.T) {
	for _, c := range []struct {
		doc  string
		ops  []edit.Op
		want bool
	}{
		{"# A\n\na\n", []edit.Op{{Action: edit.Append, Address: "A", Text: "```\nopen"}}, true},
		{"# A\n\na\n", []edit.Op{{Action: edit.Append, Address: "A", Text: "- x\n\n  ```\n  open"}}, true},
		{"# A\n\na\n", []edit.Op{{Action: edit.Append, Address: "A", Text: "<!-- open"}}, true},
		{"# A\n\na\n", []edit.Op{{Action: edit.Append, Address: "A", Text: "<!-- closed -->"}}, false},
		{"# A\n\na\n", []edit.Op{{Action: edit.Append, Address: "A", Text: "<div>"}}, false},
		{"# A\n\na\n", []edit.Op{{Action: edit.Rename, Address: "A", Text: "```x"}}, false},
		{"# A\n\na\n\n```\nopen\n", []edit.Op{{Action: edit.ReplaceText, Old: "a\n", Text: "abc\n"}}, false},
		{"# A\n\na\n", []edit.Op{{Action: edit.Append, Address: "A", Text: "```\nopen"}, {Action: edit.ReplaceText, Old: "open", Text: "open\n```"}}, false},
	} {
		doc, err := markdown.Parse([]byte(c.doc))
		if err != nil {
			t.Fatal(err)
		}
		r, err := edit.Apply(doc, c.ops)
		if err != nil {
			t.Errorf("%+v: %v", c.ops, err)
			continue
		}
		if got := len(r.Warnings) > 0; got != c.want {
			t.Errorf("%q: warnings %q", r.Doc.Source, r.Warnings)
		}
	}
}

// TestApplyEndsBetweenOperations has a context that has ended before operations that need
// no parse: the target of one isn't there, the other changes nothing.
func TestApplyEndsBetweenOperations(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, op := range []edit.Op{
		{Action: edit.Append, Address: "absent", Text: "text\n"},
		{Action: edit.ReplaceText, Old: "text", Text: "text"},
	} {
		if _, err := edit.ApplyContext(ctx, parse(t, []byte("# Guide\n\ntext\n")), []edit.Op{op}, edit.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", op.Action, err)
		}
	}
}
