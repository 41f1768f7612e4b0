package fileinfo

import (
	"cmp"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// InCase is Listed for what differs in case alone. By another case it may be another folder to the
// system; a short name, as Windows makes them, is one to be shown, and stays.
func InCase(path string) string {
	if listed := Listed(path); strings.EqualFold(listed, path) {
		return listed
	}
	return path
}

// Straight is filepath.EvalSymlinks, with names as the folders list them where links led on: they
// have what names they like.
func Straight(path string) (string, error) {
	name, err := filepath.EvalSymlinks(path)
	if err == nil && name != filepath.Clean(path) {
		name = Listed(name)
	}
	return name, err
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
	hasForm := slices.ContainsFunc(others(name, append(unicodeForms(name), swapped(name))...), func(form string) bool {
		_, err := folder.Lstat(form)
		return err == nil
	})
	if !hasForm {
		return name, false
	}
	listing, err := folder.Open(".")
	if err != nil {
		return name, true
	}
	defer listing.Close() //nolint:errcheck // nothing was written
	names, err := listing.Readdirnames(-1)
	if err != nil {
		return name, true
	}
	return listedAmong(names, name, info, folder.Lstat)
}

// listedAmong returns which of the names that a folder lists stands for one that it finds, that one
// itself if it can't be told; and whether it finds a form of the name that it doesn't list.
func listedAmong(names []string, name string, info os.FileInfo, look func(name string) (os.FileInfo, error)) (as string, folds bool) {
	isListed := func(other string) bool { return slices.Contains(names, other) }
	isThere := func(other string) bool { _, err := look(other); return err == nil }
	inCase := slices.DeleteFunc(others(name, swapped(name), partlySwapped(name)), isListed)
	foldsCase := slices.ContainsFunc(inCase, isThere)
	folds = foldsCase || slices.ContainsFunc(slices.DeleteFunc(others(name, unicodeForms(name)...), isListed), isThere)
	if slices.Contains(names, name) {
		return name, folds
	}
	var forms, same []string // several are hard links
	for _, listed := range names {
		there, err := look(listed)
		isForm, isSame := strings.EqualFold(norm.NFC.String(listed), norm.NFC.String(name)), err == nil && os.SameFile(info, there)
		switch {
		case isForm && isSame:
			return listed, true
		case isForm && err == nil && (foldsCase || len(inCase) == 0 && isAlike(info, there)):
			forms = append(forms, listed)
		case isSame:
			same = append(same, listed)
		}
	}
	switch {
	case len(forms) == 1: // some file systems (exFAT by exfat-fuse) number a file anew for each form of its name
		return forms[0], true
	case len(same) == 1: // such as that of which Windows has made a short name
		return same[0], true
	}
	return name, folds
}

// isAlike reports whether two files can't be told apart but by their numbers.
func isAlike(a, b os.FileInfo) bool {
	return a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime())
}

// others returns those forms of a name that are others than it. In a folder that tells them apart
// something may be there by them, too.
func others(name string, forms ...string) []string {
	return slices.DeleteFunc(forms, func(form string) bool { return form == name })
}

// unicodeForms returns both normal forms of a name.
func unicodeForms(name string) []string {
	return []string{norm.NFC.String(name), norm.NFD.String(name)}
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

// partlySwapped is swapped for the first letter alone. Of two other spellings a folder that doesn't
// tell them apart lists one at most, so that the other one proves it.
func partlySwapped(name string) string {
	for i := range len(name) {
		if c := name[i : i+1]; c[0] < utf8.RuneSelf && swapped(c) != c {
			return name[:i] + swapped(c) + name[i+1:]
		}
	}
	return name
}

// WithParents yields an absolute path and those of all folders above it.
func WithParents(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(path) && filepath.Dir(path) != path {
			path = filepath.Dir(path)
		}
	}
}
