package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
	"github.com/sectile/sectile/internal/undoing"
)

// logVoice is how errors of 'log', 'undo' and 'redo' call their arguments.
var logVoice = flagsOf(replies.Limit) //nolint:gochecknoglobals // a constant

// historyOf returns the user's journal of changes.
func historyOf(s Streams) *undoing.History {
	return undoing.Open(undoing.Dir(), func(sentence string) {
		_, _ = fmt.Fprintln(s.Err, "sectile: "+sentence) // there is nowhere else to tell
	})
}

func newLog(s Streams) *cobra.Command {
	var (
		doc    documentFlags
		req    undoing.ListRequest
		forget bool
	)
	cmd := &cobra.Command{
		Use:   "log [FILE...]",
		Short: "List what was changed, the newest first",
		Long: `List the changes that sectile has made to files in the working directory and below, or
to the files and folders that are named, the newest first, a line each: its identifier,
when, by which command or tool, and what became of which files.

With --patch ID, print the difference that one has made. The journal is the user's own,
in sectile/journal of the state folder, and keeps whole copies of what was changed for 30
days, at most 200 MB. --clear forgets all of it, but takes back first what was interrupted;
of what can't be taken back yet it keeps the copies, and ends with an error that names the
files.`,
		Example: `  sectile log
  sectile log docs/guide.md
  sectile log --patch k3f9x2ab`,
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			if forget && len(args) > 0 {
				return usage("--clear forgets all changes, of whatever files; leave the files out")
			}
			if forget {
				return historyOf(s).Clear(cmd.Context())
			}
			docs, err := doc.documents(args, s)
			if err != nil {
				return err
			}
			req.JSON = doc.json
			reply, err := historyOf(s).List(cmd.Context(), docs, req)
			if err != nil {
				return logVoice.spell(err)
			}
			_, err = s.Out.Write(terminal.Difference(s.Out, reply.Text))
			return err
		},
	}
	doc.add(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&req.ID, "patch", "p", "", "print the difference of the change with this identifier")
	flags.BoolVar(&req.All, "all", false, "list changes elsewhere, too")
	flags.IntVar(&req.Limit, "limit", 0, fmt.Sprintf("list at most so many changes (default %d)", undoing.DefaultLimit))
	flags.BoolVar(&forget, "clear", false, "forget all changes, and remove the copies that are kept of them")
	return cmd
}

// newUndo returns the command that takes back a change, or the newest undo.
func newUndo(s Streams, redo bool) *cobra.Command {
	var (
		doc documentFlags
		req = undoing.UndoRequest{Redo: redo}
	)
	cmd := &cobra.Command{
		Use:   "undo [ID [FILE...]]",
		Short: "Take back a change",
		Long: `Take back the change with the identifier, which 'sectile log' lists, or the newest one
of files in the working directory and below that isn't taken back yet. All of its files
are put back, or none. With an identifier, files can be named, or folders with some of its
files: then those are put back, and the change stays in the others. A document that has
moved goes back as a whole.

Where a document has changed since, it keeps that if it is in other sections; else the
undo is refused, with what has changed. An undo is a change itself: 'sectile redo' takes
it back. Plans in Jujutsu and git have histories of their own.`,
		Example: `  sectile undo
  sectile undo k3f9x2ab --dry-run
  sectile undo k3f9x2ab docs/a.md docs/b.md`,
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			doc.memory.anchors = true // of links to what an undo takes away it warns
			docs, err := doc.documents(nil, s)
			if err == nil && len(args) > 1 {
				err = docs.CheckClimb(args[1:]...)
			}
			if err != nil {
				return replies.Unwritten(err)
			}
			req.JSON = doc.json
			if len(args) > 0 {
				if req.ID, req.Paths = args[0], args[1:]; req.ID == "" || slices.Contains(req.Paths, "") {
					return usage("an identifier or a file is empty; leave both out for the newest change")
				}
			}
			reply, err := historyOf(s).Undo(cmd.Context(), docs, req)
			if err != nil {
				return logVoice.spell(err)
			}
			_, err = s.Out.Write(terminal.Difference(s.Out, reply.Text))
			return err
		},
	}
	if redo {
		cmd.Use, cmd.Args = "redo", cobra.NoArgs
		cmd.Short = "Take back the newest undo"
		cmd.Long = `Take back the newest undo of files in the working directory and below.`
		cmd.Example = "  sectile redo"
	}
	doc.add(cmd)
	cmd.Flags().BoolVar(&req.DryRun, "dry-run", false, "print the difference and write nothing")
	return cmd
}
