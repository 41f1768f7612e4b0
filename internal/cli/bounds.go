package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/terminal"
)

func newBounds(s Streams) *cobra.Command {
	var (
		doc documentFlags
		req reading.BoundsRequest
	)
	cmd := &cobra.Command{
		Use:   "bounds DOCUMENT HEADING",
		Short: "Show where a section begins and ends",
		Long: `Show the first and the last line of the section with this heading; lines count
from 1. The heading is its text, or its text with its marks, which fix the level.`,
		Example: `  sectile bounds README.md Installation
  sectile bounds --json README.md '## Installation'
  sectile bounds --occurrence 2 CHANGELOG.md Added`,
		Args:              partArgs(2),
		ValidArgsFunction: completeOneAddress,
		RunE: func(_ *cobra.Command, args []string) error {
			args = withPart(args, 2)
			doc.memory.anchors = mayBeAnchors(args[1:])
			docs, err := doc.documents(args[:1], s)
			if err != nil {
				return err
			}
			if req.Style, err = terminal.Style(doc.color, s.Out); err != nil {
				return err
			}
			req.JSON, req.Heading = doc.json, args[1]
			return documentFirst(printReply(s, func() ([]byte, error) {
				text, err := reading.Bounds(docs, req)
				if err != nil {
					return text, readVoice.spell(err)
				}
				return text, nil
			}), args)
		},
	}
	doc.add(cmd)
	cmd.Flags().IntVarP(&req.Occurrence, "occurrence", "n", 0, "choose among several sections with this heading, from 1")
	return cmd
}
