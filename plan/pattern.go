package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A group is a named group of a pattern, and a placeholder of a format.
type group uint8

const (
	groupType group = iota
	groupScope
	groupBang
	groupTitle
	groupIndent
	groupMark
	groupText
	groupKey
	groupValue
	numGroups
)

// String returns the name.
func (g group) String() string {
	return [...]string{"type", "scope", "bang", "title", "indent", "mark", "text", "key", "value"}[g]
}

// groupNamed returns the group with a name.
func groupNamed(name string) (group, bool) {
	for g := range numGroups {
		if g.String() == name {
			return g, true
		}
	}
	return 0, false
}

// groupSet is a set of groups.
type groupSet uint16

func setOf(groups ...group) groupSet {
	var s groupSet
	for _, g := range groups {
		s |= 1 << g
	}
	return s
}

func (s groupSet) has(g group) bool { return s&(1<<g) != 0 }

// names lists the groups for a message.
func (s groupSet) names() string {
	var names []string
	for g := range numGroups {
		if s.has(g) {
			names = append(names, g.String())
		}
	}
	return strings.Join(names, ", ")
}

// A match is what a pattern found in a line. It has no pointers, so that writing it
// costs nothing while garbage is collected.
type match struct{ at [numGroups]span }

// A span is a part of a line, half-open.
type span struct{ start, end int }

// text returns what a group has of the line that was matched: titles, texts, keys
// and values trimmed.
func (m *match) text(s string, g group) string {
	s = s[m.at[g].start:m.at[g].end]
	if trimmed.has(g) {
		s = strings.TrimSpace(s)
	}
	return s
}

const trimmed groupSet = 1<<groupTitle | 1<<groupText | 1<<groupKey | 1<<groupValue

// The groups of the patterns of each kind of line.
const (
	inTask       groupSet = 1<<groupIndent | 1<<groupMark | 1<<groupText
	inConstraint groupSet = 1<<groupKey | 1<<groupValue
	inHeader     groupSet = 1<<groupType | 1<<groupScope | 1<<groupBang | 1<<groupTitle
)

// A pattern finds something in a line.
type pattern struct {
	*expression
	groups groupSet
	// words are the letters of the formats that write such lines: all that may
	// stand outside of the groups.
	words []string
}

// compilePattern returns the pattern for an expression, or what is wrong with it.
// An empty expression gives nil. That of a preset is compiled once.
func compilePattern(source string, preset bool, allowed, needed groupSet) (*pattern, error) {
	if source == "" {
		return nil, nil
	}
	compile := compileExpression
	if preset {
		compile = presetExpression
	}
	e, err := compile(source)
	if err != nil {
		return nil, err
	}
	groups, err := e.groups(allowed)
	if missing := needed &^ groups; err == nil && missing != 0 {
		err = fmt.Errorf("it has no group for %s: write (?P<%s>…)", missing.names(), strings.Split(missing.names(), ",")[0])
	}
	return &pattern{expression: e, groups: groups}, err
}

func orNone(s groupSet) string {
	if s == 0 {
		return "none here"
	}
	return s.names()
}

// mayBe reports whether a line may have the pattern, by how it begins after its
// indentation. No pattern is in no line.
func (p *pattern) mayBe(bare string) bool { return p != nil && p.opening.Fits(bare) }

// match looks for the pattern in a line, sets its groups, and returns where it
// ends.
func (p *pattern) match(s string, m *match) (end int, ok bool) {
	if !p.mayBe(unindented(s)) {
		return 0, false
	}
	at := p.re.FindStringSubmatchIndex(s)
	if at == nil {
		return 0, false
	}
	*m = match{}
	for i, g := range p.of {
		if g < numGroups && at[2*i] >= 0 {
			m.at[g] = span{at[2*i], at[2*i+1]}
		}
	}
	end = at[1]
	if p.groups.has(groupType) || p.groups.has(groupTitle) { // what follows a header is kept
		return end, p.keeps(s[:end], at)
	}
	return end, p.groups == 0 || p.keeps(s, at)
}

// keeps reports whether all letters of s outside of the groups are those of a
// format: then formatting what was found loses no word.
func (p *pattern) keeps(s string, at []int) bool {
	var outside []byte
	for i, r := range s {
		if isWord(r) && !p.inGroup(i, at) {
			outside = utf8.AppendRune(outside, r)
		}
	}
	return len(outside) == 0 || slices.Contains(p.words, string(outside))
}

func (p *pattern) inGroup(i int, at []int) bool {
	for j, g := range p.of {
		if g < numGroups && at[2*j] <= i && i < at[2*j+1] {
			return true
		}
	}
	return false
}

// isWord reports whether a rune is text, and not punctuation around it.
func isWord(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.IsSpace(r) || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// wordsOf returns the runes of s that are text.
func wordsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if isWord(r) {
			return r
		}
		return -1
	}, s)
}
