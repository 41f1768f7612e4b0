package httpguard

import (
	"log/slog"
	"testing"
)

// Schemes are the same in any case, tokens are not, and white space around one is not
// part of it.
func TestShownTokens(t *testing.T) {
	l := newLogin(t.Context(), "Secret-0123456789", 0, slog.New(slog.DiscardHandler))
	for shown, want := range map[string]bool{
		"Bearer Secret-0123456789":          true,
		"bEARER Secret-0123456789":          true,
		"Bearer  \tSecret-0123456789 ":      true,
		"Bearer secret-0123456789":          false,
		"Bearer Secret-012345678":           false,
		"Bearer Secret-01234567890":         false,
		"Bearer Secret-0123456789,":         false,
		"Bearer \"Secret-0123456789\"":      false,
		"Bearer\tSecret-0123456789":         false,
		"BearerSecret-0123456789":           false,
		"Basic Secret-0123456789":           false,
		" Bearer Secret-0123456789":         false, // the header's own white space is gone before
		"Bearer Bearer Secret-0123456789":   false,
		"Bearer Secret-0123456789\x00":      false,
		"Bearer Secret-0123456789\u00a0":    false,
		"Token Bearer Secret-0123456789":    false,
		"Secret-0123456789":                 false,
		"Bearer":                            false,
		"Bearer " + "Secret-\xff0123456789": false,
		"":                                  false,
	} {
		if got := l.right([]string{shown}); got != want {
			t.Errorf("%q: %v", shown, got)
		}
	}
	if l.right(nil) || l.right([]string{"Bearer Secret-0123456789", "Bearer Secret-0123456789"}) {
		t.Error("no header, or two, are right")
	}
}
