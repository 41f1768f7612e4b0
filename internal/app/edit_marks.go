package app

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sectile/sectile/edit"
	"github.com/sectile/sectile/markdown"
)

// What a read leaves out of a text, it marks with a line of its own. Whoever sends
// such a text back as the new one has not seen what the line stands for, and would
// delete it. So text that has a line of this kind is refused, unless the document
// has that line itself.

// Lines of ours in the texts of reads: those of gapMark and of selecting.note,
// notShown and warning. The first has what is left out in a group.
var (
	leftOutMark = lazily(`^\[left out: (lines \d+(?:-\d+)?|lines \d+ \(from character \d+\)(?:, \d+(?:-\d+)?)?)\]$|` +
		`^\[left out: (lines? \d+(?:-\d+)?) of \d+(?:-\d+)?; rest: .+\]$|` +
		`^\[left out: (lines? \d+(?:-\d+)?(?: behind \d+ characters(?: and lines? \d+(?:-\d+)?)?)?); .+\]$`)
	notShownMark = lazily(`^\[not shown: \d+ of \d+ matches(?:[:;] .+)?\]$`)
	warningMark  = lazily(`^\[warning: (?:the text has )?\d+ invisible or direction-changing characters?(?: \(U\+.+\))?\]$`)
)

// lazily compiles an expression when it is needed first: few commands do.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// markIn returns the first line of a text that is one of ours and not one of those
// that may be there, and what is to be done about it.
func markIn(text string, allowed func(line string) bool) (line, what string) {
	if !strings.Contains(text, "[") {
		return "", ""
	}
	for line := range splitLines(text) {
		line = strings.TrimRight(line, " \t")
		if what := meaningOfMark(line); what != "" && !allowed(line) {
			return line, what
		}
	}
	return "", ""
}

// meaningOfMark says what a line stands for and how to do without, "" if it is none
// of ours.
func meaningOfMark(line string) string {
	if !strings.HasPrefix(line, "[") {
		return ""
	}
	if m := leftOutMark().FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("which a read puts in the place of what it left out; read those lines too (%s), or edit a smaller part",
			m[1]+m[2]+m[3]) // one of them is there
	}
	switch {
	case notShownMark().MatchString(line):
		return "which a read puts in the place of what it did not show; read that too, or edit a smaller part"
	case warningMark().MatchString(line):
		return "which a read puts below a text, and which is no part of it; leave it out"
	}
	return ""
}

// marked returns the operations whose new text has a line of ours that the document
// hasn't. The indexes are those of the operations.
func (e *editing) marked(doc *markdown.Document) []EditFailure {
	var known map[string]bool // lines of ours that are in the document
	allowed := func(line string) bool {
		if known == nil {
			known = marksOf(doc)
		}
		return known[line]
	}
	var failed []EditFailure
	for i := range e.ops {
		if line, what := markIn(e.ops[i].Text, allowed); what != "" {
			failed = append(failed, EditFailure{i, &Error{
				Code: codeInvalidArgument, Message: fmt.Sprintf("the text has the line %q, %s", clip(line, 2*maxShown), what),
			}})
		}
	}
	return failed
}

// marksOf returns the lines of a document that look like ours, without blanks around
// them.
func marksOf(doc *markdown.Document) map[string]bool {
	marks := map[string]bool{}
	for line := range splitLines(string(doc.Source)) {
		if line = strings.TrimSpace(line); meaningOfMark(line) != "" {
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
