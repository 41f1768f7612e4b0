package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// itemNames are the members of an edit in JSON.
var itemNames = []string{
	"old_string", "new_string", "replace_all", "heading", "action", "content", "scope", "occurrence", "expected_hash",
}

// ParseEdits reads a list of edits from JSON: an array of objects, whose members
// are called as those of EditItem. A member that is none is refused, for an edit
// without it would be another one. The error is an *Error.
func ParseEdits(text string) ([]EditItem, error) {
	refuse := func(format string, args ...any) ([]EditItem, error) {
		return nil, &Error{Code: codeInvalidArgument, Message: fmt.Sprintf(format, args...)}
	}
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil || raw == nil {
		return refuse(`the edits are no JSON array of objects such as [{"old_string": "…", "new_string": "…"}]%s`, because(err))
	}
	items := make([]EditItem, len(raw))
	for i, object := range raw {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(object, &members); err != nil || members == nil {
			return refuse(`%s is no JSON object such as {"old_string": "…", "new_string": "…"}`, editName(i))
		}
		for name := range members {
			if !slices.Contains(itemNames, name) {
				return refuse("%s: there is no %q%s; there are %s", editName(i), clip(name, maxShown), meantItem(name), strings.Join(itemNames, ", "))
			}
		}
		decoder := json.NewDecoder(bytes.NewReader(object))
		if err := decoder.Decode(&items[i]); err != nil {
			return refuse("%s is not as it should be%s", editName(i), because(err))
		}
	}
	return items, nil
}

// because tells what the decoder of JSON says, without its own name.
func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + strings.TrimPrefix(err.Error(), "json: ")
}

// meantItem guesses which member of an edit was meant.
func meantItem(name string) string {
	best, most := "", 0.6
	for _, there := range itemNames {
		if r := ratio(strings.ToLower(name), there); r >= most {
			best, most = there, r
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}
