// Package fileerror has the error of all that is done with files: what is wrong, by the codes
// of the product's replies, and the way out.
package fileerror

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// Code says what is wrong with a file, in the words of the product's replies.
type Code string

// The codes of failed reads, searches and writes.
const (
	NotFound        Code = "file_not_found"
	NotAFile        Code = "not_a_file"
	PathOutsideRoot Code = "path_outside_root"
	Permission      Code = "permission"
	NotOwned        Code = "not_owned"
	TooLarge        Code = "file_too_large"
	EncodingError   Code = "encoding_error"
	BinaryFile      Code = "binary_file"
	IOError         Code = "io_error"

	InvalidArgument Code = "invalid_argument"
	InvalidPattern  Code = "invalid_pattern"
	NoMatches       Code = "no_matches"

	ReadOnly Code = "read_only"
	NoSpace  Code = "no_space"
	Conflict Code = "conflict"
)

// Error is a failed operation on a file.
type Error struct {
	Code Code
	Path string // as it was given
	// Reason is what is wrong, a sentence without a full stop.
	Reason string
	// Hint is the way out, without a full stop; empty if the reason leaves only one.
	Hint string
	// Closest are the names of files that might have been meant, the likeliest
	// first, as paths that can be read in place of Path; few, and often none.
	Closest []string
	// Written are the paths of the files that an update had written, or may have (the reason says which), when it
	// failed. Mostly there are none: nothing was written then.
	Written []string
	// Kept are files that were kept beside those that were to be changed. The reason says
	// so, too. Mostly there are none.
	Kept Kept
	Err  error // what the system said, or nil
}

// Error returns code, path and reason in one line.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Code, e.Path, e.Sentence()) }

// Sentence returns the reason with the hint, without a full stop.
func (e *Error) Sentence() string {
	if e.Hint == "" {
		return e.Reason
	}
	return e.Reason + "; " + e.Hint
}

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.Err }

// IsFolder reports whether the error is that a path is that of a folder.
func (e *Error) IsFolder() bool { return errors.Is(e.Err, syscall.EISDIR) }

// System turns what the system said about path into an Error.
func System(path string, err error) *Error {
	e := &Error{Path: path, Err: err}
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		e.Code, e.Reason, e.Hint = NotFound, "no such file, for a file stands where the path has a folder", "check the path"
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Reason, e.Hint = NotFound, "no such file", "check the path"
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Reason, e.Hint = Permission, "permission denied", "ask for the right to read it"
	case errors.Is(err, syscall.EISDIR):
		e.Code, e.Reason, e.Hint = NotAFile, "it is a folder", "name a file in it"
	case errors.Is(err, syscall.ELOOP):
		e.Code, e.Reason = NotFound, "the links that lead to it go round in a circle"
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		e.Code, e.Reason = NotFound, "no file can have this name"
	case errors.Is(err, syscall.EXDEV): // files are renamed in their own folders alone
		e.Code, e.Reason, e.Hint = IOError, "it can't be renamed in its folder", "give it the project id of its folder, if it has another one (`lsattr -pd`, `chattr -p`), or see whether it is mounted by itself"
	case errors.Is(err, syscall.EAGAIN): // of a file that is opened without waiting
		e.Code, e.Reason, e.Hint = IOError, "it is busy: another program has a lease on it, as servers of files do for what they hand out", "try again, or close it there"
	default:
		cause := err
		if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
			cause = pathErr.Err
		}
		e.Code, e.Reason, e.Hint = IOError, cause.Error(), "try again"
	}
	return e
}

// Shorten cuts what is quoted in an error.
func Shorten(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// LeadsElsewhere returns the error for a path that leads to another place than when the change was
// asked for.
func LeadsElsewhere(path string) *Error {
	return &Error{Code: Conflict, Path: Shorten(path), Reason: "the path leads elsewhere by now, for another program has put a link there, or taken one away", Hint: "see what is there, then try again"}
}

// FolderIsFile returns the error for a file that can't be made at a path because what is in the place of
// its folder is one too, as look tells; nil for a folder, a link, and what isn't there.
func FolderIsFile(path string, look func() (fs.FileInfo, error)) error {
	if info, err := look(); err != nil || info.IsDir() || info.Mode()&fs.ModeSymlink != 0 {
		return nil //nolint:nilerr // what can't be looked at fails where it is made
	}
	return &Error{Code: NotAFile, Path: path, Reason: "its folder is a file", Hint: "name another path"}
}
