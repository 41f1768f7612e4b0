package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/terminal"
)

func newGuideInit(s Streams, f *guideFlags) *cobra.Command {
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration from what is found",
		Long: `Write a configuration with comments to start from, .sectile.yaml at the root of the
project: a category for its documentation, one for the documents at its top, one for
each place where coding agents keep rules, and a collection of what to read first.
Without a project, it is made in the working directory, or in --root. Only names are looked at. A file that is there is left as it is.`,
		Args: takes(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.print(cmd, s, asJSON, func(g *guiding.Guides) ([]byte, error) {
				start, err := g.Init(cmd.Context(), dryRun)
				switch {
				case err != nil:
					return nil, withNothingWritten(g.Failure(err))
				case asJSON:
					return start.JSON(dryRun), nil
				}
				printNotes(s, start.Notes)
				if dryRun {
					return start.Text, nil
				}
				return start.Line(), nil
			})
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "write nothing, print what would be written")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, errors too")
	return cmd
}

func newGuideValidate(s Streams, f *guideFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration, the folders, patterns and templates",
		Long: `Check the configuration, a line each: the file itself, with the line and column of
what is wrong; the folder of each category, its patterns, and whether its files can be
read and its templates rendered; the entries of each collection.

The exit code is 1 if a check failed; a pattern that matches nothing, and what a reply
has no room for, is a warning.`,
		Args: takes(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.print(cmd, s, false, func(g *guiding.Guides) ([]byte, error) {
				report, err := g.Validate(cmd.Context())
				if err != nil {
					return nil, err
				}
				if report.Failed {
					err = errFailed
				}
				if asJSON {
					return report.JSON(), err
				}
				return terminal.Wrapped(s.Out, checkLines(report.Checks)), err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
