package address

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/sectile/sectile/internal/runes"
)

// What goes wrong with a selector has three causes that callers treat apart: it
// is none, it counts too far, it asks for what isn't there.

// ErrTooManyMatches is returned by Select for a selector that repeats indexes
// until it has ten thousand more matches than the document has blocks.
var ErrTooManyMatches = errors.New("too many matches: the selector repeats indexes too often")

// The codes of a SelectorError, spelled as mdsel spells them.
const (
	EmptySelector       Code = "EMPTY_SELECTOR"
	InvalidSyntax       Code = "INVALID_SYNTAX"
	InvalidHeadingLevel Code = "INVALID_HEADING_LEVEL"
	InvalidBlockType    Code = "INVALID_BLOCK_TYPE"
	InvalidIndex        Code = "INVALID_INDEX"
	UnclosedBracket     Code = "UNCLOSED_BRACKET"
	MalformedQuery      Code = "MALFORMED_QUERY"
)

// SelectorError says why a string is no selector.
type SelectorError struct {
	Code     Code   // one of those above
	Message  string // one sentence, without the code
	Selector string // as it was given
	Position int    // byte offset into Selector; its length at the end
}

// Error returns the message, and the position counted from 1.
func (e *SelectorError) Error() string {
	return fmt.Sprintf("%s (at byte %d of %s)", e.Message, e.Position+1, runes.Quoted(e.Selector))
}

// RangeError says that an index is beyond what there is.
type RangeError struct {
	Step  int    // index of the step in the selector
	Index int    // the smallest one that is out of range
	Count int    // how many nodes of the type there are
	Type  Type   // what the step looks for
	In    string // the selector of the node that was searched; "document" for the document
	// Deeper is how many stand deeper in the node, as in a quote or an item, if Count is 0.
	Deeper int
}

// Error says how many there are, such as "Index out of range: document has 3 h2
// headings".
func (e *RangeError) Error() string {
	return "Index out of range: " + e.In + " has " + count(e.Count, e.Type) + toldDeeper(e.Deeper, e.Type)
}

// NoMatchError says that a step without an index found nothing.
type NoMatchError struct {
	Step   int    // index of the step in the selector
	Type   Type   // what the step looks for
	In     string // the selector of the node that was searched; "document" for the document
	Deeper int    // how many stand deeper in the node, as in a quote or an item
}

// Error says what is missing, such as "No matches: document has no h3 headings".
func (e *NoMatchError) Error() string {
	switch e.Type {
	case TypeRoot:
		return "No matches: root can only be used at the beginning"
	case typeSection, typePage:
		return "No matches: " + e.Type.String() + " never matches, use h1 to h6"
	}
	return "No matches: " + e.In + " has " + count(0, e.Type) + toldDeeper(e.Deeper, e.Type)
}

// count returns "no tables", "1 table", "3 tables".
func count(n int, t Type) string {
	noun := types[t].noun
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
