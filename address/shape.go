package address

import (
	"math"
	"strings"
	"unicode"
)

// What an address means is decided by its shape, before anything of a document
// is looked at: otherwise an edit somewhere else could change what it means.

// shape is a form of address.
type shape uint8

const (
	textShape shape = iota
	selectorShape
	anchorShape
	lineShape
	pathShape
	preambleShape
	frontMatterShape
	documentShape
)

// shapeOf returns the form of an address without white space around it.
func shapeOf(s string) shape {
	switch {
	case s == "@preamble":
		return preambleShape
	case s == "@frontmatter":
		return frontMatterShape
	case s == "@document":
		return documentShape
	case marksFirst(s):
		return textShape
	case strings.Contains(s, pathSeparator):
		return pathShape
	case strings.ContainsFunc(s, unicode.IsSpace):
		return textShape
	case s[0] == '#':
		return anchorShape
	case isLine(s):
		return lineShape
	case isSelector(s):
		return selectorShape
	}
	return textShape
}

// pathSeparator stands between the parts of a path.
const pathSeparator = " > "

// marksFirst reports whether a text begins with a heading's marks.
func marksFirst(s string) bool {
	level, _ := splitMarks(s)
	return level > 0
}

// isLine reports whether s is "L" and a number.
func isLine(s string) bool {
	return len(s) > 1 && s[0] == 'L' && strings.Trim(s[1:], "0123456789") == ""
}

// lineNumber returns the number of a line address; the largest int for one that
// is larger.
func lineNumber(s string) int {
	p := selectorParser{text: s, pos: 1}
	n, ok := p.number()
	if !ok {
		return math.MaxInt
	}
	return n
}

// isSelector reports whether s, which has no white space, looks like a selector
// with an index: steps of which the first has a known type and at least one has
// an index. It need not be right in all else, for "h2.3-1" is a mistake and no
// heading's text.
func isSelector(s string) bool {
	path, query, asks := strings.Cut(s, "?")
	if asks && query == "" {
		return false
	}
	indexed := false
	for n, step := range strings.Split(path, "/") {
		i := strings.IndexAny(step, ".[")
		name, index := step, ""
		if i >= 0 {
			name, index = step[:i], step[i:]
		}
		if n > 0 && (name == stepTask || kindOfStep(name) != 0) {
			return false // a step that selectors don't have
		}
		if n == 0 && !isType(name) || name != "*" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz:123456789") != "" || name == "" {
			return false
		}
		if index == "" {
			continue
		}
		if !isIndex(index) {
			return false
		}
		indexed = true
	}
	return indexed
}

// isType reports whether name is a type in one of its forms.
func isType(name string) bool {
	if level, ok := strings.CutPrefix(name, "heading:"); ok {
		return headingTypeNamed(level) != 0
	}
	if block, ok := strings.CutPrefix(name, "block:"); ok {
		return blockTypeNamed(block) != 0
	}
	return typeNamed(name) != 0
}

// isIndex reports whether s, which begins with '.' or '[', looks like an index.
func isIndex(s string) bool {
	list := s[1:]
	if s[0] == '[' {
		list = strings.TrimSuffix(list, "]")
	} else if list == "" || !isDigit(list[0]) {
		return false
	}
	return strings.Trim(list, "0123456789,-") == ""
}
