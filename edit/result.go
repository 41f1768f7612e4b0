package edit

import (
	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// Result is a changed document.
type Result struct {
	// Doc is the new document; its Source are the new bytes.
	Doc *markdown.Document
	// Splices make Doc.Source of the old source, in source order; no two of them
	// touch.
	Splices []Splice
	// Moved is text that stands elsewhere, byte by byte, in the order of the new document. It
	// is part of what the splices put in.
	Moved []Moved
	// Blocks says for an action on the structure which block of Doc each block of the old
	// document is, -1 for the heading that is gone. It is nil for all other operations.
	Blocks []int32
	// Changes tells what became of each operation, in their order.
	Changes []Change
	// Warnings are sentences without a full stop about the new document.
	Warnings []string

	before []byte // the old source
}

// Unchanged returns the result of no operation, for Also.
func Unchanged(doc *markdown.Document) *Result { return &Result{Doc: doc, before: doc.Source} }

// Splice is a range of the old source and what stands there now.
type Splice struct {
	markdown.Span        // in the old source
	Text          []byte // may be empty
}

// Moved is a range of the old source and where it stands in the new one.
type Moved struct{ Before, After markdown.Span }

// Change is what became of an operation.
type Change struct {
	// Target is what the address stands for in the document before; nil for
	// ReplaceText without an address.
	Target *address.Resolution
	// After is the target in the new document; for insertions the first section or
	// block that was put in. It is nil if there is no such part, or it is gone.
	After *address.Node
	// Lines are those of the new text in the new document. It is empty, with Last
	// before First, where nothing stands any more.
	Lines markdown.Lines
	// Headings are those of the sections that went, as they were written.
	Headings []string
	// Count is the number of places where ReplaceText has put its text, or of the parts that
	// one operation was for; Target and After are the first of them then.
	Count int
	// Restructured says what became of blocks that were not to be touched, a line
	// each, which only AllowRestructure allows.
	Restructured []string
}
