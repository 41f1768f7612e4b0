package replies

import (
	"reflect"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/runes"
)

// A byte of a text can take six of JSON, so how much a reply takes is known from its texts, before it
// is encoded.

// aroundBytes is what a value takes beside the bytes of texts: a number, or the name of a member.
const aroundBytes = 16

// TextBytes returns how many bytes a text takes in JSON at the most, with its quotes.
func TextBytes[T string | []byte](s T) int {
	n, before := len(s)+len(`""`), rune(0)
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			n += int(escapeBytes[c])
			before = rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' || runes.Hides(before, r) {
			n += escapeChars(r) - size
		}
		before = r
		i += size
	}
	return n
}

// escapeBytes is how many bytes beside its own a character takes in JSON.
var escapeBytes = func() (more [utf8.RuneSelf]uint8) {
	for c := range ' ' {
		more[c] = 5
	}
	for _, c := range "\b\f\n\r\t\"\\" {
		more[c] = 1
	}
	more[0x7F] = 5
	return more
}()

// JSONBytes returns about how many bytes a value takes in JSON: what counts are its texts, however
// they are nested, but not what an interface in it holds.
func JSONBytes(v any) int { return valueBytes(reflect.ValueOf(v)) }

func valueBytes(v reflect.Value) int {
	n := aroundBytes
	switch v.Kind() { //nolint:exhaustive // others are numbers, or aren't encoded
	case reflect.String:
		return TextBytes(v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			return valueBytes(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return n + v.Len()
		}
		for i := range v.Len() {
			n += valueBytes(v.Index(i))
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			n += valueBytes(entries.Key()) + valueBytes(entries.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() { //nolint:modernize // Fields describes each, which takes longer
			n += valueBytes(v.Field(i))
		}
	}
	return n
}
