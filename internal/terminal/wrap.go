package terminal

import (
	"io"
	"slices"
	"strings"

	"github.com/sectile/sectile/internal/replies"
)

// What is longer than a line of the terminal is broken between words, below the place where
// its text begins. Text that a program could read is never broken: lines of documents, and
// whatever goes into a pipe.

// minText is the least number of columns for the text of a table; a narrower one stands
// below its name.
const minText = 20

// Wrap returns the lines of a text for a terminal of so many columns, 0 for none.
func Wrap(text string, width int) string {
	if width == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(brokenLine(strings.TrimSuffix(line, "\n"), width))
		b.WriteString(line[len(strings.TrimSuffix(line, "\n")):])
	}
	return b.String()
}

// Wrapped is Wrap for what is written to.
func Wrapped(w io.Writer, text []byte) []byte {
	return []byte(Wrap(string(text), Width(w)))
}

// brokenLine breaks a line. What doesn't fit goes below the text of a table's row, or
// two columns behind the beginning of another line.
func brokenLine(line string, width int) string {
	if len(replies.Broken(line, width)) == 1 {
		return line
	}
	at := textAt(line)
	head, indent := line[:at], at
	if at == 0 || width-at < minText {
		indent = indentOf(line) + 2
		if head = line[:indentOf(line)]; at > 0 { // a row whose name leaves no room
			head = strings.TrimRight(line[:at], " ") + "\n" + strings.Repeat(" ", indent)
		}
		line = line[max(at, indentOf(line)):]
	} else {
		line = line[at:]
	}
	return head + strings.Join(replies.Broken(line, max(width-indent, minText)), "\n"+strings.Repeat(" ", indent))
}

// indentOf returns the number of blanks that a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// textAt returns where the text of a table's row begins, behind its name and at least two
// blanks; 0 for another line.
func textAt(line string) int {
	indent := indentOf(line)
	gap := strings.Index(line[indent:], "  ")
	if gap < 0 {
		return 0
	}
	return indent + gap + indentOf(line[indent+gap:])
}

// Help is Wrap for help: lines that go on with the one before them are filled,
// and examples can still be copied.
func Help(text string, width int) string {
	if width == 0 {
		return text
	}
	var b strings.Builder
	var part []string // lines that belong together
	examples := false
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if begin := strings.TrimLeft(line, " "); len(part) > 0 && (examples || begin == "" || part[0] == "" || textAt(line) > 0 || indentOf(line) != textAt(part[0])) {
			b.WriteString(filled(part, examples, width))
			part = nil
		}
		part = append(part, line)
		examples = line == "Examples:" || examples && line != ""
	}
	b.WriteString(filled(part, examples, width))
	return b.String()
}

// filled returns lines that belong together, in other ones if there is one that doesn't fit.
func filled(lines []string, isExample bool, width int) string {
	text := strings.Join(lines, "\n") + "\n"
	if !slices.ContainsFunc(lines, func(line string) bool { return len(line) > width }) {
		return text
	}
	if isExample {
		return brokenExample(lines[0], width) + "\n"
	}
	words := slices.Clone(lines)
	for i := 1; i < len(words); i++ {
		words[i] = strings.TrimLeft(words[i], " ")
	}
	all := strings.Join(words, " ")
	if textAt(all) == 0 && indentOf(all) == 0 {
		return strings.Join(replies.Broken(all, width), "\n") + "\n"
	}
	return brokenLine(all, width) + "\n"
}

// brokenExample breaks a command between its arguments, so that a shell takes it as one.
func brokenExample(line string, width int) string {
	const on = " \\"
	var b strings.Builder
	used, quote := 0, rune(0)
	word := 0 // where it begins
	put := func(text string) {
		if n := len(text); used > 0 && used+1+n+len(on) > width {
			b.WriteString(on + "\n      ")
			used = len("      ")
		} else if used > 0 {
			b.WriteByte(' ')
			used++
		}
		b.WriteString(text)
		used += len(text)
	}
	for i, r := range line {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case quote == 0 && r == ' ' && strings.TrimLeft(line[:i], " ") != "":
			put(line[word:i])
			word = i + 1
		}
	}
	put(line[word:])
	return b.String()
}
