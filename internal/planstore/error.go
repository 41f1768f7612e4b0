package planstore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sectile/sectile/internal/fileerror"
	"github.com/sectile/sectile/internal/repoproof"
)

// Type says what went wrong, in the words of the replies.
type Type string

// The types of errors.
const (
	// TypeFailed is a program that is missing, does not start, does not end in time
	// or is killed, or a system that does not let us read or write.
	TypeFailed Type = "command failed"
	// TypeExit is a program that says by its exit code that it failed.
	TypeExit Type = "command non zero exit"
	// TypeConcurrent is a text that somebody else has changed.
	TypeConcurrent Type = "concurrent_change"

	TypeNoRepository Type = "no_repository"       // there is none for the store that was asked for
	TypeVersion      Type = "unsupported_version" // of the program
	TypeImmutable    Type = "immutable_change"    // Jujutsu does not let it be written
	TypeDivergent    Type = "divergent_change"    // several commits are the change
	TypeStale        Type = "stale_workspace"     // the working copy must be updated first
	TypeNotText      Type = "not_text"            // NUL, not UTF-8, or what git has no place for
	TypeNoPlan       Type = "plan_not_found"      // no plan has this name
	TypeOccupied     Type = "plan_exists"         // there is an unfinished one where it would go
	TypeUnsupported  Type = "not_supported"       // this store can't do that
	TypeInvalid      Type = "invalid_argument"    // an option is wrong
	// TypeUntrusted is a repository that may be another's than the project's, or that
	// belongs to another user.
	TypeUntrusted Type = "untrusted_repository"
)

// Error is a failed operation of a store. It names no path of the host, and repeats
// nothing of what a program said: a program quotes the files that it can't read, and a
// repository chooses which files those are.
type Error struct {
	Type    Type
	Message string // what failed, without a full stop
	Hint    string // the way out, without a full stop
	Command string // what was run: "jj describe --stdin"; "" if nothing was
	Exit    int    // its exit code, for TypeExit
	Version string // of what is there, for TypeConcurrent
	// Critical says that the program or the system failed, and not what it was asked
	// for: an agent stops and asks its user.
	Critical bool
	// Unwritten says that nothing can have been written, for no program ran that writes
	// the plan. Without it that is open, unless Told is set.
	Unwritten bool
	// Snapshot says that Jujutsu may have taken up what has happened to the files before it was
	// stopped. The message says so.
	Snapshot bool
	// Told says that the message or the hint says what became of the plan.
	Told bool
	// Kept are files that were kept beside the plan's file. The message says so.
	Kept fileerror.Kept
	Err  error // what the system said, or nil
}

// Error returns type, message and hint in one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Type, e.Message)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.Err }

// KeptFiles returns the files that were kept.
func (e *Error) KeptFiles() fileerror.Kept { return e.Kept }

// ofProof returns the error for a repository that isn't proven to be the project's, and any
// other as it is.
func ofProof(err error) error {
	failed, ok := errors.AsType[*repoproof.Error](err)
	if !ok {
		return err
	}
	e := &Error{Critical: true, Message: failed.Message, Hint: failed.Hint, Err: failed.Err}
	switch failed.Reason {
	case repoproof.Foreign:
		e.Type = TypeUntrusted
	case repoproof.Unexamined:
		e.Type = TypeFailed
	case repoproof.NoRepository:
		e.Type = TypeNoRepository
	}
	return e
}

// unwritten returns an error of a step before anything is written.
func unwritten(err error) error { return withUnwritten(err, true) }

// afterWriting returns an error of a step after something may have been written.
func afterWriting(err error) error { return withUnwritten(err, false) }

func withUnwritten(err error, is bool) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Unwritten == is {
		return err
	}
	told := *e
	told.Unwritten = is
	return &told
}

// Concurrent returns the error for a text that is no longer the one that was
// expected.
func Concurrent(now State) *Error {
	return &Error{
		Type: TypeConcurrent, Version: now.Version, Told: true,
		Message: fmt.Sprintf("the plan in %s was changed by somebody else; its version is %s now, and nothing was written", now.Where, now.Version),
		Hint:    "read it again and repeat the change",
	}
}

// restless returns the error for a place where others write all the time.
func restless(now *State) *Error {
	e := Concurrent(*now)
	e.Message = fmt.Sprintf("the plan in %s was changed by others again and again, and nothing was written", now.Where)
	return e
}
