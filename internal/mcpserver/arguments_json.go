package mcpserver

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// What follows takes valid JSON without white space around it.

// onlyStrings reports whether every element of an array is a string.
func onlyStrings(raw json.RawMessage) bool {
	for part := range parts(raw) {
		if part[0] != '"' {
			return false
		}
	}
	return true
}

// unquote returns the text of a string, and whether it is what was sent: half a
// surrogate pair and bytes that are not UTF-8 become U+FFFD.
func unquote(raw json.RawMessage) (text string, whole bool) {
	if json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, isWhole(raw)
}

// isWhole reports whether the strings in valid JSON have whole characters alone.
func isWhole(raw json.RawMessage) bool {
	if !utf8.Valid(raw) {
		return false
	}
	for i := 0; ; {
		next := bytes.IndexByte(raw[i:], '\\')
		if next < 0 {
			return true
		}
		i += next
		unit := escaped(raw[i:])
		if !utf16.IsSurrogate(unit) {
			i += len(`\n`)
			continue
		}
		i += len(`\ud800`)
		if utf16.DecodeRune(unit, escaped(raw[i:])) == utf8.RuneError {
			return false
		}
		i += len(`\udc00`)
	}
}

// escaped returns what the escape \u with its four digits at the start of s stands
// for, -1 if none is there.
func escaped(s []byte) rune {
	if len(s) < len(`\ud800`) || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseInt(string(s[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(unit)
}

// holds returns the object or array that a string holds, for some clients encode
// their arguments twice; whatever else it is given it returns as it is.
func holds(raw json.RawMessage) json.RawMessage {
	if raw[0] != '"' {
		return raw
	}
	text, whole := unquote(raw)
	held := bytes.TrimSpace([]byte(text))
	if whole && len(held) > 0 && (held[0] == '{' || held[0] == '[') && json.Valid(held) {
		return held
	}
	return raw
}

// scalar returns a number or truth value as it is written, and of a string what
// stands between its white space.
func scalar(raw json.RawMessage) string {
	if raw[0] != '"' {
		return string(raw)
	}
	text, _ := unquote(raw)
	return strings.TrimSpace(text)
}

func isNull(raw json.RawMessage) bool { return raw[0] == 'n' }

func isBlank(raw json.RawMessage) bool { return raw[0] == '"' && scalar(raw) == "" }
