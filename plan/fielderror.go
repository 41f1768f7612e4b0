package plan

import "strings"

// A FieldError says what is wrong with one field of a document, a configuration or
// an argument.
type FieldError struct {
	// Field is a path: "header.type", "constraints.0.0", "tasks.0.2.1.1".
	Field   string `json:"field"`
	Message string `json:"message"` // what is wrong, without a full stop
	Code    Code   `json:"code"`
}

// Error returns the field and the message.
func (e FieldError) Error() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Field + ": " + e.Message
}

// FieldErrors are errors of several fields. Use errors.AsType to get at them.
type FieldErrors []FieldError

// Error returns all of them, with "; " between.
func (e FieldErrors) Error() string {
	texts := make([]string, len(e))
	for i := range e {
		texts[i] = e[i].Error()
	}
	return strings.Join(texts, "; ")
}
