package edit_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// at applies one action on the structure to a section that is known.
func at(doc *markdown.Document, i int, o edit.Op) (*edit.Result, error) {
	o.Address = address.SelectorOf(doc, address.NodeOfSection(i))
	return applyWith(doc, []edit.Op{o}, edit.Options{Pinned: true})
}

// TestLawsMoveAndBack: a section that is moved and moved back leaves the document as it was,
// byte by byte, unless sections stood together without a blank line, lines end in several
// ways, or levels were left out.
func TestLawsMoveAndBack(t *testing.T) {
	done, same, moved := 0, 0, 0
	eachSection(t, func(r source, doc *markdown.Document, i int) {
		to := r.IntN(len(doc.Sections))
		if to >= i && to < int(doc.Sections[i].Next) || isOneWay(doc) {
			return
		}
		// The way back is to where it was: before what stands behind it, or behind what is before it.
		where, back := one(r, edit.MovePlaces()), edit.Op{Action: edit.Move, Where: edit.After}
		parent := int(doc.Sections[i].Parent)
		beside := -1
		for s := parent + 1; s < i; s = int(doc.Sections[s].Next) {
			beside = s
		}
		if beside < 0 {
			if beside = parent; parent < 0 {
				return
			}
			back.Where = edit.First
		}
		res, err := at(doc, i, edit.Op{Action: edit.Move, To: address.SelectorOf(doc, address.NodeOfSection(to)), Where: where})
		if err != nil {
			all, _ := errors.AsType[edit.Errors](err)
			if c := all[0].Code; c != edit.NoChange && c != edit.LevelMismatch && c != edit.StructureChanged {
				t.Errorf("%v: %q", err, doc.Source)
			}
			return
		}
		moved++
		b := int(doc.Sections[beside].Heading)
		other := -1 // what it was beside, in the new document
		for s := range res.Doc.Sections {
			h := res.Doc.Blocks[res.Doc.Sections[s].Heading]
			if bytes.Equal(res.Doc.Text(h.Span()), doc.Text(doc.Blocks[b].Span())) {
				if other >= 0 {
					return // there are several of them
				}
				other = s
			}
		}
		if other < 0 {
			return
		}
		back.To = address.SelectorOf(res.Doc, address.NodeOfSection(other))
		again, err := at(res.Doc, res.Changes[0].After.Section, back)
		if err != nil || again.Doc.Sections[again.Changes[0].After.Section].Level != doc.Sections[i].Level {
			return
		}
		done++
		if bytes.Equal(again.Doc.Source, doc.Source) {
			same++
		}
	})
	if t.Logf("%d moves, of %d there and back %d are as they were", moved, done, same); done < 150 || same*100 < done*95 {
		t.Errorf("only %d of %d were as they were", same, done)
	}
}

// TestLawsPromoteAndDemote: one is the way back from the other, byte by byte.
func TestLawsPromoteAndDemote(t *testing.T) {
	done := 0
	eachSection(t, func(r source, doc *markdown.Document, i int) {
		ways := []edit.Action{edit.Promote, edit.Demote}
		if r.chance(50) {
			ways[0], ways[1] = ways[1], ways[0]
		}
		there, err := at(doc, i, edit.Op{Action: ways[0]})
		if err != nil {
			return
		}
		back, err := at(there.Doc, i, edit.Op{Action: ways[1]})
		if err != nil || isOneWay(doc) {
			return // what was taken over stays
		}
		if done++; !bytes.Equal(back.Doc.Source, doc.Source) {
			t.Errorf("%q became %q and %q", doc.Source, there.Doc.Source, back.Doc.Source)
		}
	})
	if done < 300 {
		t.Errorf("only %d were done", done)
	}
}

// isOneWay reports whether a heading is underlined, which may become marks, or is closed by
// fewer or more marks than it begins with, which may become as many.
func isOneWay(doc *markdown.Document) bool {
	return slices.ContainsFunc(doc.Sections, func(s markdown.Section) bool {
		b := &doc.Blocks[s.Heading]
		return b.Setext() || bytes.HasSuffix(bytes.TrimRight(doc.Text(b.Span()), white), []byte("#"))
	})
}

// TestMovesOnFixtures moves sections of documents that were made with care: all but those that
// would get too deep, or stay where they are, are moved.
func TestMovesOnFixtures(t *testing.T) {
	testkit.OneGoroutine(t)
	r := newSource(5, 5)
	tally := newTally()
	moved, refused := 0, 0
	for _, f := range testkit.Fixtures() {
		doc := parse(t, f.Source)
		if len(f.Source) > 50_000 {
			continue
		}
		for range min(60, len(doc.Sections)) {
			i, to := r.IntN(len(doc.Sections)), r.IntN(len(doc.Sections))
			if to >= i && to < int(doc.Sections[i].Next) {
				continue
			}
			m := made{node: address.NodeOfSection(i), sure: true, Op: edit.Op{
				Action: edit.Move, Address: address.SelectorOf(doc, address.NodeOfSection(i)), To: address.SelectorOf(doc, address.NodeOfSection(to)),
				Where: one(r, edit.MovePlaces()),
			}}
			a := &attempt{doc: doc, ops: []made{m}, options: edit.Options{Pinned: true}}
			if err := tally.try(a); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			moved++
			if _, err := a.apply(); err != nil {
				all, _ := errors.AsType[edit.Errors](err)
				if all[0].Code == edit.StructureChanged {
					refused++
					t.Logf("%s: %v", f.Name, err)
				}
			}
		}
	}
	if t.Logf("%d of %d refused", refused, moved); moved < 100 || refused*50 > moved {
		t.Errorf("%d of %d were refused", refused, moved)
	}
}

// TestJudgeStructure gives the judge results that break a law each. A judge that finds all in
// order shows nothing.
func TestJudgeStructure(t *testing.T) {
	const src = "# A\n\n## B\n\nb\n\n## C\n\nc\n\n### D\n"
	for _, test := range []struct{ name, now, law string }{
		{"fine", "# A\n\n## C\n\nc\n\n### D\n\n## B\n\nb\n", ""},
		{"not moved", src, "bytes"},
		{"text is lost", "# A\n\n## C\n\n### D\n\n## B\n\nb\n", "structure"},
		{"text is elsewhere", "# A\n\n## C\n\n### D\n\nc\n\n## B\n\nb\n", "structure"},
		{"another level", "# A\n\n## C\n\nc\n\n### D\n\n### B\n\nb\n", "structure"},
		{"another level of another", "# A\n\n## C\n\nc\n\n## D\n\n## B\n\nb\n", "structure"},
		{"closed marks", "# A\n\n## C ##\n\nc\n\n### D\n\n## B\n\nb\n", "structure"},
		{"swallowed", "# A\n\n## C\n\nc\n    ### D\n\n## B\n\nb\n", "structure"},
		{"in the wrong place", "# A\n\n## C\n\nc\n\n## B\n\nb\n\n### D\n", "structure"},
		{"a blank line too many", "# A\n\n\n## C\n\nc\n\n### D\n\n## B\n\nb\n", "blanks"},
		{"a blank line less", "# A\n\n## C\n\nc\n\n### D\n## B\n\nb\n", "blanks"},
		{"another end", "# A\n\n## C\n\nc\n\n### D\n\n## B\n\nb", "tail"},
	} {
		doc := parse(t, []byte(src))
		m := made{node: address.NodeOfSection(1), sure: true, Op: edit.Op{Action: edit.Move, Address: "## B", To: "## C", Where: edit.After}}
		target, err := address.Resolve(doc, "## B")
		if err != nil {
			t.Fatal(err)
		}
		res := &edit.Result{
			Doc: parse(t, []byte(test.now)), Changes: []edit.Change{{Target: target}},
			Splices: []edit.Splice{{Span: markdown.Span{Start: 0, End: len(src)}, Text: []byte(test.now)}},
		}
		err = judge(&attempt{doc: doc, ops: []made{m}}, res)
		if test.law == "" {
			test.law = "moved" // nothing is told as moved
		}
		if err == nil || !strings.HasPrefix(err.Error(), test.law) {
			t.Errorf("%s: %v, want a breach of %q", test.name, err, test.law)
		}
	}
}
