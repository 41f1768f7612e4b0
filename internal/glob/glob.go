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
	pattern string
	base    string
	hidden  bool
	flat    bool
}

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
	case strings.Count(slashed, "**") > maxStars:
		reason = fmt.Sprintf("it has more than %d times **", maxStars)
	}
	if reason != "" {
		return Pattern{}, &Error{Reason: reason, Hint: hint}
	}
	base, rest := doublestar.SplitPattern(slashed)
	if base != "." && base != "/" { // of which the library takes but the backslashes before its own signs away
		base = escape.ReplaceAllString(slashed[:len(slashed)-len("/")-len(rest)], "$1")
	}
	hidden := slices.ContainsFunc([]string{"/.", "{.", ",."}, func(dot string) bool { return strings.Contains("/"+rest, dot) })
	return Pattern{pattern: inNames(slashed), base: filepath.FromSlash(base), hidden: hidden, flat: !strings.Contains(rest, "/") && !strings.Contains(rest, "**")}, nil
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

// Hidden reports whether the pattern has a name below its base that begins with a dot, so
// that such folders are meant.
func (g Pattern) Hidden() bool { return g.hidden }

// Flat reports whether what matches lies in the base itself.
func (g Pattern) Flat() bool { return g.flat }

// Match reports whether the pattern matches path.
func (g Pattern) Match(path string) bool {
	return doublestar.MatchUnvalidated(g.pattern, filepath.ToSlash(path))
}

// HasMeta reports whether arg has a character that means something in patterns.
func HasMeta(arg string) bool { return strings.ContainsAny(arg, "*?[{") }
