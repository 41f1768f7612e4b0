package edit

import "github.com/sectile/sectile/markdown"

// Action says what an operation does.
type Action string

// The actions.
const (
	// Replace replaces the body of a section; the heading stays, unless Text begins
	// with a heading of the same level. Of other parts it replaces all.
	Replace Action = "replace"
	// InsertBefore puts a section before the target, or a block before a block.
	InsertBefore Action = "insert_before"
	// InsertAfter puts a section after the target and its subsections, or as its
	// last subsection; or a block after a block.
	InsertAfter Action = "insert_after"
	// Remove takes the target out, a section with its subsections.
	Remove Action = "remove"
	// Append puts text at the end of a section's own body, or a value at the end of a list of
	// front matter.
	Append Action = "append"
	// Prepend puts text right below a section's heading.
	Prepend Action = "prepend"
	// Rename changes the text of a heading and keeps its marks and level; or the name of a key
	// of front matter, or the head of a column of a table.
	Rename Action = "rename"
	// Move puts a section with its subsections beside another one or into it, To, and gives
	// it the level of that place.
	Move Action = "move"
	// Promote takes one from the levels of a section and its subsections, and Demote adds one.
	Promote Action = "promote"
	Demote  Action = "demote"
	// Dissolve takes the heading of a section out. Its text stays where it is, and its
	// subsections come to stand beside where it stood.
	Dissolve Action = "dissolve"
	// Reorder puts the subsections of a section, or those of the document, in another order.
	Reorder Action = "reorder"
	// Set gives a key of front matter a value, JSON or else a text as it is, and a task its
	// state: TaskDone, TaskOpen or TaskToggle.
	Set Action = "set"
	// ReplaceText replaces Old, which must be there exactly once, by Text.
	ReplaceText Action = "replace_text"
)

// Actions are the actions on parts of a document, all but ReplaceText and Structural.
func Actions() []Action { return actions(false) }

// Structural are the actions on the structure of a document. Each stands alone: it is the only
// operation. It changes nothing but the order of sections and the levels of headings, and
// AllowRestructure is not for it.
func Structural() []Action { return actions(true) }

func actions(alone bool) []Action {
	var all []Action
	for i := range actionRules {
		if actionRules[i].alone == alone {
			all = append(all, actionRules[i].action)
		}
	}
	return all
}

// actionRule is what has to be known of an action on a part of a document before anybody
// looks at the document.
type actionRule struct {
	action    Action
	noText    bool // it takes no text
	hasScope  bool // Op.Scope is for it
	overwrite bool // the text of its target is replaced or removed
	below     bool // it changes the subsections of a section too, but for ScopeBody
	numbers   bool // items of lists may come or go by it
	alone     bool // it is about the structure, and the only one of its batch
}

// actionRules are those of all actions but ReplaceText. One that isn't here is refused.
var actionRules = [...]actionRule{
	{action: Replace, hasScope: true, overwrite: true, below: true, numbers: true},
	{action: InsertBefore, numbers: true},
	{action: InsertAfter, numbers: true},
	{action: Remove, noText: true, hasScope: true, overwrite: true, below: true, numbers: true},
	{action: Append, hasScope: true, numbers: true},
	{action: Prepend, hasScope: true, numbers: true},
	{action: Rename},
	{action: Move, noText: true, below: true, alone: true},
	{action: Promote, noText: true, below: true, alone: true},
	{action: Demote, noText: true, below: true, alone: true},
	{action: Dissolve, noText: true, below: true, alone: true},
	{action: Reorder, noText: true, below: true, alone: true},
	{action: Set, overwrite: true},
}

// rule returns the rule of an action on a part, nil for ReplaceText and what is none.
func (a Action) rule() *actionRule {
	for i := range actionRules {
		if actionRules[i].action == a {
			return &actionRules[i]
		}
	}
	return nil
}

// isStructural reports whether the operation is about the structure.
func (op *Op) isStructural() bool {
	r := op.Action.rule()
	return r != nil && r.alone
}

// TakesText reports whether an operation with the action has a text that is put in.
func (a Action) TakesText() bool {
	r := a.rule()
	return r == nil || !r.noText
}

// Overwrites reports whether the text of an operation's target is replaced or removed,
// unseen by whoever names the target by its address alone.
func (a Action) Overwrites() bool {
	r := a.rule()
	return r != nil && r.overwrite
}

// Scope says how much of a section an operation is about.
type Scope string

// The scopes.
const (
	// AnyScope is ScopeSection, but Replace refuses to drop subsections with it.
	AnyScope Scope = ""
	// ScopeSection is the section with all that is below it.
	ScopeSection Scope = "section"
	// ScopeBody is what stands before the first subsection, the heading included.
	ScopeBody Scope = "body"
)

// Where says where a section goes that is moved to another one.
type Where string

// The places: beside the other section, or as its first or last subsection.
const (
	Before Where = "before"
	After  Where = "after"
	First  Where = "first"
	Last   Where = "last"
)

// MovePlaces are the places that a section can be moved to.
func MovePlaces() []Where { return []Where{Before, After, First, Last} }

// Op is an operation on a document.
type Op struct {
	Action Action
	// Address says what the operation is about, in any form of package address.
	// For ReplaceText it is where Old is looked for; empty means everywhere.
	Address string
	// Whole lets the headings in the Address be meant by their whole text alone, not by the
	// beginning or a part of it.
	Whole bool
	// Text is what is put in: Markdown, in any line ending. Blank lines around it
	// don't count, except for ReplaceText, which takes it as it is. Remove takes none.
	Text string
	// Rows are put in instead of a text, as a table: its head is the first of them. Put beside or
	// in the place of a row, or at the end of a table by Append, they are rows of that table.
	Rows [][]string
	// Scope is for Replace and Remove of sections, and for Append: with ScopeSection the text
	// comes behind the subsections, if there are any, as the last of them.
	Scope Scope
	// Occurrence picks one among several that the address fits, from 1.
	Occurrence int
	// ExpectedHash is the hash of what was read, at least 12 characters of it:
	// markdown.Hash of the section, or of its body where that is all that the
	// operation touches. Addresses that count are refused without one.
	ExpectedHash string
	// ExpectedCount is how many parts the address must stand for, all of which are changed: of
	// tasks, cells and columns. 0 is for one part.
	ExpectedCount int
	// UnlessPresent is for Append: nothing is done, and nothing is wrong, if the list of front
	// matter has the value, or if blocks of the part have the text, of a section those before its
	// first subsection but for ScopeSection, or if a table has the rows.
	UnlessPresent bool
	// Renumber lets the numbers of ordered lists go on, of which items come or go: the same
	// number for each if that is how the list has them, or counting.
	Renumber bool
	// AllowRestructure allows text whose headings don't fit the place, and what
	// changes the blocks around it.
	AllowRestructure bool

	To    string // for Move: the other section, in any form of package address
	Where Where  // for Move
	// KeepLevels is for Move: the headings keep their levels, and the operation is refused
	// where these don't fit.
	KeepLevels bool
	// Order is for Reorder: the headings of all subsections, as they are written or without
	// their marks, or other addresses of them. Without it they are ordered by their titles.
	Order []string
	// CreateMissing is for Append to a section that isn't there: the Address is a path of
	// headings, and what is missing of it is made, as the last subsection of what is there.
	CreateMissing bool

	Old string // for ReplaceText: what is looked for, in any line ending
	All bool   // for ReplaceText: replace Old wherever it is
	// Within is for ReplaceText without an address as the only operation: the bytes of the
	// document that Old is looked for in. One that is empty means everywhere.
	Within markdown.Span
}

// Options says more about all operations.
type Options struct {
	// Pinned says that the document is the one that the addresses were made for,
	// byte by byte, so that those that count need no hash.
	Pinned bool
	// Plain says that the document is no Markdown. Only ReplaceText without an
	// address is possible, and no blocks are compared.
	Plain bool
	// Limits bound each parse of the result and of new text, and the copies of a text that
	// one operation puts into many places.
	Limits markdown.Limits
}
