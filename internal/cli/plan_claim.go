package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/planning"
)

func newPlanNext(s Streams, f *planFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "next",
		Short: "List the tasks that can be begun",
		Long: `List the tasks that can be begun now: those that are open, wait for no other, and that
nobody has claimed. The exit code is 1 if there is none.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
				r, err := p.Show(cmd.Context())
				if err != nil {
					return nil, err
				}
				var failed error
				if len(r.Startable()) == 0 {
					failed = errFailed
				}
				if f.json {
					return append(r.NextJSON(), '\n'), failed
				}
				return r.NextText(), failed
			})
		},
	}
}

func newPlanClaim(s Streams, f *planFlags) *cobra.Command {
	req := planning.PlanMark{Keep: true}
	cmd := &cobra.Command{
		Use:   "claim NAME [ID|TEXT]",
		Short: "Give a task to one who works on it",
		Long: `Claim a task in somebody's name, so that nobody else claims it: the one that is named,
or the first that can be begun. A claim ends after half an hour (--for), or when the
task is marked as done or open; who has it may claim the task anew.`,
		Example: `  sectile plan claim ann
  sectile plan claim ann 2.1 --for 2h`,
		Args: cobra.RangeArgs(1, 2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return f.completeTask(cmd, false, word)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Claim = args[0]; strings.TrimSpace(req.Claim) == "" {
				return usage("the name is empty; say who claims the task")
			} else if req.For == 0 { // which stands for the usual time elsewhere
				return usage("--for must be a minute at least")
			}
			req.Task = strings.Join(args[1:], "")
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) { return p.Mark(cmd.Context(), req) })
		},
	}
	cmd.Flags().DurationVar(&req.For, "for", planning.DefaultClaim, "how long the claim counts")
	_ = cmd.RegisterFlagCompletionFunc("for", cobra.NoFileCompletions)
	addVersion(cmd, &req.ExpectedVersion)
	return cmd
}

func newPlanNote(s Streams, f *planFlags) *cobra.Command {
	req := planning.PlanMark{Keep: true}
	cmd := &cobra.Command{
		Use:     "note ID|TEXT NOTE",
		Short:   "Keep a note at a task",
		Long:    "Keep a note of one line at a task. Its mark and its claim stay.",
		Example: `  sectile plan note 2.1 'the parser has two entries'`,
		Args:    cobra.ExactArgs(2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return f.completeTask(cmd, false, word)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Task, req.Note = args[0], args[1]; strings.TrimSpace(req.Note) == "" {
				return usage("the note is empty")
			}
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) { return p.Mark(cmd.Context(), req) })
		},
	}
	addVersion(cmd, &req.ExpectedVersion)
	return cmd
}
