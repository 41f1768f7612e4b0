package edit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// Code is an error code of the product.
type Code string

// The codes of an Error, besides those of package address.
const (
	InvalidArgument  Code = "invalid_argument"  // an operation that can't be
	HashRequired     Code = "hash_required"     // a position is not enough to write
	Conflict         Code = "conflict"          // the hash is not that of what is there
	HasSubsections   Code = "has_subsections"   // they would go without a word
	LevelMismatch    Code = "level_mismatch"    // a heading does not fit the place
	HeadingRequired  Code = "heading_required"  // a section begins with a heading
	StructureChanged Code = "structure_changed" // blocks around would become others
	TextNotFound     Code = "text_not_found"    // Old is not there
	AmbiguousText    Code = "ambiguous_text"    // Old is there more than once
	NoChange         Code = "no_change"         // the document is like that already
)

// Error says why an operation was not applied.
type Error struct {
	Code    Code
	Op      int    // its index
	Address string // as it was given
	Message string // one sentence without a full stop that says what to do next

	// Candidates are nodes that may have been meant, at most ten, and Total is how
	// many there are: of an address that stands for no one node; subsections that
	// would go; the parts that have the text that a hash was made of.
	Candidates []address.Candidate
	Total      int
	// Current is the part that a Conflict is about, as it is now.
	Current *address.Resolution
	// Places are where Old is, at most ten of Total; or the one closest to it.
	Places []Place
	// Changed says what would become of the blocks around, at most ten of Total.
	Changed []string
	Err     error // what it was made from, or nil
}

// Place is a place in a document where a text is, or something like it.
type Place struct {
	markdown.Lines
	Column int    // of the first character in its line, from 1, in characters
	Text   string // the line that it begins in, or all of its lines, without the last line ending
}

// Error returns the code and the message.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// maxListed is the number of things that an error lists.
const maxListed = 10

// Unwrap returns what the error was made from.
func (e *Error) Unwrap() error { return e.Err }

// Errors are all operations that failed, in their order. There is at least one.
type Errors []*Error

// Error returns the errors, a line each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// addCandidate notes one more node that may have been meant.
func (e *Error) addCandidate(doc *markdown.Document, n address.Node) {
	if e.Total++; len(e.Candidates) < maxListed {
		e.Candidates = append(e.Candidates, address.CandidateOf(doc, n))
	}
}

// asError makes an Error of one of package address, or of one that a document could
// not be parsed with.
func asError(err error) *Error {
	e := &Error{Code: InvalidArgument, Message: err.Error(), Err: err}
	if a, ok := errors.AsType[*address.Error](err); ok {
		e.Code, e.Message, e.Candidates, e.Total = Code(a.Code), a.Message, a.Candidates, a.Total
	}
	return e
}
