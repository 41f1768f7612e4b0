package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/runes"
)

const (
	maxNearest = 3  // names in a message
	maxQuoted  = 64 // characters of what is quoted in a message
)

// near returns at most n of the names that may have been meant by one: those near to it as it is, then
// those near to its letters and digits alone.
func near(name string, names []string, n int) []string {
	found := nearest.Names(name, names, n)
	for _, more := range nearest.Names(letters(name), names, n) {
		if len(found) < n && !slices.Contains(found, more) {
			found = append(found, more)
		}
	}
	return found
}

// letters returns the letters and digits of a name, small and in the form that NFKD gives them: without
// accents, blanks, signs and characters that can't be seen.
func letters(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, norm.NFKD.String(name))
}

// meant asks for the names that might have been meant: "did you mean a or b?", or
// nothing if there are none.
func meant(name string, names []string) string {
	found := near(name, names, maxNearest)
	if len(found) == 0 {
		return ""
	}
	return "did you mean " + joined(found, "or") + "?"
}

// joined joins names by commas, and the last by a word.
func joined(names []string, word string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + word + " " + names[len(names)-1]
}

// noSuch says that there is nothing of a name among those that are allowed, and what might have
// been meant.
func noSuch(noun, name string, allowed []string) string {
	return strings.TrimSpace("there is no such "+noun+"; "+meant(name, allowed)) + " allowed: " + strings.Join(allowed, ", ")
}

// quoted returns a text for a message: in quotes, on one line, and cut.
func quoted(s string) string { return strconv.Quote(runes.Clip(s, maxQuoted)) }

// oneLine returns a text with its line breaks and runs of blanks as one blank.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
