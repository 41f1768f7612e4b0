package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/terminal"
)

func newTree(s Streams) *cobra.Command {
	var (
		doc   documentFlags
		req   reading.TreeRequest
		depth int
	)
	cmd := &cobra.Command{
		Use:   "tree [DOCUMENT...]",
		Short: "Show the sections of documents as a tree",
		Long: `Show the sections of documents as a tree. A line is a heading with its level,
first and last line; lines count from 1, and the last one is inside.

A pattern keeps the headings that contain it, in any case, and those above them. Of
several documents it leaves out those without such a heading. The last line counts the
documents, sections and lines of several.

Without a document, read the one that is piped into standard input.`,
		Example: `  sectile tree README.md
  sectile tree --pattern install --max-depth 2 docs
  sectile tree --json 'docs/**/*.md'
  git show HEAD:README.md | sectile tree`,
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
			req.MaxDepth, req.Many = depth, isMany(args)
			req.Format = "ascii"
			if doc.json {
				req.Format = "json"
			}
			ctx := cmd.Context()
			return printParts(ctx, s, docs, func(emit func(documents.Part) error) error {
				return reading.Tree(ctx, docs, req, emit)
			})
		},
	}
	doc.add(cmd)
	doc.addWalk(cmd)
	doc.parts = true
	flags := cmd.Flags()
	flags.StringVarP(&req.Pattern, "pattern", "p", "", "keep headings that contain this text, and those above them")
	flags.IntVarP(&depth, "max-depth", "d", 0, "keep headings up to this level; 0 keeps all")
	flags.BoolVar(&req.KeepChildren, "keep-children", false, "keep what is below a heading that matches")
	flags.BoolVar(&req.Raw, "raw", false, "show headings as they are written, with their markup")
	return cmd
}
