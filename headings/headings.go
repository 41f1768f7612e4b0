// Package headings knows markers of headings that are somebody's own: a line that stands
// alone, such as one in bold, and matches a pattern is a heading of the level that the
// pattern is for.
//
//	own, err := headings.Compile(`2:\*\*(?<title>[^*]+)\*\*`)
//	…
//	parser := markdown.Parser{Options: markdown.Options{Headings: own}}
//
// Where such a line counts is told by package markdown, [Options.Headings]. The package does no
// input or output.
//
// [Options.Headings]: https://pkg.go.dev/github.com/sectile/sectile/markdown#Options
package headings

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// What a line may cost is bounded by all of these together.
const (
	// MaxPatterns is the number of patterns of a set.
	MaxPatterns = 16
	// MaxPattern is the length of one with its level, in bytes.
	MaxPattern = 500
	// MaxLine is the length of a line that may be a heading, in bytes; a longer one is text.
	MaxLine = 1000

	maxSteps = 2000 // instructions of a compiled pattern
)

// titleGroup is the name of the group that is the title.
const titleGroup = "title"

// A Set is the patterns of those who have their own. It is safe for concurrent use, and must
// be made by [Compile]. Nil has none.
type Set struct{ patterns []pattern }

type pattern struct {
	text  string // as it is written
	level uint8
	line  *regexp.Regexp
	title int // number of the group, 0 for the whole line
}

// Compile returns the set of patterns, nil if there are none. Each is written LEVEL:PATTERN: a
// level from 1 to 6 and a pattern in the syntax of RE2, which has to match the whole line. The
// title is what its group named "title" matches, (?<title>…), and without one all of the line.
// Of several patterns that match the first counts. The error names the pattern, and says what
// to do.
func Compile(patterns ...string) (*Set, error) {
	if len(patterns) == 0 {
		return nil, nil //nolint:nilnil // nil has none
	}
	if len(patterns) > MaxPatterns {
		return nil, fmt.Errorf("there are %d patterns of headings and at most %d; take some out, or make one of several with |", len(patterns), MaxPatterns)
	}
	s := &Set{}
	for _, text := range patterns {
		p, err := compile(text)
		if err != nil {
			return nil, err
		}
		s.patterns = append(s.patterns, p)
	}
	return s, nil
}

// compile reads one pattern with its level.
func compile(text string) (p pattern, err error) {
	switch level, rest, ok := strings.Cut(text, ":"); {
	case len(text) > MaxPattern:
		return p, fmt.Errorf("the pattern of a heading has %d bytes; shorten it to %d", len(text), MaxPattern)
	case !utf8.ValidString(text):
		return p, errors.New("the pattern of a heading is not UTF-8; write it in UTF-8")
	case !ok || len(level) != 1 || level[0] < '1' || level[0] > '6':
		return p, fmt.Errorf(`%#q doesn't begin with a level from 1 to 6 and a colon; write LEVEL:PATTERN, such as 2:\*\*(?<title>[^*]+)\*\*`, text)
	case rest == "":
		return p, fmt.Errorf(`%#q has a level and no pattern; write one behind the colon, such as 2:\*\*(?<title>[^*]+)\*\*`, text)
	default:
		p.text, p.level = text, level[0]-'0'
		p.line, err = compileLine(rest)
	}
	if err != nil {
		return p, fmt.Errorf("%#q %w", text, err)
	}
	names := p.line.SubexpNames()
	if p.title = max(slices.Index(names, titleGroup), 0); p.title > 0 && slices.Contains(names[p.title+1:], titleGroup) {
		return p, fmt.Errorf("%#q has two groups named title; keep one", text)
	}
	return p, nil
}

// compileLine compiles a pattern so that it has to match the whole line.
func compileLine(text string) (*regexp.Regexp, error) {
	if _, err := syntax.Parse(text, syntax.Perl); err != nil { // by itself, so that no ) closes what is around it
		return nil, fmt.Errorf("is no pattern in the syntax of RE2: %s; correct it, with \\ before characters that stand for themselves", reason(err))
	}
	whole := `\A(?:` + text + `)\z`
	tree, err := syntax.Parse(whole, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("is no pattern in the syntax of RE2: %s; correct it", reason(err))
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, fmt.Errorf("is no pattern in the syntax of RE2: %s; correct it", reason(err))
	}
	if len(program.Inst) > maxSteps {
		return nil, errors.New("is too large a pattern, for each line is compared with it; write smaller repetitions than it has")
	}
	return regexp.Compile(whole)
}

// reason returns what package regexp says of a pattern, without its own name.
func reason(err error) string {
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		return e.Code.String() + " at " + fmt.Sprintf("%#.100q", e.Expr)
	}
	return err.Error()
}

// Match returns the level of the heading that a line is, with the range of its title in the
// line; or level 0 if it is none. Blanks around the line, and around the title, don't count. A
// title is never empty.
func (s *Set) Match(line []byte) (level uint8, start, end int) {
	if s == nil || len(line) > MaxLine {
		return 0, 0, 0
	}
	text := bytes.TrimLeft(line, blanks)
	before := len(line) - len(text)
	text = bytes.TrimRight(text, blanks)
	for i := range s.patterns {
		p := &s.patterns[i]
		found := p.line.FindSubmatchIndex(text)
		if len(found) == 0 || found[2*p.title] < 0 {
			continue
		}
		title := text[found[2*p.title]:found[2*p.title+1]]
		trimmed := bytes.TrimLeft(title, blanks)
		start = before + found[2*p.title] + len(title) - len(trimmed)
		if trimmed = bytes.TrimRight(trimmed, blanks); len(trimmed) > 0 {
			return p.level, start, start + len(trimmed)
		}
	}
	return 0, 0, 0
}

// blanks are what is cut from lines and titles.
const blanks = " \t\r\n"

// Patterns returns the patterns as they are written.
func (s *Set) Patterns() []string {
	if s == nil {
		return nil
	}
	all := make([]string, len(s.patterns))
	for i := range s.patterns {
		all[i] = s.patterns[i].text
	}
	return all
}
