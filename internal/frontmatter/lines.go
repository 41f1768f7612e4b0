package frontmatter

import "strings"

// lineStart returns where the line begins that holds the offset.
func lineStart(s string, at int) int { return strings.LastIndexAny(s[:at], "\n\r") + 1 }

// lineEnd returns where the line that holds the offset ends, without its line ending.
func lineEnd(s string, at int) int {
	if n := strings.IndexAny(s[at:], "\r\n"); n >= 0 {
		return at + n
	}
	return len(s)
}

// nextLine returns where the line after the one that holds the offset begins.
func nextLine(s string, at int) int {
	at = lineEnd(s, at)
	switch {
	case strings.HasPrefix(s[at:], "\r\n"):
		return at + 2
	case at < len(s):
		return at + 1
	}
	return at
}

// endingOf returns the line ending of the line that holds the offset; that of the first
// line, or LF, if it has none.
func endingOf(s string, at int) string {
	if e := s[lineEnd(s, at):nextLine(s, at)]; e != "" {
		return e
	}
	if e := s[lineEnd(s, 0):nextLine(s, 0)]; e != "" {
		return e
	}
	return "\n"
}

// isFirst reports whether nothing but blanks stands before the offset in its line.
func isFirst(s string, at int) bool { return strings.Trim(s[lineStart(s, at):at], " \t") == "" }

// lineNumber returns the number of the line that holds the offset, from 1.
func lineNumber(s string, at int) int {
	n := 1
	for i := 0; i < at; n++ {
		if i = nextLine(s, i); i > at {
			break
		}
	}
	return n
}
