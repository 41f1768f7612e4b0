package terminal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrapped(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"a message that is longer than a line\n  7-8: and what may be meant, too\n", "a message that is longer\n  than a line\n  7-8: and what may be\n    meant, too\n"},
		{"ok  it stands below the beginning\n", "ok  it stands below the\n    beginning\n"},
		{"  a-long-name  the text of a row\n", "  a-long-name\n    the text of a row\n"},
		{"\x1b[1mbold and seen\x1b[0m as far as here\n", "\x1b[1mbold and seen\x1b[0m as far as\n  here\n"},
		{"no end of the last line of it", "no end of the last line\n  of it"},
	} {
		if diff := cmp.Diff(tt.want, Wrap(tt.text, 26)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestWrappedExample(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"  sectile read a.md 'A heading' b", "  sectile read a.md \\\n      'A heading' b"},
		{`  sectile edit a.md "it's a heading of many words" remove`, "  sectile edit a.md \\\n      \"it's a heading of many words\" \\\n      remove"},
	} {
		if diff := cmp.Diff(tt.want, brokenExample(tt.line, 30)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.line, diff)
		}
	}
}
