package app

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/edit"
)

// What a refused change is told with: what stands in its way, and of the document
// only so much as the next try needs.

const (
	maxErrorPath    = 200 // characters of a path
	maxErrorMessage = 600 // characters of a message

	maxDetails = 900  // bytes of the details of an error, so that it stays under 2,000 characters
	maxBatch   = 1500 // bytes of what is told of the edits of a list
	maxContext = 100  // characters of a line around a place in it
	maxClosest = 8    // lines of the text closest to one that is not there
)

// EditFailure is why one edit of a list was refused.
type EditFailure struct {
	Index int `json:"index"` // from 0
	*Error
}

// Unwritten says of an error that nothing was written, unless something was. Path and
// message are cut if they are so long that it could be lost.
func Unwritten(err error) *Error {
	e := *AsError(err)
	if !e.Written {
		e.Path, e.Message = clipMiddle(e.Path, maxErrorPath), clip(e.Message, maxErrorMessage)+"; nothing was written"
	}
	return &e
}

// more renders what an error tells besides its candidates, a line each.
func (e *Error) more() []string {
	if len(e.Edits) > 0 {
		return slices.Concat(e.Details, batchDetails(e.Edits))
	}
	return e.Details
}

// Marked returns lines that tell of the error as a reply begins with them: in so many
// characters, with the error's mark if it has one.
func (e *Error) Marked(lines string, limit int) string {
	for room := limit; ; {
		text := e.mark.top() + strings.TrimSuffix(string(e.mark.lines([]byte(clip(lines, room)+"\n"))), "\n")
		over := utf8.RuneCountInString(text) - limit
		if over <= 0 {
			return text
		}
		room -= over
	}
}

// refusal makes an error of those of the operations.
func (e *editing) refusal(errs edit.Errors) *Error {
	path := displayPath(e.path)
	if e.mark == "" {
		e.mark = e.docs.Marks.draw(e.before.Source)
	}
	q := e.newQuoting(errs)
	if !e.batch {
		return e.refused(errs[0], path, q)
	}
	failed := make([]EditFailure, len(errs))
	for i, err := range errs {
		failed[i] = EditFailure{e.items[err.Op], e.refused(err, "", q)}
	}
	made := batchError(path, failed, len(e.ops))
	made.unquoted = q.unquoted
	return made
}

// refused makes an error of that of an operation.
func (e *editing) refused(err *edit.Error, path string, q *quoting) *Error {
	named, total := err.Candidates, err.Total
	if err.Current != nil && err.Code != edit.Conflict && len(named) == 0 {
		// What it is, but no hash: that comes with reading.
		current := address.CandidateOf(e.before, err.Current.Node)
		current.Heading = safe(current.Heading)
		named, total = []address.Candidate{current}, 1
	}
	ours := asError(path, &address.Error{
		Code: address.Code(err.Code), Address: err.Address, Message: err.Message, Candidates: named, Total: total, Err: err,
	})
	ours.Err = err
	switch err.Code {
	case edit.AmbiguousText:
		ours.Total = 0 // of places, not of candidates
		ours.Details = placesOf(err)
	case edit.TextNotFound:
		ours.Total = 0
		ours.Details = closestText(err)
	}
	if len(err.Changed) > 0 {
		ours.Total = len(err.Candidates)
		ours.Details = append(ours.Details, limited(err.Changed, err.Total)...)
	}
	if err.Current != nil && err.Code == edit.Conflict {
		ours.Quotes = q.quotes(err)
	}
	return ours
}

// placesOf renders where a text is that is there more than once.
func placesOf(err *edit.Error) []string {
	lines := make([]string, len(err.Places))
	for i := range err.Places {
		p := &err.Places[i]
		lines[i] = fmt.Sprintf("line %d, column %d: %s", p.First, p.Column, around(p.Text, p.Column, maxContext))
	}
	return limited(lines, err.Total)
}

// closestText renders the text that is closest to one that is not there.
func closestText(err *edit.Error) []string {
	if len(err.Places) == 0 {
		return nil
	}
	p := &err.Places[0]
	details := []string{fmt.Sprintf("closest text, line %s:", lineRange(p.Lines))}
	if p.Len() > 1 {
		details[0] = fmt.Sprintf("closest text, lines %s:", lineRange(p.Lines))
	}
	number := p.First
	for line := range splitLines(p.Text) {
		if number-p.First == maxClosest {
			return append(details, fmt.Sprintf("and %s more", plural(p.Last-number+1, "line")))
		}
		column := 1
		if number == p.First {
			column = p.Column
		}
		details = append(details, fmt.Sprintf("%d: %s", number, around(line, column, maxContext)))
		number++
	}
	return details
}

// splitLines yields the lines of a text, which may end in any way.
func splitLines(text string) func(yield func(string) bool) {
	return strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
}

// around returns so many characters of a line at the most, those around a column,
// which counts characters from 1.
func around(line string, column, limit int) string {
	line, _, _ = strings.Cut(line, "\n")
	line = strings.TrimRight(line, "\r")
	n := utf8.RuneCountInString(line)
	if n <= limit {
		return safe(line)
	}
	text := []byte(line)
	from := min(max(column-1-limit/4, 0), n-limit)
	shown := safe(string(text[charOffset(text, from):charOffset(text, from+limit)]))
	if from > 0 {
		shown = "…" + shown
	}
	if from+limit < n {
		shown += "…"
	}
	return shown
}

// limited returns as many of the lines as an error has room for, and how many more
// there are of the total.
func limited(lines []string, total int) []string {
	room := maxDetails
	kept := []string{}
	for _, line := range lines {
		line = clip(safe(line), 2*maxContext)
		if room -= len(line) + len("  \n"); room < 0 && len(kept) > 0 {
			break
		}
		kept = append(kept, line)
	}
	if more := max(total, len(lines)) - len(kept); more > 0 {
		kept = append(kept, fmt.Sprintf("and %d more", more))
	}
	return kept
}

// batchError is the error of a list of edits of which some failed. Its code is that
// of the first.
func batchError(path string, failed []EditFailure, total int) *Error {
	first := failed[0].Error
	e := &Error{Code: first.Code, Path: path, Edits: failed, Err: first.Err, beyond: first.beyond}
	e.Message = fmt.Sprintf("%d of %s can't be made; correct what is listed and send all of them again",
		len(failed), plural(total, "edit"))
	return e
}

// batchDetails tells of every failed edit what there is room for: a line for each,
// then what might have been meant, the first edits first; where not even the lines
// fit, the codes.
func batchDetails(failed []EditFailure) []string {
	lines := make([][]string, len(failed))
	room := maxBatch
	told := 0
	for i, f := range failed {
		line := clip(fmt.Sprintf("%s: %s: %s", editName(f.Index), f.Code, safe(f.Message)), 4*maxContext)
		if room -= len(line) + len("  \n"); room < maxBatch/4 && i > 0 {
			break
		}
		lines[i] = []string{line}
		told++
	}
	for i, f := range failed[:told] {
		for _, line := range f.Lines() {
			if room -= len(line) + len("    \n"); room < maxBatch/8 {
				break
			}
			lines[i] = append(lines[i], "  "+line)
		}
	}
	return append(slices.Concat(lines...), codesOf(failed[told:])...)
}

// codesOf tells the codes of failed edits, neighbours of the same code in one line.
func codesOf(failed []EditFailure) []string {
	var lines []string
	for i := 0; i < len(failed); {
		last := i
		for last+1 < len(failed) && failed[last+1].Code == failed[i].Code && failed[last+1].Index == failed[last].Index+1 {
			last++
		}
		name := editName(failed[i].Index)
		if last > i {
			name += " to " + editName(failed[last].Index)
		}
		lines = append(lines, name+": "+failed[i].Code)
		i = last + 1
	}
	return lines
}
