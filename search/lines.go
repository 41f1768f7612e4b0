package search

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sectile/sectile/markdown"
)

// MaxPattern is the largest size of a text or regular expression to look for, in bytes.
const MaxPattern = 1000

// ErrPattern is the error for a regular expression that is none, or takes too much to run.
var ErrPattern = errors.New("search: the regular expression can't be used")

// Case says whether capital letters are told from small ones.
type Case uint8

// The cases.
const (
	SmartCase  Case = iota // if the text that is looked for has a capital letter
	IgnoreCase             // they are not
	ExactCase              // they are
)

// Lines finds lines with an exact text, or that match a regular expression. It can be used by
// several goroutines at once.
type Lines struct {
	// Place is where lines are looked for.
	Place Place
	// Only returns the sections of a document that are looked at, from the first up to the
	// end; nil for all, and for what stands before the first.
	Only func(doc *markdown.Document) (first, end int)

	exact []byte         // the text, if its case counts; else nil
	quick *quickFinder   // of what a line must have; nil to look at each line
	whole bool           // what quick finds is all that is looked for
	odd   bool           // quick is wrong for texts that have one of oddCases
	re    *regexp.Regexp // what a line must match; nil for an exact text
	tree  *syntax.Regexp // the same
	pool  *sync.Pool     // of its automata
}

// ParseLines returns what finds the lines with a text, or, with regex, those that match an
// expression in the syntax of Go's package regexp (RE2). A line ending is in neither. The
// error is ErrEmpty, or ErrPattern wrapped with what is wrong.
func ParseLines(text string, regex bool, by Case) (*Lines, error) {
	switch {
	case text == "":
		return nil, ErrEmpty
	case len(text) > MaxPattern:
		return nil, fmt.Errorf("%w: it has %d bytes, and %d is the most", ErrPattern, len(text), MaxPattern)
	case !regex && strings.ContainsAny(text, "\n\r"):
		return nil, fmt.Errorf("%w: a line has no line ending in it; look for one line", ErrPattern)
	}
	if !regex {
		return textLines(text, by == IgnoreCase || by == SmartCase && !hasUpper(text))
	}
	return regexLines(text, by)
}

// textLines finds lines with a text.
func textLines(text string, anyCase bool) (*Lines, error) {
	if !anyCase {
		return &Lines{exact: []byte(text)}, nil
	}
	return (&Lines{}).of("(?i:"+regexp.QuoteMeta(text)+")", text)
}

// regexLines finds lines that match an expression.
func regexLines(text string, by Case) (*Lines, error) {
	if _, err := syntax.Parse(text, syntax.Perl); err != nil {
		return nil, wrongPattern(err)
	}
	flags := "(?m)"
	if by == IgnoreCase || by == SmartCase && !writesUpper(text) {
		flags = "(?mi)"
	}
	return (&Lines{}).of(flags+text, "") // before it alone, for \Q may stay open to the end
}

// of makes lines find an expression, which stands for a text or, if that is empty, for itself.
func (l *Lines) of(expression, text string) (_ *Lines, err error) {
	if l.re, err = regexp.Compile(expression); err != nil { // it is only too large
		return nil, wrongPattern(err)
	}
	if l.tree, err = syntax.Parse(expression, syntax.Perl); err != nil {
		return nil, wrongPattern(err)
	}
	if list := literals(l.tree.Simplify()); list != nil {
		l.quick = newQuickFinder(list)
		l.whole = text != "" && strings.EqualFold(list[0].text, text)
		l.odd = slices.ContainsFunc(list, func(n needed) bool { return n.anyCase && strings.ContainsAny(n.text, "ks") })
	}
	l.pool = &sync.Pool{}
	first, err := newAutomaton(l.tree, l.re)
	if err != nil {
		return nil, wrongPattern(err)
	}
	l.pool.Put(first)
	return l, nil
}

// wrongPattern is the error for an expression that can't be used.
func wrongPattern(err error) error {
	if e, ok := errors.AsType[*syntax.Error](err); ok && e.Code == syntax.ErrInvalidRepeatSize {
		return fmt.Errorf("%w: %s repeats something more than 1000 times, counted with what is repeated in it", ErrPattern, e.Expr)
	}
	return fmt.Errorf("%w: %s", ErrPattern, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// automaton returns an automaton of the expression, to be put back.
func (l *Lines) automaton() *automaton {
	if a, ok := l.pool.Get().(*automaton); ok {
		return a
	}
	a, _ := newAutomaton(l.tree, l.re) // one has been made
	return a
}

// oddCases are capital and small letters of ASCII ones, written with other bytes: the Kelvin
// sign and the long s.
var oddCases = [][]byte{[]byte("\u212a"), []byte("\u017f")}

// quickFor returns the quick finder, if it is right for a text.
func (l *Lines) quickFor(src []byte) *quickFinder {
	if l.odd && slices.ContainsFunc(oddCases, func(letter []byte) bool { return bytes.Contains(src, letter) }) {
		return nil
	}
	return l.quick
}

// writesUpper reports whether a valid expression has a capital letter that stands for itself,
// alone or in a class: none of an escape, of a group's name or of flags.
func writesUpper(expression string) bool {
	others := regexp.MustCompile(`(?s)\\Q(.*?)(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[pP].|\\x..|\\.|\(\?(?:P?<\w+>|[imsU-]+[:)])`)
	return hasUpper(others.ReplaceAllString(expression, "$1"))
}

// Line is a line of a text.
type Line struct {
	Start, End int // offsets, without the line ending
}

// Has reports whether a text has such a line, wherever in it: it doesn't look at Place.
func (l *Lines) Has(src []byte) bool {
	for range l.In(src) {
		return true
	}
	return false
}

// byteOrderMark stands before the first line of some texts, and in no line.
var byteOrderMark = []byte("\ufeff")

// In yields the lines of a text that match, in their order, each once.
func (l *Lines) In(src []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		quick := l.quickFor(src)
		var walk quickWalk
		if quick != nil {
			walk = quick.walk(src)
		}
		var a *automaton
		if l.exact == nil && (quick == nil || !l.whole) {
			a = l.automaton()
			defer l.pool.Put(a)
		}
		for at := len(src) - len(bytes.TrimPrefix(src, byteOrderMark)); at < len(src); {
			var hit int
			switch {
			case l.exact != nil:
				if hit = bytes.Index(src[at:], l.exact); hit >= 0 {
					hit += at
				}
			case quick != nil:
				hit = walk.next(at)
			default:
				hit = a.find(src, at)
			}
			if hit < 0 {
				return
			}
			line := lineAround(src, at, hit)
			if (quick == nil || l.whole || a.matches(src[line.Start:line.End])) && !yield(line) {
				return
			}
			at = afterLine(src, line.End)
		}
	}
}

// Sections yields the lines of a document that match, in their order, each with the index of the
// section that it stands in, as [Hit] has it.
func (l *Lines) Sections(doc *markdown.Document) iter.Seq2[int, Line] {
	return l.SectionsOf(doc, l.In(doc.Source))
}

// SectionsOf is Sections for lines that In has yielded of the document's source, in their order.
func (l *Lines) SectionsOf(doc *markdown.Document, lines iter.Seq[Line]) iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		section, block := FirstOf(doc), 0
		from, end := section, len(doc.Sections)
		if l.Only != nil {
			from, end = l.Only(doc)
		}
		for line := range lines {
			for section+1 < len(doc.Sections) && BodyOf(doc, section+1).Start <= line.Start {
				section++
			}
			if section >= from && section < end && l.isWanted(doc, section, line, &block) && !yield(section, line) {
				return
			}
		}
	}
}

// isWanted reports whether a line of a section is where lines are looked for; block is that
// of the line before.
func (l *Lines) isWanted(doc *markdown.Document, section int, line Line, block *int) bool {
	inHeading := section >= 0 && line.Start < int(doc.Blocks[doc.Sections[section].Heading].End)
	switch l.Place {
	case InHeadings:
		return inHeading
	case InBody:
		return !inHeading
	case InCode:
		for *block < len(doc.Blocks) && (!isCode(&doc.Blocks[*block]) || int(doc.Blocks[*block].End) <= line.Start) {
			*block++
		}
		return *block < len(doc.Blocks) && int(doc.Blocks[*block].Start) < max(line.End, line.Start+1)
	case Everywhere:
	}
	return true
}

// Clip returns the part of a line around its match, in at most so many bytes, and whether there
// is more before and after.
func (l *Lines) Clip(src []byte, line Line, most int) (part Line, before, after bool) {
	return clip(src, line, most, func(text []byte) int {
		if l.exact != nil {
			return max(bytes.Index(text, l.exact), 0)
		}
		if m := l.re.FindIndex(text); m != nil {
			return m[0]
		}
		return 0
	})
}

// Within returns where a line matches, in their order, at most so many. An empty match is none.
func (l *Lines) Within(line []byte, most int) []Line {
	var list []Line
	if l.exact != nil {
		for at := 0; len(list) < most; {
			i := bytes.Index(line[at:], l.exact)
			if i < 0 {
				break
			}
			list = append(list, Line{at + i, at + i + len(l.exact)})
			at += i + len(l.exact)
		}
		return list
	}
	for _, m := range l.re.FindAllIndex(line, -1) { // of which many may be empty
		if m[1] > m[0] && len(list) < most {
			list = append(list, Line{m[0], m[1]})
		}
	}
	return list
}

// clip returns the part of a line around what an offset in it says, in at most so many bytes, of
// whole characters.
func clip(src []byte, line Line, most int, around func(text []byte) int) (part Line, before, after bool) {
	if line.End-line.Start <= most {
		return line, false, false
	}
	part.Start = max(line.Start, line.Start+around(src[line.Start:line.End])-most/3)
	part.End = min(line.End, part.Start+most)
	part.Start = max(line.Start, min(part.Start, part.End-most))
	for part.Start > line.Start && part.Start < part.End && !utf8.RuneStart(src[part.Start]) {
		part.Start++
	}
	for part.End < line.End && part.End > part.Start && !utf8.RuneStart(src[part.End]) {
		part.End--
	}
	return part, part.Start > line.Start, part.End < line.End
}
