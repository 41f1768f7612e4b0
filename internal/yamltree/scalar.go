package yamltree

import (
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
)

// Writing values. A text is written plain where every reader of YAML takes it for
// the same text, and in quotes otherwise; all else is written in one line.

// Pair is a key with its value: string, []string, Raw or []Pair.
type Pair struct {
	Key   string
	Value any
}

// Raw is a value that is written as it is.
type Raw string

// WriteValue returns a value in one line, for a place in brackets.
func WriteValue(value any) string {
	switch value := value.(type) {
	case Raw:
		return string(value)
	case []string:
		parts := make([]string, len(value))
		for i, s := range value {
			parts[i] = frontmatter.YAMLText(s, true)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []Pair:
		parts := make([]string, len(value))
		for i, p := range value {
			parts[i] = writePair(p)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case string:
		return frontmatter.YAMLText(value, true)
	}
	return "" // there are no others
}

// writePair returns a key and its value in one line, for a place in brackets.
func writePair(p Pair) string { return frontmatter.YAMLText(p.Key, true) + ": " + WriteValue(p.Value) }
