package edit_test

import (
	"testing"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// A text is read in the dialect of the document that it is put into, and the result is a
// document of that dialect: what is a table elsewhere is a paragraph in CommonMark.
func TestTextIsReadInTheDocumentsDialect(t *testing.T) {
	const table = "| a |\n| - |\n| b |"
	for _, op := range []edit.Op{
		{Action: edit.InsertAfter, Address: "# One", Text: "# Two\n\n" + table},
		{Action: edit.InsertAfter, Address: "h1.0/para.0", Text: table},
		{Action: edit.Replace, Address: "h1.0/para.0", Text: table},
		{Action: edit.Prepend, Address: "@document", Text: "---\na: b\n---"},
	} {
		p := markdown.Parser{Options: markdown.CommonMark()}
		doc, err := p.Parse([]byte("# One\n\nText.\n"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := applyWith(doc, []edit.Op{op}, edit.Options{Pinned: true})
		if err != nil {
			t.Errorf("%s %s: %v", op.Action, op.Address, err)
			continue
		}
		if r.Doc.Options() != doc.Options() {
			t.Errorf("%s %s: the result has the options %+v", op.Action, op.Address, r.Doc.Options())
		}
		for i := range r.Doc.Blocks {
			if kind := r.Doc.Blocks[i].Kind; kind == markdown.Table || kind == markdown.FrontMatter {
				t.Errorf("%s %s: a block of the kind %s", op.Action, op.Address, kind)
			}
		}
	}
}
