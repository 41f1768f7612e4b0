package parts

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Splice is a range of the source and what stands there then.
type Splice struct {
	markdown.Span
	Text []byte
}

// Change is what becomes of a part.
type Change struct {
	Splices []Splice // in order and apart; none if there is nothing to do
	// Start is where the part begins then, of the kind, or the block that it is in; -1 if
	// it can't be told by that.
	Start int
	Kind  markdown.Kind
	// First and Last are the offsets then of the new text; First is -1 if there is none.
	First, Last int
	Joined      []int // blocks that text becomes part of although it stands beside them
	// Verify says what is wrong with the document that comes of it, nothing if it is right.
	Verify func(*markdown.Document) string
}

// Reason says why a change can't be made.
type Reason uint8

// The reasons of an Error.
const (
	Invalid  Reason = iota // it can't be, whatever the part holds
	Same                   // the part is like that already
	NotFound               // there is no such key
)

// Error says why a change can't be made: what to do instead, without a full stop.
type Error struct {
	Reason  Reason
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func invalid(format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

// BlockAt returns the block of the kind that begins at the offset, or -1.
func BlockAt(doc *markdown.Document, at int, kind markdown.Kind) int {
	b := sort.Search(len(doc.Blocks), func(b int) bool { return int(doc.Blocks[b].Start) >= at })
	for ; b < len(doc.Blocks) && int(doc.Blocks[b].Start) == at; b++ {
		if doc.Blocks[b].Kind == kind {
			return b
		}
	}
	return -1
}

// lines returns a text with LF as line ending, without blanks and blank lines around it.
func lines(text string) []string {
	text = lineEndings.Replace(text)
	return strings.Split(strings.Trim(text, " \t\n"), "\n")
}

// lineEndings makes every line ending LF. To make a replacer takes far longer than to use it.
var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n") //nolint:gochecknoglobals // a constant
