//go:build !linux

package fileinfo

import "os"

// BirthTime is 0, not known: these systems don't tell it, or programs can set it.
func BirthTime(*os.Root) int64 { return 0 }

// Mount is 0, not known: the number of the file system tells mounts from each other there.
func Mount(*os.Root) uint64 { return 0 }
