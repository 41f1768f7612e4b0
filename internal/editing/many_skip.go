package editing

import (
	"errors"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/markdown"
)

// Of the documents that a folder or a pattern stands for, some lack what an edit is about:
// these are left as they are. What can't be told is refused, as in one document.

// isMiss reports whether an error says that a document lacks what an edit is about, or is like
// that already.
func isMiss(code edit.Code) bool {
	return code == edit.TextNotFound || code == address.HeadingNotFound || code == edit.NoChange
}

// without takes those edits for many documents out of a change that its document has nothing
// for: those that have failed so. It returns errNothing if no edit is left, errOthers if those that
// are left are to be applied, and err if it took none.
func (m *many) without(e *editing, err error) error {
	gone := map[int]bool{}
	var errs edit.Errors
	if errors.As(err, &errs) {
		for _, failed := range errs {
			if m.edits[e.items[failed.Op]].each && isMiss(failed.Code) {
				gone[failed.Op] = true
			}
		}
	}
	if len(gone) == 0 {
		return err
	}
	if m.missed == nil {
		m.missed = m.missOf(e, errs)
	}
	left := len(e.ops) - len(gone)
	ops, items := make([]edit.Op, 0, left), make([]int, 0, left) // of all documents they are kept
	for i := range e.ops {
		if !gone[i] {
			ops, items = append(ops, e.ops[i]), append(items, e.items[i])
		}
	}
	if e.ops, e.items = ops, items; left == 0 {
		return errNothing
	}
	return errOthers
}

// errOthers says that the edits that are left are to be applied.
var errOthers = errors.New("other edits are left")

// missOf returns why a document has nothing for an edit.
func (m *many) missOf(e *editing, errs edit.Errors) *replies.Error {
	batch := e.batch
	defer func() { e.batch = batch }()
	e.batch = false
	return e.refused(errs[0], replies.DisplayPath(e.path), e.newQuoting(errs))
}

// opsOf returns the operations for a document, those for many documents with the number of
// parts that their addresses stand for there: what is expected is counted over all documents.
// In several documents, where nobody looks at each part, a heading is meant by its whole text.
func (m *many) opsOf(e *editing, doc *markdown.Document) []edit.Op {
	ops := slices.Clone(e.ops)
	for i := range ops {
		op := &ops[i]
		op.Whole = m.edits[e.items[i]].each || len(m.all) > 1
		if m.edits[e.items[i]].each && op.Action != edit.ReplaceText && op.Occurrence == 0 && !e.plain {
			op.ExpectedCount = partsOf(doc, op)
		}
	}
	return ops
}

// partsOf returns how many tasks, cells or columns the address of an operation stands for, 0
// for other parts.
func partsOf(doc *markdown.Document, op *edit.Op) int {
	found, err := address.Resolver{Doc: doc, Whole: op.Whole, Write: true}.All(op.Address)
	if err != nil {
		return 0
	}
	for i := range found {
		n := found[i].Node
		inTable := n.Kind == address.ColumnNode || n.Kind == address.BlockNode && doc.Blocks[n.Block].Kind == markdown.TableCell
		if !inTable && (op.Action != edit.Set || n.Kind != address.BlockNode) {
			return 0
		}
	}
	return len(found)
}
