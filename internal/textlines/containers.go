package textlines

import (
	"slices"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Containers are those that a block stands in, from the outermost: the indentation of their
// content in columns, or Quote. Their prefix stands before all of its lines but the first: marks
// of quotes, and blanks as wide as the markers of items.
type Containers []int

// Quote stands for a quote among containers with an indentation.
const Quote = -1

// ContainersOf returns the containers of block b of a document.
func ContainersOf(doc *markdown.Document, b int) (all Containers) {
	for p := doc.Blocks[b].Parent; p >= 0; p = doc.Blocks[p].Parent {
		switch doc.Blocks[p].Kind {
		case markdown.BlockQuote:
			all = append(all, Quote)
		case markdown.Item, markdown.FootnoteDefinition:
			all = append(all, int(doc.Blocks[p].Level))
		}
	}
	slices.Reverse(all)
	return all
}

// Prefix returns what stands before a line in the containers.
func (c Containers) Prefix() string {
	var prefix strings.Builder
	for _, container := range c {
		if container == Quote {
			prefix.WriteString("> ")
		} else {
			prefix.WriteString(strings.Repeat(" ", container))
		}
	}
	return prefix.String()
}

// Strip returns a line without what it has of the containers' prefix, the column where it
// begins then, and whether that is all of it.
func (c Containers) Strip(line string) (rest string, col int, ok bool) {
	isEmpty := strings.TrimLeft(line, " \t") == ""
	for _, container := range c {
		if container != Quote {
			if isEmpty {
				return "", col, true
			}
			if line, col, ok = TakeBlanks(line, col, container); !ok {
				return line, col, false
			}
			continue
		}
		trimmed := strings.TrimLeft(line, " \t")
		blanks := line[:len(line)-len(trimmed)]
		if !strings.HasPrefix(trimmed, ">") || Columns(blanks, col)-col > 3 {
			return line, col, false
		}
		line, col = trimmed[1:], Columns(blanks, col)+1
		if rest, after, ok := TakeBlanks(line, col, 1); ok {
			line, col = rest, after
		}
		isEmpty = strings.TrimLeft(line, " \t") == ""
	}
	if isEmpty {
		line = ""
	}
	return line, col, true
}

// WithPrefix returns a text with LF as line ending with a prefix before each line but the first.
func WithPrefix(prefix, text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			line = "\n" + PrefixedLine(prefix, line)
		}
		b.WriteString(line)
	}
	return b.String()
}

// PrefixedLine returns a line with a prefix before it, without the blanks of that if the line has
// nothing else.
func PrefixedLine(prefix, line string) string {
	if strings.Trim(line, " \t") == "" {
		return strings.TrimRight(prefix, " \t")
	}
	return prefix + line
}
