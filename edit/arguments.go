package edit

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/parts"
	"github.com/sectile/sectile/internal/textlines"
	"github.com/sectile/sectile/markdown"
)

// What is refused of an operation before anybody looks at the document.

// checkArguments refuses an operation that can't be, whatever the document holds.
func (b *batch) checkArguments(w *work) (err *Error) {
	op := w.op
	if op.Action == ReplaceText {
		if b.options.Plain && op.Address != "" {
			return &Error{Code: InvalidArgument, Hint: NoAddress, Message: "the file is no Markdown and has no sections"}
		}
		if within := op.Within; within != (markdown.Span{}) && (len(b.work) > 1 || op.Address != "" || within.Start < textlines.Start(b.draft.src) || within.Len() <= 0 || within.End > len(b.draft.src)) {
			return &Error{Code: InvalidArgument, Message: "a range is for the only operation, without an address, and lies in the document"}
		}
		return op.checkReplace()
	}
	text := op.Text
	if op.Rows != nil {
		var refused *parts.Error
		if text, refused = parts.NewTable(op.Rows); refused != nil {
			return asError(refused)
		}
	}
	if w.text, err = b.contentOf(text); err != nil {
		return err
	}
	var message string
	rule := op.Action.rule()
	switch {
	case rule == nil:
		message = fmt.Sprintf("there is no action %q; there are %s", op.Action, names(Actions()))
	case b.options.Plain:
		message = "the file is no Markdown and has no sections; replace text in it"
	case op.Address == "":
		message = "say which part is meant: a heading, or another address"
	case op.Scope != AnyScope && op.Scope != ScopeSection && op.Scope != ScopeBody:
		message = fmt.Sprintf("there is no scope %q; there are %q and %q", op.Scope, ScopeSection, ScopeBody)
	case op.Rows != nil && op.Text != "":
		message = "there are rows and a text; give one of them"
	case op.Rows != nil && !rule.numbers || op.Rows != nil && rule.noText:
		message = fmt.Sprintf("%s takes no rows; leave them out", op.Action)
	case op.Scope == ScopeBody && !rule.hasScope:
		message = fmt.Sprintf("%s has no scope; leave it out", op.Action)
	case rule.noText && w.text.text != "":
		message = fmt.Sprintf("%s takes no text; leave it out, or use %s", op.Action, Replace)
	case !rule.noText && w.text.text == "" && op.Action != Replace:
		message = "the text is empty; give what is to be put in"
	case rule.alone && len(b.work) > 1:
		message = fmt.Sprintf("%s is made alone; send it by itself", op.Action)
	case rule.alone && op.AllowRestructure:
		message = fmt.Sprintf("%s changes nothing that needs allowing; leave it out", op.Action)
	case op.Action == Move && op.To == "":
		message = "say which section it moves to: a heading, or another address"
	case op.Action == Move && !slices.Contains(MovePlaces(), op.Where):
		message = fmt.Sprintf("there is no place %q; there are %s, %s, %s and %s", op.Where, Before, After, First, Last)
	case op.Action != Move && (op.To != "" || op.Where != "" || op.KeepLevels):
		message = fmt.Sprintf("another section, and levels that are kept, belong to %s; leave them out", Move)
	case op.Action != Reorder && op.Order != nil:
		message = fmt.Sprintf("an order belongs to %s; leave it out", Reorder)
	case op.Action != Append && op.CreateMissing:
		message = fmt.Sprintf("missing headings are made by %s; leave that out", Append)
	case op.UnlessPresent && op.Action != Append:
		message = fmt.Sprintf("only %s looks whether it is there already; leave that out", Append)
	case op.Renumber && !rule.numbers:
		message = fmt.Sprintf("%s leaves the items of lists where they are; leave their numbers out", op.Action)
	case op.Old != "" || op.All || op.Within != (markdown.Span{}):
		message = fmt.Sprintf("what is looked for belongs to %s; leave it out", ReplaceText)
	default:
		return nil
	}
	return &Error{Code: InvalidArgument, Message: message}
}

// contentOf returns a text as it is put in, if it can be parsed within the limits.
func (b *batch) contentOf(text string) (*content, *Error) {
	if err := b.draft.bears(text); err != nil {
		return nil, err
	}
	return newContent(b.draft, text)
}

// checkEmpty refuses to replace a part by nothing unless a scope is given: a text that got
// lost must not delete anything.
func (w *work) checkEmpty() *Error {
	if w.op.Action != Replace || w.text.text != "" || w.op.Scope != AnyScope {
		return nil
	}
	doc := w.text.draft.before
	switch {
	case len(bytes.TrimSpace(doc.Text(w.target.res.Span(doc)))) == 0:
		return noChange() // the part is empty, too
	case w.target.kind == markdown.TableCell:
		return nil
	}
	e := &Error{Code: InvalidArgument, Message: "the text is empty"}
	switch w.target.res.Kind {
	case address.SectionNode:
		e.Hint = ClearBody
	case address.DocumentNode:
		e.Hint = ClearAll
	default:
		e.Message += fmt.Sprintf("; to take the part out use %s", Remove)
	}
	return e
}

// checkReplace refuses an operation that can't be, whatever the document holds.
func (op *Op) checkReplace() *Error {
	var message string
	switch {
	case op.Old == "":
		message = "the text to look for is empty; give the text that is there now"
	case op.Scope != AnyScope:
		message = "replacing text has no scope; leave it out"
	case op.Rows != nil:
		message = "replacing text takes no rows; leave them out"
	case op.Renumber:
		message = "numbers of lists go on where items are put in or taken out; leave that out of a replacement of text"
	case checkText(op.Old) != "":
		message = "to look for: " + checkText(op.Old)
	case checkText(op.Text) != "":
		message = checkText(op.Text)
	case op.Old == op.Text:
		return &Error{Code: NoChange, Message: "the new text is the same as the old one; leave it out, or give another"}
	default:
		return nil
	}
	return &Error{Code: InvalidArgument, Message: message}
}
