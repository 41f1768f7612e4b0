package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// TestHelpFits: whatever the width, help has its words, each whole, in lines that fit; and
// where all fits, it is as it is written.
func TestHelpFits(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		text := cmd.Long + "\n\n" + cmd.UsageString()
		for _, width := range []int{60, 80, 100} {
			got := wrappedHelp(text, width)
			words := slices.DeleteFunc(strings.Fields(got), func(word string) bool { return word == `\` })
			if diff := cmp.Diff(strings.Fields(text), words); diff != "" {
				t.Errorf("%s at %d columns: other words (-want +got):\n%s", cmd.CommandPath(), width, diff)
			}
			for line := range strings.Lines(got) {
				if utf8.RuneCountInString(line) > width+1 {
					t.Errorf("%s at %d columns: %q", cmd.CommandPath(), width, line)
				}
			}
		}
		for _, width := range []int{0, 1000} {
			if diff := cmp.Diff(text, wrappedHelp(text, width)); diff != "" {
				t.Errorf("%s at %d columns (-want +got):\n%s", cmd.CommandPath(), width, diff)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(Command())
}

func TestWrapped(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"a message that is longer than a line\n  7-8: and what may be meant, too\n", "a message that is longer\n  than a line\n  7-8: and what may be\n    meant, too\n"},
		{"ok  it stands below the beginning\n", "ok  it stands below the\n    beginning\n"},
		{"  a-long-name  the text of a row\n", "  a-long-name\n    the text of a row\n"},
		{"\x1b[1mbold and seen\x1b[0m as far as here\n", "\x1b[1mbold and seen\x1b[0m as far as\n  here\n"},
		{"no end of the last line of it", "no end of the last line\n  of it"},
	} {
		if diff := cmp.Diff(tt.want, wrapped(tt.text, 26)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestWrappedExample(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"  sectile read a.md 'A heading' b", "  sectile read a.md \\\n      'A heading' b"},
		{`  sectile edit a.md "it's a heading of many words" remove`, "  sectile edit a.md \\\n      \"it's a heading of many words\" \\\n      remove"},
	} {
		if diff := cmp.Diff(tt.want, wrappedExample(tt.line, 30)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.line, diff)
		}
	}
}
