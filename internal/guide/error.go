package guide

// Type is the kind of a failure, in the words of the tool's contract.
type Type string

// The kinds of failures.
const (
	NotFound        Type = "not_found"        // no such category
	NoMatches       Type = "no_matches"       // no file matches
	NoSession       Type = "no_session"       // no project root could be found
	IOError         Type = "io_error"         // the folder is missing, or nothing could be read
	InvalidPattern  Type = "invalid_pattern"  // the pattern is malformed or leaves the category
	ValidationError Type = "validation_error" // the arguments or the configuration are wrong
	StaleCursor     Type = "stale_cursor"     // the files or their list are others than those that a cursor is of
)

// instructions say what an agent should do about a failure. The texts are part of
// the contract, but for that of StaleCursor, which it doesn't have.
var instructions = map[Type]string{
	NotFound:        "Present this error to the user and take no further action.",
	NoMatches:       "Present this error to the user so they can correct the pattern. Do NOT attempt corrective action.",
	NoSession:       "Inform user that project context is required.",
	IOError:         "Present this error to the user. File system issue requires user intervention.",
	InvalidPattern:  "Present this error to the user with the pattern rules. Do NOT attempt corrective action.",
	ValidationError: "Return the error to the user without attempting remediation.",
	StaleCursor:     "Call again without cursor.",
}

// Instruction says what an agent should do about a failure of this kind.
func (t Type) Instruction() string { return instructions[t] }

// Error is a request that could not be answered. The message names the category,
// the pattern and what might have been meant, and no path of the host.
type Error struct {
	Type    Type
	Message string
	Err     error // what it was made from, or nil
}

// Error returns the type and the message.
func (e *Error) Error() string { return string(e.Type) + ": " + e.Message }

// Unwrap returns what the error was made from.
func (e *Error) Unwrap() error { return e.Err }
