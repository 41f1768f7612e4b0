package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// Error is a request, or a part of one, that could not be answered. It has one of
// the product's codes, which mean the same in every command and tool.
type Error struct {
	Code    string `json:"code"`
	Path    string `json:"-"` // the file that it is about, or empty
	Message string `json:"message"`
	// Candidates are the sections that might have been meant.
	Candidates []outline.Entry `json:"candidates,omitempty"`
	Err        error           `json:"-"` // what it was made from
}

// The codes that are not package files'.
const (
	codeInvalidArgument  = "invalid_argument"
	codeInvalidLevel     = "invalid_level"
	codeInvalidFormat    = "invalid_format"
	codeHeadingNotFound  = "heading_not_found"
	codeAmbiguousHeading = "ambiguous_heading"
	codeIOError          = "io_error"
)

// Error returns the code, the path if there is one, and the message.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Code + ": " + e.Message
	}
	return e.Code + ": " + e.Path + ": " + e.Message
}

// Unwrap returns what the error was made from.
func (e *Error) Unwrap() error { return e.Err }

// Usage reports whether the request itself is wrong, whatever the documents
// hold.
func (e *Error) Usage() bool { return strings.HasPrefix(e.Code, "invalid_") }

// asError gives an error from below its code.
func asError(path string, err error) *Error {
	var (
		ours *Error
		file *files.Error
		find *outline.FindError
	)
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &file):
		return &Error{Code: string(file.Code), Path: file.Path, Message: file.Reason, Err: err}
	case errors.As(err, &find):
		e := &Error{Code: codeHeadingNotFound, Path: path, Message: err.Error(), Candidates: find.Candidates, Err: err}
		switch {
		case errors.Is(err, outline.ErrAmbiguous):
			e.Code = codeAmbiguousHeading
		case errors.Is(err, outline.ErrNoName):
			e.Code = codeInvalidArgument
		}
		return e
	}
	e := &Error{Code: codeIOError, Path: path, Message: err.Error(), Err: err}
	switch {
	case errors.Is(err, outline.ErrInvalidLevel):
		e.Code = codeInvalidLevel
	case errors.Is(err, outline.ErrInvalidFormat):
		e.Code = codeInvalidFormat
	case errors.Is(err, outline.ErrInvalidCursor):
		e.Code = codeInvalidArgument
	case errors.Is(err, markdown.ErrTooLarge):
		e.Code = string(files.TooLarge)
	}
	return e
}

// appendError appends the error as a line of JSON.
func appendError(dst []byte, e *Error) []byte {
	return appendJSON(dst, struct {
		FilePath string `json:"file_path,omitempty"`
		Error    *Error `json:"error"`
	}{e.Path, e})
}

// appendJSON appends v and a line end, without escaping what is special in HTML
// alone.
func appendJSON(dst []byte, v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Nothing that is encoded here can fail: strings and numbers alone.
		return append(dst, "null\n"...)
	}
	return append(dst, buf.Bytes()...)
}

// appendJSONString appends s as a JSON string.
func appendJSONString(dst []byte, s string) []byte {
	dst = appendJSON(dst, s)
	return dst[:len(dst)-1]
}

// ErrorJSON renders the error as a line of JSON with file_path and error.
func ErrorJSON(e *Error) []byte { return appendError(nil, e) }
