package config

import (
	"strings"

	"github.com/sectile/sectile/internal/runes"
)

// yamlProblem is what the lexer or the parser of YAML says is wrong. Neither has values for
// it, so it is found in the words; a wording that is new makes it an unknown one, which is
// told in those words.
type yamlProblem int

const (
	unknownProblem yamlProblem = iota
	badTab
	reservedSign
	openQuote
	badEscape
	misplacedValue
	misplacedKey
)

// problemOf returns what the library means by a message.
func problemOf(said string) yamlProblem {
	has := func(words string) bool { return strings.Contains(said, words) }
	switch {
	case has("tab character"), has("found character '\t'"):
		return badTab
	case has("reserved character"):
		return reservedSign
	case has("end character of"):
		return openQuote
	case has("unknown escape character"):
		return badEscape
	case has("value is not allowed in this context") && !has("mapping"), has("non-map value"):
		return misplacedValue
	case has("mapping value is not allowed"):
		return misplacedKey
	}
	return unknownProblem
}

// message says in one line what is wrong, with the way out.
func (p yamlProblem) message(said string) string {
	said = runes.Clip(oneLine(said), 200)
	switch p {
	case badTab:
		return "tabs can't indent in YAML; write blanks"
	case reservedSign:
		return "a reserved character in YAML; put the text in quotes"
	case openQuote:
		return "a quote is missing at the end of the text; close it"
	case badEscape:
		return said + `; write \\ for a backslash, or put the text in single quotes`
	case misplacedValue:
		return "this can't stand here; check the indentation, and the quotes and brackets before it"
	case misplacedKey:
		return "a key where none can be; check the indentation, and put text that has a colon in quotes"
	case unknownProblem:
	}
	return "not valid YAML here: " + said + "; correct it, and put text with signs in quotes"
}
