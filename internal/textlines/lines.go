package textlines

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/sectile/sectile/markdown"
)

// ByteOrderMark stands before the first line of some texts.
var ByteOrderMark = []byte("\uFEFF")

// Start returns where the text begins: after a byte order mark.
func Start(src []byte) int {
	if bytes.HasPrefix(src, ByteOrderMark) {
		return len(ByteOrderMark)
	}
	return 0
}

// End returns where the line ends that the byte at i is in, its ending included.
func End(src []byte, i int) int {
	n := bytes.IndexAny(src[i:], "\r\n")
	switch {
	case n < 0:
		return len(src)
	case src[i+n] == '\r' && i+n+1 < len(src) && src[i+n+1] == '\n':
		return i + n + 2
	}
	return i + n + 1
}

// Begin returns where the line begins that the byte at i is in, or ends before.
func Begin(src []byte, i int) int {
	return max(bytes.LastIndexAny(src[:i], "\r\n")+1, min(Start(src), i))
}

// Before returns where the line begins that ends at i, which is the start of
// another line or the end of the source.
func Before(src []byte, i int) int {
	return Begin(src, i-len(EndingBefore(src, i)))
}

// IsBlank reports whether a line has nothing but blanks, or characters of a
// container's prefix.
func IsBlank(line []byte, prefix string) bool {
	return len(bytes.Trim(line, " \t\r\n"+prefix)) == 0
}

// NumberAt returns the number of the line that holds the byte at an offset, as
// markdown.Document.LineAt does, which makes a table of all lines for it. One
// question does not need that: it takes counting from the block before.
func NumberAt(doc *markdown.Document, at int) int {
	from, line := 0, 1
	if b := sort.Search(len(doc.Blocks), func(i int) bool { return int(doc.Blocks[i].Start) > at }) - 1; b >= 0 {
		from, line = int(doc.Blocks[b].Start), int(doc.Blocks[b].StartLine)
	}
	for end := End(doc.Source, from); end <= at; end = End(doc.Source, end) {
		line++
	}
	return line
}

// Of returns the lines that a span is in.
func Of(doc *markdown.Document, span markdown.Span) markdown.Lines {
	return markdown.Lines{First: doc.LineAt(span.Start), Last: doc.LineAt(max(span.Start, span.End-1))}
}

// Named returns what a sentence calls lines: "line 7", "lines 7-9".
func Named(l markdown.Lines) string {
	if l.First == l.Last {
		return fmt.Sprintf("line %d", l.First)
	}
	return fmt.Sprintf("lines %d-%d", l.First, l.Last)
}
