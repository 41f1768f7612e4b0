package edit_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// Laws about two edits, one after the other.

// eachSection calls f with sections of random documents.
func eachSection(t *testing.T, f func(r source, doc *markdown.Document, section int)) {
	t.Helper()
	material := readMaterial(t)
	for n := range uint64(3000) {
		r := newSource(*seedFlag+2000, n)
		doc := parse(t, r.document(material))
		if len(doc.Sections) > 0 {
			f(r, doc, r.IntN(len(doc.Sections)))
		}
		if t.Failed() {
			t.Logf("-seed %d, document %d", *seedFlag, n)
			return
		}
	}
}

// on applies one operation on a node that is known.
func on(doc *markdown.Document, n address.Node, o edit.Op) (*edit.Result, error) {
	o.Address = address.AddressOf(doc, n)
	o.ExpectedHash = markdown.Hash(doc.Text(n.Span(doc)))
	return applyWith(doc, []edit.Op{o}, edit.Options{Pinned: true}) // others may have the same text
}

// textLines returns the lines that aren't blank.
func textLines(src []byte) []string {
	return slices.DeleteFunc(strings.Split(unified(string(src)), "\n"), func(l string) bool { return strings.Trim(l, white) == "" })
}

// TestLawsInsertAndRemove: a section that was put in beside one of its level and is taken out
// again leaves the document as it was, byte by byte. Blank lines may differ where lines end in
// several ways, at the end of the document, and where what stands above needs a blank line.
func TestLawsInsertAndRemove(t *testing.T) {
	testkit.OneGoroutine(t)
	done, same := 0, 0
	eachSection(t, func(r source, doc *markdown.Document, i int) {
		a := benignAttempt(r, doc, i, one(r, []edit.Action{edit.InsertBefore, edit.InsertAfter}))
		res, err := a.apply()
		if err != nil {
			return
		}
		back, err := on(res.Doc, *res.Changes[0].After, edit.Op{Action: edit.Remove})
		if err != nil {
			// What is not closed may stand before it and swallow what is after.
			return
		}
		done++
		if !slices.Equal(textLines(doc.Source), textLines(back.Doc.Source)) {
			t.Errorf("%v\nbecame %q, and without it %q", a, res.Doc.Source, back.Doc.Source)
		}
		if bytes.Equal(doc.Source, back.Doc.Source) {
			same++
		}
	})
	if t.Logf("%d of %d are as they were", same, done); done < 1500 || same*100 < done*95 {
		t.Errorf("only %d of %d were done", same, done)
	}
}

// TestLawsRenameAndBack: a heading that gets its old text again is the old one.
func TestLawsRenameAndBack(t *testing.T) {
	testkit.OneGoroutine(t)
	done := 0
	eachSection(t, func(r source, doc *markdown.Document, i int) {
		h := &doc.Blocks[doc.Sections[i].Heading]
		old := string(doc.Text(doc.Content(int(doc.Sections[i].Heading))))
		if old == "" || h.StartLine != h.EndLine && h.Marker == '#' || strings.ContainsAny(old, "\r\n\x00") {
			return // there is no way back to a heading of no text, of several lines, or with NUL
		}
		res, err := on(doc, address.NodeOfSection(i), edit.Op{Action: edit.Rename, Text: "New " + r.words(2)})
		if err != nil {
			t.Errorf("%v\n%q", err, doc.Source)
			return
		}
		back, err := on(res.Doc, *res.Changes[0].After, edit.Op{Action: edit.Rename, Text: old})
		if err != nil {
			if strings.HasPrefix(old, "#") {
				return // it would be read as marks
			}
			t.Errorf("%q: %v\n%q", old, err, res.Doc.Source)
			return
		}
		done++
		if !bytes.Equal(back.Doc.Source, doc.Source) {
			t.Errorf("%q became %q, and renamed back %q", doc.Source, res.Doc.Source, back.Doc.Source)
		}
	})
	if done < 1500 {
		t.Errorf("only %d were done", done)
	}
}

// TestLawsTwoInserts: two sections that are put in at the same place, one after the
// other, have one blank line between them, and so have two paragraphs.
func TestLawsTwoInserts(t *testing.T) {
	testkit.OneGoroutine(t)
	done := 0
	eachSection(t, func(r source, doc *markdown.Document, i int) {
		n := address.NodeOfSection(i)
		marks := strings.Repeat("#", int(doc.Sections[i].Level)) + " "
		action := one(r, []edit.Action{edit.InsertBefore, edit.InsertAfter, edit.Append, edit.Prepend})
		texts := []string{"first of them", "second of them"}
		if action == edit.InsertBefore || action == edit.InsertAfter {
			texts = []string{marks + texts[0], marks + texts[1]}
		}
		res, err := on(doc, n, edit.Op{Action: action, Text: texts[0]})
		if err != nil {
			return
		}
		if action == edit.InsertBefore {
			n.Section++
		}
		res, err = on(res.Doc, n, edit.Op{Action: action, Text: texts[1]})
		if err != nil {
			t.Errorf("the second time: %v\n%q", err, res.Doc.Source)
			return
		}
		done++
		src := unified(string(res.Doc.Source))
		order := texts
		if action == edit.InsertAfter || action == edit.Prepend {
			order = []string{texts[1], texts[0]}
		}
		if doc.LineEnding() != markdown.MixedEnding && strings.Count(src, order[0]+"\n\n"+order[1]) != 1 {
			t.Errorf("%v %q: %q", action, texts, src)
		}
	})
	if done < 1500 {
		t.Errorf("only %d were done", done)
	}
}

// TestLawsSame: what makes a document as it is already is no change. The same text is
// refused where it would stand apart from code that nothing closes, or where a byte
// order mark in it goes.
func TestLawsSame(t *testing.T) {
	done, refused := 0, 0
	eachSection(t, func(_ source, doc *markdown.Document, i int) {
		n := address.NodeOfSection(i)
		span := n.Span(doc)
		res, err := on(doc, n, edit.Op{Action: edit.Replace, Scope: edit.ScopeSection, Text: string(doc.Text(span))})
		if err == nil && !slices.Equal(textLines(doc.Source), textLines(res.Doc.Source)) {
			t.Errorf("%q became %q", doc.Source, res.Doc.Source)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "no_change") && !strings.HasPrefix(err.Error(), "invalid_argument") {
			refused++
			t.Logf("section %d of %q: %v", i, doc.Source, err)
		}
		done++
	})
	if refused*200 > done {
		t.Errorf("%d of %d were refused", refused, done)
	}
	if done < 1500 {
		t.Errorf("only %d were done", done)
	}
}
