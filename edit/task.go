package edit

import (
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// States are what Set takes for a task.
const (
	TaskDone   = "done"
	TaskOpen   = "open"
	TaskToggle = "toggle"
)

// onTask returns what Set does to a task: one byte of its box is another one.
func (op *Op) onTask(doc *markdown.Document, n address.Node) (*change, *Error) {
	block := &doc.Blocks[n.Block]
	if block.Kind != markdown.Item || block.Flags&markdown.Task == 0 {
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"%s is for tasks and for keys of front matter, and this is a part of kind %s; use %s", op.Action, block.Kind, Replace)}
	}
	isDone := block.Flags&markdown.Done != 0
	switch strings.TrimSpace(op.Text) {
	case TaskDone:
		if isDone {
			return nil, noChange()
		}
	case TaskOpen:
		if !isDone {
			return nil, noChange()
		}
	case TaskToggle:
	default:
		return nil, &Error{Code: InvalidArgument, Message: fmt.Sprintf(
			"a task is set to %s, %s or %s, not to %s", TaskDone, TaskOpen, TaskToggle, quoted(strings.TrimSpace(op.Text)))}
	}
	box := "x"
	if isDone {
		box = " "
	}
	at := int(doc.Blocks[n.Block+1].Start) + len("[") // of the paragraph that begins with the box
	ch := splicing(Splice{markdown.Span{Start: at, End: at + 1}, []byte(box)})
	ch.first, ch.last = at, at+1
	ch.newStart, ch.after, ch.kind = int(block.Start), int(block.Start), markdown.Item
	ch.verify = func(doc *markdown.Document) *Error {
		if b := blockAt(doc, ch.after, markdown.Item); b >= 0 && doc.Blocks[b].Flags&markdown.Task != 0 && (doc.Blocks[b].Flags&markdown.Done == 0) == isDone {
			return nil
		}
		return wouldBe("the item would be no task any more; replace it")
	}
	return ch, nil
}
