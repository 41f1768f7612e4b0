package frontmatter

import "fmt"

// Reason says what is wrong.
type Reason uint8

// The reasons of an Error.
const (
	// Unreadable is for a text that is no YAML or TOML, or has a key twice, or is written
	// in a way that leaves open what stands where.
	Unreadable Reason = iota
	// NotFound is for a path that leads nowhere.
	NotFound
	// Refused is for a change that can't be made of this text.
	Refused
	// Invalid is for a change that can't be, whatever the text says.
	Invalid
	// Same is for a change after which the text would say what it says.
	Same
)

// Error says why a text can't be read or changed.
type Error struct {
	Reason  Reason
	Message string // a sentence without a full stop that says what to do next
	// Keys are the names that are there where a path leads nowhere.
	Keys []string
	// At is where in the path that is, as an index of it.
	At int
	// Line is the line of the text that it is about, from 1; 0 for none.
	Line int
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func wrong(r Reason, format string, args ...any) *Error {
	return &Error{Reason: r, Message: fmt.Sprintf(format, args...)}
}

// byHand is the error for a text that can't be changed without risk.
func byHand(why string) *Error {
	return wrong(Refused, "%s, so that a change here would not be safe for the rest; change it as text", why)
}
