package cli

import (
	"io"
	"strings"

	"github.com/sectile/sectile/internal/wrap"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// What is longer than a line of the terminal is broken between words, below the place where
// its text begins. Text that a program could read is never broken: lines of documents, and
// whatever goes into a pipe.

// terminalWidth returns the columns of the terminal that is written to, 0 if it is none.
func terminalWidth(w io.Writer) int {
	f, ok := fileOf(w)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// wrappedFor is wrap.Text for what is written to.
func wrappedFor(w io.Writer, text []byte) []byte {
	return []byte(wrap.Text(string(text), terminalWidth(w)))
}

// printHelp prints what a command's help is, as the library does, for the width of the
// terminal.
func printHelp(cmd *cobra.Command, _ []string) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	text := strings.TrimSpace(about) + "\n\n" + cmd.UsageString()
	_, _ = io.WriteString(cmd.OutOrStdout(), wrap.Help(text, terminalWidth(cmd.OutOrStdout()))) // there is nowhere else to tell
}
