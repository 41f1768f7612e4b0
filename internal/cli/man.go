package cli

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"
)

// Command returns the program's command with all that are below it, for what is made
// from their descriptions: manual pages and completions. It is not to be run: there
// are no servers behind it, and what it would print goes nowhere.
func Command() *cobra.Command {
	return newRoot(Streams{In: new(bytes.Reader), Out: io.Discard, Err: io.Discard}, Servers{}, "")
}
