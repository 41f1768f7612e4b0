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

// quickFinder finds where one of some literals is, in any case of ASCII letters: of one by its
// rarest character, of several by a filter as that of words.
type quickFinder struct {
	literals []string // in lower case
	rare     int      // offset of the rarest character of the only literal
	width    int
	shift    [1024]uint8
}

// byFrequency are characters of documents, the most frequent first. Others are rarer.
const byFrequency = " etaoinsrlhdcupmfgy\n.wbv-,`k_/:()x'0*1|=#2\""

// newQuickFinder returns a finder of literals of two bytes or more, or of one literal.
func newQuickFinder(list []string) *quickFinder {
	f := &quickFinder{literals: list, width: min(shortest(list), maxWindow)}
	if len(list) == 1 {
		for i := range list[0] {
			if rareness(list[0][i]) > rareness(list[0][f.rare]) {
				f.rare = i
			}
		}
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

// rareness is the larger the fewer a text has of a character.
func rareness(c byte) int {
	if n := strings.IndexByte(byFrequency, c); n >= 0 {
		return n
	}
	return len(byFrequency)
}

// quickWalk walks through a text from literal to literal.
type quickWalk struct {
	*quickFinder
	src   []byte
	small int // where the rarest character is next, in lower case; -1 before it is looked for
	large int // the same of its capital letter
}

// walk begins a walk through a text.
func (f *quickFinder) walk(src []byte) quickWalk { return quickWalk{f, src, -1, -1} }

// next returns where the next literal begins from an offset on, -1 if there is none. Offsets
// must not go back.
func (w *quickWalk) next(from int) int {
	if len(w.literals) > 1 {
		return w.nextOfMany(from)
	}
	l := w.literals[0]
	small := l[w.rare]
	large := small
	if small >= 'a' && small <= 'z' {
		large = small - ('a' - 'A')
	}
	for at := from + w.rare; ; {
		w.small = nextByte(w.src, w.small, at, small)
		if large != small {
			w.large = nextByte(w.src, w.large, at, large)
		} else {
			w.large = w.small
		}
		at = min(w.small, w.large) + 1
		start := at - 1 - w.rare
		if len(w.src)-start < len(l) {
			return -1
		}
		if equalFolded(w.src[start:start+len(l)], l) {
			return start
		}
	}
}

// nextByte returns where a byte is from an offset on, the end of the text if it is nowhere;
// known is where it was found last, or -1.
func nextByte(src []byte, known, from int, c byte) int {
	if known >= from || from >= len(src) {
		return max(known, from)
	}
	if n := bytes.IndexByte(src[from:], c); n >= 0 {
		return from + n
	}
	return len(src)
}

// nextOfMany is next for several literals.
func (w *quickWalk) nextOfMany(from int) int {
	src := w.src
	for i := from + w.width - 2; i+1 < len(src); {
		if shift := w.shift[blockOf(src[i], src[i+1])]; shift > 0 {
			i += int(shift)
			continue
		}
		start := i - (w.width - 2)
		i++
		for _, l := range w.literals {
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
