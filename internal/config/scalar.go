package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sectile/sectile/internal/frontmatter"
)

// Writing values. A text is written plain where every reader of YAML takes it for
// the same text, and in quotes otherwise; all else is written in one line.

// pair is a key with its value: string, []string, raw or []pair.
type pair struct {
	key   string
	value any
}

// raw is a value that is written as it is.
type raw string

// Text returns a text as YAML that isn't in brackets: plain, or in quotes if it needs them.
func Text(s string) string { return writeText(s, false) }

// writeText returns a text as YAML, for a place in brackets or not.
func writeText(s string, flow bool) string { return frontmatter.YAMLText(s, flow) }

// writeValue returns a value in one line, for a place in brackets.
func writeValue(value any) string {
	switch value := value.(type) {
	case raw:
		return string(value)
	case []string:
		parts := make([]string, len(value))
		for i, s := range value {
			parts[i] = writeText(s, true)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []pair:
		parts := make([]string, len(value))
		for i, p := range value {
			parts[i] = writePair(p)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case string:
		return writeText(value, true)
	}
	return "" // there are no others
}

// writePair returns a key and its value in one line, for a place in brackets.
func writePair(p pair) string { return writeText(p.key, true) + ": " + writeValue(p.value) }

// variableValue returns a variable for writing.
func variableValue(v any) raw {
	switch v := v.(type) {
	case string:
		return raw(writeText(v, true))
	case bool:
		return raw(strconv.FormatBool(v))
	case int64:
		return raw(strconv.FormatInt(v, 10))
	case float64:
		return raw(formatNumber(v))
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = string(variableValue(v[i]))
		}
		return raw("[" + strings.Join(parts, ", ") + "]")
	case map[string]any:
		var pairs []pair
		for key, value := range v {
			pairs = append(pairs, pair{key, variableValue(value)})
		}
		slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.key, b.key) })
		return raw(writeValue(pairs))
	}
	return raw(writeText(fmt.Sprint(v), true))
}
