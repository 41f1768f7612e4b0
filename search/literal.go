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

// needed is a text that each match has: in lower case if it may have any case.
type needed struct {
	text    string
	anyCase bool
}

// literals returns texts one of which is in every text that the expression matches, unless that
// has one of oddCases; nil if there are none, or one of them is too short to be rare: a sign
// alone may be rare, a letter is not.
func literals(re *syntax.Regexp) []needed {
	list := required(re)
	for _, l := range list {
		if len(l.text) < 2 && (len(list) > 1 || !strings.Contains(rareSigns, l.text)) {
			return nil
		}
	}
	return list
}

// rareSigns are characters that few lines have.
const rareSigns = "_#@$%&*+=<>|\\^~{}[]()!?\""

// required returns texts one of which each match has; nil for none.
func required(re *syntax.Regexp) []needed {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []needed
		for _, sub := range re.Sub {
			if list := required(sub); better(list, best) {
				best = list
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needed
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
func literal(re *syntax.Regexp) []needed {
	best, from := "", 0
	for i := 0; i <= len(re.Rune); i++ {
		if i < len(re.Rune) && re.Rune[i] < utf8.RuneSelf && re.Rune[i] != '\n' {
			continue
		}
		if part := string(re.Rune[from:i]); len(part) > len(best) {
			best = part
		}
		from = i + 1
	}
	if best == "" {
		return nil
	}
	if re.Flags&syntax.FoldCase != 0 {
		return []needed{{strings.ToLower(best), true}}
	}
	return []needed{{best, false}}
}

// better reports whether texts are rarer than others: the shortest of them counts.
func better(a, b []needed) bool {
	return a != nil && (b == nil || shortest(a) > shortest(b))
}

func shortest(list []needed) int {
	return len(slices.MinFunc(list, func(a, b needed) int { return len(a.text) - len(b.text) }).text)
}

// hasUpper reports whether a text has a capital letter.
func hasUpper(text string) bool { return strings.IndexFunc(text, unicode.IsUpper) >= 0 }

// quickFinder finds where one of some literals is: of one by its rarest character, of several
// by what they begin with.
type quickFinder struct {
	literals []needed
	rare     int         // offset of the rarest character of the only literal
	begin    *beginnings // of several
}

// byFrequency are characters of documents, the most frequent first. Others are rarer.
const byFrequency = " etaoinsrlhdcupmfgy\n.wbv-,`k_/:()x'0*1|=#2\""

// newQuickFinder returns a finder of literals of two bytes or more, or of one literal.
func newQuickFinder(list []needed) *quickFinder {
	f := &quickFinder{literals: list}
	if len(list) == 1 {
		for i := range list[0].text {
			if rareness(list[0].text[i]) > rareness(list[0].text[f.rare]) {
				f.rare = i
			}
		}
		return f
	}
	f.begin = &beginnings{}
	for _, l := range list {
		f.begin.add(l.text)
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
	l := w.literals[0].text
	if !w.literals[0].anyCase {
		if n := bytes.Index(w.src[from:], []byte(l)); n >= 0 {
			return from + n
		}
		return -1
	}
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
	for at := w.begin.next(w.src, from); at < len(w.src); at = w.begin.next(w.src, at+1) {
		for _, l := range w.literals {
			if rest := w.src[at:]; len(rest) >= len(l.text) && l.is(rest[:len(l.text)]) {
				return at
			}
		}
	}
	return -1
}

// is reports whether a text is the one that is needed.
func (l *needed) is(text []byte) bool {
	if l.anyCase {
		return equalFolded(text, l.text)
	}
	return string(text) == l.text
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
