package edit_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/markdown"
)

// TestLawsBatchInOrder: operations on sections apart from each other make the same
// document at once and one after the other.
func TestLawsBatchInOrder(t *testing.T) {
	testkit.OneGoroutine(t)
	material := readMaterial(t)
	compared := 0
	for n := range uint64(6000) {
		r := newSource(*seedFlag+3000, n)
		doc := parse(t, r.document(material))
		a := apart(r, doc)
		if a == nil {
			continue
		}
		one := doc
		var err error
		for _, o := range a.ops {
			// One after the other, each is found by its hash wherever it is now.
			var res *edit.Result
			if res, err = edit.Apply(one, []edit.Op{o.Op}); err != nil {
				break
			}
			one = res.Doc
		}
		if err != nil {
			continue // an address that another operation has made ambiguous
		}
		res, err := a.apply()
		if err != nil {
			t.Errorf("-seed %d, document %d: one after the other they can be applied, at once: %v\n%v", *seedFlag, n, err, a)
			continue
		}
		compared++
		if !bytes.Equal(one.Source, res.Doc.Source) {
			t.Errorf("-seed %d, document %d: %v\nat once %q\nin order %q", *seedFlag, n, a, res.Doc.Source, one.Source)
		}
	}
	t.Logf("%d batches", compared)
	if compared < 500 {
		t.Errorf("only %d batches", compared)
	}
}

// apart returns operations on bodies that have another body between them, and whose
// hashes no other section has; nil if there is no room.
func apart(r source, doc *markdown.Document) *attempt {
	hashes := map[string]int{}
	for i := range doc.Sections {
		hashes[doc.BodyHash(i)]++
	}
	a := &attempt{doc: doc}
	for i := r.IntN(3); i < len(doc.Sections); i += 2 + r.IntN(2) {
		action := one(r, []edit.Action{edit.Replace, edit.Append, edit.Prepend, edit.Rename})
		m := benignAttempt(r, doc, i, action).ops[0]
		if m.Action == edit.Replace {
			m.Scope = edit.ScopeBody
		}
		m.ExpectedHash = doc.BodyHash(i)
		if hashes[m.ExpectedHash] == 1 && len(a.ops) < 5 {
			a.ops = append(a.ops, m)
		}
	}
	if len(a.ops) < 2 {
		return nil
	}
	r.Shuffle(len(a.ops), func(i, k int) { a.ops[i], a.ops[k] = a.ops[k], a.ops[i] })
	return a
}

// early are the codes of errors that are about an operation alone, whatever the
// others do.
var early = map[edit.Code]bool{
	edit.HashRequired: true, edit.Conflict: true, edit.HeadingRequired: true,
	"heading_not_found": true, "ambiguous_heading": true, "invalid_address": true, "invalid_selector": true,
}

// TestLawsBatchErrors: each operation that can't be applied by itself is named, by
// its index, with the code that it has by itself; and nothing is done.
func TestLawsBatchErrors(t *testing.T) {
	testkit.OneGoroutine(t)
	material := readMaterial(t)
	failing := 0
	for n := range uint64(2000) {
		r := newSource(*seedFlag+4000, n)
		doc := parse(t, r.document(material))
		a := &attempt{doc: doc}
		for range 2 + r.IntN(4) {
			a.ops = append(a.ops, r.op(doc))
		}
		want := map[int]edit.Code{}
		for i := range a.ops {
			alone := &attempt{doc: doc, ops: a.ops[i : i+1]}
			_, err := alone.apply()
			if e, ok := errors.AsType[*edit.Error](err); ok && early[e.Code] && a.ops[i].Action != edit.ReplaceText &&
				(e.Code != edit.HeadingRequired || a.ops[i].Address != "@document") { // one before it may have removed all sections
				want[i] = e.Code
			}
		}
		_, err := a.apply()
		if len(want) == 0 {
			continue
		}
		failing++
		got := map[int]edit.Code{}
		all, _ := errors.AsType[edit.Errors](err)
		for _, e := range all {
			if code, ok := want[e.Op]; ok {
				if got[e.Op] = e.Code; e.Code == edit.Conflict {
					got[e.Op] = code // an operation before it has changed its target
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-seed %d, document %d: %v\n%v\n%s", *seedFlag, n, err, a, diff)
		}
		if t.Failed() {
			return
		}
	}
	if failing < 500 {
		t.Errorf("only %d batches failed", failing)
	}
}

// TestBatch tells what a batch is: addresses of the document before, strings in what
// the operations before have made, line endings of the document.
func TestBatch(t *testing.T) {
	lf := "# A\n\nred one\n\n## B\n\nred two\n\n## C\n\nthree\n"
	crlf := "# A\r\n\r\nred one\r\n\r\n## B\r\n\r\nred two\r\n\r\n## C\r\n\r\nthree\r\n"
	hash := parse(t, []byte(lf)).SectionHash(2)
	tests := []struct {
		name, src, want string
		ops             []edit.Op
	}{
		{
			"addresses are those of the document before", lf, "# A\n\nred one\n\n## D\n\nnew\n\n## Bee\n\nred two\n\n## C\n\nthree\n\nmore\n",
			[]edit.Op{
				{Action: edit.InsertBefore, Address: "## B", Text: "## D\n\nnew"},
				{Action: edit.Append, Address: "h2.1", ExpectedHash: hash, Text: "more"},
				{Action: edit.Rename, Address: "## B", Text: "Bee"},
			},
		},
		{
			"a name that an operation before has made is none", lf, "",
			[]edit.Op{{Action: edit.Rename, Address: "## B", Text: "Bee"}, {Action: edit.Append, Address: "## Bee", Text: "more"}},
		},
		{
			"strings are those that the operations before have made", lf, "# A\n\nred one\n\n## B\n\nred two\n\nblue three\n\n## C\n\nthree\n",
			[]edit.Op{{Action: edit.Append, Address: "## B", Text: "green three"}, {Action: edit.ReplaceText, Old: "green", Text: "blue"}},
		},
		{
			"each of two strings is looked for in what the first has made", lf, "# A\n\nyellow one\n\n## B\n\nyellow two\n\n## C\n\nthree\n",
			[]edit.Op{{Action: edit.ReplaceText, Old: "red", Text: "blue", All: true}, {Action: edit.ReplaceText, Old: "blue", Text: "yellow", All: true}},
		},
		{
			"a string in the scope of a section", lf, "# A\n\nred one\n\n## B\n\nblue two\n\n## C\n\nthree\n",
			[]edit.Op{{Action: edit.ReplaceText, Address: "## B", Old: "red", Text: "blue"}},
		},
		{
			"the scope has moved", lf, "# A\n\nred one\n\nred again\n\n## B\n\nblue two\n\n## C\n\nthree\n",
			[]edit.Op{{Action: edit.Append, Address: "# A", Text: "red again"}, {Action: edit.ReplaceText, Address: "## B", Old: "red", Text: "blue"}},
		},
		{
			"strings with LF in a document with CRLF", crlf, "# A\r\n\r\nblue\r\n\r\n## B\r\n\r\nred two\r\n\r\n## C\r\n\r\nthree\r\n",
			[]edit.Op{{Action: edit.ReplaceText, Old: "red one\n\n## B\n", Text: "blue\n\n## B\n"}},
		},
		{
			"and all of it", crlf, "# A\r\n\r\nred one\r\n\r\nx\r\ny\r\n\r\n## Bee\r\n\r\nred two\r\nand\r\nmore\r\n\r\n## C\r\n\r\nthree\r\n",
			[]edit.Op{
				{Action: edit.Append, Address: "# A", Text: "x\ny\n"},
				{Action: edit.ReplaceText, Old: "red two\n", Text: "red two\nand\nmore\n"},
				{Action: edit.Rename, Address: "## B", Text: "Bee"},
			},
		},
		{
			"two at the same place", lf, "# A\n\nred one\n\nfirst\n\nsecond\n\n## B\n\nred two\n\n## C\n\nthree\n",
			[]edit.Op{{Action: edit.Append, Address: "# A", Text: "first"}, {Action: edit.Append, Address: "# A", Text: "second"}},
		},
		{
			"what was removed can't be changed", lf, "",
			[]edit.Op{{Action: edit.Remove, Address: "## B"}, {Action: edit.Append, Address: "## B", Text: "more"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := &attempt{doc: parse(t, []byte(tt.src))}
			for _, o := range tt.ops {
				a.ops = append(a.ops, made{Op: o})
			}
			res, err := a.apply()
			got := ""
			if err == nil {
				got = string(res.Doc.Source)
				if err := judge(a, res); err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

// TestBatchErrors: all that fail are named, and one alone is enough to do nothing.
func TestBatchErrors(t *testing.T) {
	_, err := edit.Apply(parse(t, []byte("# A\n\ntext text\n\n## B\n\n### C\n")), []edit.Op{
		{Action: edit.Append, Address: "# A", Text: "fine"},
		{Action: edit.Append, Address: "# Z", Text: "x"},
		{Action: edit.ReplaceText, Old: "missing", Text: "x"},
		{Action: edit.Append, Address: "h2.0", Text: "x"},
		{Action: edit.ReplaceText, Old: "text", Text: "x"},
		{Action: edit.Replace, Address: "## B", Text: "x"},
		{Action: edit.InsertAfter, Address: "## B", Text: "x"},
		{Action: edit.Append, Address: "## B", ExpectedHash: "0123456789abcdef", Text: "x"},
	})
	all, _ := errors.AsType[edit.Errors](err)
	type failed struct {
		Op   int
		Code edit.Code
	}
	var got []failed
	for _, e := range all {
		got = append(got, failed{e.Op, e.Code})
	}
	want := []failed{
		{1, "heading_not_found"},
		{2, edit.TextNotFound},
		{3, edit.HashRequired},
		{4, edit.AmbiguousText},
		{5, edit.HasSubsections},
		{6, edit.HeadingRequired},
		{7, edit.Conflict},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := edit.Apply(parse(t, []byte("# A\n")), nil); err == nil {
		t.Error("no operations are no error")
	}
}
