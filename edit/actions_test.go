package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// What each action makes of a document, and what it refuses: the sentences of the
// specification one by one.

const guide = "# Guide\n\nIntro.\n\n## Install\n\nRun it.\n\n### Linux\n\nUse apt.\n\n### Windows\n\nUse the installer.\n\n## Usage\n\nCall it.\n"

type actionCase struct {
	name string
	doc  string // guide if it is empty
	op   edit.Op
	// from and to are the text of the document that changes, and what it becomes;
	// everything else stays. If from is empty, to is all of the new document.
	from, to string
	code     edit.Code // of the refusal, empty for none
}

func (c *actionCase) run(t *testing.T) {
	t.Helper()
	source := c.doc
	if source == "" {
		source = guide
	}
	doc, err := markdown.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	r, err := edit.Apply(doc, []edit.Op{c.op})
	if string(doc.Source) != source {
		t.Fatal("the document was changed in place")
	}
	if c.code != "" {
		if got := codeOf(err); got != c.code {
			t.Fatalf("code %q, want %q (%v)", got, c.code, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want := c.to
	if c.from != "" {
		if strings.Count(source, c.from) != 1 {
			t.Fatalf("%q is not in the document once", c.from)
		}
		want = strings.Replace(source, c.from, c.to, 1)
	}
	if diff := cmp.Diff(want, string(r.Doc.Source)); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// codeOf returns the code of the first operation that failed.
func codeOf(err error) edit.Code {
	if e, ok := errors.AsType[*edit.Error](err); ok {
		return e.Code
	}
	return ""
}

func hash(text string) string { return markdown.Hash([]byte(text)) }

func TestReplace(t *testing.T) {
	for _, c := range []actionCase{
		{
			name: "the body, the heading stays", op: edit.Op{Address: "Usage", Text: "New.\n"},
			from: "Call it.\n", to: "New.\n",
		},
		{
			name: "the heading too, if the text begins with one of its level", op: edit.Op{Address: "Usage", Text: "## Use\n\nNew."},
			from: "## Usage\n\nCall it.\n", to: "## Use\n\nNew.\n",
		},
		{
			name: "a deeper heading is a child", op: edit.Op{Address: "Usage", Text: "### Calls\n\nNew."},
			from: "Call it.\n", to: "### Calls\n\nNew.\n",
		},
		{name: "a shallower heading", op: edit.Op{Address: "Usage", Text: "# Use\n\nNew."}, code: edit.LevelMismatch},
		{name: "a shallower heading further down", op: edit.Op{Address: "Usage", Text: "New.\n\n# Use\n"}, code: edit.LevelMismatch},
		{name: "a heading of the level further down", op: edit.Op{Address: "Usage", Text: "New.\n\n## Use\n"}, code: edit.LevelMismatch},
		{
			name: "two sections for one", op: edit.Op{Address: "Usage", Text: "## Use\n\nNew.\n\n## More\n\nText."},
			from: "## Usage\n\nCall it.\n", to: "## Use\n\nNew.\n\n## More\n\nText.\n",
		},
		{
			name: "a shallower heading is allowed", op: edit.Op{Address: "Usage", Text: "# Use\n\nNew.", AllowRestructure: true},
			from: "Call it.\n", to: "# Use\n\nNew.\n",
		},
		{name: "subsections would go", op: edit.Op{Address: "Install", Text: "New."}, code: edit.HasSubsections},
		{name: "subsections would go with the heading", op: edit.Op{Address: "Install", Text: "## Install\n\nNew."}, code: edit.HasSubsections},
		{
			name: "subsections are replaced by others", op: edit.Op{Address: "Install", Text: "New.\n\n### BSD\n\nUse pkg."},
			from: "Run it.\n\n### Linux\n\nUse apt.\n\n### Windows\n\nUse the installer.\n", to: "New.\n\n### BSD\n\nUse pkg.\n",
		},
		{
			name: "subsections go with a scope", op: edit.Op{Address: "Install", Text: "New.", Scope: edit.ScopeSection},
			from: "Run it.\n\n### Linux\n\nUse apt.\n\n### Windows\n\nUse the installer.\n", to: "New.\n",
		},
		{
			name: "subsections stay with the other", op: edit.Op{Address: "Install", Text: "New.", Scope: edit.ScopeBody},
			from: "Run it.\n", to: "New.\n",
		},
		{
			name: "heading and body", op: edit.Op{Address: "Install", Text: "## Setup\n\nNew.", Scope: edit.ScopeBody},
			from: "## Install\n\nRun it.\n", to: "## Setup\n\nNew.\n",
		},
		{name: "one gap of two is needed", doc: "## A\n\np\n- a\n## B\n", op: edit.Op{Address: "h2.0/list.0", ExpectedHash: hash("- a"), Text: "New."}, to: "## A\n\np\n\nNew.\n## B\n"},
		{
			name: "more lines with line endings of both kinds", doc: "## A\n\r\n> ```\r\n> a\n> b\r\n> ```\n\r\n## B\n",
			op: edit.Op{Address: "h2.0/quote.0/code.0", ExpectedHash: hash("```\r\n> a\n> b\r\n> ```"), Text: "```\n> a\n> new\n> b\n> ```"},
			to: "## A\n\r\n> ```\r\n> a\n> new\r\n> b\r\n> ```\n\r\n## B\n",
		},
		{
			name: "an empty body", doc: "## A\n\n## B\n", op: edit.Op{Address: "A", Text: "New."},
			to: "## A\n\nNew.\n\n## B\n",
		},
		{
			name: "an empty body without a gap", doc: "## A\n## B\n", op: edit.Op{Address: "A", Text: "New."},
			to: "## A\n\nNew.\n\n## B\n",
		},
		{
			name: "gaps that are there stay", doc: "## A\n\n\nold\n\n\n\n## B\n", op: edit.Op{Address: "A", Text: "\n\nnew\n\n"},
			to: "## A\n\n\nnew\n\n\n\n## B\n",
		},
		{
			name: "gaps that are not there are not made", doc: "## A\nold\n## B\n", op: edit.Op{Address: "A", Text: "new"},
			to: "## A\nnew\n## B\n",
		},
		{name: "no final newline", doc: "## A\n\nold", op: edit.Op{Address: "A", Text: "new\n"}, to: "## A\n\nnew"},
		{name: "a heading at the very end", doc: "## A", op: edit.Op{Address: "A", Text: "new\n"}, to: "## A\n\nnew"},
		{name: "blank lines at the end", doc: "## A\n\nold\n\n \n", op: edit.Op{Address: "A", Text: "new"}, to: "## A\n\nnew\n\n \n"},
		{
			name: "CRLF", doc: "## A\r\n\r\nold\r\n\r\n## B\r\n", op: edit.Op{Address: "A", Text: "new\nlines\n\nand more\n"},
			to: "## A\r\n\r\nnew\r\nlines\r\n\r\nand more\r\n\r\n## B\r\n",
		},
		{
			name: "mixed endings", doc: "## A\r\n\r\nold\r\n\r\n## B\n\nold b\n", op: edit.Op{Address: "B", Text: "x\r\ny"},
			to: "## A\r\n\r\nold\r\n\r\n## B\n\nx\ny\n",
		},
		{name: "a byte order mark", doc: "\uFEFF## A\n\nold\n", op: edit.Op{Address: "A", Text: "\uFEFF## B\n\nnew\n"}, to: "\uFEFF## B\n\nnew\n"},
		{name: "a setext heading stays", doc: "A\n===\n\nold\n", op: edit.Op{Address: "A", Text: "new"}, to: "A\n===\n\nnew\n"},
		{name: "a setext heading is one of its level", doc: "A\n===\n\nold\n", op: edit.Op{Address: "A", Text: "B\n===\n\nnew"}, to: "B\n===\n\nnew\n"},
		{name: "nothing", op: edit.Op{Address: "Usage"}, code: edit.InvalidArgument},
		{name: "nothing for a document", doc: "Text.\n", op: edit.Op{Address: "@document"}, code: edit.InvalidArgument},
		{name: "nothing for a preamble", doc: "Text.\n\n# A\n", op: edit.Op{Address: "@preamble"}, code: edit.InvalidArgument},
		{
			name: "nothing, with a scope", op: edit.Op{Address: "Usage", Scope: edit.ScopeBody},
			from: "## Usage\n\nCall it.\n", to: "## Usage\n",
		},
		{
			name: "nothing, before a subsection", op: edit.Op{Address: "Install", Scope: edit.ScopeBody},
			from: "Run it.\n\n### Linux", to: "### Linux",
		},
		{name: "what is there", op: edit.Op{Address: "Usage", Text: "Call it."}, code: edit.NoChange},
		{name: "an open fence", op: edit.Op{Address: "Linux", Text: "```\nopen"}, code: edit.StructureChanged},
		{name: "an open comment", op: edit.Op{Address: "Linux", Text: "<!-- open"}, code: edit.StructureChanged},
		{
			name: "an open fence is allowed", op: edit.Op{Address: "Linux", Text: "```\nopen", AllowRestructure: true},
			from: "Use apt.", to: "```\nopen",
		},
		{name: "NUL", op: edit.Op{Address: "Usage", Text: "a\x00b"}, code: edit.InvalidArgument},
		{name: "invalid UTF-8", op: edit.Op{Address: "Usage", Text: "a\xffb"}, code: edit.InvalidArgument},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.Replace
			c.run(t)
		})
	}
}

func TestInsertBefore(t *testing.T) {
	for _, c := range []actionCase{
		{name: "a section", op: edit.Op{Address: "Usage", Text: "## New\n\nText.\n"}, from: "## Usage", to: "## New\n\nText.\n\n## Usage"},
		{name: "no heading", op: edit.Op{Address: "Usage", Text: "Text."}, code: edit.HeadingRequired},
		{name: "a heading, but not first", op: edit.Op{Address: "Usage", Text: "Text.\n\n## New"}, code: edit.HeadingRequired},
		{name: "a deeper one", op: edit.Op{Address: "Usage", Text: "### New"}, code: edit.LevelMismatch},
		{name: "a shallower one", op: edit.Op{Address: "Usage", Text: "# New"}, code: edit.LevelMismatch},
		{name: "a shallower one behind it", op: edit.Op{Address: "Usage", Text: "## New\n\n# Newer"}, code: edit.LevelMismatch},
		{name: "without a gap", doc: "a\n## B\n", op: edit.Op{Address: "B", Text: "## New\n"}, to: "a\n## New\n\n## B\n"},
		{name: "at the beginning", doc: "## B\n", op: edit.Op{Address: "B", Text: "## New\n"}, to: "## New\n\n## B\n"},
		{name: "no heading is allowed", op: edit.Op{Address: "Usage", Text: "Text.", AllowRestructure: true}, from: "## Usage", to: "Text.\n\n## Usage"},
		{name: "scope", op: edit.Op{Address: "Usage", Text: "## New", Scope: edit.ScopeBody}, code: edit.InvalidArgument},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.InsertBefore
			c.run(t)
		})
	}
}

func TestInsertAfter(t *testing.T) {
	for _, c := range []actionCase{
		{name: "behind the subsections", op: edit.Op{Address: "Install", Text: "## New\n\nText.\n"}, from: "installer.\n", to: "installer.\n\n## New\n\nText.\n"},
		{name: "the last subsection", op: edit.Op{Address: "Install", Text: "### BSD\n\nText.\n"}, from: "installer.\n", to: "installer.\n\n### BSD\n\nText.\n"},
		{name: "at the end", op: edit.Op{Address: "Usage", Text: "## New\n"}, from: "Call it.\n", to: "Call it.\n\n## New\n"},
		{name: "at the end without a newline", doc: "## A\n\na", op: edit.Op{Address: "A", Text: "## B\n\nb\n"}, to: "## A\n\na\n\n## B\n\nb"},
		{name: "at the end with blank lines", doc: "## A\n\na\n\n\n", op: edit.Op{Address: "A", Text: "## B\n\nb\n"}, to: "## A\n\na\n\n## B\n\nb\n\n\n"},
		{name: "without a gap", doc: "## A\n## C\n", op: edit.Op{Address: "A", Text: "## B"}, to: "## A\n## B\n\n## C\n"},
		{name: "no heading", op: edit.Op{Address: "Usage", Text: "Text."}, code: edit.HeadingRequired},
		{name: "a shallower one", op: edit.Op{Address: "Usage", Text: "# New"}, code: edit.LevelMismatch},
		{name: "behind an open fence", doc: "## A\n\n```\nopen\n", op: edit.Op{Address: "A", Text: "## B"}, code: edit.StructureChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.InsertAfter
			c.run(t)
		})
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []actionCase{
		{
			name: "with its subsections", op: edit.Op{Address: "Install"},
			from: "## Install\n\nRun it.\n\n### Linux\n\nUse apt.\n\n### Windows\n\nUse the installer.\n\n", to: "",
		},
		{name: "the last one", op: edit.Op{Address: "Usage"}, from: "\n## Usage\n\nCall it.\n", to: ""},
		{name: "the last one without a newline", doc: "## A\n\na\n\n## B\n\nb", op: edit.Op{Address: "B"}, to: "## A\n\na"},
		{name: "the last one before blank lines", doc: "## A\n\na\n\n## B\n\nb\n\n\n", op: edit.Op{Address: "B"}, to: "## A\n\na\n\n\n"},
		{name: "the only one", doc: "## A\n\na\n", op: edit.Op{Address: "A"}, to: ""},
		{name: "the first one", doc: "## A\n\na\n\n## B\n", op: edit.Op{Address: "A"}, to: "## B\n"},
		{name: "no gaps", doc: "p\n## A\na\n## B\n", op: edit.Op{Address: "A"}, to: "p\n## B\n"},
		{name: "no gap before", doc: "p\n## A\na\n\n## B\n", op: edit.Op{Address: "A"}, to: "p\n## B\n"},
		{name: "what would run together", doc: "p\n## A\nB\n===\n", op: edit.Op{Address: "A"}, to: "p\n\nB\n===\n"},
		{name: "with text", op: edit.Op{Address: "Usage", Text: "x"}, code: edit.InvalidArgument},
		{name: "the body alone", op: edit.Op{Address: "Linux", Scope: edit.ScopeBody}, from: "### Linux\n\nUse apt.\n\n", to: ""},
		{name: "the body alone, before subsections", op: edit.Op{Address: "Install", Scope: edit.ScopeBody}, code: edit.StructureChanged},
		{
			name: "the body alone is allowed", op: edit.Op{Address: "Install", Scope: edit.ScopeBody, AllowRestructure: true},
			from: "## Install\n\nRun it.\n\n", to: "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.Remove
			c.run(t)
		})
	}
}

func TestAppend(t *testing.T) {
	for _, c := range []actionCase{
		{name: "to the own body", op: edit.Op{Address: "Install", Text: "More."}, from: "Run it.\n", to: "Run it.\n\nMore.\n"},
		{name: "at the end", op: edit.Op{Address: "Usage", Text: "More."}, from: "Call it.\n", to: "Call it.\n\nMore.\n"},
		{name: "to an empty body", doc: "## A\n\n## B\n", op: edit.Op{Address: "A", Text: "x"}, to: "## A\n\nx\n\n## B\n"},
		{name: "a deeper section", op: edit.Op{Address: "Usage", Text: "### More"}, from: "Call it.\n", to: "Call it.\n\n### More\n"},
		{name: "a section of the level", op: edit.Op{Address: "Usage", Text: "## More"}, code: edit.LevelMismatch},
		{name: "a deeper section that takes others in", op: edit.Op{Address: "Guide", Text: "## More\n\n### Most"}, from: "Intro.\n", to: "Intro.\n\n## More\n\n### Most\n"},
		{
			name: "a section that would take subsections in", doc: "# A\n\n### B\n\nb\n",
			op: edit.Op{Address: "A", Text: "## New\n"}, code: edit.StructureChanged,
		},
		{name: "an item", doc: "## A\n\n- a\n- b\n", op: edit.Op{Address: "A", Text: "- c\n"}, to: "## A\n\n- a\n- b\n- c\n"},
		{name: "an item to a loose list", doc: "## A\n\n- a\n\n- b\n", op: edit.Op{Address: "A", Text: "- c\n"}, to: "## A\n\n- a\n\n- b\n\n- c\n"},
		{name: "an item with another marker", doc: "## A\n\n- a\n- b\n", op: edit.Op{Address: "A", Text: "* c\n"}, to: "## A\n\n- a\n- b\n\n* c\n"},
		{name: "an item behind a line without an ending", doc: "## A\r\n\r\n- a\r\n- b", op: edit.Op{Address: "A", Text: "- c\n"}, to: "## A\r\n\r\n- a\r\n- b\r\n- c"},
		{name: "an item to a loose list without an ending", doc: "## A\n\n- a\n\n- b", op: edit.Op{Address: "A", Text: "- c\n"}, to: "## A\n\n- a\n\n- b\n\n- c"},
		{name: "a row behind a line without an ending", doc: "## A\n\n| a |\n|---|\n| 1 |", op: edit.Op{Address: "A", Text: "| 2 |\n"}, to: "## A\n\n| a |\n|---|\n| 1 |\n| 2 |"},
		{name: "an item to an indented list", doc: "## A\n\n  - a\n  - b\n", op: edit.Op{Address: "A", Text: "- c\n\n  more"}, to: "## A\n\n  - a\n  - b\n\n  - c\n\n    more\n"},
		{name: "an item that is indented itself", doc: "## A\n\n  - a\n  - b\n", op: edit.Op{Address: "A", Text: " - c\n - d"}, to: "## A\n\n  - a\n  - b\n  - c\n  - d\n"},
		{name: "code with a tab to an indented list", doc: "## A\n\n  - a\n", op: edit.Op{Address: "A", Text: "- b\n\n  ```\n\tx\n  ```"}, to: "## A\n\n  - a\n\n- b\n\n  ```\n\tx\n  ```\n"},
		{name: "code with a line of blanks to an indented list", doc: "## A\n\n  - a\n", op: edit.Op{Address: "A", Text: "- b\n\n  ```\n  x\n      \n  ```"}, to: "## A\n\n  - a\n\n- b\n\n  ```\n  x\n      \n  ```\n"},
		{name: "a paragraph behind a tab to an indented list", doc: "## A\n\n  1. a\n", op: edit.Op{Address: "A", Text: "2. b\n\n\tmore"}, to: "## A\n\n  1. a\n\n2. b\n\n\tmore\n"},
		{name: "items that are there, indented", doc: "## A\n\n  - a\n  - b\n    more\n", op: edit.Op{Address: "A", UnlessPresent: true, Text: "- a\n- b\n  more"}, to: "## A\n\n  - a\n  - b\n    more\n"},
		{name: "items that are there, as they are indented", doc: "## A\n\n - a\n - b\n", op: edit.Op{Address: "A", UnlessPresent: true, Text: " - a\n - b"}, to: "## A\n\n - a\n - b\n"},
		{name: "lazy lines that are there, with another number", doc: "## A\n\n  1. a\n  2. b\n  lazy\n", op: edit.Op{Address: "A", UnlessPresent: true, Renumber: true, Text: "1. b\nlazy"}, to: "## A\n\n  1. a\n  2. b\n  lazy\n"},
		{name: "lines that are there, as they are indented", doc: "## A\n\n  a\n  b\n", op: edit.Op{Address: "A", UnlessPresent: true, Text: "  a\n  b"}, to: "## A\n\n  a\n  b\n"},
		{name: "code that is there", doc: "## A\n\n    a\n", op: edit.Op{Address: "A", UnlessPresent: true, Text: "    a"}, to: "## A\n\n    a\n"},
		{name: "code with more blanks than that of the text", doc: "## A\n\n```\n  x\n```\n", op: edit.Op{Address: "A", UnlessPresent: true, Text: "  ```\n  x\n```"}, to: "## A\n\n```\n  x\n```\n\n  ```\n  x\n```\n"},
		{name: "code behind a tab that is there", doc: "## A\n\n  \ta\n", op: edit.Op{Address: "A", UnlessPresent: true, Text: "  \ta"}, to: "## A\n\n  \ta\n"},
		{name: "an item with another one below it, where that is text of its paragraph", doc: "## A\n\n1.    a\n    - x\n", op: edit.Op{Address: "A", UnlessPresent: true, Renumber: true, Text: "2. a\n   - x"}, to: "## A\n\n1.    a\n    - x\n2. a\n   - x\n"},
		{name: "an item below another, which is there beside it", doc: "## A\n\n  - a\n  - b\n", op: edit.Op{Address: "A", UnlessPresent: true, Text: "- a\n  - b"}, to: "## A\n\n  - a\n  - b\n  - a\n    - b\n"},
		{name: "an item and more", doc: "## A\n\n1. a\n", op: edit.Op{Address: "A", Text: "2. b\n\nText."}, to: "## A\n\n1. a\n2. b\n\nText.\n"},
		{name: "what an item would take in", doc: "## A\n\n- a\n", op: edit.Op{Address: "A", Text: "  text"}, code: edit.StructureChanged},
		{name: "code behind code", doc: "## A\n\n    a\n", op: edit.Op{Address: "A", Text: "    b"}, code: edit.StructureChanged},
		{name: "to an open comment", doc: "## A\n\n<!-- open\n", op: edit.Op{Address: "A", Text: "b"}, code: edit.StructureChanged},
		{name: "behind the subsections", op: edit.Op{Address: "Install", Scope: edit.ScopeSection, Text: "### BSD\n\nText.\n"}, from: "installer.\n", to: "installer.\n\n### BSD\n\nText.\n"},
		{name: "before the subsections", op: edit.Op{Address: "Install", Scope: edit.ScopeBody, Text: "### BSD\n\nText.\n"}, from: "Run it.\n", to: "Run it.\n\n### BSD\n\nText.\n"},
		{name: "behind no subsections", op: edit.Op{Address: "Usage", Scope: edit.ScopeSection, Text: "More."}, from: "Call it.\n", to: "Call it.\n\nMore.\n"},
		{name: "text behind the subsections", op: edit.Op{Address: "Install", Scope: edit.ScopeSection, Text: "More."}, code: edit.HeadingRequired},
		{name: "too deep a section behind the subsections", op: edit.Op{Address: "Install", Scope: edit.ScopeSection, Text: "#### More"}, code: edit.LevelMismatch},
		{name: "too shallow a section behind the subsections", op: edit.Op{Address: "Install", Scope: edit.ScopeSection, Text: "## More"}, code: edit.LevelMismatch},
		{
			name: "a subsection that is there", doc: "# A\n\n## B\n\nb\n",
			op: edit.Op{Address: "A", Scope: edit.ScopeSection, UnlessPresent: true, Text: "## B\n\nb"}, to: "# A\n\n## B\n\nb\n",
		},
		{
			name: "items that are there with other numbers", doc: "# A\n\n9.  a\n10. b\n\n    more\n11. c\n",
			op: edit.Op{Address: "A", Renumber: true, UnlessPresent: true, Text: "1. b\n\n   more\n2. c"}, to: "# A\n\n9.  a\n10. b\n\n    more\n11. c\n",
		},
		{
			name: "an item that is there but for its number", doc: "# A\n\n1. a\n2. b\n",
			op: edit.Op{Address: "A", UnlessPresent: true, Text: "3. b"}, to: "# A\n\n1. a\n2. b\n3. b\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.Append
			c.run(t)
		})
	}
}

func TestPrepend(t *testing.T) {
	for _, c := range []actionCase{
		{name: "below the heading", op: edit.Op{Address: "Install", Text: "First."}, from: "## Install\n", to: "## Install\n\nFirst.\n"},
		{name: "without a gap", doc: "## A\na\n", op: edit.Op{Address: "A", Text: "x"}, to: "## A\n\nx\n\na\n"},
		{name: "below a setext heading", doc: "A\n---\na\n", op: edit.Op{Address: "A", Text: "x"}, to: "A\n---\n\nx\n\na\n"},
		{name: "an item", doc: "## A\n\n- a\n- b\n", op: edit.Op{Address: "A", Text: "- c\n"}, to: "## A\n\n- c\n- a\n- b\n"},
		{name: "an item to an indented list", doc: "## A\n\n  - a\n  - b\n", op: edit.Op{Address: "A", Text: "- c\n"}, to: "## A\n\n  - c\n  - a\n  - b\n"},
		{name: "a paragraph behind a tab to an indented list", doc: "## A\n\n  1. a\n", op: edit.Op{Address: "A", Text: "2. b\n\n\tmore"}, to: "## A\n\n2. b\n\n\tmore\n\n  1. a\n"},
		{name: "a section", op: edit.Op{Address: "Install", Text: "### First"}, code: edit.StructureChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.Prepend
			c.run(t)
		})
	}
}

func TestRename(t *testing.T) {
	for _, c := range []actionCase{
		{name: "the text", op: edit.Op{Address: "Usage", Text: "Use"}, from: "## Usage", to: "## Use"},
		{name: "with marks", op: edit.Op{Address: "Usage", Text: "## Use"}, from: "## Usage", to: "## Use"},
		{name: "with other marks", op: edit.Op{Address: "Usage", Text: "### Use"}, code: edit.LevelMismatch},
		{name: "closing marks stay", doc: "## A ##\n", op: edit.Op{Address: "A", Text: "B"}, to: "## B ##\n"},
		{name: "an underline stays", doc: "A\nand b\n---\n", op: edit.Op{Address: "h2.0", ExpectedHash: hash("A\nand b\n---"), Text: "B"}, to: "B\n---\n"},
		{name: "an empty heading", doc: "##\n\na\n", op: edit.Op{Address: "L1", ExpectedHash: hash("##\n\na"), Text: "B"}, to: "## B\n\na\n"},
		{name: "an empty heading with closing marks", doc: "## ##\n", op: edit.Op{Address: "L1", ExpectedHash: hash("## ##"), Text: "B"}, to: "## B\n"},
		{name: "two lines", op: edit.Op{Address: "Usage", Text: "Use\nit"}, code: edit.InvalidArgument},
		{name: "nothing", op: edit.Op{Address: "Usage", Text: " "}, code: edit.InvalidArgument},
		{name: "marks alone", op: edit.Op{Address: "Usage", Text: "##"}, code: edit.InvalidArgument},
		{name: "text that would be closing marks", op: edit.Op{Address: "Usage", Text: "C #"}, code: edit.InvalidArgument},
		{name: "text that would be an item above an underline", doc: "A\n---\n", op: edit.Op{Address: "A", Text: "- b"}, code: edit.InvalidArgument},
		{name: "an item's mark in a heading", op: edit.Op{Address: "Usage", Text: "- b"}, from: "## Usage", to: "## - b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.Rename
			c.run(t)
		})
	}
}

func TestBlocks(t *testing.T) {
	const doc = "# A\n\ntext\n\n```\ncode\n```\n\n- a\n- b\n\n  more\n- c\n\n| h |\n| - |\n| c |\n\n> q1\n>\n> q2\n\n1. x\n   - y\n"
	at := func(a edit.Action, addr, was, text string) edit.Op {
		return edit.Op{Action: a, Address: addr, ExpectedHash: hash(was), Text: text}
	}
	for _, c := range []actionCase{
		{name: "replace", op: at(edit.Replace, "h1.0/code.0", "```\ncode\n```", "```\nnew\n```\n"), from: "```\ncode\n```", to: "```\nnew\n```"},
		{name: "replace by an open fence", op: at(edit.Replace, "h1.0/code.0", "```\ncode\n```", "```\nnew"), code: edit.StructureChanged},
		{name: "insert before", op: at(edit.InsertBefore, "h1.0/code.0", "```\ncode\n```", "x"), from: "```\ncode", to: "x\n\n```\ncode"},
		{name: "insert after", op: at(edit.InsertAfter, "h1.0/code.0", "```\ncode\n```", "x"), from: "code\n```\n", to: "code\n```\n\nx\n"},
		{name: "remove", op: at(edit.Remove, "h1.0/code.0", "```\ncode\n```", ""), from: "```\ncode\n```\n\n", to: ""},
		{name: "append", op: at(edit.Append, "h1.0/code.0", "```\ncode\n```", "x"), code: edit.InvalidArgument},
		{name: "scope", op: edit.Op{Action: edit.Replace, Address: "h1.0/para.0", ExpectedHash: hash("text"), Text: "x", Scope: edit.ScopeBody}, code: edit.InvalidArgument},
		{name: "a heading", op: at(edit.Replace, "h1.0/para.0", "text", "## B"), code: edit.StructureChanged},
		{name: "an item", op: at(edit.Replace, "h1.0/list.0/item.0", "- a", "- A\n  A"), from: "- a\n", to: "- A\n  A\n"},
		{name: "an item becomes none", op: at(edit.Replace, "h1.0/list.0/item.2", "- c", "C"), code: edit.StructureChanged},
		{name: "nothing for a block", op: at(edit.Replace, "h1.0/code.0", "```\ncode\n```", ""), code: edit.InvalidArgument},
		{name: "items behind a list", op: at(edit.InsertAfter, "h1.0/list.0", "- a\n- b\n\n  more\n- c", "- d\n- e"), from: "- c\n", to: "- c\n\n- d\n- e\n"},
		{name: "items before a list", op: at(edit.InsertBefore, "h1.0/list.0", "- a\n- b\n\n  more\n- c", "- z"), from: "- a\n", to: "- z\n\n- a\n"},
		{name: "an item behind a list in an item", op: at(edit.InsertAfter, "h1.0/list.1/item.0/list.0", "- y", "- z"), from: "   - y\n", to: "   - y\n   - z\n"},
		{name: "a list of another kind behind a list", op: at(edit.InsertAfter, "h1.0/list.0", "- a\n- b\n\n  more\n- c", "* d"), from: "- c\n", to: "- c\n\n* d\n"},
		{name: "behind the last item", op: at(edit.InsertAfter, "h1.0/list.0/item.2", "- c", "- d"), from: "- c\n", to: "- c\n\n- d\n"},
		{name: "before an item", op: at(edit.InsertBefore, "h1.0/list.0/item.0", "- a", "- z"), from: "- a\n", to: "- z\n\n- a\n"},
		{name: "remove an item", op: at(edit.Remove, "h1.0/list.0/item.0", "- a", ""), from: "- a\n", to: ""},
		{name: "remove the last item", op: at(edit.Remove, "h1.0/list.0/item.2", "- c", ""), from: "- c\n", to: ""},
		{name: "in an item", op: at(edit.Replace, "h1.0/list.0/item.1/para.1", "more", "x\ny"), from: "  more\n", to: "  x\n  y\n"},
		{name: "behind a paragraph in an item", op: at(edit.InsertAfter, "h1.0/list.0/item.1/para.1", "more", "x"), from: "  more\n", to: "  more\n\n  x\n"},
		{name: "a row", op: at(edit.InsertAfter, "h1.0/table.0/row.1", "| c |", "| d |"), from: "| c |\n", to: "| c |\n| d |\n"},
		{name: "behind the head", op: at(edit.InsertAfter, "h1.0/table.0/row.0", "| h |", "| d |"), from: "| - |\n", to: "| - |\n| d |\n"},
		{name: "before the head", op: at(edit.InsertBefore, "h1.0/table.0/row.0", "| h |", "| d |"), code: edit.StructureChanged},
		{name: "remove the head", op: at(edit.Remove, "h1.0/table.0/row.0", "| h |", ""), code: edit.StructureChanged},
		{name: "remove a row", op: at(edit.Remove, "h1.0/table.0/row.1", "| c |", ""), from: "| c |\n", to: ""},
		{name: "a row becomes none", op: at(edit.InsertAfter, "h1.0/table.0/row.1", "| c |", "# d"), code: edit.StructureChanged},
		{name: "in a quote", op: at(edit.Replace, "h1.0/quote.0/para.0", "q1", "x\n\ny"), from: "> q1\n", to: "> x\n>\n> y\n"},
		{name: "behind the last in a quote", op: at(edit.InsertAfter, "h1.0/quote.0/para.1", "q2", "x"), from: "> q2\n", to: "> q2\n>\n> x\n"},
		{name: "remove in a quote", op: at(edit.Remove, "h1.0/quote.0/para.0", "q1", ""), from: "> q1\n>\n", to: ""},
		{name: "remove the last in a quote", op: at(edit.Remove, "h1.0/quote.0/para.1", "q2", ""), from: ">\n> q2\n", to: ""},
		{name: "remove the only item of a list", op: at(edit.Remove, "h1.0/list.1/item.0/list.0/item.0", "- y", ""), from: "   - y\n", to: ""},
		{name: "replace in a nested list", op: at(edit.Replace, "h1.0/list.1/item.0/list.0/item.0", "- y", "- z\n\n  w"), from: "- y\n", to: "- z\n\n     w\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.doc = doc
			c.run(t)
		})
	}
}

func TestNamedParts(t *testing.T) {
	const doc = "---\ntitle: x\n---\n\nPreamble.\n\n# A\n\na\n"
	for _, c := range []actionCase{
		{name: "preamble", op: edit.Op{Action: edit.Replace, Address: "@preamble", Text: "New."}, from: "Preamble.", to: "New."},
		{name: "append to the preamble", op: edit.Op{Action: edit.Append, Address: "@preamble", Text: "New."}, from: "Preamble.\n", to: "Preamble.\n\nNew.\n"},
		{name: "prepend to the preamble", op: edit.Op{Action: edit.Prepend, Address: "@preamble", Text: "New."}, from: "Preamble.\n", to: "New.\n\nPreamble.\n"},
		{name: "remove the preamble", op: edit.Op{Action: edit.Remove, Address: "@preamble"}, from: "Preamble.\n\n", to: ""},
		{name: "no preamble", doc: "# A\n", op: edit.Op{Action: edit.Append, Address: "@preamble", Text: "New."}, code: "heading_not_found"},
		{name: "text before the first section", doc: "# A\n", op: edit.Op{Action: edit.Prepend, Address: "@document", Text: "New."}, to: "New.\n\n# A\n"},
		{name: "a heading in the preamble", op: edit.Op{Action: edit.Append, Address: "@preamble", Text: "# New"}, code: edit.LevelMismatch},
		{name: "insert after the preamble", op: edit.Op{Action: edit.InsertAfter, Address: "@preamble", Text: "# New"}, code: edit.InvalidArgument},
		{name: "front matter", op: edit.Op{Action: edit.Replace, Address: "@frontmatter", Text: "---\ntitle: y\n---\n"}, from: "title: x", to: "title: y"},
		{name: "front matter without marks", op: edit.Op{Action: edit.Replace, Address: "@frontmatter", Text: "title: y"}, code: edit.StructureChanged},
		{name: "remove the front matter", op: edit.Op{Action: edit.Remove, Address: "@frontmatter"}, from: "---\ntitle: x\n---\n\n", to: ""},
		{name: "append to the front matter", op: edit.Op{Action: edit.Append, Address: "@frontmatter", Text: "x"}, code: edit.InvalidArgument},
		{name: "no front matter", doc: "# A\n", op: edit.Op{Action: edit.Replace, Address: "@frontmatter", Text: "---\na: b\n---"}, code: "heading_not_found"},
		{name: "a section at the end", op: edit.Op{Action: edit.Append, Address: "@document", Text: "# B"}, from: "a\n", to: "a\n\n# B\n"},
		{name: "text at the end", op: edit.Op{Action: edit.Append, Address: "@document", Text: "b"}, code: edit.HeadingRequired},
		{name: "text at the end without sections", doc: "a\n", op: edit.Op{Action: edit.Append, Address: "@document", Text: "b"}, to: "a\n\nb\n"},
		{name: "text at the beginning", op: edit.Op{Action: edit.Prepend, Address: "@document", Text: "b"}, from: "Preamble.", to: "b\n\nPreamble."},
		{name: "all of it", doc: "\uFEFFa\r\n", op: edit.Op{Action: edit.Replace, Address: "@document", Text: "b\nc\n"}, to: "\uFEFFb\r\nc\r\n"},
		{name: "all sections", op: edit.Op{Action: edit.Replace, Address: "@document", Text: "b"}, code: edit.HasSubsections},
		{name: "an empty document", doc: "", op: edit.Op{Action: edit.Append, Address: "@document", Text: "# A"}, to: "# A\n"},
		{name: "rename the document", op: edit.Op{Action: edit.Rename, Address: "@document", Text: "A"}, code: edit.InvalidArgument},
		{name: "the body of the preamble", op: edit.Op{Action: edit.Replace, Address: "@preamble", Text: "x", Scope: edit.ScopeBody}, code: edit.InvalidArgument},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.doc == "" && c.name != "an empty document" {
				c.doc = doc
			}
			if c.doc == "" {
				c.doc = "\uFEFF"
				c.to = "\uFEFF" + c.to
			}
			c.run(t)
		})
	}
}

func TestHashes(t *testing.T) {
	body := "## Install\n\nRun it.\n"
	section := body + "\n### Linux\n\nUse apt.\n\n### Windows\n\nUse the installer.\n"
	for _, c := range []actionCase{
		{name: "a selector alone", op: edit.Op{Action: edit.Append, Address: "h2.0", Text: "x"}, code: edit.HashRequired},
		{name: "a line alone", op: edit.Op{Action: edit.Append, Address: "L5", Text: "x"}, code: edit.HashRequired},
		{name: "an occurrence alone", op: edit.Op{Action: edit.Append, Address: "Install", Occurrence: 1, Text: "x"}, code: edit.HashRequired},
		{name: "the hash of the section", op: edit.Op{Action: edit.Append, Address: "h2.0", Text: "x", ExpectedHash: hash(section)}, from: "Run it.\n", to: "Run it.\n\nx\n"},
		{name: "the hash of the body", op: edit.Op{Action: edit.Append, Address: "h2.0", Text: "x", ExpectedHash: hash(body)}, from: "Run it.\n", to: "Run it.\n\nx\n"},
		{name: "the beginning of the hash", op: edit.Op{Action: edit.Append, Address: "h2.0", Text: "x", ExpectedHash: hash(body)[:12]}, from: "Run it.\n", to: "Run it.\n\nx\n"},
		{name: "too little of the hash", op: edit.Op{Action: edit.Append, Address: "h2.0", Text: "x", ExpectedHash: hash(body)[:11]}, code: edit.InvalidArgument},
		{name: "the hash of the body for all of it", op: edit.Op{Action: edit.Remove, Address: "h2.0", ExpectedHash: hash(body)}, code: edit.Conflict},
		{name: "another hash", op: edit.Op{Action: edit.Remove, Address: "Install", ExpectedHash: hash("x")}, code: edit.Conflict},
		{name: "the hash of another section", op: edit.Op{Action: edit.Remove, Address: "Usage", ExpectedHash: hash(section)}, code: edit.Conflict},
		{name: "a selector that counts another section now", op: edit.Op{Action: edit.Append, Address: "h2.1", Text: "x", ExpectedHash: hash(section)}, code: edit.Conflict},
		{name: "a selector that counts nothing now", op: edit.Op{Action: edit.Append, Address: "h2.7", Text: "x", ExpectedHash: hash(section)}, code: "heading_not_found"},
		{
			name: "two sections have the hash", doc: "## A\n\na\n\n## A\n\na\n\n## B\n",
			op: edit.Op{Action: edit.Append, Address: "h2.2", Text: "x", ExpectedHash: hash("## A\n\na\n")}, code: edit.Conflict,
		},
		{name: "no heading is like it", op: edit.Op{Action: edit.Append, Address: "Nothing", Text: "x", ExpectedHash: hash(section)}, code: "heading_not_found"},
		{name: "two headings", doc: "## A\n\n## A\n", op: edit.Op{Action: edit.Append, Address: "A", Text: "x"}, code: "ambiguous_heading"},
		{name: "a blank address", op: edit.Op{Action: edit.Append, Address: " ", Text: "x"}, code: edit.InvalidArgument},
		{name: "no address", op: edit.Op{Action: edit.Append, Text: "x"}, code: edit.InvalidArgument},
		{name: "no action", op: edit.Op{Address: "Usage", Text: "x"}, code: edit.InvalidArgument},
		{name: "no such scope", op: edit.Op{Action: edit.Replace, Scope: "all", Address: "Usage", Text: "x"}, code: edit.InvalidArgument},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

func TestReplaceText(t *testing.T) {
	for _, c := range []actionCase{
		{name: "once", op: edit.Op{Old: "Call it", Text: "Use it"}, from: "Call it", to: "Use it"},
		{
			name: "a letter among mixed endings", doc: "# T\r\n\r\nx\ny\r\nend\rz\r\n", op: edit.Op{Old: "x\ny\nend\nz\n", Text: "x\ny\nEnd\nz\n"},
			to: "# T\r\n\r\nx\ny\r\nEnd\rz\r\n",
		},
		{name: "a letter behind a CR", doc: "b\rx\nab\n", op: edit.Op{Old: "x\nab", Text: "\nab"}, to: "b\r\rab\n"},
		{name: "a line between CR and LF", doc: "b\rx\nab\n", op: edit.Op{Old: "x", Text: "\n"}, to: "b\r\r\n\nab\n"},
		{name: "letters between CR and LF everywhere", doc: "b\rb\nb\n", op: edit.Op{Old: "b\n", Text: "\n", All: true}, to: "\r\r\r"},
		{
			name: "a line more among mixed endings", doc: "x\ny\r\nend\n", op: edit.Op{Old: "x\ny\nend", Text: "x\ny\nnew\nend"},
			to: "x\ny\r\nnew\nend\n",
		},
		{name: "more than once", op: edit.Op{Old: "Use", Text: "Take"}, code: edit.AmbiguousText},
		{name: "once in a range", doc: "Use a. Use b.\n", op: edit.Op{Old: "Use", Text: "Take", Within: markdown.Span{Start: 3, End: 13}}, to: "Use a. Take b.\n"},
		{name: "in half of it", doc: "Use a. Use b.\n", op: edit.Op{Old: "Use", Text: "Take", Within: markdown.Span{Start: 3, End: 9}}, code: edit.TextNotFound},
		{name: "in a range beyond the end", doc: "Use a.\n", op: edit.Op{Old: "Use", Text: "Take", Within: markdown.Span{End: 8}}, code: edit.InvalidArgument},
		{name: "in a range before itself", doc: "Use a.\n", op: edit.Op{Old: "Use", Text: "Take", Within: markdown.Span{Start: 2, End: 1}}, code: edit.InvalidArgument},
		{name: "in a range of a section", op: edit.Op{Address: "Linux", Old: "Use", Text: "Take", Within: markdown.Span{End: 9}}, code: edit.InvalidArgument},
		{name: "everywhere", doc: "Use a. Use b.\n", op: edit.Op{Old: "Use", Text: "Take", All: true}, to: "Take a. Take b.\n"},
		{name: "in a section", op: edit.Op{Address: "Linux", Old: "Use", Text: "Take"}, from: "Use apt", to: "Take apt"},
		{name: "not in the section", op: edit.Op{Address: "Linux", Old: "Call", Text: "Take"}, code: edit.TextNotFound},
		{name: "nowhere", op: edit.Op{Old: "nothing", Text: "x"}, code: edit.TextNotFound},
		{name: "nothing", op: edit.Op{Text: "x"}, code: edit.InvalidArgument},
		{name: "by the same", op: edit.Op{Old: "Call", Text: "Call"}, code: edit.NoChange},
		{name: "by nothing", op: edit.Op{Old: "Call it."}, from: "Call it.", to: ""},
		{name: "overlapping", doc: "aaa\n", op: edit.Op{Old: "aa", Text: "b"}, code: edit.AmbiguousText},
		{name: "overlapping everywhere", doc: "aaa\n", op: edit.Op{Old: "aa", Text: "b", All: true}, to: "ba\n"},
		{name: "CRLF", doc: "a\r\nb\r\nc\r\n", op: edit.Op{Old: "a\nb", Text: "x\ny\nz"}, to: "x\r\ny\r\nz\r\nc\r\n"},
		{name: "LF", doc: "a\nb\nc\n", op: edit.Op{Old: "a\r\nb", Text: "x\r\ny"}, to: "x\ny\nc\n"},
		{name: "the beginning as it was read", doc: "\ufeff# A\r\n\r\n# A\n", op: edit.Op{Old: "\ufeff# A\n", Text: "\ufeff# B\n"}, to: "\ufeff# B\r\n\r\n# A\n"},
		{name: "the beginning without its mark", doc: "\ufeff# A\n", op: edit.Op{Old: "\ufeff# A", Text: "# B", All: true}, to: "\ufeff# B\n"},
		{name: "the beginning, and the same after it", doc: "\ufeffA\n\n\ufeffA\n", op: edit.Op{Old: "\ufeffA", Text: "\ufeffB"}, code: edit.AmbiguousText},
		{name: "the beginning, and all after it", doc: "\ufeffA\n\n\ufeffA \ufeffA\n", op: edit.Op{Old: "\ufeffA", Text: "\ufeffB", All: true}, to: "\ufeffB\n\n\ufeffB \ufeffB\n"},
		{name: "a mark amid the text", doc: "\ufeff# A\n\n\ufeffA\n", op: edit.Op{Old: "\ufeffA", Text: "\ufeffB"}, to: "\ufeff# A\n\n\ufeffB\n"},
		{name: "a mark that isn't there", doc: "# A\n", op: edit.Op{Old: "\ufeff# A", Text: "# B"}, code: edit.TextNotFound},
		{name: "a position", op: edit.Op{Address: "h2.1", Old: "Call", Text: "x"}, code: edit.HashRequired},
		{name: "a heading", op: edit.Op{Old: "## Usage", Text: "## Use"}, from: "## Usage", to: "## Use"},
		{name: "a heading that becomes another level", op: edit.Op{Old: "## Usage", Text: "# Usage"}, from: "## Usage", to: "# Usage"},
		{name: "a heading with subsections that becomes another level", op: edit.Op{Old: "## Install", Text: "### Install"}, code: edit.StructureChanged},
		{name: "a heading that goes", op: edit.Op{Old: "## Usage", Text: "Usage"}, code: edit.StructureChanged},
		{name: "a fence that opens", op: edit.Op{Old: "Use apt.", Text: "```"}, code: edit.StructureChanged},
		{name: "a section between", op: edit.Op{Old: "Use apt.\n", Text: "Use apt.\n\n### BSD\n\nUse pkg.\n"}, from: "Use apt.\n", to: "Use apt.\n\n### BSD\n\nUse pkg.\n"},
		{name: "scope", op: edit.Op{Old: "Call", Text: "x", Scope: edit.ScopeBody}, code: edit.InvalidArgument},
		{name: "NUL", op: edit.Op{Old: "Call", Text: "\x00"}, code: edit.InvalidArgument},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.op.Action = edit.ReplaceText
			c.run(t)
		})
	}
}
