package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/terminal"
)

func newSections(s Streams) *cobra.Command {
	var (
		doc documentFlags
		req reading.SectionsRequest
	)
	cmd := &cobra.Command{
		Use:   "sections [DOCUMENT...]",
		Short: "List the sections of documents",
		Long: `List the sections of documents, a line each: first and last line, counted from 1,
and the heading. If there can be several documents, the path comes first.

Without a document, read the one that is piped into standard input.`,
		Example: `  sectile sections README.md
  sectile sections --level h2 --pattern usage docs
  sectile sections --with tasks,fields --status draft docs/plans
  sectile sections --json --max-sections 100 --cursor 100 long.md`,
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := withPiped(args, s.In)
			if err != nil {
				return err
			}
			docs, err := doc.documents(args, s)
			if err != nil {
				return err
			}
			if req.Style, err = terminal.Style(doc.color, s.Out); err != nil {
				return err
			}
			req.JSON = doc.json
			req.WithPath = isMany(args)
			ctx := cmd.Context()
			return printParts(ctx, s, docs, func(emit func(documents.Part) error) error {
				return reading.Sections(ctx, docs, req, emit)
			})
		},
	}
	doc.add(cmd)
	doc.addWalk(cmd)
	doc.parts = true
	flags := cmd.Flags()
	flags.StringVarP(&req.Level, "level", "l", "ALL", "list headings of this level: H1 to H6, or ALL")
	flags.StringVarP(&req.Pattern, "pattern", "p", "", "list headings that contain this text")
	flags.BoolVar(&req.Raw, "raw", false, "show headings as they are written, with their markup")
	flags.IntVar(&req.Max, "max-sections", 0, "list at most so many sections of a document; 0 lists all")
	flags.StringSliceVar(&req.With, "with", nil, "tell of each, up to its first subsection (hash: with its subsections): "+strings.Join(reading.Facts(), ", "))
	flags.StringVar(&req.Status, "status", "", "list sections that say so below their heading: Status: draft, **Status:** draft or <!-- status: draft -->")
	flags.StringVar(&req.Cursor, "cursor", "", "go on where a list with --max-sections ended (its next_cursor)")
	_ = cmd.RegisterFlagCompletionFunc("level", cobra.FixedCompletions(
		[]string{"ALL", "H1", "H2", "H3", "H4", "H5", "H6"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
