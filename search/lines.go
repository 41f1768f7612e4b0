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

	exact  []byte         // the text, if its case counts; else nil
	quick  *quickFinder   // of what a line must have; nil to try each line
	re     *regexp.Regexp // what a line must match; nil if quick is enough
	global bool           // re runs over the whole text and not line by line
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
	l := &Lines{}
	list := literal([]rune(text))
	if len(list) > 0 && len(list[0]) >= 2 {
		l.quick = newQuickFinder(list)
		if len(list[0]) == len(text) { // there is nothing else to compare
			return l, nil
		}
	}
	var err error
	l.re, err = regexp.Compile("(?i:" + regexp.QuoteMeta(text) + ")")
	l.global = l.quick == nil
	return l, err
}

// regexLines finds lines that match an expression.
func regexLines(text string, by Case) (*Lines, error) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrPattern, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	flags := "(?m"
	if by == IgnoreCase || by == SmartCase && !literalUpper(parsed) {
		flags += "i"
	}
	re, err := regexp.Compile(flags + ":" + text + ")")
	if err != nil { // it is only too large
		return nil, fmt.Errorf("%w: %s", ErrPattern, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	l := &Lines{re: re}
	if list := literals(parsed.Simplify()); list != nil {
		l.quick = newQuickFinder(list)
	}
	return l, nil
}

// literalUpper reports whether an expression has a capital letter that stands for itself.
func literalUpper(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && hasUpper(string(re.Rune)) {
		return true
	}
	return slices.ContainsFunc(re.Sub, literalUpper)
}

// Line is a line of a text.
type Line struct {
	Start, End int // offsets, without the line ending
}

// Has reports whether a text may have such a line, in little time. It is wrong for no text that
// has one.
func (l *Lines) Has(src []byte) bool {
	switch {
	case l.exact != nil:
		return bytes.Contains(src, l.exact)
	case l.quick != nil:
		return l.quick.next(src, 0) >= 0
	}
	return true
}

// In yields the lines of a text that match, in their order, each once.
func (l *Lines) In(src []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for at := 0; at <= len(src); {
			hit := l.next(src, at)
			if hit < 0 {
				return
			}
			line := lineAround(src, at, hit)
			if (l.re == nil || l.re.Match(src[line.Start:line.End])) && !yield(line) {
				return
			}
			at = afterLine(src, line.End)
		}
	}
}

// next returns an offset in the next line that may match, from the start of a line on; -1 if
// there is none.
func (l *Lines) next(src []byte, at int) int {
	switch {
	case l.exact != nil:
		if n := bytes.Index(src[at:], l.exact); n >= 0 {
			return at + n
		}
		return -1
	case l.quick != nil:
		return l.quick.next(src, at)
	case l.global:
		if m := l.re.FindIndex(src[at:]); m != nil {
			return at + m[0]
		}
		return -1
	case at == len(src): // what follows the last line ending is no line
		return -1
	}
	return at
}

// lineAround returns the line that holds an offset, which doesn't begin before from.
func lineAround(src []byte, from, at int) Line {
	line := Line{Start: from, End: len(src)}
	if n := bytes.LastIndexAny(src[from:at], "\n\r"); n >= 0 {
		line.Start = from + n + 1
	}
	if n := bytes.IndexAny(src[at:], "\n\r"); n >= 0 {
		line.End = at + n
	}
	return line
}

// afterLine returns where the line begins that follows one with this end.
func afterLine(src []byte, end int) int {
	if end+1 < len(src) && src[end] == '\r' && src[end+1] == '\n' {
		return end + 2
	}
	return end + 1
}

// Sections yields the lines of a document that match, in their order, each with the index of the
// section that it stands in: -1 for what stands before the first.
func (l *Lines) Sections(doc *markdown.Document) iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		section, block := -1, 0
		for line := range l.In(doc.Source) {
			for section+1 < len(doc.Sections) && doc.SectionSpan(section+1).Start <= line.Start {
				section++
			}
			if l.isWanted(doc, section, line, &block) && !yield(section, line) {
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
	at := line.Start
	text := src[line.Start:line.End]
	switch {
	case l.exact != nil:
		at += max(bytes.Index(text, l.exact), 0)
	case l.re != nil:
		if m := l.re.FindIndex(text); m != nil {
			at += m[0]
		}
	case l.quick != nil:
		at += max(l.quick.next(text, 0), 0)
	}
	return clip(src, line, at, most)
}

// clip returns the part of a line around an offset in at most so many bytes, of whole
// characters.
func clip(src []byte, line Line, at, most int) (part Line, before, after bool) {
	if line.End-line.Start <= most {
		return line, false, false
	}
	part.Start = max(line.Start, at-most/3)
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
