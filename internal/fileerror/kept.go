package fileerror

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Kept are the paths of files that an update has kept beside those that it changes. They
// are new and stay: whoever asked for the change is to be told. Mostly there are none.
type Kept struct {
	// Saved hold what another program saved while the update was under way, and that is no
	// longer under the name that it was saved by.
	Saved []string
	// Left hold what was found under the name that a killed process leaves such a save
	// by. Whose text it is can't be told, for anybody may use such a name.
	Left []string
}

// Paths returns the paths of all files that were kept.
func (k Kept) Paths() []string { return slices.Concat(k.Saved, k.Left) }

// None reports whether no file was kept.
func (k Kept) None() bool { return len(k.Saved)+len(k.Left) == 0 }

// String says in a sentence without a full stop which files were kept, and why. Their
// names are quoted; it is "" if there are none.
func (k Kept) String() string {
	var parts []string
	if len(k.Saved) > 0 {
		parts = append(parts, "another program had saved it meanwhile, and what it saved is kept as "+quotedNames(k.Saved))
	}
	if len(k.Left) > 0 {
		parts = append(parts, "a text that nobody has asked for lay beside it under a name that edits use while they write, and is kept as "+quotedNames(k.Left)+
			": an edit that was killed may have left it, or somebody else")
	}
	return strings.Join(parts, "; ")
}

func quotedNames(paths []string) string {
	quoted := make([]string, len(paths))
	for i, path := range paths {
		quoted[i] = strconv.Quote(filepath.ToSlash(path))
	}
	return strings.Join(quoted, ", ")
}
