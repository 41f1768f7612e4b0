package textlines

import (
	"bytes"
	"strings"

	"github.com/sectile/sectile/markdown"
)

// Blank lines, and blanks before lines.

// TextEnd returns where the last line of a range ends that is not blank, its ending
// included; the range begins with a line. It is the beginning of the range if all
// lines are blank.
func TextEnd(src []byte, s markdown.Span) int {
	end := s.End
	for end > s.Start {
		begin := max(Before(src, end), s.Start)
		if !IsBlank(src[begin:end], "") {
			break
		}
		end = begin
	}
	return end
}

// TextStart returns where the first line of a range begins that is not blank, or
// its end.
func TextStart(src []byte, s markdown.Span) int {
	begin := s.Start
	for begin < s.End {
		end := End(src, begin)
		if !IsBlank(src[begin:end], "") {
			break
		}
		begin = end
	}
	return min(begin, s.End)
}

// Lead returns the line endings that text needs before it at the offset.
func Lead(src []byte, at int, ending string) string {
	switch {
	case at == Start(src):
		return ""
	case len(EndingBefore(src, at)) == 0: // the end of the source
		return ending + ending
	case IsBlank(src[Before(src, at):at], ""):
		return ""
	}
	return ending
}

// Trail returns the line endings that text needs after it at the offset.
func Trail(src []byte, at int, ending string) string {
	switch {
	case at < len(src) && IsBlank(src[at:End(src, at)], ""):
		return ending
	case at < len(src):
		return ending + ending
	case at > Start(src) && len(EndingBefore(src, at)) == 0:
		return "" // as it was
	}
	return ending
}

// IsATX reports whether a line looks like a heading with marks, next to which no
// line needs a gap.
func IsATX(line []byte) bool {
	text := bytes.TrimLeft(line[:min(len(line), 4)], " ")
	return len(text) > 0 && text[0] == '#'
}

// WithoutGaps takes the blank lines around a text away, and its last line ending.
func WithoutGaps(text string) string {
	for {
		line, rest, more := strings.Cut(text, "\n")
		if strings.Trim(line, " \t") != "" {
			break
		}
		if text = rest; !more {
			return ""
		}
	}
	for {
		i := strings.LastIndexByte(text, '\n')
		if i < 0 || strings.Trim(text[i+1:], " \t") != "" {
			return text
		}
		text = text[:i]
	}
}

// Bare returns a text with LF as line ending, without blank lines around it and without the
// byte order marks of the file that it comes from.
func Bare(text string) string {
	text = WithoutGaps(WithEnding(text, "\n"))
	for strings.HasPrefix(text, string(ByteOrderMark)) {
		text = WithoutGaps(text[len(ByteOrderMark):])
	}
	return text
}

// TakeBlanks returns a line that begins at a column without so many columns of blanks,
// and whether it had them. What is left of a tab is blanks.
func TakeBlanks(line string, col, n int) (rest string, after int, ok bool) {
	want, at := col+n, col
	for i := range len(line) {
		switch {
		case at >= want:
			return strings.Repeat(" ", at-want) + line[i:], want, true
		case line[i] != ' ' && line[i] != '\t':
			return line, col, false
		}
		at = Columns(line[i:i+1], at)
	}
	if at >= want {
		return strings.Repeat(" ", at-want), want, true
	}
	return line, col, false
}

// Indentation returns how many columns the first line of a text is indented by.
func Indentation(text string) int {
	return Columns(text[:len(text)-len(strings.TrimLeft(text, " \t"))], 0)
}

// IdleBlanks returns the number of blanks before the first line of a text that mean nothing. Behind
// the marker of an item they would: they indent what stands in it.
func IdleBlanks(text string) int {
	if n := len(text) - len(strings.TrimLeft(text, " ")); n < 4 {
		return n
	}
	return 0 // of code
}

// AtMargin returns a text with LF as line ending without the columns of blanks before its lines; one
// of which a line hasn't as many is returned as it is.
func AtMargin(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		rest, _, ok := TakeBlanks(line, 0, width)
		switch isBlank := strings.Trim(line, " \t") == ""; {
		case !ok && !isBlank:
			return text
		case !ok:
			rest = ""
		}
		lines[i] = rest
	}
	return strings.Join(lines, "\n")
}

// Indented returns a text with LF as line ending with blanks before its lines, but for blank ones.
func Indented(text, blanks string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Trim(line, " \t") != "" {
			lines[i] = blanks + line
		}
	}
	return strings.Join(lines, "\n")
}

// Columns returns the column after blanks that begin at a column.
func Columns(blanks string, at int) int {
	for i := range len(blanks) {
		if blanks[i] == '\t' {
			at += 4 - at%4
		} else {
			at++
		}
	}
	return at
}
