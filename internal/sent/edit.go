package sent

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/replies"
)

// Edit is one edit as it was sent: of a text, or an action on a part of the document.
type Edit struct {
	// Path is of the document, or stands for several; empty for that of the request.
	Path string

	OldString  *string // nil if it is missing
	NewString  *string // nil if it is missing; it may be empty
	ReplaceAll bool

	// Heading is the address of the part, or of the one that the text is looked for
	// in; the rest is as in editing.EditSectionRequest.
	Heading      string
	Action       string
	Content      *string
	Rows         [][]string
	Scope        string
	Occurrence   int
	ExpectedHash string
	// ExpectedCount is how many places there must be in all documents that the edit is about;
	// 0 is for any number of a text and one part. UnlessPresent and Renumber are as there.
	ExpectedCount int
	UnlessPresent bool
	Renumber      bool

	Wrong string // why it is no edit, for one that can't even be read; or empty
}

// IsText reports whether an edit is about a text. It should be about that or a part, and not
// both.
func (i *Edit) IsText() bool {
	return i.OldString != nil || i.NewString != nil || i.ReplaceAll
}

// IsAction reports whether an edit is an action on a part.
func (i *Edit) IsAction() bool {
	return i.Action != "" || i.Content != nil || i.Scope != "" || i.UnlessPresent || i.Renumber
}

// Actions are the names of the actions on parts of a document.
func Actions() []string { return Names(edit.Actions()) }

// Names returns names of package edit, such as those of actions, as texts.
func Names[T ~string](list []T) []string {
	names := make([]string, len(list))
	for i, name := range list {
		names[i] = string(name)
	}
	return names
}

// Scopes are the names of the scopes.
func Scopes() []string { return Names([]edit.Scope{edit.ScopeBody, edit.ScopeSection}) }

// Op returns the operation of an edit, or what is wrong with it.
func (i *Edit) Op() (op edit.Op, message replies.Sentence) {
	switch text, action := i.IsText(), i.IsAction(); {
	case i.Wrong != "":
		return op, replies.Text(i.Wrong)
	case text && action:
		return op, replies.Say("it has both a text (old_string, new_string, replace_all) and an action (action, content, scope); make two edits of it")
	case text:
		return i.TextOp()
	case action:
		return i.SectionOp()
	}
	return op, replies.Say("it says nothing to do; give old_string and new_string, or heading and action")
}

// TextOp returns the operation that replaces a text, or what is wrong with it.
func (i *Edit) TextOp() (op edit.Op, message replies.Sentence) {
	heading := strings.TrimSpace(i.Heading)
	switch {
	case i.OldString == nil:
		return op, replies.Say("%s is missing; send the text that is to be replaced", replies.OldString)
	case i.NewString == nil:
		return op, replies.Say("%s is missing; send an empty one to delete the text", replies.NewString)
	case heading == "" && i.Heading != "":
		return op, replies.Say("%s is blank; leave it out to search the whole file", replies.SearchedPart)
	case IsBlankGuard(i.ExpectedHash):
		return op, EmptyHash()
	case heading == "" && (i.Occurrence != 0 || i.ExpectedHash != ""):
		return op, replies.Say("%s and %s belong to a section; name it with %s, or leave them out", replies.Occurrence, replies.ExpectedHash, replies.SearchedPart)
	}
	return edit.Op{
		Action: edit.ReplaceText, Address: i.Heading, Old: *i.OldString, Text: *i.NewString, All: i.ReplaceAll,
		Occurrence: i.Occurrence, ExpectedHash: GuardOf(i.ExpectedHash),
	}, replies.Sentence{}
}

// actionNames are other names of actions that mean one of them beyond doubt.
var actionNames = map[string]edit.Action{"delete": edit.Remove} //nolint:gochecknoglobals // a constant

// SectionOp returns the operation of an action on a part of the document, or what
// is wrong with it.
func (i *Edit) SectionOp() (op edit.Op, message replies.Sentence) {
	action := edit.Action(i.Action)
	if same, ok := actionNames[strings.ToLower(i.Action)]; ok {
		action = same
	}
	switch {
	case i.Action == "":
		return op, replies.Say("%s is missing; it is one of %s", replies.Action, strings.Join(Actions(), ", "))
	case slices.Contains([]string{"add", "insert"}, strings.ToLower(i.Action)):
		return op, replies.Say("%q doesn't say where; use append or prepend for text in the section, insert_before or insert_after for another one beside it", i.Action)
	case !slices.Contains(edit.Actions(), action):
		return op, replies.Say("there is no action %q; %sit is one of %s", replies.Clip(i.Action, replies.MaxShown), nearest.Question("", i.Action, Actions()), strings.Join(Actions(), ", "))
	case strings.TrimSpace(i.Heading) == "":
		return op, replies.Say("%s is missing; name the part to change, by its heading or another address", replies.Heading)
	case i.Scope != "" && !slices.Contains(Scopes(), i.Scope):
		return op, replies.Say("there is no %s %q; %sit is one of %s", replies.Scope, replies.Clip(i.Scope, replies.MaxShown), nearest.Question("", i.Scope, Scopes()), strings.Join(Scopes(), ", "))
	case IsBlankGuard(i.ExpectedHash):
		return op, EmptyHash()
	case i.Rows != nil && i.Content != nil:
		return op, replies.Say("%s and %s are both there; send one of them", replies.Rows, replies.Content)
	case i.Rows != nil:
	case i.Content == nil && action == edit.Replace:
		return op, NoContent(replies.Say("send the new text, or an empty one and %s to clear what is there", replies.Scope))
	case i.Content == nil && action.TakesText():
		return op, NoContent(replies.Say("%s needs the text to put there", action))
	}
	op = edit.Op{
		Action: action, Address: i.Heading, Rows: i.Rows, Scope: edit.Scope(i.Scope),
		Occurrence: i.Occurrence, ExpectedHash: GuardOf(i.ExpectedHash), ExpectedCount: i.ExpectedCount,
		UnlessPresent: i.UnlessPresent, Renumber: i.Renumber,
	}
	if i.Content != nil {
		op.Text = *i.Content
	}
	return op, replies.Sentence{}
}

// NoContent says that the new text is missing, and what to do.
func NoContent(hint replies.Sentence) replies.Sentence {
	return replies.Say("%s; %s", replies.Either{
		Model: replies.Say("%s is missing", replies.Content), Person: replies.Say("the new text is missing from %s", replies.Content),
	}, hint)
}
