package replies

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestAppendString: a text that is written as it is, is what the encoder makes of it.
func TestAppendString(t *testing.T) {
	texts := []string{"", "a path/to a.md", "<b> & 'c'", "é", "\xff", "a\u2028b", "\x7f"}
	for c := range 256 {
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
