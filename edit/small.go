package edit

import (
	"fmt"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/markdown"
)

// The states that Set takes for a task.
const (
	TaskDone   = parts.Done
	TaskOpen   = parts.Open
	TaskToggle = parts.Toggle
)

// isInTable reports whether a node is a cell or a column.
func isInTable(doc *markdown.Document, n address.Node) bool {
	return n.Kind == address.ColumnNode || n.Kind == address.BlockNode && doc.Blocks[n.Block].Kind == markdown.TableCell
}

// onSmall returns what the operation does to a task, a cell or a column.
func (op *Op) onSmall(doc *markdown.Document, n address.Node) (*change, *Error) {
	if op.Scope != AnyScope {
		return nil, &Error{Code: InvalidArgument, Message: "only a section has a scope; leave it out"}
	}
	isTask, _ := parts.IsTask(doc, n.Block)
	switch {
	case n.Kind == address.ColumnNode:
		return op.onColumn(doc, n)
	case op.Action == Set && isTask:
		return smallChange(parts.SetTask(doc, n.Block, op.Text))
	case op.Action == Set:
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"%s is for tasks and for keys of front matter, and this is a part of kind %s; use %s", op.Action, doc.Blocks[n.Block].Kind, Replace)}
	case op.Action != Replace:
		return nil, op.impossible("a cell", Replace)
	}
	return smallChange(parts.ReplaceCell(doc, n.Block, op.Text), nil)
}

// onColumn returns what the operation does to a column.
func (op *Op) onColumn(doc *markdown.Document, n address.Node) (*change, *Error) {
	switch op.Action {
	case Rename:
		return smallChange(parts.RenameColumn(doc, n.Block, n.Column, op.Text))
	case Remove:
		return smallChange(parts.RemoveColumn(doc, n.Block, n.Column))
	case InsertBefore:
		return smallChange(parts.InsertColumn(doc, n.Block, n.Column, op.Text))
	case InsertAfter:
		return smallChange(parts.InsertColumn(doc, n.Block, n.Column+1, op.Text))
	}
	return nil, op.impossible("a column", InsertBefore, InsertAfter, Remove, Rename)
}

// smallChange returns a change of package parts as one of this package.
func smallChange(p *parts.Change, err *parts.Error) (*change, *Error) {
	if err != nil {
		switch err.Reason {
		case parts.Same:
			return nil, noChange()
		case parts.NotFound:
			return nil, &Error{Code: address.HeadingNotFound, Message: err.Message, Err: err}
		}
		return nil, &Error{Code: InvalidArgument, Message: err.Message, Err: err}
	}
	ch := splicing()
	for _, s := range p.Splices {
		ch.splices = append(ch.splices, Splice(s))
	}
	ch.idle = len(ch.splices) == 0
	ch.first, ch.last, ch.joined = p.First, p.Last, p.Joined
	ch.newStart, ch.after, ch.kind = p.Start, p.Start, p.Kind
	ch.verify = func(doc *markdown.Document) *Error {
		if what := p.Verify(doc); what != "" {
			return becoming(what, "")
		}
		return nil
	}
	return ch, nil
}
