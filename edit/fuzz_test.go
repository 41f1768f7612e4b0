package edit_test

import (
	"slices"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// FuzzApply tries any operation on any document.
func FuzzApply(f *testing.F) {
	all := slices.Concat(edit.Actions(), []edit.Action{edit.ReplaceText}, edit.Structural())
	for i, s := range hostileShapes() {
		f.Add([]byte(s.src), "h1.0", uint8(i), "text\n", "it.", uint8(i))
	}
	for i, p := range hostilePayloads() {
		if len(p.text) < 2000 {
			f.Add([]byte(shapes[i%len(shapes)].src), "# Guide", uint8(i), p.text, "e", uint8(i))
		}
	}
	for i, c := range regressions {
		f.Add([]byte(c.doc), c.ops[0].Address, uint8(i), c.ops[0].Text, c.ops[0].Old, uint8(0))
	}
	f.Add([]byte("# A\n\n**B**\n\ntext\n\n- **C**\n\n== D ==\n\n**E**\n"), "B", uint8(0), "**F**\n\n== G ==\n", "text", uint8(0))
	f.Fuzz(func(t *testing.T, src []byte, addr string, action uint8, text, old string, how uint8) {
		for _, opts := range []markdown.Options{{}, ownHeadings} {
			doc, err := (&markdown.Parser{Options: opts}).Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			fuzzOne(t, doc, addr, all[int(action)%len(all)], text, old, how)
		}
	})
}

// fuzzOne tries one operation.
func fuzzOne(t *testing.T, doc *markdown.Document, addr string, action edit.Action, text, old string, how uint8) {
	t.Helper()
	scopes := []edit.Scope{edit.AnyScope, edit.ScopeSection, edit.ScopeBody}
	m := made{Op: edit.Op{Action: action, Address: addr, Text: text, Scope: scopes[int(how)%3], AllowRestructure: how&0x40 != 0}}
	switch m.Action {
	case edit.ReplaceText:
		m.Old, m.All, m.Scope = old, how&0x20 != 0, ""
	case edit.Remove:
		m.Text = ""
	case edit.Replace:
	case edit.Move:
		m.To, m.Where, m.Text, m.Scope = old, edit.MovePlaces()[int(how>>1)%len(edit.MovePlaces())], "", ""
		m.KeepLevels = how&0x08 != 0
	case edit.Reorder, edit.Promote, edit.Demote, edit.Dissolve:
		m.Text, m.Scope = "", ""
	default:
		m.Scope = ""
	}
	if r, err := address.Resolve(doc, addr); err == nil {
		m.node, m.sure = r.Node, true
		if how&0x10 != 0 {
			m.ExpectedHash = markdown.Hash(doc.Text(r.Span(doc)))
		}
	}
	a := &attempt{doc: doc, ops: []made{m}, options: edit.Options{Pinned: how&0x80 != 0}}
	if err := newTally().try(a); err != nil {
		t.Errorf("%v\n%v", err, a)
	}
}
