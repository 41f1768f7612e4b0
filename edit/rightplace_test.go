package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// Documents whose sections are easy to mistake for each other.
const (
	docPlain  = "---\ntitle: x\n---\n\nBefore.\n\n# Guide\n## Install\n### Linux\n### Windows\n## Use\n### Linux\n# Reference\n## Install\n## Installation notes\n## Reinstall\n"
	docMarkup = "# Use `go build` now\n# **Bold** and _em_\n# [Text](https://example.com) here\n# Closed ##\n# C \\#\n# Options {#opts}\n# R&amp;D &copy; 2024\n# `a > b` and c\nSet *text*\nin two lines\n===\nShort\n---\n"
	docShapes = "# h2.1\n# L3\n# #install\n# @preamble\n# A > B\n# code.0\n# Note: this\n# 1. First\n# v1.2\n# ## nested marks\n"
	docClash  = "# Auth\n## auth\n## Auth flow\n# AUTH\n## Authentication\n## OAuth\n# Same\n# Same\n## Child\n# Same\n### Deep\n#\n##\n## Auth\n"
	docQuoted = "# Top\n\n> # Quoted\n>\n> text\n\n- # Item\n\n  para\n\n```\n# fenced\n```\n\n<!--\n# comment\n-->\n\n# Quoted\n"
	docScript = "# Café\n# Re\u0301sume\u0301\n# It\u2019s \u201cfine\u201d\n# 10\u00a0km run\n# \U0001F389 Release\n# 見出し\n# 見出しの例\n# Straße\n"
)

// hardQueries are addresses with the heading line under which text must arrive, or
// the code of the refusal.
var hardQueries = []struct {
	doc, query, want string
}{
	{docPlain, "Guide", "# Guide"},
	{docPlain, "# Guide", "# Guide"},
	{docPlain, "guide", "# Guide"},
	{docPlain, "Gui", "# Guide"},
	{docPlain, "uide", "# Guide"},
	{docPlain, "## Guide", "heading_not_found"},
	{docPlain, "Install", "ambiguous_heading"},
	{docPlain, "install", "ambiguous_heading"},
	{docPlain, "Installation", "## Installation notes"},
	{docPlain, "stall", "ambiguous_heading"},
	{docPlain, "Linux on a mainframe", "heading_not_found"},
	{docPlain, "title: x", "heading_not_found"},
	{docPlain, "Guide > Install", "## Install|1"},
	{docPlain, "Reference > Install", "## Install|2"},
	{docPlain, "Guide > Linux", "ambiguous_heading"},
	{docPlain, "Guide > Use > Linux", "### Linux|2"},
	{docPlain, "Guide >  > Linux", "invalid_address"},
	{docPlain, "Windows > Linux", "heading_not_found"},
	{docPlain, "h2.3", "hash_required"},
	{docPlain, "h2.0-1", "ambiguous_heading"},
	{docPlain, "h2[0", "invalid_selector"},
	{docPlain, "L9", "hash_required"},
	{docPlain, "L0", "invalid_address"},
	{docPlain, "L999", "invalid_address"},
	{docPlain, "#install", "hash_required"},
	{docPlain, "#install-1", "hash_required"},
	{docPlain, "#install-2", "heading_not_found"},
	{docPlain, "#installation-notes", "## Installation notes"},
	{docPlain, "", "invalid_argument"},
	{docPlain, " \t", "invalid_argument"},
	{docMarkup, "Use go build now", "# Use `go build` now"},
	{docMarkup, "Bold and em", "# **Bold** and _em_"},
	{docMarkup, "Text here", "# [Text](https://example.com) here"},
	{docMarkup, "example.com", "heading_not_found"},
	{docMarkup, "Closed", "# Closed ##"},
	{docMarkup, "C #", "# C \\#"},
	{docMarkup, "Options", "# Options {#opts}"},
	{docMarkup, "R&D © 2024", "# R&amp;D &copy; 2024"},
	{docMarkup, `a \> b and c`, "# `a > b` and c"},
	{docMarkup, "Set text in two lines", "==="},
	{docMarkup, "## Short", "---"},
	{docShapes, "h2.1", "# h2.1"},
	{docShapes, "# h2.1", "# h2.1"},
	{docShapes, "L3", "hash_required"},
	{docShapes, "# L3", "# L3"},
	{docShapes, "#install", "# #install"},
	{docShapes, "@preamble", "heading_not_found"},
	{docShapes, "# @preamble", "# @preamble"},
	{docShapes, "A > B", "# A > B"},
	{docShapes, "# A > B", "# A > B"},
	{docShapes, "code.0", "# code.0"},
	{docShapes, "Note: this", "# Note: this"},
	{docShapes, "# ## nested marks", "# ## nested marks"},
	{docClash, "Auth", "ambiguous_heading"},
	{docClash, "# Auth", "# Auth"},
	{docClash, "## Auth", "## Auth"},
	{docClash, "auth", "## auth"},
	{docClash, "aUTH", "ambiguous_heading"},
	{docClash, "authe", "## Authentication"},
	{docClash, "Same", "ambiguous_heading"},
	{docClash, "Same > Child", "## Child"},
	{docClash, "#same-2", "hash_required"},
	{docClash, "#", "#"},
	{docClash, "##", "##"},
	{docClash, "###", "heading_not_found"},
	{docQuoted, "Quoted", "# Quoted"},
	{docQuoted, "Item", "heading_not_found"},
	{docQuoted, "fenced", "heading_not_found"},
	{docQuoted, "comment", "heading_not_found"},
	{docQuoted, "#quoted-1", "hash_required"},
	{docScript, "Cafe\u0301", "# Café"},
	{docScript, "Cafe", "heading_not_found"},
	{docScript, "R\u00e9sum\u00e9", "# Re\u0301sume\u0301"},
	{docScript, `It's "fine"`, "# It\u2019s \u201cfine\u201d"},
	{docScript, "10 km run", "# 10\u00a0km run"},
	{docScript, "Release", "# \U0001F389 Release"},
	{docScript, "見出し", "# 見出し"},
	{docScript, "見出しの", "# 見出しの例"},
	{docScript, "STRASSE", "heading_not_found"},
}

// TestHardQueries puts a line below the heading of each address, and looks for it
// there in the bytes.
func TestHardQueries(t *testing.T) {
	for _, q := range hardQueries {
		t.Run(q.query, func(t *testing.T) {
			doc := parse(t, []byte(q.doc))
			res, err := edit.Apply(doc, []edit.Op{{Action: edit.Prepend, Address: q.query, Text: "arrived"}})
			if err != nil {
				e, ok := errors.AsType[*edit.Error](err)
				if !ok || string(e.Code) != q.want {
					t.Errorf("%v, want %s", err, q.want)
				}
				return
			}
			want, nth := q.want, 1
			if before, n, ok := strings.Cut(want, "|"); ok {
				want, nth = before, int(n[0]-'0')
			}
			parts := strings.SplitN("\n"+q.doc, "\n"+want+"\n", nth+1)
			if len(parts) != nth+1 {
				t.Fatalf("%s is in the document %d times", want, len(parts)-1)
			}
			above, below, ok := strings.Cut("\n"+string(res.Doc.Source), "\narrived\n")
			if !ok || !strings.HasSuffix(above, "\n"+want+"\n") || strings.TrimLeft(below, "\n") != strings.TrimLeft(parts[nth], "\n") {
				t.Errorf("it arrived elsewhere than below %s: %q", q.want, res.Doc.Source)
			}
		})
	}
}

// TestEveryQueryEverywhere: whatever an address stands for in whatever document, a
// write goes there or nowhere.
func TestEveryQueryEverywhere(t *testing.T) {
	testkit.OneGoroutine(t)
	docs := []string{docPlain, docMarkup, docShapes, docClash, docQuoted, docScript}
	for _, src := range docs {
		doc := parse(t, []byte(src))
		for _, q := range hardQueries {
			for _, action := range append(sectionActions(), edit.ReplaceText) {
				op := edit.Op{Action: action, Address: q.query, Text: "words"}
				switch action {
				case edit.Remove:
					op.Text = ""
				case edit.InsertBefore, edit.InsertAfter:
					op.Text = "# words\n"
				case edit.ReplaceText:
					op.Old = "n"
				}
				a := &attempt{doc: doc, ops: []made{{Op: op}}}
				if r, err := address.Resolve(doc, q.query); err == nil {
					a.ops[0].node, a.ops[0].sure = r.Node, true
				}
				res, err := a.apply()
				if err == nil && q.query != "" {
					err = judge(a, res)
				} else if err != nil {
					err = judgeError(a, res, err)
				}
				if err != nil {
					t.Errorf("%v\n%v", err, a)
				}
			}
		}
	}
}

// TestTwoAgents: one puts a section in or takes one out. The other has read a section
// before and writes by its position with its hash: it changes what it has read, or
// is refused.
func TestTwoAgents(t *testing.T) {
	material := readMaterial(t)
	counts := map[string]int{}
	for n := range uint64(4000) {
		r := newSource(*seedFlag+1000, n)
		doc := parse(t, r.document(material))
		if len(doc.Sections) < 2 {
			continue
		}
		first := benignAttempt(r, doc, r.IntN(len(doc.Sections)), one(r, []edit.Action{edit.InsertBefore, edit.InsertAfter, edit.Remove}))
		res, err := first.apply()
		if err != nil {
			continue
		}
		read := r.IntN(len(doc.Sections))
		op := edit.Op{
			Action: one(r, []edit.Action{edit.Replace, edit.Remove, edit.Append, edit.Rename}), Address: address.SelectorOf(doc, address.NodeOfSection(read)),
			ExpectedHash: doc.SectionHash(read),
		}
		if op.Action != edit.Remove {
			op.Text, op.Scope = "It was me", edit.ScopeSection
		}
		if op.Action != edit.Replace {
			op.Scope = ""
		}
		res2, err := edit.Apply(res.Doc, []edit.Op{op})
		if err != nil {
			counts["refused"]++
			continue
		}
		j := &judgement{attempt: first, res: res, new: res.Doc}
		if err := j.bytes(); err != nil {
			t.Fatal(err)
		}
		got := res2.Changes[0].Target
		if markdown.Hash(res.Doc.Text(got.Span(res.Doc))) != op.ExpectedHash {
			t.Errorf("%+v has not what was read: %v\n%q", got, op, res.Doc.Source)
			continue
		}
		want := j.image(doc.SectionSpan(read).Start)
		if got.Span(res.Doc).Start != want {
			t.Errorf("%s was at %d and another one, at %d, is changed\n%q", op.Address, want, got.Span(res.Doc).Start, res.Doc.Source)
		}
		counts["found"]++
	}
	t.Log(counts)
	if counts["found"] < 100 || counts["refused"] < 100 {
		t.Errorf("too few of one kind: %v", counts)
	}
}

// TestTwoAgentsExample is the case of which the specification speaks.
func TestTwoAgentsExample(t *testing.T) {
	src := "# A\n\n## One\n\n1\n\n## Two\n\n2\n\n## Three\n\n3\n\n## Four\n\n4\n"
	doc := parse(t, []byte(src))
	hash := doc.SectionHash(4)
	res, err := edit.Apply(doc, []edit.Op{{Action: edit.InsertAfter, Address: "## One", Text: "## New\n\nnew\n"}})
	if err != nil {
		t.Fatal(err)
	}
	before := string(res.Doc.Source)
	_, err = edit.Apply(res.Doc, []edit.Op{{Action: edit.Append, Address: "h2.3", ExpectedHash: hash, Text: "more\n"}})
	e, ok := errors.AsType[*edit.Error](err)
	if !ok || e.Code != edit.Conflict || e.Current == nil || e.Current.Selector != "h2.3" || string(res.Doc.Source) != before {
		t.Fatalf("%+v", err)
	}
	// The refusal tells where the text is by now.
	if len(e.Candidates) != 1 || e.Candidates[0].Selector != "h2.4" {
		t.Fatalf("candidates: %+v", e.Candidates)
	}
	res, err = edit.Apply(res.Doc, []edit.Op{{Action: edit.Append, Address: e.Candidates[0].Selector, ExpectedHash: hash, Text: "more\n"}})
	if err != nil {
		t.Fatal(err)
	}
	want := "# A\n\n## One\n\n1\n\n## New\n\nnew\n\n## Two\n\n2\n\n## Three\n\n3\n\n## Four\n\n4\n\nmore\n"
	if string(res.Doc.Source) != want {
		t.Errorf("%q", res.Doc.Source)
	}
	// What was read has changed since: nothing is written.
	_, err = edit.Apply(res.Doc, []edit.Op{{Action: edit.Append, Address: "h2.3", ExpectedHash: hash, Text: "more\n"}})
	if e, ok := errors.AsType[*edit.Error](err); !ok || e.Code != edit.Conflict || e.Current == nil {
		t.Errorf("%v", err)
	}
}

// TestHashOfTheSectionAround is refused for a part of it, and called what it is: nothing has changed.
func TestHashOfTheSectionAround(t *testing.T) {
	doc := parse(t, []byte("# A\n\n## B\n\n- one\n- two\n\n### C\n\n| K | V |\n|---|---|\n| a | 1 |\n"))
	for _, c := range []struct{ addr, hash, want string }{
		{"B/list.0/item.1", doc.SectionHash(1), `this is the hash of the section around it, "## B"`},
		{"B/list.0/item.1", doc.BodyHash(1), `this is the hash of the section around it, "## B"`},
		{"C/table.0[1,1]", doc.SectionHash(0), `this is the hash of the section around it, "# A"`},
		{"B/list.0/item.1", doc.SectionHash(2), "it has changed since it was read"},
	} {
		_, err := edit.Apply(doc, []edit.Op{{Action: edit.Replace, Address: c.addr, Text: "x", ExpectedHash: c.hash}})
		if e, ok := errors.AsType[*edit.Error](err); !ok || e.Code != edit.Conflict || !strings.HasPrefix(e.Message, c.want) {
			t.Errorf("%s with %s: %v", c.addr, c.hash, err)
		}
	}
}
