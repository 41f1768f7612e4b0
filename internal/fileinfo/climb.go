package fileinfo

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A path that goes up again from behind a link (`link/../a.md`) means one file to the system,
// which follows the link first, and another to whatever shortens it by its words. So
// paths from outside must not; of one that is not there yet what is there counts.

// LinkClimbedOver returns the part of a path of the host that leads to a symbolic link and from
// which the path goes up again; "" if there is none.
func LinkClimbedOver(path string) string {
	slashed := filepath.ToSlash(path)
	if hasNoWayUp(slashed) {
		return ""
	}
	for i := range len(slashed) {
		if slashed[i] != '/' || i == 0 || slashed[i-1] == '/' || !ClimbsOver(slashed[i+1:]) {
			continue
		}
		name := slashed[strings.LastIndexByte(slashed[:i], '/')+1 : i]
		if name == "." || name == ".." {
			continue
		}
		if info, err := os.Lstat(filepath.FromSlash(slashed[:i])); err == nil && info.Mode().Type() == fs.ModeSymlink {
			return slashed[:i]
		}
	}
	return ""
}

// ClimbsOver reports whether the rest of a path, with slashes, goes up from the name before it.
func ClimbsOver(rest string) bool {
	depth := 0
	for name := range strings.SplitSeq(rest, "/") {
		switch name {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return true
			}
		default:
			depth++
		}
	}
	return false
}
