package replies

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/markdown"
	"github.com/sectile/sectile/outline"
)

// LineRange renders lines as "5-8", or "5" for one.
func LineRange(l markdown.Lines) string {
	if l.First == l.Last {
		return fmt.Sprint(l.First)
	}
	return fmt.Sprintf("%d-%d", l.First, l.Last)
}

// ParseLineRange returns the lines that LineRange writes, and whether it writes any so.
func ParseLineRange(text string) (l markdown.Lines, ok bool) {
	from, to, isRange := strings.Cut(text, "-")
	first, err := strconv.Atoi(from)
	last := first
	if err == nil && isRange {
		last, err = strconv.Atoi(to)
	}
	return markdown.Lines{First: first, Last: last}, err == nil && first > 0 && last >= first
}

// CutPlace takes a place as replies have it, path:13-16 or path:13, apart.
func CutPlace(place string) (path string, l markdown.Lines, ok bool) {
	if at := strings.LastIndexByte(place, ':'); at > 0 {
		path = place[:at]
		l, ok = ParseLineRange(place[at+1:])
	}
	return path, l, ok
}

// Digits is the number of digits of n, which is not negative.
func Digits(n int) int {
	d := 1
	for ; n > 9; n /= 10 {
		d++
	}
	return d
}

// SplitLines yields the lines of a text, which may end in any way.
func SplitLines(text string) func(yield func(string) bool) {
	return strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
}

// Plural counts things of a name: "1 line", "2 lines".
func Plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return strconv.Itoa(n) + " " + name + "s"
}

// CharOffset returns the number of bytes of the first n characters.
func CharOffset(text []byte, n int) int {
	i := 0
	for ; n > 0 && i < len(text); n-- {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
	return i
}

// WithNewline ends text with LF, unless it is empty: a line of ours that follows begins behind one, and
// a lone CR of the document is none.
func WithNewline(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text = append(text, '\n')
	}
	return text
}

// Safe makes text from a document fit into a line of ours.
func Safe(s string) string { return string(outline.AppendSafe(nil, s)) }

// Clip cuts s to so many characters, the last one being an ellipsis then.
func Clip(s string, limit int) string { return runes.Clip(s, limit) }

// ClipMiddle cuts s to so many characters, the one in the middle being an ellipsis
// then.
func ClipMiddle(s string, limit int) string {
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return s
	}
	text := []byte(s)
	before := (limit - 1) / 2
	return s[:CharOffset(text, before)] + "…" + s[CharOffset(text, n-(limit-1-before)):]
}

// SafeLines returns a text whose lines are safe to show.
func SafeLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Safe(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Chars counts what MaxChars limits.
func Chars(text []byte) int { return utf8.RuneCount(text) }

// stdin is the path that stands for standard input.
const stdin = "-"

// DisplayPath is how a path is shown.
func DisplayPath(path string) string {
	if path == stdin {
		return "stdin"
	}
	return path
}
