package parts

import (
	"strconv"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// States are what a task can be set to.
const (
	Done   = "done"
	Open   = "open"
	Toggle = "toggle"
)

// IsTask reports whether block b is a task, and whether it is done.
func IsTask(doc *markdown.Document, b int) (is, done bool) {
	block := &doc.Blocks[b]
	return block.Kind == markdown.Item && block.Flags&markdown.Task != 0, block.Flags&markdown.Done != 0
}

// IsSet reports whether block b is a task that is what it is to be set to.
func IsSet(doc *markdown.Document, b int, state string) bool {
	is, done := IsTask(doc, b)
	state = strings.TrimSpace(state)
	return is && (state == Done && done || state == Open && !done)
}

// SetTask returns the change that sets the task that block b is: one byte of its box is another
// one.
func SetTask(doc *markdown.Document, b int, state string) (*Change, *Error) {
	_, isDone := IsTask(doc, b)
	switch state = strings.TrimSpace(state); {
	case state != Done && state != Open && state != Toggle:
		return nil, invalid("a task is set to %s, %s or %s, not to %s", Done, Open, Toggle, strconv.Quote(state))
	case IsSet(doc, b, state):
		return nil, &Error{Reason: Same}
	}
	box := "x"
	if isDone {
		box = " "
	}
	at := int(doc.Blocks[b+1].Start) + len("[") // of the paragraph that begins with the box
	start := int(doc.Blocks[b].Start)
	return &Change{
		Splices: []Splice{{markdown.Span{Start: at, End: at + 1}, []byte(box)}},
		Start:   start, Kind: markdown.Item, First: at, Last: at + 1,
		Verify: func(doc *markdown.Document) string {
			if b := BlockAt(doc, start, markdown.Item); b >= 0 {
				if is, done := IsTask(doc, b); is && done != isDone {
					return ""
				}
			}
			return "the item would be no task any more; replace it"
		},
	}, nil
}
