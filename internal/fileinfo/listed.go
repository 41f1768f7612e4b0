package fileinfo

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Where a file system doesn't tell case or Unicode forms apart, a file is opened by names that no
// listing of its folder has. Whoever compares names needs the one that is listed.

// Listed returns a path of the host by the names that the folders on the way list for what it
// leads through. Those of links stay, and so does what can't be told.
func Listed(path string) string {
	for at := len(filepath.VolumeName(path)); at < len(path); {
		if os.IsPathSeparator(path[at]) {
			at++
			continue
		}
		end := at
		for end < len(path) && !os.IsPathSeparator(path[end]) {
			end++
		}
		if name := path[at:end]; name != "." && name != ".." {
			folder, err := OpenFolder(cmp.Or(path[:at], "."))
			if err != nil {
				return path
			}
			listed := ListedName(folder, name)
			_ = folder.Close() // nothing was written
			path, end = path[:at]+listed+path[end:], at+len(listed)
		}
		at = end
	}
	return path
}

// ListedName returns the name that a folder lists for what a name in it leads to: the name itself
// if that is listed, if nothing is there, and wherever no other form of it leads there too.
func ListedName(folder *os.Root, name string) string {
	info, err := folder.Lstat(name)
	if err != nil || !hasOtherForms(folder, name, info) {
		return name
	}
	listing, err := folder.Open(".")
	if err != nil {
		return name
	}
	defer listing.Close() //nolint:errcheck // nothing was written
	names, err := listing.Readdirnames(-1)
	if err != nil || slices.Contains(names, name) {
		return name
	}
	var same []string // several are hard links
	for _, listed := range names {
		if there, err := folder.Lstat(listed); err == nil && os.SameFile(info, there) {
			if strings.EqualFold(norm.NFC.String(listed), norm.NFC.String(name)) {
				return listed
			}
			same = append(same, listed)
		}
	}
	if len(same) == 1 { // such as that of which Windows has made a short name
		return same[0]
	}
	return name
}

// hasOtherForms reports whether a name in another case or Unicode form leads to the same file: in
// a folder that tells them apart it does so for hard links alone.
func hasOtherForms(folder *os.Root, name string, info os.FileInfo) bool {
	for _, other := range [...]string{swapped(name), norm.NFC.String(name), norm.NFD.String(name)} {
		if other == name {
			continue
		}
		if there, err := folder.Lstat(other); err == nil && os.SameFile(info, there) {
			return true
		}
	}
	return false
}

// swapped returns a name with its letters of ASCII in the other case, which every system that
// folds names takes for the same; one that has none with its other letters.
func swapped(name string) string {
	swap := func(most rune) string {
		return strings.Map(func(r rune) rune {
			switch {
			case r > most:
				return r
			case unicode.IsUpper(r):
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, name)
	}
	if ascii := swap(unicode.MaxASCII); ascii != name {
		return ascii
	}
	return swap(unicode.MaxRune)
}
