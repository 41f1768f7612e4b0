package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/comparing"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

// diffVoice is how errors of 'diff' call its arguments.
var diffVoice = flagsOf(replies.Cursor, replies.MaxChars).with(voice{"stat": "--stat"}) //nolint:gochecknoglobals // a constant

func newDiff(s Streams) *cobra.Command {
	var (
		doc      documentFlags
		req      comparing.Request
		since    string
		exitCode bool
	)
	cmd := &cobra.Command{
		Use:   "diff [OLD] [NEW] [ADDRESS]",
		Short: "Show what differs between documents, section by section",
		Long: `Show what is different in NEW from OLD, two documents or two folders, section by
section: what was added, removed, changed, renamed, moved, or put at another level.
With an address, as in 'read', tell of that section and those below it alone.

With --rev, OLD is what NEW was in a commit of git or Jujutsu; with --since, what it was
before the changes that sectile has made since a time or a change ('sectile log'); where the
journal has forgotten some since then, a line says so. NEW is all of the project then, unless
it is named.

A section is compared by its own text, up to its first subsection. Its line says where it
is now, its selector and hash, and how many words were added and removed.`,
		Example: `  sectile diff old.md new.md
  sectile diff --patch old.md new.md Install
  sectile diff --stat ../before/docs docs
  sectile diff --rev v1.2 docs/errors.md
  sectile diff --since 2h --patch`,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("rev") || cmd.Flags().Changed("since") {
				return cobra.MaximumNArgs(2)(cmd, args)
			}
			return cobra.RangeArgs(2, 3)(cmd, args)
		},
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			docs, err := doc.documents(nil, s)
			if err == nil {
				err = diffed(cmd, s, &docs, args, since, &req)
			}
			if err != nil {
				return diffVoice.spell(err)
			}
			req.JSON = doc.json
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
	flags.StringVar(&req.Revision, "rev", "", "compare with this revision of the repository: a tag, a branch, a commit")
	flags.StringVar(&since, "since", "", "compare with what documents held at a time (2h, 3d, 2026-01-31) or before a change of 'sectile log'")
	flags.BoolVar(&req.Patch, "patch", false, "print the lines that differ, too")
	flags.BoolVar(&req.Stat, "stat", false, "print a line for each document that differs, and none for sections")
	flags.BoolVar(&exitCode, "exit-code", false, "exit with 1 if there is a difference")
	flags.IntVar(&req.MaxChars, "max-chars", 0, "print at most so many characters, at least 500; 0 prints all")
	flags.StringVar(&req.Cursor, "cursor", "", "go on where an output with --max-chars ended")
	return cmd
}

// fromJournal has a request compare with what the journal says that documents held.
func fromJournal(cmd *cobra.Command, s Streams, docs documents.Set, since string, req *comparing.Request) error {
	was, err := historyOf(s).Since(cmd.Context(), docs, since)
	if err != nil {
		return err
	}
	req.Past = &comparing.Past{Shown: was.Shown, Forgotten: was.Forgotten, Oldest: was.Oldest, OldestTime: was.OldestTime}
	for _, w := range was.Texts {
		req.Past.Texts = append(req.Past.Texts, comparing.PastText(w))
	}
	return nil
}

// diffed has a request compare what the arguments and flags name.
func diffed(cmd *cobra.Command, s Streams, docs *documents.Set, args []string, since string, req *comparing.Request) error {
	rev, past := cmd.Flags().Changed("rev"), cmd.Flags().Changed("since")
	named := 2
	if rev || past {
		named = 1
	}
	docs.Paths = args[:min(len(args), named)]
	if err := docs.CheckClimb(docs.Paths...); err != nil {
		return err
	}
	if len(args) > named {
		if req.Section = args[named]; req.Section == "" {
			return usage("the address is empty; leave it out for all sections")
		}
	}
	switch {
	case rev && past:
		return usage("--rev and --since exclude each other; choose one")
	case past:
		return fromJournal(cmd, s, *docs, since, req)
	case !rev:
		req.Old, req.New = args[0], args[1]
	case len(args) > 0:
		req.New = args[0]
	default:
		req.New = documents.Project()
	}
	return nil
}
