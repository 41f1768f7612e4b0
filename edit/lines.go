package edit

import (
	"bytes"
	"sort"

	"github.com/sectile/sectile/markdown"
)

// Lines are ranges of the source, each with its ending: LF, CRLF or CR. A byte order
// mark stands before the first one.

var byteOrderMark = []byte("\uFEFF")

// start returns where the text begins: after a byte order mark.
func start(src []byte) int {
	if bytes.HasPrefix(src, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// lineEnd returns where the line ends that the byte at i is in, its ending included.
func lineEnd(src []byte, i int) int {
	n := bytes.IndexAny(src[i:], "\r\n")
	switch {
	case n < 0:
		return len(src)
	case src[i+n] == '\r' && i+n+1 < len(src) && src[i+n+1] == '\n':
		return i + n + 2
	}
	return i + n + 1
}

// lineStart returns where the line begins that the byte at i is in, or ends before.
func lineStart(src []byte, i int) int {
	return max(bytes.LastIndexAny(src[:i], "\r\n")+1, min(start(src), i))
}

// lineBefore returns where the line begins that ends at i, which is the start of
// another line or the end of the source.
func lineBefore(src []byte, i int) int {
	return lineStart(src, i-len(endingBefore(src, i)))
}

// isBlank reports whether a line has nothing but blanks, or characters of a
// container's prefix.
func isBlank(line []byte, prefix string) bool {
	return len(bytes.Trim(line, " \t\r\n"+prefix)) == 0
}

// lineAt returns the number of the line that holds the byte at an offset, as
// markdown.Document.LineAt does, which makes a table of all lines for it. One
// question does not need that: it takes counting from the block before.
func lineAt(doc *markdown.Document, at int) int {
	from, line := 0, 1
	if b := sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) > at }) - 1; b >= 0 {
		from, line = int(doc.Blocks[b].Start), int(doc.Blocks[b].StartLine)
	}
	for end := lineEnd(doc.Source, from); end <= at; end = lineEnd(doc.Source, end) {
		line++
	}
	return line
}

// linesOf returns the lines that a span is in.
func linesOf(doc *markdown.Document, span markdown.Span) markdown.Lines {
	return markdown.Lines{First: doc.LineAt(span.Start), Last: doc.LineAt(max(span.Start, span.End-1))}
}
