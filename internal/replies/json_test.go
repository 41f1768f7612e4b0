package replies

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAppendString: a text that is written as it is, is what the encoder makes of it.
func TestAppendString(t *testing.T) {
	texts := []string{"", "a path/to a.md", "<b> & 'c'", "é", "\xff", "a\u2028b"}
	for c := range 256 {
		if c == 0x7F { // is escaped, as all that acts unseen
			continue
		}
		texts = append(texts, "a"+string([]byte{byte(c)})+"b")
	}
	for _, text := range texts {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(text); err != nil {
			t.Fatal(err)
		}
		if got := AppendString([]byte("x"), text); string(got)+"\n" != "x"+want.String() {
			t.Errorf("%q: %s, want %s", text, got[1:], want.String())
		}
	}
}

// TestJSONHidesNothing: a text in JSON is the same one, and none of its characters acts unseen
// but in JSON that is verbatim.
func TestJSONHidesNothing(t *testing.T) {
	const acting = "a\u009bb\u202ec\u200bd\x7fe\U000e0041f"
	for name, text := range map[string][]byte{"value": JSON(acting), "string": AppendString(nil, acting), "error": ErrorJSON(&Error{Path: acting, Message: Text(acting)})} {
		if strings.ContainsAny(string(text), "\u009b\u202e\u200b\x7f\U000e0041") || !json.Valid(text) {
			t.Errorf("%s: %q", name, text)
		}
	}
	var same string
	if err := json.Unmarshal(JSON(acting), &same); err != nil || same != acting {
		t.Errorf("%v: %q", err, same)
	}
	if text := VerbatimJSON(acting); string(text) != `"`+acting+`"` {
		t.Errorf("%q", text)
	}
}

// TestCharsOfJSON counts the characters of texts in JSON without making that, and those of JSON that is
// printed.
func TestCharsOfJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1)) // the same texts each time
	units := []string{"a", "é", "漢", "👩\u200d👩", "\u200d", "\ufe0f", "1\ufe0f", "\u180b", "\u2028", "\u2029", "\u202e", "\u009b", "\x7f", "\ufffd", "\xff", "\xe2\x80", "\U000e0041", "<&>"}
	for c := range ' ' + 100 {
		units = append(units, string(c))
	}
	for range 5000 {
		text := ""
		for range random.IntN(6) {
			text += units[random.IntN(len(units))]
		}
		got, want := StringChars([]byte(text)), len([]rune(string(JSON(text))))-len(`""`)
		isAfterEscape := got > want && strings.ContainsRune(text, 0xFE0F) // whose last digit may be a keycap's
		if got != want && !isAfterEscape {
			t.Fatalf("%q has %d characters in JSON, want %d", text, got, want)
		}
		verbatim := VerbatimJSON(text)
		if got, want := VisibleChars(verbatim), len([]rune(string(AppendVisible(nil, verbatim)))); got != want {
			t.Fatalf("%s: %d characters are printed, want %d", verbatim, got, want)
		}
	}
}
