package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/sectile/sectile/internal/terminal"
	"github.com/spf13/cobra"
)

// TestHelpFits: whatever the width, help has its words, each whole, in lines that fit; and
// where all fits, it is as it is written.
func TestHelpFits(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		text := cmd.Long + "\n\n" + cmd.UsageString()
		for _, width := range []int{60, 80, 100} {
			got := terminal.Help(text, width)
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
			if diff := cmp.Diff(text, terminal.Help(text, width)); diff != "" {
				t.Errorf("%s at %d columns (-want +got):\n%s", cmd.CommandPath(), width, diff)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(Command())
}
