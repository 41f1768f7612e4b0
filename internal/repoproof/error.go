package repoproof

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/sectile/sectile/internal/fileinfo"
)

// Reason says why there is no proof.
type Reason int

// The reasons.
const (
	Foreign      Reason = iota // the repository may be another's than the project's, or belongs to another user
	Unexamined                 // a part of it can't be examined
	NoRepository               // what was found leads to none
)

// Error is a repository that isn't proven to belong to its folder. It names no path of the
// host.
type Error struct {
	Reason  Reason
	Message string // without a full stop
	Hint    string // the way out, without a full stop
	Err     error  // what the system said, or nil
}

// Error returns message and hint in one line.
func (e *Error) Error() string { return e.Message + "; " + e.Hint }

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.Err }

// Untrusted returns the error for a repository that isn't proven to belong to the
// folder; what is a sentence without a full stop.
func Untrusted(what string) *Error {
	return &Error{
		Reason:  Foreign,
		Message: what,
		Hint:    trusting,
	}
}

// noFolder returns the error for what has the name of a repository's folder and is none.
func noFolder(name string, info fs.FileInfo) *Error {
	kind := "a file"
	switch mode := info.Mode(); {
	case mode&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0:
		kind = "a pipe, socket or device"
	case !mode.IsRegular():
		return Untrusted(name + " is a link, which may lead to any repository")
	}
	return &Error{Reason: NoRepository, Message: name + " is " + kind + ", and no repository", Hint: "take it away"}
}

// trusting is the way out by the user's word.
const trusting = "if the repository is yours, name the project's folder under `trust.repositories` in your own configuration, which `sectile doctor` finds; a project's can't allow it"

// Unreadable returns the error for a part of a repository that can't be examined.
func Unreadable(what string, err error) *Error {
	if why, ok := errors.AsType[fileinfo.Misleading](err); ok {
		return Untrusted(what + " " + why.Error())
	}
	cause := fileinfo.Cause(err)
	return &Error{
		Reason: Unexamined, Err: cause,
		Message: fmt.Sprintf("%s can't be examined: %v", what, cause),
		Hint:    "see who may read it",
	}
}

// code marks a name in a sentence.
func code(name string) string { return "`" + name + "`" }
