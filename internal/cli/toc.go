package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/terminal"
)

func newTOC(s Streams) *cobra.Command {
	var (
		doc          documentFlags
		req          linking.TOCRequest
		write, check bool
	)
	cmd := &cobra.Command{
		Use:   "toc DOCUMENT",
		Short: "Print or keep a table of contents",
		Long: `Print the table of contents of a document: a list of links to its sections, with the
anchors that the dialect of the configuration makes, in the document's own style of
lists. The section that is the document's title is left out.

With --write, the table is kept in the document between two lines, which stand in it
once each:

  <!-- toc -->
  <!-- /toc -->

Then it has the sections below them. A list of links to sections between the two lines is
replaced; if anything else stands there, nothing is written and its line is named. With
--check, nothing is written: the difference is printed, and the exit code is 1 if there
is one.`,
		Example: `  sectile toc README.md --depth 2
  sectile toc README.md --write
  sectile toc README.md --check`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			doc.memory.anchors = true
			docs, err := doc.documents(args, s)
			switch {
			case err != nil:
				return err
			case write && check:
				return usage("--write and --check exclude each other; choose one")
			case !write && !check:
				req.JSON = doc.json
				return printReply(s, func() ([]byte, error) {
					text, err := linking.TOC(docs, req)
					if !req.JSON {
						text = terminal.Shown(s.Out, string(text))
					}
					return text, err
				})
			}
			kept := editFlags{json: doc.json, options: editing.EditOptions{DryRun: check}}
			changed := false
			err = kept.print(s, editVoice, func() (reply *editing.EditReply, err error) {
				reply, changed, err = editing.KeepTOC(cmd.Context(), docs, req.Depth, kept.options)
				return reply, err
			})
			if err == nil && check && changed {
				return errFailed
			}
			return err
		},
	}
	doc.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&req.Depth, "depth", 0, "list so many levels; 0 lists all")
	flags.BoolVar(&write, "write", false, "keep the table between the comments of the document")
	flags.BoolVar(&check, "check", false, "print what --write would change; exit 1 if there is something")
	return cmd
}
