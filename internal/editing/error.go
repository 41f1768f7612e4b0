package editing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
)

const maxClosest = 8 // lines of the text closest to one that is not there

// refusal makes an error of those of the operations.
func (e *editing) refusal(errs edit.Errors) *replies.Error {
	path := replies.DisplayPath(e.path)
	q := e.newQuoting(errs)
	if !e.batch {
		return e.refused(errs[0], path, q)
	}
	failed := make([]replies.EditFailure, len(errs))
	for i, err := range errs {
		failed[i] = replies.EditFailure{Index: e.items[err.Op], Error: e.refused(err, "", q)}
	}
	made := batchError(path, failed, len(e.ops))
	made.Unquoted = q.unquoted
	return made
}

// refused makes an error of that of an operation.
func (e *editing) refused(err *edit.Error, path string, q *quoting) *replies.Error {
	named, total := err.Candidates, err.Total
	if err.Current != nil && err.Code != edit.Conflict && len(named) == 0 {
		// What it is, but no hash: that comes with reading.
		current := address.CandidateOf(e.before, err.Current.Node)
		current.Heading = replies.Safe(current.Heading)
		named, total = []address.Candidate{current}, 1
	}
	told := &address.Error{
		Code: err.Code, Address: err.Address, Message: err.Message, Candidates: named, Total: total, Err: err,
	}
	hint := e.hintOf(err.Hint)
	if err.Hint == edit.GiveHash && err.Current != nil && err.Current.Kind != address.SectionNode {
		hint = replies.Say("give the hash of what you have read there as %s", replies.ExpectedHash)
		if name := address.NameOf(e.before, err.Current.Node); name != "" {
			hint = hint.Then(", or name it by its text: %s", replies.Either{Model: replies.Say("%s", name), Person: replies.Say("%s", runes.ShellQuoted(name))})
		}
	}
	if hint.IsEmpty() {
		told.Hint = err.Hint
	}
	ours := replies.ErrorAbout(path, told)
	ours.Err, ours.Mark = err, e.mark
	if !hint.IsEmpty() {
		ours.Message = ours.Message.Then("; %s", hint)
	}
	switch err.Code {
	case edit.AmbiguousText:
		ours.Total = 0 // of places, not of candidates
		ours.Details, ours.Theirs = placesOf(err)
	case edit.TextNotFound:
		ours.Total = 0
		ours.Details, ours.Theirs = closestText(err)
	}
	if len(err.Changed) > 0 {
		ours.Total = len(err.Candidates)
	}
	if len(err.Changed) > 1 { // the message tells of the first
		ours.Details = append(ours.Details, replies.Limited(err.Changed, err.Total)...)
	}
	if err.Current != nil && err.Code == edit.Conflict {
		ours.Quotes = q.quotes(err)
	}
	return ours
}

// hintOf returns a hint of package edit with the names of arguments, nothing for one that
// names none.
func (e *editing) hintOf(hint edit.Hint) replies.Sentence {
	switch hint {
	case edit.Allow:
		return replies.Say("put it elsewhere, edit the part that holds both, or allow it with %s", replies.AllowRestructure)
	case edit.EscapePipes:
		return replies.Say(`write a pipe that belongs to a cell as \|, add a column to the table first, or allow it with %s`, replies.AllowRestructure)
	case edit.GiveHash:
		return replies.Say("give the hash of what you have read there as %s, or name the heading", replies.ExpectedHash)
	case edit.GiveVersion:
		return replies.Say("name the heading or its path, or give %s of what you have read", replies.ExpectedVersion)
	case edit.PinSelectors:
		return replies.Say("name each by its selector, and give %s of what you have read", replies.ExpectedVersion)
	case edit.ChooseScope:
		return replies.Say("give %s to keep what is below, or %s to drop it", scope(edit.ScopeBody), scope(edit.ScopeSection))
	case edit.DropSections:
		return replies.Say("give %s to drop them, or replace @preamble", scope(edit.ScopeSection))
	case edit.GiveMore:
		return replies.Say("give more of what stands around it, or the section%s, or replace all of them%s",
			forPeople(replies.SearchedPart), forPeople(replies.ReplaceAll))
	case edit.TellApart:
		return replies.Say("name the heading or its path, edit a part that is larger, or choose one of these and give %s, the version that they are in",
			replies.Given{Arg: replies.ExpectedVersion, Value: e.before.Version()})
	case edit.NoAddress:
		return replies.Say("leave %s out", replies.Either{Model: replies.Say("the address"), Person: replies.Say("%s", replies.SearchedPart)})
	case edit.ClearBody:
		return replies.Say("to clear the body give %s, or take the section out with %s", scope(edit.ScopeBody), edit.Remove)
	case edit.ClearAll:
		return replies.Say("to clear all of it give %s", scope(edit.ScopeSection))
	case edit.UseBodyScope:
		return replies.Say("or give %s", scope(edit.ScopeBody))
	}
	return replies.Sentence{}
}

// scope names a scope as an argument.
func scope(s edit.Scope) replies.Given { return replies.Given{Arg: replies.Scope, Value: string(s)} }

// forPeople names an argument to a person; a model has the tool's description before it.
func forPeople(arg replies.Arg) replies.Either {
	return replies.Either{Person: replies.Say(" with %s", arg)}
}

// placesOf renders where a text is that is there more than once, and says which of the lines
// show some of the document.
func placesOf(err *edit.Error) (details []string, theirs [2]int) {
	lines := make([]string, len(err.Places))
	for i := range err.Places {
		p := &err.Places[i]
		lines[i] = fmt.Sprintf("line %d, column %d: %s", p.First, p.Column, around(p.Text, p.Column, replies.MaxContext))
	}
	return replies.Limited(lines, err.Total), [2]int{0, len(replies.Roomy(lines))}
}

// closestText renders the text that is closest to one that is not there, and says which of the
// lines show some of the document.
func closestText(err *edit.Error) (details []string, theirs [2]int) {
	if len(err.Places) == 0 {
		return nil, theirs
	}
	p := &err.Places[0]
	details = []string{fmt.Sprintf("closest text, line %s:", replies.LineRange(p.Lines))}
	if p.Len() > 1 {
		details[0] = fmt.Sprintf("closest text, lines %s:", replies.LineRange(p.Lines))
	}
	number := p.First
	for line := range replies.SplitLines(p.Text) {
		if number-p.First == maxClosest {
			return append(details, fmt.Sprintf("and %s more", replies.Plural(p.Last-number+1, "line"))), [2]int{1, len(details)}
		}
		column := 1
		if number == p.First {
			column = p.Column
		}
		details = append(details, fmt.Sprintf("%d: %s", number, around(line, column, replies.MaxContext)))
		number++
	}
	return details, [2]int{1, len(details)}
}

// around returns so many characters of a line at the most, those around a column,
// which counts characters from 1.
func around(line string, column, limit int) string {
	line, _, _ = strings.Cut(line, "\n")
	line = strings.TrimRight(line, "\r")
	n := utf8.RuneCountInString(line)
	if n <= limit {
		return replies.Safe(line)
	}
	text := []byte(line)
	from := min(max(column-1-limit/4, 0), n-limit)
	shown := replies.Safe(string(text[replies.CharOffset(text, from):replies.CharOffset(text, from+limit)]))
	if from > 0 {
		shown = "…" + shown
	}
	if from+limit < n {
		shown += "…"
	}
	return shown
}

// batchError is the error of a list of edits of which some failed. Its code is that
// of the first.
func batchError(path string, failed []replies.EditFailure, total int) *replies.Error {
	first := failed[0].Error
	e := &replies.Error{Code: first.Code, Path: path, Edits: failed, Err: first.Err, Beyond: first.Beyond}
	for i := range failed { // all that show something are about one document
		e.Mark = cmp.Or(e.Mark, failed[i].Mark)
	}
	e.Message = replies.Say("%d of %s can't be made; correct what is listed and send all of them again",
		len(failed), replies.Plural(total, "edit"))
	return e
}

// phase is what an edit is about.
type phase uint8

const (
	waiting  phase = iota // for others who write there
	changing              // the document
	looking               // for links in other documents
)

// ended says what the edit was about when its time ended.
func (e *editing) ended() replies.Sentence {
	switch e.phase {
	case looking:
		return replies.Say("the request ended while it looked for links in other documents; try again, or rename with %s",
			replies.Given{Arg: replies.Links, Value: linking.LeaveLinks})
	case changing:
		return replies.Say("the request ended while it made the change; try again, or change less at once")
	}
	return replies.Say("the request ended while it waited for others who write there; try again")
}

// failure gives an error its code and says what it is about, and what was kept of other
// programs' saves.
func (e *editing) failure(err error) *replies.Error { return e.cause(err).WithKept(err) }

// cause gives an error its code and says what it is about.
func (e *editing) cause(err error) *replies.Error {
	if errs, ok := errors.AsType[edit.Errors](err); ok {
		return e.refusal(errs)
	}
	_, told := errors.AsType[*fileerror.Error](err) // which says what it waited for
	if !told && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return &replies.Error{Code: replies.CodeIOError, Path: replies.DisplayPath(e.path), Err: err, Message: e.ended()}
	}
	return replies.ErrorAbout(replies.DisplayPath(e.path), err)
}
