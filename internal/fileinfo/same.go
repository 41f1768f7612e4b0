package fileinfo

import "os"

// IsSame reports whether both paths lead to the same file or folder.
func IsSame(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
