package replies

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/address"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// Error is a request, or a part of one, that could not be answered. It has one of
// the product's codes, which mean the same in every command and tool.
type Error struct {
	Code    string   `json:"code"`
	Path    string   `json:"-"` // the file that it is about, or empty
	Message Sentence `json:"message"`
	// Argument is the path of the argument that it is about, as who asks calls it
	// (edits[2].heading), or empty.
	Argument string `json:"-"`
	// Candidates are what might have been meant, at most ten of them, and
	// Total is the number of all.
	Candidates []Candidate `json:"candidates,omitempty"`
	Total      int         `json:"candidates_total,omitempty"`
	// Next are the requests that lead on, as the message names them. In sets it.
	Next []string `json:"next,omitempty"`
	// Written is true if something was written although it failed, or may have
	// been. The message says so.
	Written   bool `json:"-"`
	unwritten bool // the message says that nothing was written
	// Kept are the files that hold what another program had saved meanwhile, if that is
	// no longer by the name that it was saved by, and those that can't be removed. The message says so.
	Kept []string `json:"kept,omitempty"`
	Err  error    `json:"-"` // what it was made from

	// Closest are paths that may have been meant, if there is no such file. The message
	// names them.
	Closest []string `json:"-"`
	// Beyond says that the request asks for lines that this document does not
	// have; another one may.
	Beyond bool `json:"-"`

	// Details are lines that tell more, Edits the failures of single edits of a list,
	// and Quotes the parts of the document that the request was about, as they are.
	Details []string      `json:"details,omitempty"`
	Theirs  [2]int        `json:"-"` // of Details, the first of those that show a line of a document, and the end of these
	Edits   []EditFailure `json:"edits,omitempty"`
	Quotes  []Quote       `json:"current,omitempty"`

	Unquoted []string `json:"-"` // the edits in conflict whose parts there is no room for

	Mark Mark `json:"-"` // of its lines that show no text of a document, where they need one; or none
}

// Candidate is a part of a document that might have been meant.
type Candidate struct {
	Address   string `json:"address"` // stands for it and nothing else
	Heading   string `json:"heading,omitempty"`
	Selector  string `json:"selector,omitempty"`
	Level     int    `json:"level,omitempty"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

// The codes that rooms and adapters name; there are more, of packages files, address and edit.
const (
	CodeInvalidArgument = "invalid_argument"
	CodeUnknownArgument = "unknown_argument"
	CodeConfiguration   = "validation_error" // of a configuration that is wrong
	codeInvalidLevel    = "invalid_level"
	codeInvalidFormat   = "invalid_format"
	CodeIOError         = "io_error"
	CodeFileNotFound    = string(fileerror.NotFound)
	CodeFileTooLarge    = string(fileerror.TooLarge)
	CodeNotAFile        = string(fileerror.NotAFile)
	CodeTooComplex      = "too_complex"
)

// Invalid is the error for a request that can't be, whatever the documents are.
func Invalid(message Sentence) *Error { return &Error{Code: CodeInvalidArgument, Message: message} }

// Error returns the code, the path if there is one, and the message, on one line
// that does nothing to a terminal whatever a file is called.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Code + ": " + Safe(e.Message.String())
	}
	return e.Code + ": " + Safe(e.Path) + ": " + Safe(e.Message.String())
}

// An error quotes so much of a document.
const (
	MaxShown = 60  // characters of a heading
	maxLines = 700 // bytes of candidates, so that a miss stays under 1 KB
)

// told is a line that tells more of an error.
type told struct {
	text   string
	theirs bool // it shows a line of a document
}

// Lines returns the candidates for people, a line each, and the details.
func (e *Error) Lines() []string {
	var lines []string
	for _, line := range e.told() {
		lines = append(lines, line.text)
	}
	return lines
}

// told is Lines, with what they are.
func (e *Error) told() []told {
	var lines []told
	room := maxLines
	for _, c := range e.Candidates {
		what := c.Heading
		if what == "" {
			what = c.Selector
		}
		address := ""
		if what == "" { // as a task in a footnote
			what = "it has no address of its own"
		} else if c.Address != what {
			address = "  (" + Safe(c.Address) + ")"
		}
		line := fmt.Sprintf("%d-%d: %s%s", c.StartLine, c.EndLine, Clip(Safe(what), MaxShown), address)
		if room -= len(line) + len("  \n"); room < 0 {
			break
		}
		lines = append(lines, told{text: line})
	}
	if more := e.Total - len(lines); more > 0 && len(lines) > 0 {
		lines = append(lines, told{text: fmt.Sprintf("and %d more", more)})
	}
	return append(lines, e.more()...)
}

// Unwrap returns what the error was made from.
func (e *Error) Unwrap() error { return e.Err }

// Usage reports whether the request itself is wrong, whatever the documents
// hold.
func (e *Error) Usage() bool { return strings.HasPrefix(e.Code, "invalid_") && !e.Beyond }

// In returns the error with its sentences written out in a voice.
func (e *Error) In(v Voice) *Error {
	written := *e
	written.Message, written.Next = Text(e.Message.In(v)), e.Message.Requests(v)
	written.Edits = slices.Clone(e.Edits)
	for i := range written.Edits {
		written.Edits[i].Error = written.Edits[i].In(v)
	}
	return &written
}

// AsError gives an error its code, unless it has one already.
func AsError(err error) *Error { return ErrorAbout("", err) }

// answered is an error that knows what it is as an answer to a request.
type answered interface {
	error
	Answer() *Error
}

// Answer returns the error itself.
func (e *Error) Answer() *Error { return e }

// coded is an error that knows its code.
type coded interface {
	error
	Code() string
}

// ErrorAbout gives an error from below its code, and says what its change has kept.
func ErrorAbout(path string, err error) *Error { return about(path, err).WithKept(err) }

// WithKept returns the error with the files that a change has kept which ended with what it was
// made from, unless it names them.
func (e *Error) WithKept(err error) *Error {
	kept := fileerror.KeptOf(err).Without(e.Kept)
	if kept.None() {
		return e
	}
	told, sentence := *e, Safe(kept.String())
	told.Kept, told.Err = slices.Concat(e.Kept, kept.Paths()), err
	told.Message = e.Message.Cut(max(MaxErrorMessage-utf8.RuneCountInString(sentence), MaxErrorMessage/2)).Then("; %s", sentence)
	return &told
}

// about gives an error from below its code.
func about(path string, err error) *Error {
	var (
		ours answered
		file *fileerror.Error
		addr *address.Error
	)
	switch {
	case errors.As(err, &ours):
		return ours.Answer()
	case errors.As(err, &file):
		e := &Error{Code: string(file.Code), Path: file.Path, Message: Text(file.Sentence()), Written: len(file.Written) > 0, Kept: file.Kept.Paths(), Err: err}
		if len(file.Closest) > 0 {
			e.Closest, e.Message = file.Closest, e.Message.Then("; closest: %s", strings.Join(file.Closest, ", "))
		}
		return e
	case errors.As(err, &addr):
		e := &Error{Code: string(addr.Code), Path: path, Message: hinted(Text(addr.Message), addr.Hint), Total: addr.Total, Err: err}
		e.Beyond = addr.Code == address.InvalidAddress && isLine(addr.Address)
		for _, c := range addr.Candidates {
			candidate := Candidate(c)
			candidate.Heading = Clip(c.Heading, MaxShown)
			if isFlag := strings.HasPrefix(c.Address, "-"); (isFlag || len(c.Address) > MaxShown) && c.Selector != "" { // to a command
				candidate.Address = c.Selector
			}
			e.Candidates = append(e.Candidates, candidate)
		}
		return e
	}
	e := &Error{Code: CodeIOError, Path: path, Message: Text(err.Error()), Err: err}
	if c, ok := errors.AsType[coded](err); ok {
		e.Code = c.Code()
	}
	switch {
	case errors.Is(err, outline.ErrInvalidLevel):
		e.Code = codeInvalidLevel
	case errors.Is(err, outline.ErrInvalidFormat):
		e.Code = codeInvalidFormat
	case errors.Is(err, outline.ErrInvalidCursor):
		e.Code = CodeInvalidArgument
	case errors.Is(err, markdown.ErrTooLarge):
		e.Code = string(fileerror.TooLarge)
	}
	return e
}

// hinted returns a sentence with what to do about it.
func hinted(s Sentence, hint address.Hint) Sentence {
	switch hint {
	case "":
		return s
	case address.ChooseAmong:
		return s.Then("; use the address of the one that is meant, or choose by %s", Occurrence)
	}
	return s.Then("; %s", string(hint))
}

// AppendError appends the error as a line of JSON.
func AppendError(dst []byte, e *Error) []byte {
	return AppendJSON(dst, struct {
		FilePath string `json:"file_path,omitempty"`
		Error    *Error `json:"error"`
	}{e.Path, e})
}

// ErrorJSON renders the error as a line of JSON with file_path and error.
func ErrorJSON(e *Error) []byte { return AppendError(nil, e) }

// isLine reports whether an address is that of a line which a document could have.
func isLine(address string) bool {
	digits, ok := strings.CutPrefix(address, "L")
	line, err := strconv.ParseInt(digits, 10, 32)
	return ok && err == nil && line > 0
}
