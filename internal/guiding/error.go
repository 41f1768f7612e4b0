package guiding

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/guide"
	"github.com/sectile/sectile/internal/replies"
)

// GuideError is a failure in the words of the tool's contract.
type GuideError struct {
	Type        string
	Message     string
	Details     []string // lines that tell more
	Instruction string
	Err         error
}

// Error returns the type and the message with the details.
func (e *GuideError) Error() string { return e.Type + ": " + e.text() }

// text returns the message with the details, each on a line of its own.
func (e *GuideError) text() string {
	if len(e.Details) == 0 {
		return e.Message
	}
	return e.Message + ":\n" + strings.Join(e.Details, "\n")
}

// Unwrap returns what the error was made from.
func (e *GuideError) Unwrap() error { return e.Err }

// maxGuideError is the number of characters of an error as the tool answers it.
const maxGuideError = 2000

// JSON returns the error as the tool's Result object.
func (e *GuideError) JSON() []byte {
	result := struct {
		Success     bool   `json:"success"`
		Error       string `json:"error"`
		Type        string `json:"error_type"`
		Instruction string `json:"instruction"`
	}{false, e.text(), e.Type, e.Instruction}
	text := replies.JSON(result)
	for limit := maxGuideError; replies.Chars(text) >= maxGuideError; limit -= 100 {
		result.Error = replies.Clip(e.text(), limit)
		text = replies.JSON(result)
	}
	return text
}

// AsGuideError gives an error a type of the contract, unless it has one. No message
// names a path of the host.
func AsGuideError(err error) *GuideError {
	if ours, ok := errors.AsType[*GuideError](err); ok {
		return ours
	}
	if e, ok := errors.AsType[*guide.Error](err); ok {
		return newGuideError(e.Type, e.Message, err)
	}
	if e, ok := errors.AsType[*config.Error](err); ok {
		made := newGuideError(guide.ValidationError, "the configuration can't be used", err)
		for i := range e.Problems {
			made.Details = append(made.Details, e.Problems[i].String())
		}
		return made
	}
	if e, ok := errors.AsType[*fileerror.Error](err); ok {
		message := "the configuration can't be read: "
		if !filepath.IsAbs(e.Path) {
			message += e.Path + ": "
		}
		return newGuideError(guide.IOError, message+e.Sentence(), err)
	}
	if e, ok := errors.AsType[*replies.Error](err); ok {
		t := guide.IOError
		if e.Usage() || e.Code == replies.CodeUnknownArgument {
			t = guide.ValidationError
		}
		made := newGuideError(t, e.Message.String(), err)
		made.Details = e.Details
		return made
	}
	message := err.Error()
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		message = e.Op + ": " + e.Err.Error()
	}
	return newGuideError(guide.IOError, message, err)
}

func newGuideError(t guide.Type, message string, err error) *GuideError {
	return &GuideError{Type: string(t), Message: message, Instruction: t.Instruction(), Err: err}
}

// Answer gives the error its code, which is its type.
func (e *GuideError) Answer() *replies.Error {
	return &replies.Error{Code: e.Type, Message: replies.Text(e.Message), Details: e.Details, Err: e}
}
