package fileinfo

import (
	"io/fs"
	"os"
	"slices"
	"strconv"
)

// Whose a file is decides whether it is obeyed. A configuration or a repository tells
// programs what to do, and whoever may write in a folder that everybody shares, such as
// /tmp, could put one there for others to find. The rule is that of git's
// safe.directory: a file of somebody else is obeyed only where the user has said so.

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

// IsLeft reports whether a file in a folder that everybody may write to, such as /tmp, belongs
// neither to the user, to root nor to the owner of the folder, and the folder isn't listed among
// trusted ones, as IsListed has it. On Windows none is.
func IsLeft(file fs.FileInfo, dir string, trusted func() []string) bool {
	const everybody = 0o002
	folder, err := os.Stat(dir)
	if err != nil || folder.Mode().Perm()&everybody == 0 || OwnedByUserOrRoot(file) {
		return false
	}
	user, _ := userOf(file)
	owner, _ := userOf(folder)
	return (user != owner || user < 0) && !IsListed(folder, trusted())
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
	return err == nil && IsListed(info, folders)
}

// IsListed is IsNamed for a folder that is known already.
func IsListed(dir fs.FileInfo, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		if folder == "*" {
			return true
		}
		named, err := os.Stat(folder)
		return err == nil && os.SameFile(named, dir)
	})
}

// OwnerName returns in words whose a file is.
func OwnerName(info fs.FileInfo) string {
	if user, ok := userOf(info); ok && user >= 0 {
		return "another user (number " + strconv.FormatInt(user, 10) + ")"
	}
	return "another user"
}
