package toolargs

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/sectile/sectile/internal/rawjson"
)

// What follows takes valid JSON without white space around it.

// onlyStrings reports whether every element of an array is a string.
func onlyStrings(raw json.RawMessage) bool {
	for part := range rawjson.Parts(raw) {
		if part[0] != '"' {
			return false
		}
	}
	return true
}

// holds returns the object or array that a string holds, for some clients encode
// their arguments twice; whatever else it is given it returns as it is.
func holds(raw json.RawMessage) json.RawMessage {
	if raw[0] != '"' {
		return raw
	}
	text, whole := rawjson.Text(raw)
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
	text, _ := rawjson.Text(raw)
	return strings.TrimSpace(text)
}

func isNull(raw json.RawMessage) bool { return raw[0] == 'n' }

func isBlank(raw json.RawMessage) bool { return raw[0] == '"' && scalar(raw) == "" }
