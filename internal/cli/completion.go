package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/app"
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
	return completions(app.CompleteSelector(".", word))
}

// completeAddress completes a document and then addresses in it.
func completeAddress(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeMarkdown(cmd, args, word)
	}
	return completions(app.CompleteAddress(args[0], word))
}

// completeOneAddress is completeAddress for a command that takes one of them.
func completeOneAddress(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeAddress(cmd, args, word)
}

// completions tells a shell how to go on.
func completions(found []app.Completion) ([]string, cobra.ShellCompDirective) {
	var list []string
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	for _, c := range found {
		list = append(list, cobra.CompletionWithDesc(c.Selector, c.Description))
		if c.Open {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return list, directive
}
