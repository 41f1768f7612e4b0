package guide

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"
)

// A pattern is read once into what it means, and refused before any folder is. Its
// braces are expanded here, and not by the library that matches (pattern_match.go):
// there they cost time without bound, and the rules about hidden names and
// templates are about each of the patterns that they stand for.

const (
	maxPattern      = 1000 // bytes of a pattern
	maxLiteral      = 4096 // bytes of a path
	maxAlternatives = 64   // patterns that one with braces stands for
)

// patternRules ends what is said of a pattern that is refused.
const patternRules = "a pattern is relative to the category's folder and has forward slashes; * and ? stand for characters of one name, " +
	"** for any number of folders, [abc] for one of these characters and [!abc] for any other, {a,b} for one of these texts; " +
	"a backslash takes the next character as it is"

// templateSuffix is what the name of a template has after that of the file that is
// made of it.
const templateSuffix = ".mustache"

// Pattern says which files of a category are meant.
type Pattern struct {
	text         string
	alternatives []alternative
	bare         bool // the last component means NAME.* too, if no file has just its name
}

// ParsePattern reads a pattern:
//
//   - "*" and "?" stand for any characters and for one, within one component of
//     the path; "**" as a component for any number of folders, all below at the end.
//   - "[abc]", "[a-z]" stand for one of the characters, "[!abc]" and "[^abc]" for
//     one other.
//   - "{a,b}" stands for one of the texts, which may have slashes and braces.
//   - A backslash takes the next character as it is.
//
// A last component without any of these also means NAME.* if no file has its name.
// Hidden names must be written out, and ".mustache" is part of no name. The error is
// an *Error of the type InvalidPattern, and no folder was read.
func ParsePattern(text string) (Pattern, error) {
	if reason := checkPattern(text); reason != "" {
		return Pattern{}, invalidPattern(text, reason)
	}
	number, reason := countAlternatives(text)
	if reason == "" && number > maxAlternatives {
		reason = fmt.Sprintf("its braces stand for more than %d patterns; use fewer alternatives", maxAlternatives)
	}
	if reason != "" {
		return Pattern{}, invalidPattern(text, reason)
	}
	p := Pattern{text: text, bare: isBare(text)}
	seen := make(map[string]bool, number)
	for _, expanded := range expand(text, number) {
		if seen[expanded] {
			continue
		}
		seen[expanded] = true
		a, reason := parseAlternative(expanded)
		if reason != "" {
			return Pattern{}, invalidPattern(text, reason)
		}
		p.alternatives = append(p.alternatives, a)
	}
	return p, nil
}

// PatternProblem says what is wrong with a pattern, without the rules, which would be told
// for each of several; empty if nothing is.
func PatternProblem(text string) string {
	_, err := ParsePattern(text)
	if err == nil {
		return ""
	}
	return errors.Unwrap(err).Error()
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Literal returns the pattern that means the file at this path and nothing else,
// whatever characters it has. The error is that of ParsePattern.
func Literal(path string) (Pattern, error) {
	var reason string
	switch {
	case len(path) > maxLiteral:
		reason = fmt.Sprintf("it is longer than %d bytes", maxLiteral)
	case runtime.GOOS == "windows" && filepath.VolumeName(filepath.FromSlash(path)) != "":
		reason = reasonAbsolute
	default:
		reason = checkText(path)
	}
	var a alternative
	if reason == "" {
		a, reason = newAlternative(path, strings.Split(path, "/"), func(name string) component {
			return component{text: name, kind: literal}
		})
	}
	if reason != "" {
		return Pattern{}, invalidPattern(path, reason)
	}
	return Pattern{text: path, alternatives: []alternative{a}}, nil
}

// invalidPattern is the error for a pattern. What it is made from says the same
// without the rules, for where several are told at once.
func invalidPattern(text, reason string) *Error {
	short := fmt.Sprintf("the pattern %s is not valid: %s", quoted(text), reason)
	return &Error{Type: InvalidPattern, Message: short + " (" + patternRules + ")", Err: errors.New(short)}
}

const reasonAbsolute = "it is an absolute path; write it relative to the category's folder"

// checkPattern returns what is wrong with a pattern as a text, empty if nothing is.
func checkPattern(text string) string {
	switch {
	case len(text) > maxPattern:
		return fmt.Sprintf("it is longer than %d bytes; ask for less at once", maxPattern)
	case strings.HasPrefix(text, `\`):
		return reasonAbsolute + "; a special character at the start is taken as it is in brackets, as in [*]"
	case hasDrive(text):
		return reasonAbsolute
	}
	return checkText(text)
}

// checkText returns what is wrong with a text that stands for a path.
func checkText(text string) string {
	switch {
	case text == "":
		return "it is empty; ** means all files"
	case strings.ContainsRune(text, 0):
		return "it has a NUL byte, which is in no name; write it without"
	case !utf8.ValidString(text):
		return "it is not UTF-8; write it in UTF-8"
	}
	return ""
}

// hasDrive reports whether a path begins with a drive of Windows.
func hasDrive(path string) bool {
	return len(path) > 1 && path[1] == ':' && (path[0]|0x20) >= 'a' && (path[0]|0x20) <= 'z'
}

// isBare reports whether the last component has no character of a pattern.
func isBare(text string) bool {
	bare, depth := true, 0
	for i := 0; i < len(text); {
		end, _ := unit(text, i)
		switch c := text[i]; {
		case c == '{':
			depth++
			bare = false
		case c == '}':
			depth--
		case c == '/' && depth == 0:
			bare = true
		case c == '*' || c == '?' || c == '[':
			bare = false
		}
		i = end
	}
	return bare
}

// unit returns where the part of a pattern that begins at i ends: an escaped
// character, a class in brackets, or one byte. What is wrong with it is returned
// too, and empty if nothing is.
func unit(text string, i int) (end int, reason string) {
	switch text[i] {
	case '\\':
		if i+1 == len(text) {
			return len(text), "a backslash ends it; write two for a backslash"
		}
		return i + 2, ""
	case '[':
		return class(text, i)
	}
	return i + 1, ""
}

// class is unit for what begins with a bracket.
func class(text string, i int) (end int, reason string) {
	const unclosed = `a bracket "[" is not closed; write [[] for a bracket that is part of a name`
	j := i + 1
	if j < len(text) && (text[j] == '!' || text[j] == '^') {
		j++
	}
	if j < len(text) && text[j] == ']' {
		return len(text), `a bracket "[" has no characters in it; write [\]] for one that stands for "]"`
	}
	for ; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case ']':
			return j + 1, backwards(text[i+1 : j])
		case '/':
			return len(text), `a bracket "[" is not closed before the next slash; write [[] for a bracket that is part of a name`
		}
	}
	return len(text), unclosed
}

// backwards returns what is wrong with the ranges in brackets, which no character is
// in if they end before they begin; empty if nothing is.
func backwards(inside string) string {
	inside = strings.TrimLeft(inside[:1], "!^") + inside[1:]
	next := func() (r rune) {
		inside = strings.TrimPrefix(inside, `\`)
		r, size := utf8.DecodeRuneInString(inside)
		inside = inside[size:]
		return r
	}
	for inside != "" {
		low := next()
		if len(inside) < 2 || inside[0] != '-' {
			continue
		}
		inside = inside[1:]
		if high := next(); high < low {
			return fmt.Sprintf(`the range "%c-%c" in brackets runs backwards; write "%c-%c"`, low, high, high, low)
		}
	}
	return ""
}
