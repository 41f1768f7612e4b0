package edit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/markdown"
)

// Code names what is wrong. Those of package address are codes of an Error too.
type Code = address.Code

// The codes of an Error, besides those of package address.
const (
	InvalidArgument       = address.InvalidArgument // an operation that can't be
	HashRequired     Code = "hash_required"         // a position is not enough to write
	Conflict         Code = "conflict"              // the hash is not that of what is there
	HasSubsections   Code = "has_subsections"       // they would go without a word
	LevelMismatch    Code = "level_mismatch"        // a heading does not fit the place
	HeadingRequired  Code = "heading_required"      // a section begins with a heading
	StructureChanged Code = "structure_changed"     // blocks around would become others
	TextNotFound     Code = "text_not_found"        // Old is not there
	AmbiguousText    Code = "ambiguous_text"        // Old is there more than once
	NoChange         Code = "no_change"             // the document is like that already
)

// Hint is what to do about an error, as a sentence without a full stop. A program that
// calls what it hints at in another way tells them apart by their values.
type Hint = address.Hint

// The hints, besides those of package address.
const (
	// Allow is for a text that the blocks around it don't bear; see Op.AllowRestructure.
	Allow Hint = "put it elsewhere, edit the part that holds both, or allow restructuring"
	// EscapePipes is for a row with more cells than its table has columns; see
	// Op.AllowRestructure.
	EscapePipes Hint = `write a pipe that belongs to a cell as \|, add a column to the table first, or allow restructuring`
	// GiveHash is for an address that counts; see Op.ExpectedHash.
	GiveHash Hint = "give the hash of what you have read there, or name the heading"
	// GiveVersion is for a second address that counts; see Options.Pinned.
	GiveVersion Hint = "name the heading or its path, or pin the document"
	// PinSelectors is for sections that have the same heading; see Options.Pinned.
	PinSelectors Hint = "name each by its selector, and pin the document"
	// ChooseScope and DropSections are for a text without the sections that are there;
	// see Op.Scope.
	ChooseScope  Hint = `give the scope "body" to keep what is below, or "section" to drop it`
	DropSections Hint = `give the scope "section" to drop them, or replace @preamble`
	// GiveMore is for a text that is there more than once; see Op.All.
	GiveMore Hint = "give more of what stands around it, or the section, or replace all of them"
	// TellApart is for parts between which a position and a hash don't decide; see
	// Options.Pinned.
	TellApart Hint = "name the heading or its path, edit a part that is larger, or pin the document"
	// NoAddress is for a file that is no Markdown; see Options.Plain.
	NoAddress Hint = "leave the address out"
	// ClearBody and ClearAll are for an empty text in the place of a section and of a
	// document; see Op.Scope.
	ClearBody Hint = `to clear the body give the scope "body", or take the section out with remove`
	ClearAll  Hint = `to clear all of it give the scope "section"`
	// UseBodyScope is for the hash of a section's body alone.
	UseBodyScope Hint = `or give the scope "body"`
)

// Error says why an operation was not applied.
type Error struct {
	Code    Code
	Op      int    // the index of the operation
	Address string // as it was given
	Message string // one sentence without a full stop that says what to do next, unless Hint does
	Hint    Hint   // empty for most errors

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
func (e *Error) Error() string {
	if e.Hint == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s: %s; %s", e.Code, e.Message, e.Hint)
}

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

// becoming is the error for what would become of the blocks around, and what to do about it.
func becoming(what, advice string) *Error {
	return &Error{Code: StructureChanged, Changed: []string{what}, Total: 1, Message: what + advice}
}

// changedBefore is the error for a target that an operation before has changed.
func changedBefore() *Error {
	return &Error{Code: Conflict, Message: "an operation before this one has changed or removed it; put this one first, or leave it out"}
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
		e.Code, e.Message, e.Hint, e.Candidates, e.Total = a.Code, a.Message, a.Hint, a.Candidates, a.Total
	}
	return e
}
