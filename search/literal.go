package search

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line that matches a regular expression has one of some literals, of most expressions. These
// are found many times as fast as the expression runs, so that only their lines are tried.

// maxLiterals is the number of literals beyond which none are looked for.
const maxLiterals = 16

// literals returns texts in lower case, one of which is in every text that the expression
// matches, in any case, unless that has one of oddCases; nil if there are none, or one of them
// is too short to be rare: a sign alone may be rare, a letter is not.
func literals(re *syntax.Regexp) []string {
	list := required(re)
	for _, l := range list {
		if len(l) < 2 && (len(list) > 1 || !strings.Contains(rareSigns, l)) {
			return nil
		}
	}
	return list
}

// rareSigns are characters that few lines have.
const rareSigns = "_#@$%&*+=<>|\\^~{}[]()!?\""

// required returns texts one of which each match has; nil for none.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if list := required(sub); better(list, best) {
				best = list
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			list := required(sub)
			if list == nil || len(all)+len(list) > maxLiterals {
				return nil
			}
			all = append(all, list...)
		}
		return all
	}
	return nil
}

// literal returns the longest part in ASCII of a literal: other letters may be written in
// another case with other bytes.
func literal(runes []rune) []string {
	best, from := "", 0
	for i := 0; i <= len(runes); i++ {
		if i < len(runes) && runes[i] < utf8.RuneSelf && runes[i] != '\n' {
			continue
		}
		if part := string(runes[from:i]); len(part) > len(best) {
			best = part
		}
		from = i + 1
	}
	if best == "" {
		return nil
	}
	return []string{strings.ToLower(best)}
}

// better reports whether texts are rarer than others: the shortest of them counts.
func better(a, b []string) bool {
	return a != nil && (b == nil || shortest(a) > shortest(b))
}

func shortest(list []string) int {
	return len(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }))
}

// hasUpper reports whether a text has a capital letter.
func hasUpper(text string) bool { return strings.IndexFunc(text, unicode.IsUpper) >= 0 }

// quickFinder finds where one of some literals is, in any case of ASCII letters.
type quickFinder struct {
	literals []string // in lower case
	width    int
	shift    [1024]uint8
}

// newQuickFinder returns a finder of literals of two bytes or more, or of one sign.
func newQuickFinder(list []string) *quickFinder {
	f := &quickFinder{literals: list, width: min(shortest(list), maxWindow)}
	if f.width < 2 {
		return f
	}
	for i := range f.shift {
		f.shift[i] = uint8(f.width - 1)
	}
	for _, l := range list {
		for j := 0; j+1 < f.width; j++ {
			block := &f.shift[blockOf(l[j], l[j+1])]
			*block = min(*block, uint8(f.width-2-j))
		}
	}
	return f
}

// next returns where the next literal begins from an offset on, -1 if there is none.
func (f *quickFinder) next(src []byte, from int) int {
	if f.width < 2 {
		if n := bytes.IndexByte(src[from:], f.literals[0][0]); n >= 0 {
			return from + n
		}
		return -1
	}
	for i := from + f.width - 2; i+1 < len(src); {
		if shift := f.shift[blockOf(src[i], src[i+1])]; shift > 0 {
			i += int(shift)
			continue
		}
		start := i - (f.width - 2)
		i++
		for _, l := range f.literals {
			if len(src)-start >= len(l) && equalFolded(src[start:start+len(l)], l) {
				return start
			}
		}
	}
	return -1
}

// equalFolded reports whether a text is one in lower case, in any case of ASCII letters.
func equalFolded(text []byte, folded string) bool {
	for i, c := range text {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != folded[i] {
			return false
		}
	}
	return true
}
