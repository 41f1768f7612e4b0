package config

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// What a scalar says is read from its own bytes, by the rules of YAML 1.2.2: the
// lexer, which says where it is, loses blanks and line breaks of some.

// decode keeps what a text says that the scan has just gone behind, and tells what
// is wrong with it.
func (s *scan) decode(tk *token.Token, start int) string {
	written, ok := s.plain[start:s.pos], true
	var text string
	switch tk.Type {
	case token.StringType:
		written = strings.TrimRight(written, " \t\n")
		s.pos = start + len(written)
		text = folded(written)
	case token.SingleQuoteType:
		text = strings.ReplaceAll(folded(written[1:len(written)-1]), "''", "'")
	case token.DoubleQuoteType:
		text, ok = unescaped(written[1 : len(written)-1])
	default:
		return ""
	}
	if !ok {
		return wrongEscape
	}
	s.texts[tk] = text
	return ""
}

const wrongEscape = `a wrong escape in a text in double quotes; write \\ for a backslash, or put it in single quotes`

// breaks returns how many line breaks a text begins with, blanks between them, and
// what follows these.
func breaks(s string) (n int, rest string) {
	rest = strings.TrimLeft(s, " \t\n")
	return strings.Count(s[:len(s)-len(rest)], "\n"), rest
}

// fold returns what so many line breaks in a row say: one is a blank, and each
// further one a line break.
func fold(n int) string {
	if n == 1 {
		return " "
	}
	return strings.Repeat("\n", n-1)
}

// folded returns what a text over several lines says, without the blanks around
// its line breaks.
func folded(s string) string {
	var b strings.Builder
	for {
		line, _, more := strings.Cut(s, "\n")
		if !more {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(strings.TrimRight(line, " \t"))
		var n int
		n, s = breaks(s[len(line):])
		b.WriteString(fold(n))
	}
}

// unescaped returns what stands between double quotes says, and whether its
// escapes are such.
func unescaped(s string) (text string, ok bool) {
	var b strings.Builder
	for {
		at := strings.IndexAny(s, "\\\n")
		switch {
		case at < 0:
			b.WriteString(s)
			return b.String(), true
		case s[at] == '\n':
			b.WriteString(strings.TrimRight(s[:at], " \t"))
			var n int
			n, s = breaks(s[at:])
			b.WriteString(fold(n))
			continue
		}
		b.WriteString(s[:at])
		s = s[at+1:]
		if strings.HasPrefix(s, "\n") { // the line goes on, and blank lines still count
			var n int
			n, s = breaks(s)
			b.WriteString(strings.Repeat("\n", n-1))
			continue
		}
		r, length := escaped(s)
		if length == 0 {
			return "", false
		}
		b.WriteRune(r)
		s = s[length:]
	}
}

// escaped returns the character that follows a backslash, and how many bytes say
// it: none if there is no such escape.
func escaped(s string) (r rune, length int) {
	const signs = "0abt\tnvfre \"/\\N_LP"
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(signs, s[0]); i >= 0 {
		return []rune("\x00\a\b\t\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029")[i], 1
	}
	length = map[byte]int{'x': 3, 'u': 5, 'U': 9}[s[0]]
	if length == 0 || len(s) < length {
		return 0, 0
	}
	code, err := strconv.ParseUint(s[1:length], 16, 32)
	if err != nil || code > utf8.MaxRune {
		return 0, 0
	}
	r = rune(code)
	if !utf16.IsSurrogate(r) {
		return r, length
	}
	if length != 5 || len(s) < 11 || s[5:7] != `\u` {
		return 0, 0
	}
	low, err := strconv.ParseUint(s[7:11], 16, 32)
	if err != nil || low > utf8.MaxRune {
		return 0, 0
	}
	r = utf16.DecodeRune(r, rune(low))
	if r == utf8.RuneError {
		return 0, 0
	}
	return r, 11
}

// blockScalar is the content of a text behind | or >.
type blockScalar struct {
	lines []string // without indentation, the last one with more than blanks, or deeper
	blank int      // lines behind them
	open  bool     // the last line has no line break
	end   int      // in plain, of the content
}

// content returns the content of the block scalar whose first line starts there.
// It is not ok if YAML doesn't allow it.
func (s *scan) content(start int) (c blockScalar, ok bool) {
	c.end = start
	least, widest := -1, 0 // the indentation, and the blanks of lines before it is known
	if n := strings.IndexAny(s.sign, "123456789"); n >= 0 {
		least = s.owner + int(s.sign[n]-'0')
	}
	for at := start; at < len(s.plain); {
		line, _, ended := strings.Cut(s.plain[at:], "\n")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		empty := indent == len(line) && (least < 0 || indent <= least)
		if !empty && least < 0 {
			least = max(indent, s.owner+1)
			if widest > least && indent == least {
				return c, false
			}
		}
		switch {
		case !empty && indent < least:
			return c, true
		case !empty:
			c.lines = append(append(c.lines, make([]string, c.blank)...), line[least:])
			c.blank, c.open, c.end = 0, !ended, at+len(line)
		case ended:
			c.blank++
			widest = max(widest, indent)
			if strings.Contains(s.sign, "+") {
				c.end = at + len(line)
			}
		}
		at = min(at+len(line)+1, len(s.plain))
	}
	return c, true
}

// text returns what the content says behind a sign such as >-.
func (c *blockScalar) text(sign string) string {
	var b strings.Builder
	literal, first := sign[0] == '|', true
	deep, waiting := false, 0 // of the last line that is not empty, and the breaks behind it
	for _, line := range c.lines {
		if line != "" {
			wasDeep := deep
			deep = line[0] == ' ' || line[0] == '\t'
			switch {
			case literal || first || deep || wasDeep:
				b.WriteString(strings.Repeat("\n", waiting))
			default:
				b.WriteString(fold(waiting))
			}
			b.WriteString(line)
			first, waiting = false, 0
		}
		waiting++
	}
	switch {
	case strings.Contains(sign, "+"):
		n := c.blank
		if len(c.lines) > 0 && !c.open {
			n++
		}
		b.WriteString(strings.Repeat("\n", n))
	case !strings.Contains(sign, "-") && len(c.lines) > 0 && !c.open:
		b.WriteByte('\n')
	}
	return b.String()
}

// isSign reports whether a text is | or > with what may follow: one digit and one
// of + and -, in either order.
func isSign(s string) bool {
	rest := s[1:]
	switch {
	case len(rest) > 2, len(rest) == 2 && strings.ContainsAny(rest[:1], "+-") == strings.ContainsAny(rest[1:], "+-"):
		return false
	}
	return strings.Trim(rest, "123456789+-") == ""
}
