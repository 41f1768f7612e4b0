package replies

import (
	"fmt"
	"slices"
)

// What a refused change is told with: what stands in its way, and of the document
// only so much as the next try needs.

// So much of an error is told.
const (
	MaxErrorMessage = 600  // characters of a message
	MaxDetails      = 900  // bytes of the details, so that an error stays under 2,000 characters
	MaxContext      = 100  // characters of a line around a place in it
	maxErrorPath    = 200  // characters of a path
	maxBatch        = 1500 // bytes of what is told of the edits of a list
)

// EditFailure is why one edit of a list was refused.
type EditFailure struct {
	Index int `json:"index"` // from 0
	*Error
}

// Unwritten says of an error that nothing was written, unless something was, or it is said already.
// Path and message are cut if they are so long that it could be lost.
func Unwritten(err error) *Error {
	e := *AsError(err)
	if !e.Written && !e.unwritten {
		e.Path, e.Message = ClipMiddle(e.Path, maxErrorPath), e.Message.Cut(MaxErrorMessage).Then("; nothing was written")
		e.unwritten = true
	}
	return &e
}

// more renders what an error tells besides its candidates, a line each.
func (e *Error) more() []told {
	var lines []told
	for i, line := range e.Details {
		theirs := i >= e.Theirs[0] && i < e.Theirs[1]
		if !theirs {
			line = Safe(line)
		}
		lines = append(lines, told{line, theirs})
	}
	return append(lines, batchDetails(e.Edits)...)
}

// Limited returns as many of the lines as an error has room for, and how many more
// there are of the total.
func Limited(lines []string, total int) []string {
	kept := Roomy(lines)
	if more := max(total, len(lines)) - len(kept); more > 0 {
		kept = append(kept, fmt.Sprintf("and %d more", more))
	}
	return kept
}

// Roomy returns as many of the lines as an error has room for.
func Roomy(lines []string) []string {
	room := MaxDetails
	kept := []string{}
	for _, line := range lines {
		line = Clip(Safe(line), 2*MaxContext)
		if room -= len(line) + len("  \n"); room < 0 && len(kept) > 0 {
			break
		}
		kept = append(kept, line)
	}
	return kept
}

// batchDetails tells of every failed edit what there is room for: a line for each,
// then what might have been meant, the first edits first; where not even the lines
// fit, the codes.
func batchDetails(failed []EditFailure) []told {
	lines := make([][]told, len(failed))
	room := maxBatch
	named := 0
	for i, f := range failed {
		line := Clip(fmt.Sprintf("%s: %s: %s", EditName(f.Index), f.Code, Safe(f.Message.String())), 4*MaxContext)
		if room -= len(line) + len("  \n"); room < maxBatch/4 && i > 0 {
			break
		}
		lines[i] = []told{{text: line}}
		named++
	}
	for i, f := range failed[:named] {
		for _, line := range f.told() {
			if room -= len(line.text) + len("    \n"); room < maxBatch/8 {
				break
			}
			line.text = "  " + line.text
			lines[i] = append(lines[i], line)
		}
	}
	all := slices.Concat(lines...)
	for _, line := range codesOf(failed[named:]) {
		all = append(all, told{text: line})
	}
	return all
}

// codesOf tells the codes of failed edits, neighbours of the same code in one line.
func codesOf(failed []EditFailure) []string {
	var lines []string
	for i := 0; i < len(failed); {
		last := i
		for last+1 < len(failed) && failed[last+1].Code == failed[i].Code && failed[last+1].Index == failed[last].Index+1 {
			last++
		}
		name := EditName(failed[i].Index)
		if last > i {
			name += " to " + EditName(failed[last].Index)
		}
		lines = append(lines, name+": "+failed[i].Code)
		i = last + 1
	}
	return lines
}

// EditName is how an edit of a list is called in replies and errors.
func EditName(index int) string { return fmt.Sprintf("edits[%d]", index) }
