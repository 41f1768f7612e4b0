// Package filenames is what the names of files say, without a look at the disk: which are
// Markdown (filenames.go), which stand in the table of what is never served (protected.go),
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
