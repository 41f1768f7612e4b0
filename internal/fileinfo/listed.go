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
	path, _ = listed(path)
	return path
}

// listed is Listed, and reports whether a folder on the way takes another form of a name for the same.
func listed(path string) (as string, folds bool) {
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
				return path, folds
			}
			listed, also := listedName(folder, name)
			_ = folder.Close() // nothing was written
			path, end, folds = path[:at]+listed+path[end:], at+len(listed), folds || also
		}
		at = end
	}
	return path, folds
}

// ListedName returns the name that a folder lists for what a name in it leads to: the name itself
// if that is listed, if nothing is there, and wherever no other form of it leads there too.
func ListedName(folder *os.Root, name string) string {
	name, _ = listedName(folder, name)
	return name
}

// listedName is ListedName, and reports whether the folder takes another form of the name for the
// same.
func listedName(folder *os.Root, name string) (as string, folds bool) {
	info, err := folder.Lstat(name)
	if err != nil {
		return name, false
	}
	other := otherForm(name, info, folder.Lstat)
	if other == "" {
		return name, false
	}
	listing, err := folder.Open(".")
	if err != nil {
		return name, true
	}
	defer listing.Close() //nolint:errcheck // nothing was written
	names, err := listing.Readdirnames(-1)
	if err != nil || slices.Contains(names, name) {
		return name, !slices.Contains(names, other)
	}
	return listedAmong(names, name, info, folder.Lstat), true
}

// otherForm returns a form of a name, in another case or Unicode form, that leads to the same file;
// "" if none does. In a folder that tells them apart hard links and copies are such.
func otherForm(name string, info os.FileInfo, look func(name string) (os.FileInfo, error)) string {
	for _, other := range [...]string{swapped(name), norm.NFC.String(name), norm.NFD.String(name)} {
		if other == name {
			continue
		}
		if there, err := look(other); err == nil && isAlike(info, there) {
			return other
		}
	}
	return ""
}

// listedAmong returns which of the names that a folder lists stands for one that it doesn't list
// but finds; that one itself if it can't be told.
func listedAmong(names []string, name string, info os.FileInfo, look func(name string) (os.FileInfo, error)) string {
	var same []string // several are hard links
	for _, listed := range names {
		there, err := look(listed)
		switch {
		case err != nil:
		case strings.EqualFold(norm.NFC.String(listed), norm.NFC.String(name)) && isAlike(info, there):
			return listed
		case os.SameFile(info, there):
			same = append(same, listed)
		}
	}
	if len(same) == 1 { // such as that of which Windows has made a short name
		return same[0]
	}
	return name
}

// isAlike reports whether two names lead to the same file as far as can be told: some file systems
// (exFAT by exfat-fuse) number a file anew for each form of its name.
func isAlike(a, b os.FileInfo) bool {
	return os.SameFile(a, b) || a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime())
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
