package edit_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// hostileShapes are the documents that hostile content is put into: all kinds of
// neighbours.
func hostileShapes() []struct{ name, src string } {
	return append(slices.Clone(shapes), lists...)
}

// hostileAttempts returns every action on every section of the documents with the
// payload, as it is and after a heading where one is needed.
func hostileAttempts(t testing.TB, p payload, of []struct{ name, src string }) []*attempt {
	t.Helper()
	var all []*attempt
	places := settings(t, of)
	for i := range places {
		s := &places[i]
		all = append(all, s.attempt(p.text, s.level()))
		if s.own && s.action != edit.Replace {
			bare := *s
			bare.own = false
			all = append(all, bare.attempt(p.text, s.level()))
		}
	}
	for _, s := range of {
		doc := parse(t, []byte(s.src))
		for i := range doc.Sections {
			n := address.NodeOfSection(i)
			o := edit.Op{Action: edit.Rename, Address: address.SelectorOf(doc, n), ExpectedHash: doc.SectionHash(i), Text: p.text}
			all = append(all, &attempt{doc: doc, ops: []made{{Op: o, node: n, sure: true}}})
		}
		all = append(all, blockAttempts(doc, p)...)
		// A paragraph, or the gap after a heading, becomes the payload.
		for _, old := range []string{"it.", "\n\n", "Install", "e"} {
			o := edit.Op{Action: edit.ReplaceText, Old: old, Text: p.text, All: old == "\n\n"}
			all = append(all, &attempt{doc: doc, ops: []made{{Op: o}}})
		}
	}
	return all
}

// blockAttempts returns every action on every block of the document that has an
// address.
func blockAttempts(doc *markdown.Document, p payload) []*attempt {
	var all []*attempt
	for b := range doc.Blocks {
		n := address.NodeOfBlock(doc, b)
		addr := address.SelectorOf(doc, n)
		if n.Kind != address.BlockNode || addr == "" {
			continue
		}
		for _, action := range []edit.Action{edit.Replace, edit.InsertBefore, edit.InsertAfter} {
			o := edit.Op{Action: action, Address: addr, ExpectedHash: markdown.Hash(doc.Text(n.Span(doc))), Text: p.text}
			all = append(all, &attempt{doc: doc, ops: []made{{Op: o, node: n, sure: true}}})
		}
	}
	return all
}

// TestHostilePayloads puts each wherever there is a place: what is accepted obeys the
// laws.
func TestHostilePayloads(t *testing.T) {
	testkit.OneGoroutine(t)
	payloads := hostilePayloads()
	if len(payloads) < 200 {
		t.Errorf("%d payloads", len(payloads))
	}
	few := []struct{ name, src string }{shapes[0], shapes[1], shapes[3], lists[0]}
	total := newTally()
	failed := 0
	one := 40 // of so many places gets a large payload
	if testkit.Long() {
		one = 5
	}
	for n, p := range payloads {
		of := hostileShapes()
		if len(p.text) > 2000 {
			of = few[n%len(few) : n%len(few)+1]
		} else if !*allFlag {
			of = []struct{ name, src string }{of[n%len(of)], of[(n+7)%len(of)]}
		}
		for i, a := range hostileAttempts(t, p, of) {
			if len(p.text) > 2000 && i%one != n%one && !*allFlag {
				continue // all of them into each of hundreds of places take minutes
			}
			if err := total.try(a); err != nil {
				if failed++; failed <= 10 {
					t.Errorf("%s: %.2000v\n%.1500v", p.name, err, a)
				}
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d failed", failed)
	}
	refusals := 0
	for _, n := range total.refused {
		refusals += n
	}
	t.Logf("%d payloads, %d attempts: %d accepted, refused %v; goldmark judged %d", len(payloads), total.ops, total.accepted, total.refused, total.outline.judged)
	if total.accepted*10 < total.ops || refusals*10 < total.ops {
		t.Error("nearly all was accepted, or refused: then this shows nothing")
	}
}

// TestSwallowers: what opens code or HTML and doesn't close it is refused wherever
// something stands after it.
func TestSwallowers(t *testing.T) {
	testkit.OneGoroutine(t)
	opens := func(p payload) bool {
		text := parse(t, []byte("x\n\n"+p.text+"\n\nend of it\n"))
		n := len(text.Blocks) - 1
		return text.Blocks[n].Parent < 0 && open(text, n)
	}
	docs := []struct{ name, src string }{shapes[0], shapes[1], shapes[10]}
	swallowers, tried := 0, 0
	for _, p := range hostilePayloads() {
		if len(p.text) > 2000 || !opens(p) {
			continue
		}
		swallowers++
		all := settings(t, docs)
		for i := range all {
			s := &all[i]
			span := s.node.Span(s.doc)
			if span.End == len(s.doc.Source) && s.action != edit.Prepend && s.action != edit.InsertBefore {
				continue
			}
			tried++
			a := s.attempt(p.text, s.level())
			_, err := a.apply()
			e, _ := errors.AsType[*edit.Error](err)
			if e == nil || e.Code != edit.StructureChanged && e.Code != edit.LevelMismatch && e.Code != edit.InvalidArgument {
				t.Errorf("%s in %s: %v", p.name, s.name, err)
			}
		}
	}
	t.Logf("%d payloads that stay open, %d attempts", swallowers, tried)
	if swallowers < 60 {
		t.Errorf("%d payloads stay open", swallowers)
	}
}

const (
	refusePlain = "# A\n\nalpha\n\n## B\n\nbeta\n\n### C\n\ngamma\n\n## D\n\ndelta\n"
	refuseTight = "# A\nalpha\n## B\nbeta\n## D\ndelta\n"
	refuseList  = "# A\n\n- one\n- two\n\ntext\n\n| a | b |\n|---|---|\n| c | d |\n\n> # q\n>\n> quoted\n\n## B\n\nbeta\n"
)

// refusals are operations that must not be done, and why not.
var refusals = []struct {
	doc  string
	op   edit.Op
	code edit.Code
}{
	// What swallows the blocks after it.
	{refusePlain, edit.Op{Action: edit.Append, Address: "# A", Text: "```\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## B", Text: "~~~~~~~\ncode\n~~~\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Prepend, Address: "## D", Text: "<!-- open\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Prepend, Address: "# A", Text: "<script>\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "### C", Text: "<![CDATA[\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "## B", Scope: edit.ScopeSection, Text: "<?php\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "## B", Scope: edit.ScopeBody, Text: "<pre>\n\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.InsertBefore, Address: "## D", Text: "## New\n\n```md\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "## B", Text: "## New\n\n<!A\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "alpha", Text: "```"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "beta", Text: "<!--"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "h1.0/para.0", Text: "```\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "h1.0/para.0", Text: "~~~\n"}, edit.StructureChanged},
	// What joins with what is around, or parts it.
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "alpha\n\n## B\n", Text: "alpha\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "## B\n\nbeta", Text: "beta"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "## B", Text: "### B"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "## D\n\ndelta", Text: "##D\n\ndelta\n\n# E"}, ""},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "# A\n\n", Text: "# A"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "\n\ngamma", Text: "\n\n## X\n\ngamma"}, ""},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "alpha\n\n", Text: "alpha\n\n## X\n\n"}, ""},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "gamma\n\n", Text: "gamma\n\n# X\n\n"}, edit.StructureChanged},
	{refuseTight, edit.Op{Action: edit.ReplaceText, Old: "beta\n", Text: "beta\n---\n"}, ""},
	{refuseTight, edit.Op{Action: edit.ReplaceText, Old: "alpha\n", Text: "alpha\n===\n"}, edit.StructureChanged},
	{refuseList, edit.Op{Action: edit.ReplaceText, Old: "text\n\n|", Text: "text\n|"}, ""},
	{refuseList, edit.Op{Action: edit.ReplaceText, Old: "|---|---|", Text: "|---|"}, edit.StructureChanged},
	{refuseList, edit.Op{Action: edit.ReplaceText, Old: "- one", Text: "* one"}, ""},
	{refuseList, edit.Op{Action: edit.ReplaceText, Old: "- two\n\ntext", Text: "- two\n\n  text"}, ""},
	{refuseList, edit.Op{Action: edit.ReplaceText, Old: "- two\n\n", Text: "- two\n\n  "}, edit.StructureChanged},
	{refuseList, edit.Op{Action: edit.Remove, Address: "h1.0/table.0/row.0"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Remove, Address: "## B", Scope: edit.ScopeBody}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Prepend, Address: "# A", Text: "## New\n"}, edit.StructureChanged},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## B", Text: "### New\n\n#### Deep\n"}, ""},
	{"# A\n\n- one\n\n# B\n", edit.Op{Action: edit.Append, Address: "# A", Text: "  more\n"}, edit.StructureChanged},
	{"# A\n\n    code\n\n# B\n", edit.Op{Action: edit.Append, Address: "# A", Text: "    more\n"}, edit.StructureChanged},
	{"# A\n\n    code\n\n# B\n", edit.Op{Action: edit.Prepend, Address: "# A", Text: "- item\n"}, edit.StructureChanged},
	{"# A\n\n[^n]: note\n\n# B\n", edit.Op{Action: edit.Append, Address: "# A", Text: "    more\n"}, edit.StructureChanged},
	{"# A\n\n```\ncode\n", edit.Op{Action: edit.Append, Address: "# A", Text: "text\n"}, edit.StructureChanged},
	{"# A\n\n<!--\nopen\n", edit.Op{Action: edit.InsertAfter, Address: "# A", Text: "# B\n"}, edit.StructureChanged},
	// Headings that don't fit.
	{refusePlain, edit.Op{Action: edit.Append, Address: "## B", Text: "# Top\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## B", Text: "text\n\n## Same\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Prepend, Address: "### C", Text: "Second\n---\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Prepend, Address: "### C", Text: "text\n===\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "## D", Text: "# Top\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "## D", Text: "text\n\n# Top\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "## D", Text: "## D\n\n# Top\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.InsertBefore, Address: "## B", Text: "# Top\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.InsertBefore, Address: "## B", Text: "### Deep\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "## B", Text: "# Top\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "## B", Text: "## New\n\n# Top\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "## B", Text: "text\n\n## New\n"}, edit.HeadingRequired},
	{refusePlain, edit.Op{Action: edit.InsertBefore, Address: "## B", Text: "text\n"}, edit.HeadingRequired},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "## B", Text: "> ## Quoted\n"}, edit.HeadingRequired},
	{refusePlain, edit.Op{Action: edit.Rename, Address: "## B", Text: "# B\n"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Rename, Address: "## B", Text: "### New"}, edit.LevelMismatch},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "## B", Text: "text\n"}, edit.HasSubsections},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "# A", Text: "# A\n\ntext\n"}, edit.HasSubsections},
	// What can't be an operation.
	{refusePlain, edit.Op{Action: edit.Rename, Address: "## B", Text: "a\nb"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## B", Text: "a\x00b"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## B", Text: "a\xffb"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## B", Text: " \n\t\n"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "## B"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "## D"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Replace, Address: "@document"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Remove, Address: "## B", Text: "text"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "", Text: "a"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "beta", Text: "beta"}, edit.NoChange},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "Beta", Text: "x"}, edit.TextNotFound},
	{refusePlain, edit.Op{Action: edit.ReplaceText, Old: "a", Text: "x"}, edit.AmbiguousText},
	{"# A\n\naaa\n", edit.Op{Action: edit.ReplaceText, Old: "aa", Text: "x"}, edit.AmbiguousText},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## D", Text: "x", ExpectedHash: "12345678"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Append, Address: "## D", Text: "x", ExpectedHash: "0123456789ab"}, edit.Conflict},
	{refusePlain, edit.Op{Action: "move", Address: "## B"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Append, Address: "h1.0/para.0", Text: "x"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.Rename, Address: "@document", Text: "x"}, edit.InvalidArgument},
	{refusePlain, edit.Op{Action: edit.InsertAfter, Address: "@document", Text: "# X\n"}, edit.InvalidArgument},
	{"---\na: b\n---\n\n# A\n", edit.Op{Action: edit.Replace, Address: "@frontmatter", Text: "text\n"}, edit.StructureChanged},
	{"---\na: b\n---\n\n# A\n", edit.Op{Action: edit.Replace, Address: "@frontmatter", Text: "---\na: b\n"}, edit.StructureChanged},
	{"# A\n", edit.Op{Action: edit.Append, Address: "@preamble", Text: "x"}, address.HeadingNotFound},
	{refusePlain, edit.Op{Action: edit.Append, Address: "@document", Text: "text\n"}, edit.HeadingRequired},
}

// TestRefused demands the code of each, or none where it is empty.
func TestRefused(t *testing.T) {
	for _, c := range refusals {
		t.Run(fmt.Sprintf("%v %.20q %.20q", c.op.Action, c.op.Address+c.op.Old, c.op.Text), func(t *testing.T) {
			doc := parse(t, []byte(c.doc))
			res, err := applyWith(doc, []edit.Op{c.op}, edit.Options{Pinned: true})
			got := edit.Code("")
			if e, ok := errors.AsType[*edit.Error](err); ok {
				got = e.Code
			}
			if diff := cmp.Diff(c.code, got); diff != "" {
				t.Errorf("%+v: %v\n%s", c.op, err, diff)
			}
			if err != nil {
				return
			}
			a := &attempt{doc: doc, ops: []made{{Op: c.op}}, options: edit.Options{Pinned: true}}
			if err := judge(a, res); err != nil {
				t.Errorf("%v\n%q", err, res.Doc.Source)
			}
		})
	}
	if n := len(refusals); n < 30 {
		t.Errorf("%d refusals", n)
	}
}

// TestAllowed: with leave, the same is done and said.
func TestAllowed(t *testing.T) {
	for _, c := range refusals {
		if c.code != edit.StructureChanged || strings.HasPrefix(c.op.Address, "@front") {
			continue
		}
		op := c.op
		op.AllowRestructure = true
		res, err := applyWith(parse(t, []byte(c.doc)), []edit.Op{op}, edit.Options{Pinned: true})
		if err != nil {
			t.Errorf("%+v: %v", op, err)
			continue
		}
		if len(res.Changes[0].Restructured) == 0 {
			t.Errorf("%+v: nothing is said of what became of the blocks: %q", op, res.Doc.Source)
		}
	}
}
