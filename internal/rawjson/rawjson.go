// Package rawjson looks at JSON as it was sent. A decoder reads half a surrogate
// pair as U+FFFD, and of two members of one name it keeps the last: what it returns
// is then not what was sent, and nobody learns of it. Who writes into files what
// others send looks here first.
package rawjson

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Broken says of a text that is not whole what is wrong with it, for an error.
const Broken = `it has half a surrogate pair (\ud800 to \udfff), or bytes that are ` +
	"not UTF-8, and would arrive as another text; send whole characters"

// Member is a member of an object.
type Member struct {
	Name  string
	Value []byte // as it was sent
	Again bool   // one before has the same name
}

// Members returns the members of a valid object in their order. What is no object has
// none.
func Members(raw []byte) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		seen := map[string]bool{}
		for key, value := range Fields(raw) {
			name, _ := Text(key)
			if !yield(Member{Name: name, Value: value, Again: seen[name]}) {
				return
			}
			seen[name] = true
		}
	}
}

// Name returns what a key names, in its quotes and perhaps with escapes, and whether that is JSON.
func Name(key []byte) (name string, ok bool) {
	if bytes.IndexByte(key, '\\') < 0 {
		return string(key[1 : len(key)-1]), true
	}
	err := json.Unmarshal(key, &name)
	return name, err == nil
}

// Text returns the text of a string, and whether it is what was sent: half a
// surrogate pair and bytes that are not UTF-8 become U+FFFD.
func Text(raw []byte) (text string, whole bool) {
	if json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, IsWhole(raw)
}

// IsWhole reports whether the strings in valid JSON have whole characters alone.
func IsWhole(raw []byte) bool {
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
