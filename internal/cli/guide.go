package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

func newGuide(s Streams) *cobra.Command {
	var flags guideFlags
	cmd := &cobra.Command{
		Use:   "guide",
		Short: "Categories of documents for agents: show, check and configure them",
		Long: `A category is a folder of a project with patterns for the files in it that count:
conventions, checklists, how-tos. A collection puts several together. Agents ask for
them with the tools list_categories and get_category_content of 'sectile mcp'; these
commands show what agents get, and change the configuration.

It is the file .sectile.yaml at the root of the project, which is the nearest folder
upwards with that file, .jj or .git. What it doesn't set comes from the user's own
file, sectile/config.yaml below $XDG_CONFIG_HOME or where the system keeps settings.`,
		Example: `  sectile guide init
  sectile guide list
  sectile guide show docs 'install*'
  sectile guide add checklists --dir docs/checklists --pattern '*.md'
  sectile guide validate`,
		Args: noOther,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&flags.root, "root", "", "the folder that the project is looked for from, upwards (default: the working directory)")
	_ = cmd.MarkPersistentFlagDirname("root")
	cmd.AddCommand(newGuideList(s, &flags), newGuideShow(s, &flags), newGuideValidate(s, &flags), newGuideInit(s, &flags))
	cmd.AddCommand(newGuideAdd(s, &flags), newGuideChange(s, &flags), newGuideRemove(s, &flags))
	return cmd
}

// guideFlags are the flags of all commands about guides.
type guideFlags struct{ root string }

// guides returns the guides of the project.
func (f *guideFlags) guides(cmd *cobra.Command) (*guiding.Guides, error) {
	if err := checkStart(cmd, f.root); err != nil {
		return nil, err
	}
	return guiding.NewGuides(guiding.GuideOptions{Start: f.root}), nil
}

// checkStart refuses a folder for --root that isn't there. One above it may be another
// project, which nobody means.
func checkStart(cmd *cobra.Command, root string) error {
	switch {
	case root != "":
		return guiding.CheckStart(root)
	case cmd.Flags().Changed("root"):
		return usage("--root is empty; name a folder")
	}
	return nil
}

// print prints the reply to a request about guides. With asJSON an error is JSON too.
func (f *guideFlags) print(cmd *cobra.Command, s Streams, asJSON bool, request func(*guiding.Guides) ([]byte, error)) error {
	guides, err := f.guides(cmd)
	if err != nil {
		return err
	}
	text, err := request(guides)
	if asJSON {
		text, err = errorJSON(text, err)
	}
	if len(text) > 0 {
		if _, writeErr := s.Out.Write(text); writeErr != nil {
			return writeErr
		}
	}
	if err == nil || errors.Is(err, errFailed) {
		return err
	}
	return guides.Failure(err)
}

// errorJSON renders the error of a request: one of the guides as the tools reply with
// it, another one as all commands do. A request that is wrong itself stays an error.
func errorJSON(text []byte, err error) ([]byte, error) {
	var ours *replies.Error
	var typed *guiding.GuideError
	switch {
	case errors.As(err, &ours) && ours.Usage():
		return text, err
	case errors.As(err, &ours):
		return replies.ErrorJSON(ours), errFailed
	case errors.As(err, &typed):
		return append(typed.JSON(), '\n'), errFailed
	}
	return text, err
}

func newGuideList(s Streams, f *guideFlags) *cobra.Command {
	var (
		asJSON bool
		color  string
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the categories and collections",
		Long: `List the categories with their number of files, folder, patterns and description,
and the collections with their entries.`,
		Args: takes(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			style, err := terminal.Style(color, s.Out)
			if err != nil {
				return err
			}
			return f.print(cmd, s, asJSON, func(g *guiding.Guides) ([]byte, error) {
				list, err := g.List(cmd.Context())
				switch {
				case err != nil:
					return nil, err
				case asJSON:
					return list.Details(), nil
				}
				return terminal.Wrapped(s.Out, list.Text(style)), nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, errors too")
	cmd.Flags().StringVar(&color, "color", "auto", "colour the output: auto, always or never")
	addNoPager(cmd.Flags())
	return cmd
}

func newGuideShow(s Streams, f *guideFlags) *cobra.Command {
	var asJSON, asList bool
	cmd := &cobra.Command{
		Use:   "show NAME [PATTERN]",
		Short: "Show what a category or collection holds",
		Long: `Show what a category or collection holds, as an agent gets it: one file as it is,
several as a MIME message (multipart/mixed). A pattern takes the place of the
category's own.

What matches and can't be served is told on standard error, the rest is shown all the
same, and the exit code is 1. What a limit of the configuration cuts off is told there
too; the exit code is 0 then.

In a pattern, * and ? stand for parts of a name, ** for any folders, [abc] for one of
these characters, {a,b} for a or b. A name without an extension means the file
whatever its extension is. Put it in quotes.

With --list, show the paths and sizes of the files instead: a path of a category is a
pattern for that file, one of a collection is an entry, CATEGORY/PATTERN.`,
		Example: `  sectile guide show docs
  sectile guide show docs install
  sectile guide show docs 'api/**/*.md' --list
  sectile guide show docs --json | jq -r .value`,
		Args:              takes(1, "NAME", "PATTERN"),
		ValidArgsFunction: f.complete(guiding.CompleteGuide),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, pattern := args[0], ""
			if len(args) > 1 {
				pattern = args[1]
			}
			return f.print(cmd, s, asJSON, func(g *guiding.Guides) ([]byte, error) {
				if asList {
					files, err := g.Files(cmd.Context(), name, pattern)
					switch {
					case err != nil:
						return nil, err
					case asJSON:
						return files.JSON(), skippedError(files.Skipped)
					}
					printNotes(s, files.Notes())
					return files.Text(), skippedError(files.Skipped)
				}
				content, err := g.Content(cmd.Context(), nil, name, pattern)
				switch {
				case err != nil:
					return nil, err
				case asJSON:
					return append(content.JSON(), '\n'), skippedError(content.Skipped)
				}
				printNotes(s, content.Notes())
				return terminal.Shown(s.Out, string(content.Value)), skippedError(content.Skipped)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what the tool replies with, errors too")
	cmd.Flags().BoolVar(&asList, "list", false, "print the paths and sizes of the files")
	addNoPager(cmd.Flags())
	return cmd
}

// skippedError returns the error for the files that could not be shown, nil if there are none.
func skippedError(skipped []guiding.GuideSkipped) error {
	if len(skipped) > 0 {
		return errFailed
	}
	return nil
}

// printNotes tells what is missing from the output.
func printNotes(s Streams, notes []string) {
	for _, note := range notes {
		_, _ = s.Err.Write(terminal.Wrapped(s.Err, fmt.Appendf(nil, "sectile: %s\n", note))) // there is nowhere else to tell
	}
}

// complete completes the arguments of a command from the configuration.
func (f *guideFlags) complete(find func(g *guiding.Guides, args []string, word string) []replies.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		guides, err := f.guides(cmd)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completions(find(guides, args, word), word)
	}
}
