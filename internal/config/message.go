package config

import (
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/nearest"
	"github.com/sectile/sectile/internal/runes"
)

const (
	maxNearest = 3  // names in a message
	maxQuoted  = 64 // characters of what is quoted in a message
)

// meant asks for the names that might have been meant: "did you mean a or b?", or
// nothing if there are none.
func meant(name string, names []string) string {
	near := nearest.Names(name, names, maxNearest)
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + joined(near, "or") + "?"
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
