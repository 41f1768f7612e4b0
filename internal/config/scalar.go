package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
func writeText(s string, flow bool) string {
	switch {
	case isPlain(s, flow):
		return s
	case !strings.Contains(s, "'") && strings.ContainsAny(s, `"\`) && !strings.ContainsFunc(s, notPrinted):
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !notPrinted(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// notPrinted reports whether a character shows nothing of its own, the blank aside.
func notPrinted(r rune) bool { return !unicode.IsPrint(r) }

// isPlain reports whether a text needs no quotes.
func isPlain(s string, flow bool) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.HasPrefix(s, "...") || strings.Contains(s, "<<") || isWord(s) || looksLikeNumber(s) {
		return false
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', r == '/', r == '.':
		case i == 0:
			return false
		case unicode.Is(unicode.M, r):
			if notPrinted(r) {
				return false
			}
		case r == ' ':
			if s[i-1] == ' ' {
				return false
			}
		case strings.ContainsRune("-+=~$;()", r):
		case s[i-1] == ' ' && strings.ContainsRune("'!?*&@%#", r):
			return false
		case strings.ContainsRune("'!?*&@%#", r):
		case r == ':':
			if flow || i+1 == len(s) || s[i+1] == ' ' {
				return false
			}
		case flow || !strings.ContainsRune(",[]{}\"<>^", r):
			return false
		}
	}
	return true
}

// isWord reports whether some reader of YAML takes a text for null or a truth
// value.
func isWord(s string) bool {
	return slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"}, strings.ToLower(s))
}

// looksLikeNumber reports whether some reader of YAML could take a text for a
// number, date or time.
func looksLikeNumber(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789abcdefABCDEFoOxXtTzZ.:_+-") == "" &&
		strings.ContainsAny(s[:1], "0123456789.")
}

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
