package files

import (
	"io/fs"
	"os"
	"slices"
	"strconv"
	"syscall"
)

// Whose a file is decides whether it is obeyed. A configuration or a repository tells
// programs what to do, and whoever may write in a folder that everybody shares, such as
// /tmp, could put one there for others to find. The rule is that of git's
// safe.directory: what belongs to somebody else is obeyed only where the user has said
// so.

// OwnedByUser reports whether a file or folder belongs to the user: the effective one
// of this process or, if that is root by way of sudo, whoever called sudo too. The info
// should be that of an open handle, for a name may stand for something else a moment
// later. On Windows all files are taken to be the user's.
func OwnedByUser(info fs.FileInfo) bool {
	user, ok := userOf(info)
	return !ok || isUser(user)
}

// OwnedByUserOrRoot is OwnedByUser, and true also of what belongs to root, who could do
// as the user anyway.
func OwnedByUserOrRoot(info fs.FileInfo) bool {
	user, ok := userOf(info)
	return !ok || user == rootUser || isUser(user)
}

// rootUser is the number of the user who may do anything.
const rootUser = 0

// IsNamed reports whether a folder is one of a list, as trust.folders of the user's
// configuration is one: absolute paths, compared by what they lead to, and "*" for any
// folder. A folder below one of the list is not named by it.
func IsNamed(dir string, folders []string) bool {
	if slices.Contains(folders, "*") {
		return true
	}
	info, err := os.Stat(dir)
	return err == nil && isListed(info, folders)
}

// isListed is IsNamed for a folder that is known already.
func isListed(dir fs.FileInfo, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		if folder == "*" {
			return true
		}
		named, err := os.Stat(folder)
		return err == nil && os.SameFile(named, dir)
	})
}

// ownerName returns in words whose a file is.
func ownerName(info fs.FileInfo) string {
	if user, ok := userOf(info); ok && user >= 0 {
		return "another user (number " + strconv.FormatInt(user, 10) + ")"
	}
	return "another user"
}

// ReadOwned is Read for a file that is obeyed: the one that was opened must be the
// user's, as owned judges it. The error may be NotOwned, too.
func (r *Reader) ReadOwned(path string, owned func(fs.FileInfo) bool) ([]byte, error) {
	f, err := os.OpenFile(path, openFlags, 0)
	if err != nil {
		return nil, systemError(path, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, systemError(path, err)
	case info.IsDir():
		return nil, systemError(path, syscall.EISDIR)
	case !info.Mode().IsRegular():
		return nil, &Error{Code: NotAFile, Path: path, Reason: "it is a pipe, socket or device", Hint: "name a file"}
	case !owned(info):
		return nil, &Error{Code: NotOwned, Path: path, Reason: "it belongs to " + ownerName(info) + ", and so is not obeyed"}
	case info.Size() > r.limit():
		return nil, tooLarge(path, r.limit())
	}
	src, err := newSource(f)
	if err != nil {
		return nil, systemError(path, err)
	}
	return r.fill(path, src, info.Size())
}
