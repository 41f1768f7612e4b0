package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// New text for a document that has lines of ours (echo.go) is refused, unless the
// document has those lines itself.

// marked returns the operations whose new text has a line of ours that the document
// hasn't. The indexes are those of the operations.
func (e *editing) marked(doc *markdown.Document) []EditFailure {
	var known map[string]bool // lines of ours that are in the document
	allowed := func(line string) bool {
		if known == nil {
			known = e.docs.Marks.linesOfOurs(doc)
		}
		return known[line]
	}
	var failed []EditFailure
	for i := range e.ops {
		if line, what := e.docs.Marks.markIn(e.ops[i].Text, allowed); what != "" {
			failed = append(failed, EditFailure{i, &Error{
				Code: codeInvalidArgument, Message: fmt.Sprintf("the text has the line %q, %s", clip(line, 2*maxShown), what),
			}})
		}
	}
	return failed
}

// linesOfOurs returns the lines of a document that look like ours, without blanks
// around them.
func (m *Marks) linesOfOurs(doc *markdown.Document) map[string]bool {
	marks := map[string]bool{}
	for line := range splitLines(string(doc.Source)) {
		if line = strings.TrimSpace(line); m.meaning(line) != "" {
			marks[line] = true
		}
	}
	return marks
}

// refuseMarked is the error of operations whose text has lines of ours. Of a list it
// tells with them what else fails.
func (e *editing) refuseMarked(failed []EditFailure, err error) *Error {
	path := displayPath(e.path)
	if !e.batch {
		first := *failed[0].Error
		first.Path = path
		return &first
	}
	marked := map[int]bool{}
	for i := range failed {
		failed[i].Index = e.items[failed[i].Index]
		marked[failed[i].Index] = true
	}
	if errs, ok := errors.AsType[edit.Errors](err); ok {
		for _, f := range e.refusal(errs).Edits {
			if !marked[f.Index] {
				failed = append(failed, f)
			}
		}
	}
	slices.SortFunc(failed, func(a, b EditFailure) int { return a.Index - b.Index })
	return batchError(path, failed, len(e.ops))
}
