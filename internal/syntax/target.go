package syntax

import (
	"bytes"
	"unicode/utf8"
)

// MaxLabel is the largest number of characters in a label.
const MaxLabel = 999

// MaxLabelBytes is what MaxLabel characters take at most.
const MaxLabelBytes = MaxLabel * utf8.UTFMax

// LinkLabel returns the label in the brackets at i, and the offset after them.
// It is nil where there is no label, as in "[]" and "[ ]".
func LinkLabel(src []byte, i int) (label []byte, end int) {
	if i >= len(src) || src[i] != '[' {
		return nil, i
	}
	start := i + 1
	limit := min(len(src), start+MaxLabelBytes+1)
	for end = start; end < limit && src[end] != ']'; end++ {
		switch src[end] {
		case '[':
			return nil, i
		case '\\':
			if end+1 < limit && IsPunctuation(src[end+1]) {
				end++
			}
		}
	}
	if end >= limit {
		return nil, i
	}
	label = src[start:end]
	if len(bytes.Trim(label, " \t\n\r")) == 0 || utf8.RuneCount(label) > MaxLabel {
		return nil, i
	}
	return label, end + 1
}

// A Target is what stands behind the text of a link: the ranges of its destination and
// its title, without the marks around them, and the end of all. A title that isn't there
// has the range 0 to 0.
type Target struct {
	DestinationStart, DestinationEnd int
	TitleStart, TitleEnd             int
	End                              int
}

// InlineTarget reads the "(destination title)" at i (6.3).
func InlineTarget(src []byte, i int) (t Target, ok bool) {
	if i >= len(src) || src[i] != '(' {
		return Target{}, false
	}
	start := SkipWhite(src, i+1)
	i, ok = linkDestination(src, start)
	if !ok {
		return Target{}, false
	}
	t.DestinationStart, t.DestinationEnd = start, i
	if start < i && src[start] == '<' {
		t.DestinationStart, t.DestinationEnd = start+1, i-1
	}
	end := SkipWhite(src, i)
	if end > i {
		if title := linkTitle(src, end); title > end {
			t.TitleStart, t.TitleEnd = end+1, title-1
			end = SkipWhite(src, title)
		}
	}
	if end == len(src) || src[end] != ')' {
		return Target{}, false
	}
	t.End = end + 1
	return t, true
}

// A WikiLink is "[[destination|text]]": the ranges of its parts, which are the same where there
// is no '|', and the end of all.
type WikiLink struct {
	DestinationStart, DestinationEnd int
	TextStart, TextEnd               int
	End                              int
}

// ReadWikiLink reads the wiki link at i, where "[[" stands. What is a link by the other rules is
// none.
func ReadWikiLink(src []byte, i int) (l WikiLink, ok bool) {
	inner := i + 2
	n := bytes.IndexAny(src[inner:], "[]\n\r")
	if n <= 0 || !bytes.HasPrefix(src[inner+n:], []byte("]]")) {
		return l, false
	}
	end := inner + n
	l = WikiLink{inner, end, inner, end, end + 2}
	if l.End < len(src) && (src[l.End] == '(' || src[l.End] == '[') {
		return l, false
	}
	if pipe := bytes.IndexByte(src[inner:end], '|'); pipe >= 0 {
		l.DestinationEnd, l.TextStart = inner+pipe, inner+pipe+1
		if pipe > 0 && src[inner+pipe-1] == '\\' { // of a table
			l.DestinationEnd--
		}
	}
	return l, true
}

// MaxParens is how deeply parentheses may be nested in a destination, lest
// every one of many "](" reads to the end. The specification asks for 3 at least;
// cmark has 32.
const MaxParens = 32

// linkDestination returns the end of the destination at i, which may be empty.
func linkDestination(src []byte, i int) (end int, ok bool) {
	if i < len(src) && src[i] == '<' {
		return pointedDestination(src, i)
	}
	depth := 0
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && i+1 < len(src) && IsPunctuation(src[i+1]):
			i++
		case c == '(':
			if depth++; depth > MaxParens {
				return 0, false
			}
		case c == ')':
			if depth == 0 {
				return i, true
			}
			depth--
		case isControlOrSpace(c):
			return i, depth == 0
		}
	}
	return i, depth == 0
}

// pointedDestination returns the end of the destination in '<' and '>' at i.
func pointedDestination(src []byte, i int) (end int, ok bool) {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '>':
			return i + 1, true
		case '<', '\n', '\r':
			return 0, false
		case '\\':
			if i+1 < len(src) && IsPunctuation(src[i+1]) {
				i++
			}
		}
	}
	return 0, false
}

// linkTitle returns the end of the title at i, or i if there is none.
func linkTitle(src []byte, i int) int {
	if i == len(src) {
		return i
	}
	closing := src[i]
	switch closing {
	case '(':
		closing = ')'
	case '"', '\'':
	default:
		return i
	}
	for end := i + 1; end < len(src); end++ {
		switch c := src[end]; {
		case c == closing:
			return end + 1
		case c == '(' && closing == ')':
			return i
		case c == '\\':
			end++
		}
	}
	return i
}
