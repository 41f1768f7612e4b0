package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

const ownDocument = "# Guide\n\nIntro.\n\n**Install**\n\nRun it.\n\n- item\n\n  para\n\n== Linux ==\n\nUse apt.\n\n**Usage**\n\nStart.\n\n## Marked\n\nEnd.\n"

// Headings that are ones by markers of the reader's own are edited like others, and none is
// made or lost by the way.
func TestOwnHeadings(t *testing.T) {
	for _, c := range []struct {
		op        edit.Op
		old, want string // what changes in the document
	}{
		{edit.Op{Action: edit.Replace, Address: "Install", Scope: edit.ScopeBody, Text: "Anew."}, "Run it.\n\n- item\n\n  para\n", "Anew.\n"},
		{edit.Op{Action: edit.Replace, Address: "Usage", Text: "**Use**\n\nAnew.\n"}, "**Usage**\n\nStart.\n", "**Use**\n\nAnew.\n"},
		{edit.Op{Action: edit.Prepend, Address: "## Install", Text: "First."}, "**Install**\n", "**Install**\n\nFirst.\n"},
		{edit.Op{Action: edit.Append, Address: "Guide > Install > Linux", Text: "Or snap."}, "Use apt.\n", "Use apt.\n\nOr snap.\n"},
		{edit.Op{Action: edit.Rename, Address: "Install", Text: "Set up"}, "**Install**", "**Set up**"},
		{edit.Op{Action: edit.Rename, Address: "Linux", Text: "== Debian =="}, "== Linux ==", "== Debian =="},
		{edit.Op{Action: edit.InsertAfter, Address: "Install", Text: "**More**\n\nText."}, "Use apt.\n", "Use apt.\n\n**More**\n\nText.\n"},
		{edit.Op{Action: edit.InsertBefore, Address: "h2.0", Text: "## More"}, "**Install**\n", "## More\n\n**Install**\n"},
		{edit.Op{Action: edit.Remove, Address: "Linux"}, "== Linux ==\n\nUse apt.\n\n", ""},
		{edit.Op{Action: edit.Move, Address: "Usage", To: "Install", Where: edit.Before}, "", ""},
		{edit.Op{Action: edit.Dissolve, Address: "Linux"}, "== Linux ==\n\n", ""},
		// In containers a line alone is a paragraph as ever.
		{edit.Op{Action: edit.Replace, Address: "Install/list.0/item.0/para.1", Text: "**Bold**"}, "  para\n", "  **Bold**\n"},
		{edit.Op{Action: edit.InsertAfter, Address: "Install/list.0/item.0/para.0", Text: "**Bold**"}, "- item\n", "- item\n\n  **Bold**\n"},
	} {
		doc, err := (&markdown.Parser{Options: ownHeadings}).Parse([]byte(ownDocument))
		if err != nil {
			t.Fatal(err)
		}
		res, err := applyWith(doc, []edit.Op{c.op}, edit.Options{Pinned: true})
		if err != nil {
			t.Errorf("%s %s: %v", c.op.Action, c.op.Address, err)
			continue
		}
		want := strings.Replace(ownDocument, c.old, c.want, 1)
		if c.op.Action == edit.Move {
			want = "# Guide\n\nIntro.\n\n**Usage**\n\nStart.\n\n**Install**\n\nRun it.\n\n- item\n\n  para\n\n== Linux ==\n\nUse apt.\n\n## Marked\n\nEnd.\n"
		}
		if got := string(res.Doc.Source); got != want {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.op.Action, c.op.Address, got, want)
		}
	}
}

// What no marker could write is refused, and nothing is changed.
func TestOwnHeadingsRefused(t *testing.T) {
	for _, c := range []struct {
		op   edit.Op
		code edit.Code
		want string
	}{
		{edit.Op{Action: edit.Promote, Address: "Usage"}, edit.LevelMismatch, `the heading "## Usage" on line 17 is one by a pattern of your own, which gives it level 2 and no other; write it with marks (#) first, or leave the levels as they are`},
		{edit.Op{Action: edit.Demote, Address: "Linux"}, edit.LevelMismatch, "write it with marks (####) first"},
		{edit.Op{Action: edit.Demote, Address: "Guide"}, edit.LevelMismatch, `the heading "## Install" on line 5 is one by a pattern`}, // one that stands below
		{edit.Op{Action: edit.Move, Address: "Usage", To: "Install", Where: edit.Last}, edit.LevelMismatch, "is one by a pattern of your own"},
		{edit.Op{Action: edit.Rename, Address: "Usage", Text: "2 * 3"}, edit.InvalidArgument, `"2 * 3" would not be its text`},
		{edit.Op{Action: edit.Append, Address: "Usage", Text: "**Other**\n\nText."}, edit.LevelMismatch, "the text has a heading of level 2"},
		{edit.Op{Action: edit.Replace, Address: "Install/para.0", Text: "== Other =="}, edit.StructureChanged, "the list on lines 9-11 would stand in the section that begins on line 7"},
		// It may be one by accident, so it divides no section.
		{edit.Op{Action: edit.ReplaceText, Old: "Run it.", Text: "== Other =="}, edit.StructureChanged, "the list on lines 9-11 would stand in the section that begins on line 7"},
	} {
		doc, err := (&markdown.Parser{Options: ownHeadings}).Parse([]byte(ownDocument))
		if err != nil {
			t.Fatal(err)
		}
		res, err := applyWith(doc, []edit.Op{c.op}, edit.Options{Pinned: true})
		all, _ := errors.AsType[edit.Errors](err)
		if len(all) != 1 || all[0].Code != c.code || !strings.Contains(all[0].Message, c.want) {
			t.Errorf("%s %s: %v %v", c.op.Action, c.op.Address, err, res)
		}
		if string(doc.Source) != ownDocument {
			t.Fatal("the document has changed")
		}
	}
}
