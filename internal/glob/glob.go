// Package glob matches paths with patterns.
package glob

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// Patterns are matched by the doublestar library. Its time grows with the
// product of the alternatives in braces and can't be interrupted, so patterns
// with too many are refused before it sees them; and it matches paths that we
// walk ourselves, for its own walk is slow.

const (
	maxGlob         = 1000 // bytes of a pattern
	maxAlternatives = 64   // ways to choose one alternative in each brace
	maxStars        = 8    // "**" in a pattern
)

// Pattern is a pattern for paths.
type Pattern struct {
	base   string
	rest   string     // the pattern of paths below the base, as it was written
	below  string     // the same, as the library takes it
	ways   [][]string // the same without braces, each in the patterns of its names
	hidden bool
}

// All returns the pattern of all that lies below a folder.
func All(folder string) Pattern {
	return Pattern{base: folder, rest: anyFolders, below: anyFolders, ways: [][]string{{anyFolders}}}
}

// anyFolders is the name in a pattern that stands for any number of folders.
const anyFolders = "**"

// Parse reads a pattern: "*" and "?" stand for any characters but a separator, "**" for any number
// of folders, "[a-z]" for one of some characters, "[!a-z]" for any other, neither for a separator,
// "{a,b}" for one of some texts, a backslash (not on Windows) takes the next character as it is. The error is an *Error.
func Parse(pattern string) (Pattern, error) {
	slashed := withoutEmptyParts(filepath.ToSlash(pattern))
	reason, hint := "", ""
	switch {
	case len(pattern) > maxGlob:
		reason = fmt.Sprintf("longer than %d bytes", maxGlob)
	case strings.ContainsRune(pattern, 0):
		reason = "it has a NUL byte"
	case !doublestar.ValidatePattern(slashed):
		reason = "a bracket or brace is not closed, or a backslash ends it"
	case len(alternatives(slashed)) > maxAlternatives:
		reason, hint = fmt.Sprintf("its braces stand for more than %d patterns", maxAlternatives), "use fewer alternatives"
	case strings.Count(slashed, anyFolders) > maxStars:
		reason = fmt.Sprintf("it has more than %d times **", maxStars)
	}
	if reason != "" {
		return Pattern{}, &Error{Reason: reason, Hint: hint}
	}
	base, rest := doublestar.SplitPattern(slashed)
	if base != "." && base != "/" { // of which the library takes but the backslashes before its own signs away
		base = escape.ReplaceAllString(slashed[:len(slashed)-len("/")-len(rest)], "$1")
	}
	g := Pattern{base: filepath.FromSlash(base), rest: rest, below: inNames(rest)}
	g.hidden = slices.ContainsFunc([]string{"/.", "{.", ",."}, func(dot string) bool { return strings.Contains("/"+rest, dot) })
	for _, way := range alternatives(g.below) {
		g.ways = append(g.ways, names(way))
	}
	return g, nil
}

// escape is a backslash with the character that it takes as it is.
var escape = regexp.MustCompile(`(?s)\\(.)`)

// class is a class of characters, or a backslash with the character that it takes as it is.
var class = regexp.MustCompile(`(?s)\\.|\[(?:\\.|[^\]\\])*\]`)

// member is a character of a class, or a range.
var member = regexp.MustCompile(`(?s)(\\.|[^\\])(?:-(\\.|[^\\]))?`)

// inNames returns a pattern in which no class has a separator.
func inNames(pattern string) string {
	return class.ReplaceAllStringFunc(pattern, func(c string) string {
		switch {
		case strings.HasPrefix(c, "[!"), strings.HasPrefix(c, "[^"):
			return c[:2] + "/-/" + c[2:] // a range, as a dash may follow
		case c[0] != '[':
			return c
		}
		return "[" + member.ReplaceAllStringFunc(c[1:len(c)-1], withoutSeparator) + "]"
	})
}

// withoutSeparator returns a member of a class without the separator.
func withoutSeparator(m string) string {
	parts := member.FindStringSubmatch(m)
	first, _ := utf8.DecodeLastRuneInString(parts[1])
	last, _ := utf8.DecodeLastRuneInString(cmp.Or(parts[2], parts[1]))
	if first > '/' || last < '/' && first < '/' {
		return m
	}
	text := ""
	if first < '/' {
		text = parts[1] + "-."
	}
	if last > '/' {
		text += "0-" + parts[2]
	}
	return cmp.Or(text, noName+"-"+noName) // as a class is not empty
}

// noName is a character that no path has.
const noName = "\x00"

// withoutEmptyParts takes repeated separators and "./" at the start out of a
// pattern, as a shell would understand them.
func withoutEmptyParts(pattern string) string {
	volume := len(filepath.VolumeName(filepath.FromSlash(pattern)))
	head, rest := pattern[:volume], pattern[volume:]
	for strings.Contains(rest, "//") {
		rest = strings.ReplaceAll(rest, "//", "/")
	}
	for strings.HasPrefix(rest, "./") {
		rest = rest[len("./"):]
	}
	return head + rest
}

// Error says what is wrong with a pattern, and what to do; the latter may be empty.
type Error struct{ Reason, Hint string }

// Error returns what is wrong.
func (e *Error) Error() string { return e.Reason }

// Base returns the folder below which everything that matches lies.
func (g Pattern) Base() string { return g.base }

// Rest returns the pattern, with forward slashes, that paths below the base match.
func (g Pattern) Rest() string { return g.rest }

// Hidden reports whether the pattern has a name below its base that begins with a dot, so
// that such folders are meant.
func (g Pattern) Hidden() bool { return g.hidden }

// At returns the same pattern with another base.
func (g Pattern) At(base string) Pattern {
	g.base = base
	return g
}

// Match reports whether the pattern matches path.
func (g Pattern) Match(path string) bool {
	below, ok := g.cut(path)
	return ok && doublestar.MatchUnvalidated(g.below, below)
}

// Reaches reports whether the way to anything that the pattern may match leads through a folder.
func (g Pattern) Reaches(folder string) bool {
	below, ok := g.cut(folder)
	if !ok {
		return strings.HasPrefix(filepath.ToSlash(g.base)+"/", filepath.ToSlash(folder)+"/")
	}
	return slices.ContainsFunc(g.ways, func(way []string) bool {
		i := 0
		for name := range strings.SplitSeq(below, "/") {
			switch {
			case way[i] == anyFolders:
				return true
			case i == len(way)-1 || !doublestar.MatchUnvalidated(way[i], name):
				return false
			}
			i++
		}
		return true
	})
}

// cut returns the path, with forward slashes, that a path has below the base; ok is false if it lies
// elsewhere.
func (g Pattern) cut(path string) (below string, ok bool) {
	path = filepath.ToSlash(path)
	if g.base == "." {
		return path, true
	}
	return strings.CutPrefix(path, strings.TrimSuffix(filepath.ToSlash(g.base), "/")+"/")
}

// HasMeta reports whether arg has a character that means something in patterns.
func HasMeta(arg string) bool { return strings.ContainsAny(arg, "*?[{") }
