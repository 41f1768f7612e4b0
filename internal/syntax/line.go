package syntax

import (
	"bytes"
	"slices"
)

// What stands on a line: markers of items and footnotes, headings, marks around front
// matter; and blank lines.

// ListMarker is a bullet or a number with its delimiter.
type ListMarker struct {
	Delimiter byte // '-', '+', '*', '.' or ')'
	Number    int  // of an ordered one
	End       int  // offset after it
}

// ReadListMarker reads the marker at i, which is followed by a blank or the end
// of the line.
func ReadListMarker(line []byte, i int) (ListMarker, bool) {
	m := ListMarker{Delimiter: line[i], End: i + 1}
	if IsDigit(line[i]) {
		m.End = i
		for ; m.End < len(line) && IsDigit(line[m.End]); m.End++ {
			if m.End-i == 9 {
				return m, false
			}
			m.Number = m.Number*10 + int(line[m.End]-'0')
		}
		if m.End == len(line) || line[m.End] != '.' && line[m.End] != ')' {
			return m, false
		}
		m.Delimiter = line[m.End]
		m.End++
	}
	return m, m.End == len(line) || IsBlank(line[m.End])
}

// FootnoteMarker returns the offset after "[^label]:" at i. The label has no
// white space and no brackets unless they are escaped.
func FootnoteMarker(line []byte, i int) (end int, ok bool) {
	if i+1 >= len(line) || line[i+1] != '^' {
		return 0, false
	}
	start := i + 2
	for i = start; i < len(line) && i-start <= MaxLabel; i++ {
		switch line[i] {
		case ' ', '\t', '[':
			return 0, false
		case '\\':
			if i+1 < len(line) && (line[i+1] == '[' || line[i+1] == ']' || line[i+1] == '\\') {
				i++
			}
		case ']':
			return i + 2, i > start && i+1 < len(line) && line[i+1] == ':'
		}
	}
	return 0, false
}

// Underlines reports whether the rest of the line from i on is a run of one byte
// and then blank.
func Underlines(line []byte, i int) bool {
	marker := line[i]
	for i < len(line) && line[i] == marker {
		i++
	}
	return SkipBlanks(line, i) == len(line)
}

// ATXContent returns the range of an ATX heading's text in line, whose '#'s end
// at i: without the blanks around it and a closing run of '#'s.
func ATXContent(line []byte, i int) (start, end int) {
	start = SkipBlanks(line, i)
	end = TrimBlanks(line, start, len(line))
	hashes := end
	for hashes > start && line[hashes-1] == '#' {
		hashes--
	}
	switch {
	case hashes == start: // nothing but a closing run
		return start, start
	case hashes < end && IsBlank(line[hashes-1]):
		return start, TrimBlanks(line, start, hashes)
	}
	return start, end
}

// FrontMatterFence returns the byte of which three and then only blanks make up
// the line, or 0.
func FrontMatterFence(line []byte) byte {
	if len(line) < 3 || line[0] != line[1] || line[0] != line[2] || SkipBlanks(line, 3) != len(line) {
		return 0
	}
	return line[0]
}

// LabelOnLine returns the label of the link definition that begins at start, if it
// ends on its first line, as nearly all do.
func LabelOnLine(src []byte, start int) (label []byte, ok bool) {
	for i := start + 1; i < len(src); i++ {
		switch src[i] {
		case ']':
			return src[start+1 : i : i], true
		case '\n', '\r':
			return nil, false
		case '\\':
			if i+1 < len(src) && (src[i+1] == '[' || src[i+1] == ']' || src[i+1] == '\\') {
				i++
			}
		}
	}
	return nil, false
}

// TrimBlankLines cuts off the blank lines at the end of text and the line ending
// of what is then the last line, whose own trailing spaces stay.
func TrimBlankLines(text []byte) []byte {
	end := len(text)
	for i := len(text); i > 0; i-- {
		switch text[i-1] {
		case '\n', '\r':
			end = i - 1
		case ' ', '\t':
		default:
			return text[:end]
		}
	}
	return text[:0]
}

// EndsBlank reports whether the last line of a text is blank.
func EndsBlank(text []byte) bool {
	for _, c := range slices.Backward(text) {
		switch c {
		case ' ', '\t', '\r':
		default:
			return c == '\n'
		}
	}
	return true
}

// BOMLen returns 3 if src begins with a byte order mark in UTF-8, else 0.
func BOMLen(src []byte) int {
	if len(src) >= 3 && src[0] == 0xEF && src[1] == 0xBB && src[2] == 0xBF {
		return 3
	}
	return 0
}

// SkipEnding returns the offset after the line ending at i.
func SkipEnding(src []byte, i int) int {
	if i < len(src) && src[i] == '\r' {
		i++
		if i < len(src) && src[i] == '\n' {
			i++
		}
		return i
	}
	return min(i+1, len(src))
}

// SkipLine returns the offset after the line that i is in.
func SkipLine(src []byte, i int) int {
	n := bytes.IndexAny(src[i:], "\r\n")
	if n < 0 {
		return len(src)
	}
	return SkipEnding(src, i+n)
}

// IndentedUpTo3 reports whether s is at most three spaces.
func IndentedUpTo3(s []byte) bool {
	for _, c := range s {
		if c != ' ' {
			return false
		}
	}
	return len(s) <= 3
}
