package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/comparing"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

// diffVoice is how errors of 'diff' call its arguments.
var diffVoice = flagsOf(replies.Cursor, replies.MaxChars).with(voice{"stat": "--stat"}) //nolint:gochecknoglobals // a constant

func newDiff(s Streams) *cobra.Command {
	var (
		doc      documentFlags
		req      comparing.Request
		exitCode bool
	)
	cmd := &cobra.Command{
		Use:   "diff OLD NEW [ADDRESS]",
		Short: "Show what differs between documents, section by section",
		Long: `Show what is different in NEW from OLD, two documents or two folders, section by
section: what was added, removed, changed, renamed, moved, or put at another level.
With an address, as in 'read', tell of that section and those below it alone.

A section is compared by its own text, up to its first subsection. Its line says where it
is now, its selector and hash, and how many words were added and removed.`,
		Example: `  sectile diff old.md new.md
  sectile diff --patch old.md new.md Install
  sectile diff --stat ../before/docs docs`,
		Args:              cobra.RangeArgs(2, 3),
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			docs, err := doc.documents(args[:2], s)
			if err != nil {
				return err
			}
			req.JSON, req.Old, req.New = doc.json, args[0], args[1]
			if len(args) > 2 {
				if req.Section = args[2]; req.Section == "" {
					return usage("the address is empty; leave it out for all sections")
				}
			}
			reply, err := comparing.Compare(cmd.Context(), docs, req)
			if err != nil {
				return diffVoice.spell(err)
			}
			if _, err := s.Out.Write(terminal.Difference(s.Out, reply.Text)); err != nil {
				return err
			}
			if len(reply.Failed) > 0 || exitCode && reply.Differs {
				return errFailed
			}
			return nil
		},
	}
	doc.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&req.Patch, "patch", false, "print the lines that differ, too")
	flags.BoolVar(&req.Stat, "stat", false, "print a line for each document that differs, and none for sections")
	flags.BoolVar(&exitCode, "exit-code", false, "exit with 1 if there is a difference")
	flags.IntVar(&req.MaxChars, "max-chars", 0, "print at most so many characters, at least 500; 0 prints all")
	flags.StringVar(&req.Cursor, "cursor", "", "go on where an output with --max-chars ended")
	return cmd
}
