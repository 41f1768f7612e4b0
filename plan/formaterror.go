package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A FormatError says what of a document can't be written so that it is read again
// as what it is.
type FormatError struct {
	Field string // the path of the part of the document: "tasks.0.2.1.1"
	Line  int    // of the text that would have been written, from 1; 0 if it is about no line
	// FieldLine is the same line counted from the first one of the field, from 1.
	FieldLine int
	Class     Class  // what that line would be read as
	Text      string // the line; for a header that no format fits, one of the formats
	// Code is that of a halt if the parser would halt there; MISSING_HEADER,
	// REQUIRED, or INVALID_PARSE_STATE for a result that isn't Parsed; else empty.
	Code Code
	// Length and Limit are what a text would have and may have in code points, if
	// it is too long; else 0. Of too many tasks, or levels of them, there is a Limit alone.
	Length, Limit int
	hint          string // for INVALID_PARSE_STATE
}

// place names the line in the words of whoever sent the field: only a field of several
// lines has lines to count.
func (e *FormatError) place() string {
	switch {
	case e.Field == "description" || e.Field == "direction":
		return fmt.Sprintf("line %d of the %s", e.FieldLine, e.Field)
	case e.FieldLine > 1:
		return fmt.Sprintf("line %d of %s", e.FieldLine, e.Field)
	}
	return e.Field
}

// Error returns what can't be written, and what to do.
func (e *FormatError) Error() string {
	message, hint := e.told()
	return message + "; " + hint
}

// Message says what can't be written, without a full stop.
func (e *FormatError) Message() string {
	message, _ := e.told()
	return message
}

// Hint says what to do, without a full stop.
func (e *FormatError) Hint() string {
	_, hint := e.told()
	return hint
}

// told returns what can't be written, and what to do.
func (e *FormatError) told() (message, hint string) {
	text := clip(e.Text, 200)
	switch e.Code {
	case MissingHeader:
		return "there is no header", "set one first"
	case Required:
		return fmt.Sprintf("header: it lacks what the form needs, %q", text), "add it"
	case InvalidParseState:
		return text, e.hint
	case InputTooLong:
		return fmt.Sprintf("the text would have %d characters, and max_input is %d", e.Length, e.Limit), hintTooLong
	case NestingTooDeep:
		return fmt.Sprintf("%s: %q is nested deeper than max_depth, %d", e.Field, text, e.Limit), "move it up"
	case TooManyTasks:
		return fmt.Sprintf("%s: %q is one task more than max_tasks, %d", e.Field, text, e.Limit), "take some out"
	case TitleTooLong:
		return fmt.Sprintf("header.title: it has %d characters, and max_title is %d", e.Length, e.Limit), "shorten it"
	case UnsafeCharacter:
		return e.place() + " would have a NUL or bytes that are no UTF-8", "take them out"
	case BlankLineInDesc:
		return e.place() + " is blank, which this form does not allow within it", "take it out"
	case DirectionIncomplete:
		return fmt.Sprintf("%s, %q, is too short for a direction", e.place(), text), "write a longer one"
	}
	return fmt.Sprintf("%s, %q, would be read as %s (%s) and not as what it is", e.place(), text, e.Class.describe(), e.Class),
		"write it in other words, on one line if it is no description or direction"
}

// hintTooLong says what to do about a text that is too long.
const hintTooLong = "shorten it, or raise the limit"

// stateError returns the error for a result that can't be formatted, of a text that
// was read by this configuration.
func stateError(r *Result, cfg *Config) *FormatError {
	e := &FormatError{Code: InvalidParseState, Line: 1}
	switch {
	case r.State == Halted && r.Halt != nil && r.Halt.Code == ConfigInvalid:
		e.Text, e.hint = "the configuration is wrong: "+r.Halt.Text, "correct it"
	case r.State == Halted && r.Halt != nil && r.Halt.Code == InputTooLong: // no line is to blame
		if cfg == nil {
			standard := commitMessage()
			cfg = &standard
		}
		e.Line, e.Length, e.Limit = 0, r.Halt.Length, cfg.MaxInput
		e.Text, e.hint = fmt.Sprintf("the text has %d characters, and max_input is %d", e.Length, e.Limit), hintTooLong
	case r.State == Halted && r.Halt != nil:
		e.Line, e.Text, e.hint = r.Halt.Line, fmt.Sprintf("the text is a plan only up to line %d (%s)", r.Halt.Line, r.Halt.Code), "mend that line first"
		if r.Halt.Begin > 0 {
			e.hint = fmt.Sprintf("mend line %d first, which ends the tasks", r.Halt.Begin)
		}
	case r.State == Empty:
		e.Text, e.hint = "the text is empty", "there is no plan to write"
	default:
		e.Text, e.hint = "the first line is no header, so there is no plan to write", "begin with a header"
	}
	return e
}

// section is a part of a document.
type section uint8

const (
	sectionHeader section = iota
	sectionDescription
	sectionConstraints
	sectionSkipped
	sectionTasks
	sectionDirection
	sectionDirective
)

// An owner is what a line and those after it were written for.
type owner struct {
	line    int
	section section
	index   int // of the constraint, the skipped line or the node
}

// own says what the next lines are written for.
func (f *formatter) own(s section, index int) {
	if !f.record {
		return
	}
	f.line += strings.Count(unixLines(string(f.out[f.read:])), "\n")
	f.read = len(f.out)
	f.owners = append(f.owners, owner{f.line, s, index})
}

// locate says which part of the document is read as something else, given the text
// and what it was read as.
func (f *formatter) locate(text string, r *Result) *FormatError {
	if r.Halt != nil && r.Halt.Code == InputTooLong { // no line is to blame
		return &FormatError{Field: "document", Code: InputTooLong, Length: r.Halt.Length, Limit: f.MaxInput}
	}
	f.record, f.out, f.line, f.read = true, nil, 1, 0
	f.write()
	lines := strings.Split(unixLines(text), "\n") // a text for one line may have a "\r"
	n := 1
	e := &FormatError{}
	switch r.State {
	case Halted:
		n, e.Code = r.Halt.Line, r.Halt.Code
	case Parsed:
		n = f.differs(r, lines)
	}
	at := f.ownerOf(n)
	if n == at.line && e.Code == "" && f.manyLines(at) {
		n++ // the first is as it should be
	}
	e.Line, e.FieldLine, e.Text = n, n-at.line+1, lines[n-1]
	e.Class = f.class(e.Text)
	if _, _, ok := f.readHeader(e.Text); ok && n == 1 {
		e.Class = ClassHeader
	}
	e.Field = f.fieldOf(at, r)
	switch e.Code { //nolint:exhaustive // the others have no limit
	case TitleTooLong:
		e.Length, e.Limit = utf8.RuneCountInString(f.doc.Header.Title), f.MaxTitle
	case TooManyTasks:
		e.Limit = f.MaxTasks
	}
	return e
}

// differs returns the first line that was read as something else.
func (f *formatter) differs(r *Result, lines []string) int {
	d := f.doc
	switch {
	case r.Header == nil || *r.Header != *d.Header || r.IgnoredTitle != d.IgnoredTitle:
		return 1
	case r.Description != d.Description:
		return f.from(sectionDescription, r.Description, d.Description, lines)
	}
	if i := common(r.Constraints, d.Constraints); i < len(d.Constraints) {
		return f.start(sectionConstraints, i)
	}
	if i := common(r.Skipped, d.Skipped); i < len(d.Skipped) {
		return f.start(sectionSkipped, i)
	}
	if i := commonNodes(flatten(r.Tasks), f.nodes); i < len(f.nodes) {
		return f.start(sectionTasks, i)
	}
	return f.from(sectionDirection, r.Direction, d.Direction, lines)
}

// from returns the first line of a section that is not in both of two texts, or what
// stands after it. A blank line is never what is wrong.
func (f *formatter) from(s section, got, want string, lines []string) int {
	n := f.start(s, 0)
	if got != "" && want != "" {
		n += common(strings.Split(got, "\n"), strings.Split(want, "\n"))
	}
	for n < len(lines) && blank(lines[n-1]) {
		n++
	}
	return n
}

// manyLines reports whether something that must be one line is more.
func (f *formatter) manyLines(at owner) bool {
	var text string
	switch d := f.doc; at.section {
	case sectionConstraints:
		text = d.Constraints[at.index].Key + d.Constraints[at.index].Value
	case sectionSkipped:
		text = d.Skipped[at.index]
	case sectionTasks:
		text = f.nodes[at.index].text
	case sectionDirective:
		text = d.Directive
	}
	return strings.ContainsAny(text, "\r\n")
}

func common[T comparable](a, b []T) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// start returns the line of a part of the document, or where it would be.
func (f *formatter) start(s section, index int) (n int) {
	for _, o := range f.owners {
		n = o.line
		if o.section > s || o.section == s && o.index == index {
			break
		}
	}
	return n
}

// ownerOf returns what a line was written for.
func (f *formatter) ownerOf(n int) owner {
	at := f.owners[0]
	for _, o := range f.owners {
		if o.line <= n {
			at = o
		}
	}
	return at
}

// fieldOf returns the path of a part of the document.
func (f *formatter) fieldOf(at owner, r *Result) string {
	switch at.section {
	case sectionHeader:
		return f.headerField(r)
	case sectionDescription:
		return "description"
	case sectionConstraints:
		return numbered("constraints", at.index)
	case sectionSkipped:
		return numbered("skipped", at.index)
	case sectionTasks:
		if r.Halt != nil && r.Halt.Code == TooManyTasks {
			return taskPath(f.nodes, at.index)
		}
		return taskPath(f.nodes, at.index) + ".1"
	case sectionDirection:
		return "direction"
	}
	return "directive"
}

// headerField returns the path of what of a header is read as something else.
func (f *formatter) headerField(r *Result) string {
	h, want := Header{}, f.doc.Header
	if r.Header != nil {
		h = *r.Header
	}
	switch {
	case r.State == Unknown || r.Header == nil:
		return "header"
	case h.Type != want.Type:
		return "header.type"
	case h.Scope != want.Scope:
		return "header.scope"
	case h.Breaking != want.Breaking:
		return "header.breaking"
	case h.Title != want.Title:
		return "header.title"
	}
	return "ignored_title"
}

// numbered returns "field.0".
func numbered(field string, i int) string { return fmt.Sprintf("%s.%d", field, i) }
