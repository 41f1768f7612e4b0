//go:build !unix

package fileinfo

import "io/fs"

// userOf knows no users: whose a file is is left to the system's access control.
func userOf(fs.FileInfo) (user int64, ok bool) { return 0, false }

func isUser(int64) bool { return true }

// HasOtherNames is false, for the names of a file aren't counted here.
func HasOtherNames(fs.FileInfo) bool { return false }
