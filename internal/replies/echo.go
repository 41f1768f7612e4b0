package replies

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// leastCut is the number of characters from which on a text that ends with an ellipsis
// is one that was cut, if there is another one that goes on there.
const leastCut = 30

// IsCut reports whether a text is one of the others, cut as replies do.
func IsCut(text string, others map[string]bool) bool {
	begin, ok := strings.CutSuffix(text, "…")
	if !ok || utf8.RuneCountInString(begin) < leastCut {
		return false
	}
	for other := range others {
		if len(other) > len(text) && strings.HasPrefix(other, begin) {
			return true
		}
	}
	return false
}

// What a reply leaves out of a text, it marks with a line of its own. Whoever sends
// such a text back as the new one has not seen what the line stands for, and would
// delete it. So text that has a line of this kind is refused, in documents
// (package editing) and in plans (package planning).

// containerMarks finds the marks of quotes and items at the beginning of a line, and blanks
// of all kinds; leafMarks a task's box and the marks of a heading after them; wrapping the
// other signs that may have been put around a line of ours: bold, code, a comment, the cell of
// a table, the signs that close a heading. The rest is a line of ours or not, in all of its
// length, so that this takes no honest text for one.
var (
	ContainerMarks = Lazily(`^(?:[ \t\x{A0}\p{Zs}>]|[-*+][ \t]|\d{1,9}[.)][ \t])*`)
	leafMarks      = Lazily(`^(?:\[[ xX]\]:?[ \t]+|#{1,6}[ \t]+)*`)
	wrapping       = Lazily("^(?:<!-+|[|*_`~ \\t])+|(?:-+>|[|*_`~# \\t])+$")
)

// marked is what a line begins with that may have a mark.
const marked = `^(?:[a-z2-7]{6,} )?`

// Lazily compiles an expression when it is needed first: few commands do.
func Lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// MarkIn returns the first line of a text that is one of ours and not one of those
// that may be there, and what is to be done about it.
func (m *Marks) MarkIn(text string, allowed func(line string) bool) (line, what string) {
	for line := range SplitLines(text) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		what := MeaningOfLine(line)
		if what == "" && m.beginsIn(line) {
			what = beginsWithMark
		}
		if what != "" && !allowed(line) {
			return line, what
		}
	}
	return "", ""
}

// MeaningOfLine is MeaningOfForm for a line that may have characters without a glyph in it,
// and a quote, an item, a heading, emphasis, code, a comment or a table around a line of ours.
func MeaningOfLine(line string) string {
	if !strings.Contains(line, "]") {
		return ""
	}
	if what := MeaningOfForm(line); what != "" {
		return what
	}
	return meaningOfCells(bareLine(line))
}

// bareLine returns a line without characters that have no glyph, and without the marks of
// quotes, items, tasks and headings that it begins with.
func bareLine(line string) string {
	line = strings.Map(func(r rune) rune {
		if !runes.Seen(r) {
			return -1
		}
		return r
	}, line)
	line = line[len(ContainerMarks().FindString(line)):]
	return line[len(leafMarks().FindString(line)):]
}

// beginsIn reports whether a line begins with a mark, or has a line of ours that does in the signs that
// MeaningOfLine knows.
func (m *Marks) beginsIn(line string) bool {
	bare := bareLine(line)
	if m.Begins(line) || m.Begins(bare) {
		return true
	}
	for cell := range strings.SplitSeq(bare, "|") {
		if m.Begins(strings.TrimLeft(cell, "<!-*_`~ \t")) {
			return true
		}
	}
	return false
}

// meaningOfCells is MeaningOfForm for a line that is one of ours or has one as one of its
// cells, in the marks of emphasis, code or a comment, or with punctuation after it.
func meaningOfCells(line string) string {
	for cell := range strings.SplitSeq(line, "|") {
		if what := meaningOfCell(cell); what != "" {
			return what
		}
	}
	return meaningOfCell(line)
}

func meaningOfCell(cell string) string {
	if !strings.Contains(cell, "]") {
		return ""
	}
	for _, ends := range []string{"", " \t.,;:!\\"} {
		if what := MeaningOfForm(wrapping().ReplaceAllString(strings.TrimRight(cell, ends), "")); what != "" {
			return what
		}
	}
	return ""
}

// beginsWithMark is the meaning of a line that begins with a mark and has no form of ours.
const beginsWithMark = "which begins with the mark of a reply and is no text of a document; leave it out"

// IsOurs reports whether a line is one of ours as replies have it, with nothing around it.
func (m *Marks) IsOurs(line string) bool { return MeaningOfForm(line) != "" || m.Begins(line) }

// MeaningOfForm says what a line stands for whose form alone says that it is ours, and how to
// do without it; "" if the line is none of ours.
func MeaningOfForm(line string) string {
	if !strings.HasSuffix(line, "]") {
		return ""
	}
	if m := leftOutMark().FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("which a read puts in the place of what it left out; read those lines too (%s), or edit a smaller part",
			m[1]+m[2]+m[3]) // one of them is there
	}
	switch {
	case notShownMark().MatchString(line):
		return "which a read puts in the place of what it did not show; read that too, or edit a smaller part"
	case planMark().MatchString(line):
		return "which a reply puts in the place of what it left out of a plan; leave it out"
	case warningMark().MatchString(line):
		return "which a read puts below a text, and which is no part of it; leave it out"
	}
	return ""
}
