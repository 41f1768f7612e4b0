package fileinfo

import "os"

// SettleWorkingDirectory makes the working directory of the process the one of the system, by the
// names that folders list, for as long as it is that folder. PWD, which Go prefers, may lead there
// by a link, and then `..` in a path would be one folder to the checks and another to the system
// that opens it. Where the file system doesn't tell case or Unicode forms apart, the system calls
// the directory as it was entered, or even as anybody has named it last: changes would be written
// down by a name that no other process knows them by, and a path would seem to lead elsewhere than
// a moment ago.
func SettleWorkingDirectory() {
	_ = os.Unsetenv("PWD")
	dir, err := os.Getwd()
	if err != nil {
		return // whoever needs it gets the error
	}
	settled, folds := listed(dir)
	if !folds || settled != dir && os.Chdir(settled) != nil {
		return
	}
	_ = os.Setenv("PWD", settled) // it is asked for as long as it leads there, on Windows never
}
