package files

import (
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Finding documents: what a person names on a command line is a file, a folder
// or a pattern. Folders are walked in the order of names, so that the same tree
// gives the same list everywhere.

// standardInput is an argument that names no file, even if there is one.
const standardInput = "-"

// IsMarkdown reports whether a file with this name is taken for Markdown: .md,
// .markdown or .mdx, in any case.
func IsMarkdown(name string) bool {
	switch ext := filepath.Ext(name); len(ext) {
	case len(".md"):
		return strings.EqualFold(ext, ".md")
	case len(".mdx"):
		return strings.EqualFold(ext, ".mdx")
	case len(".markdown"):
		return strings.EqualFold(ext, ".markdown")
	}
	return false
}

// Find yields the files that the arguments name: a folder stands for the
// Markdown files in it and below, a pattern (see ParseGlob) for those that it
// matches, anything else for itself, "-" too. A file that two arguments name comes twice.
// With a path may come an *Error: of a folder that can't be read, of a pattern
// that is none (InvalidPattern), or of an argument that names no file at all
// (NoMatches). The others are yielded all the same.
func Find(args []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			if !find(arg, yield) {
				return
			}
		}
	}
}

// IsMany reports whether an argument of Find may stand for more than one file.
func IsMany(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.IsDir() || err != nil && hasMeta(arg)
}

// find yields the files that one argument names and reports whether to go on.
func find(arg string, yield func(string, error) bool) bool {
	if arg == standardInput {
		return yield(arg, nil)
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return count(arg, walk(arg, IsMarkdown), yield, "no Markdown file in this folder; links are not followed")
	case err == nil || !hasMeta(arg):
		return yield(arg, nil) // opening it tells what is wrong
	}
	glob, err := ParseGlob(arg)
	if err != nil {
		return yield(arg, err)
	}
	match := func(path string) bool { return IsMarkdown(path) && glob.Match(path) }
	return count(arg, walk(glob.base, match), yield, "the pattern matches no Markdown file; links are not followed")
}

// count yields what seq does, and an error for arg if that is nothing.
func count(arg string, seq iter.Seq2[string, error], yield func(string, error) bool, none string) bool {
	n := 0
	for path, err := range seq {
		n++
		if !yield(path, err) {
			return false
		}
	}
	return n > 0 || yield(arg, &Error{Code: NoMatches, Path: arg, Reason: none})
}

// walk yields the regular files below dir that match, in the order of their
// names. Links are not followed: nothing comes twice and no walk is endless.
func walk(dir string, match func(path string) bool) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { walkFolder(dir, match, yield) }
}

func walkFolder(dir string, match func(path string) bool, yield func(string, error) bool) bool {
	entries, err := os.ReadDir(dir)
	if err != nil && !yield(dir, systemError(dir, err)) {
		return false
	}
	for _, e := range entries {
		path := joinPath(dir, e.Name())
		switch {
		case e.IsDir():
			if !isHistory(e.Name()) && !walkFolder(path, match, yield) {
				return false
			}
		case e.Type().IsRegular() && match(path):
			if !yield(path, nil) {
				return false
			}
		}
	}
	return true
}

// joinPath is filepath.Join for a name without separators; it cleans nothing, so
// that paths are shown as the folder was named.
func joinPath(dir, name string) string {
	switch {
	case dir == ".":
		return name
	case os.IsPathSeparator(dir[len(dir)-1]):
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}
