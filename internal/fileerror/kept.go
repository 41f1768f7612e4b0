package fileerror

import (
	"errors"
	"fmt"
	"maps"
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
	// Old hold what was in a file that another program saved, moved or removed when it was changed
	// already, and the change was to be taken back; or of which can't be read whether one did.
	Old []string
	// Stuck are files that an update made for itself and can't remove. They hold what was to be
	// written, or what was in a file; the next update beside them removes them if it can.
	Stuck []string
	// Of has the file that each of Saved and Old is about, by its path as it may be shown: that need not
	// be the one that an error is about.
	Of map[string]string
}

// Paths returns the paths of all files that were kept.
func (k Kept) Paths() []string { return slices.Concat(k.Saved, k.Left, k.Old, k.Stuck) }

// None reports whether no file was kept.
func (k Kept) None() bool { return len(k.Saved)+len(k.Left)+len(k.Old)+len(k.Stuck) == 0 }

// Add adds to Saved or Old, which is one of the files' own lists, what was kept of a file.
func (k *Kept) Add(list *[]string, file, kept string) {
	*list = append(*list, kept)
	if k.Of == nil {
		k.Of = map[string]string{}
	}
	k.Of[kept] = file
}

// And returns the files with more of them, each once.
func (k Kept) And(more Kept) Kept {
	more = more.Without(k.Paths())
	of := maps.Clone(k.Of)
	if of == nil {
		of = more.Of
	}
	maps.Copy(of, more.Of)
	return Kept{slices.Concat(k.Saved, more.Saved), slices.Concat(k.Left, more.Left), slices.Concat(k.Old, more.Old), slices.Concat(k.Stuck, more.Stuck), of}
}

// Without returns the files that have none of the paths.
func (k Kept) Without(paths []string) Kept {
	isOne := func(path string) bool { return slices.Contains(paths, path) }
	without := func(paths []string) []string { return slices.DeleteFunc(slices.Clone(paths), isOne) }
	return Kept{without(k.Saved), without(k.Left), without(k.Old), without(k.Stuck), k.Of}
}

// Named returns the files by other names, without those that have none.
func (k Kept) Named(name func(path string) (string, bool)) Kept {
	of := map[string]string{}
	named := func(paths []string) (list []string) {
		for _, path := range paths {
			if other, ok := name(path); ok {
				list = append(list, other)
				if file, ok := name(k.Of[path]); ok && k.Of[path] != "" {
					of[other] = file
				}
			}
		}
		return list
	}
	return Kept{named(k.Saved), named(k.Left), named(k.Old), named(k.Stuck), of}
}

// keptError is another error of a change that has kept files.
type keptError struct {
	error
	kept Kept
}

// Unwrap returns the error alone.
func (e *keptError) Unwrap() error { return e.error }

// KeptFiles returns the files that were kept.
func (e *keptError) KeptFiles() Kept { return e.kept }

// KeptFiles returns the files that were kept.
func (e *Error) KeptFiles() Kept { return e.Kept }

// KeptOf returns the files that a change has kept which ended with this error.
func KeptOf(err error) Kept {
	var e interface{ KeptFiles() Kept }
	if errors.As(err, &e) {
		return e.KeptFiles()
	}
	return Kept{}
}

// WithKept returns an error that KeptOf knows these files of, too. The reason of an *Error says
// so; what any other error is and says stays the same.
func WithKept(err error, kept Kept) error {
	known := KeptOf(err)
	more := kept.Without(known.Paths())
	if err == nil || more.None() {
		return err
	}
	if e, ok := err.(*Error); ok { //nolint:errorlint // one within another is that one's
		ours := *e
		ours.Kept, ours.Reason = known.And(more), e.Reason+"; "+more.String()
		return &ours
	}
	return &keptError{err, known.And(more)}
}

// String says in a sentence without a full stop which files were kept, and why. Their
// names are quoted; it is "" if there are none.
func (k Kept) String() string {
	var parts []string
	if len(k.Saved) > 0 {
		parts = append(parts, "another program had saved "+k.of(k.Saved)+" meanwhile, and what it saved is kept as "+quotedNames(k.Saved))
	}
	if len(k.Left) > 0 {
		parts = append(parts, "a text that nobody has asked for lay beside what was to be changed under a name that edits use while they write, and is kept as "+quotedNames(k.Left)+
			": an edit that was killed may have left it, or somebody else")
	}
	if len(k.Old) > 0 {
		parts = append(parts, "what was in "+k.of(k.Old)+" before is kept as "+quotedNames(k.Old))
	}
	if len(k.Stuck) > 0 {
		parts = append(parts, "a copy that was made to write a file can't be removed, and stays as "+quotedNames(k.Stuck)+", until a change beside it can remove it")
	}
	return strings.Join(parts, "; ")
}

// of names the files that some of those that were kept are about.
func (k Kept) of(kept []string) string {
	var files []string
	for _, path := range kept {
		if file := k.Of[path]; file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return "a file"
	}
	return quotedNames(files)
}

// maxNames is how many bytes of names a sentence has; it has one at least.
const maxNames = 200

func quotedNames(paths []string) string {
	var quoted []string
	room := maxNames
	for i, path := range paths {
		if base := filepath.Base(path); len(path) > maxNames && base != path { // it lies beside the file that the sentence is about
			path = "…/" + base
		}
		name := strconv.Quote(filepath.ToSlash(path))
		if room -= len(name); room < 0 && i > 0 {
			return strings.Join(quoted, ", ") + fmt.Sprintf(" and %d more by such names", len(paths)-i)
		}
		quoted = append(quoted, name)
	}
	return strings.Join(quoted, ", ")
}
