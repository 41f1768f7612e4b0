package cli

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/selecting"
)

// completeSelect completes what 'select' takes. The selector comes before the
// documents, and a shell tells only what stands before the cursor; so selectors
// are completed from the Markdown files of the current folder, with a namespace
// if there are several. Titles are shown beside them. Behind the selector, files
// are completed.
func completeSelect(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return completeMarkdown(cmd, args, word)
	}
	return completions(selecting.CompleteSelector(".", word), word)
}

// completeAddress completes a document and then addresses in it.
func completeAddress(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeMarkdown(cmd, args, word)
	}
	return completions(selecting.CompleteAddress(args[0], word), word)
}

// completeDocument completes addresses in a document that stands in the place of a
// command. For the first word, a shell has the commands, and files of its own.
func completeDocument(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return completeAddress(cmd, args, word)
}

// completeOneAddress is completeAddress for a command that takes one of them.
func completeOneAddress(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeAddress(cmd, args, word)
}

// completions tells a shell how to go on. Whatever documents, names and configurations
// say reaches a shell through it, and so none of it that could do anything there.
func completions(found []replies.Completion, word string) ([]string, cobra.ShellCompDirective) {
	var list []string
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	for _, c := range replies.ForShell(found, word) {
		list = append(list, cobra.CompletionWithDesc(c.Selector, c.Description))
		if c.Open {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return list, directive
}

// addScripts adds the commands that print the scripts of completion.
func addScripts(root *cobra.Command, s Streams) {
	root.SetOut(s.Out) // which the commands take now
	root.InitDefaultCompletionCmd()
	fish, _, err := root.Find([]string{"completion", "fish"})
	if err != nil || !fish.HasParent() {
		return // the library has no such command any more
	}
	fish.Parent().Args = noOther
	fish.Parent().RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	fish.RunE = func(cmd *cobra.Command, _ []string) error {
		without, err := cmd.Flags().GetBool("no-descriptions")
		if err != nil {
			return err
		}
		return FishCompletion(root, s.Out, !without)
	}
}

const (
	// fishArguments is where the library's script takes the arguments before the cursor,
	// without their quotes, to evaluate them.
	fishArguments = `set -l args (commandline -opc)`
	// fishEscaped has them quoted again.
	fishEscaped = `set -l args (string escape -- (commandline -opc))`
)

// FishCompletion writes the script of completion for fish: the library's, which would
// run what the name of a file says in it once it is an argument, mended.
func FishCompletion(root *cobra.Command, w io.Writer, descriptions bool) error {
	var script bytes.Buffer
	if err := root.GenFishCompletion(&script, descriptions); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(script.String(), fishArguments, fishEscaped, 1))
	return err
}
