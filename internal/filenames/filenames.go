// Package filenames is what the names of files say, without a look at the disk: which are
// Markdown, or may stand for another (filenames.go), which stand in the table of what is never served (protected.go),
// which a file has beside it while it is changed (beside.go), and which of them a walk looks at
// (chosen.go).
package filenames

import (
	"path/filepath"
	"strings"
)

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

// IsAlias reports whether Windows might take a name for another file than the one
// that has it: a stream, a short name, dots or blanks at the end, or characters
// that no name there has. The name of a dot-file could be hidden in any of these.
func IsAlias(name string) bool {
	if strings.ContainsAny(name, `:?*"<>|\`) || strings.TrimRight(name, ". ") != name {
		return true
	}
	stem, _, _ := strings.Cut(name, ".")
	_, number, isShort := strings.Cut(stem, "~")
	return isShort && number != "" && strings.Trim(number, "0123456789") == ""
}

// IsSame reports whether a file system may take one name for the other.
func IsSame(a, b string) bool {
	return strings.Map(FoldRune, a) == strings.Map(FoldRune, b)
}

// HasDotName reports whether a name in a path begins with a dot, other than "." and "..".
func HasDotName(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(name, ".") && name != "." && name != ".." {
			return true
		}
	}
	return false
}
