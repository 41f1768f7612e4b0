package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
)

func newPlanMark(s Streams, f *planFlags) *cobra.Command {
	var req planning.PlanMark
	cmd := &cobra.Command{
		Use:   "mark ID|TEXT",
		Short: "Mark a task as done, or as open again",
		Long: `Mark a task as done, or with --open as open again. It is named by its position as
'sectile plan show' has it, by its text, or by a part of it that no other task has.
What has subtasks is done when they are, and is not marked itself. A plan with an open
task is not complete any more.`,
		Example: `  sectile plan mark 2.1
  sectile plan mark 'write the tests'
  sectile plan mark 2.1 --open`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return f.completeTask(cmd, req.Open, word)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Task = args[0]
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) { return p.Mark(cmd.Context(), req) })
		},
	}
	cmd.Flags().BoolVar(&req.Open, "open", false, "the task is not done")
	addVersion(cmd, &req.ExpectedVersion)
	return cmd
}

// completeTask completes the positions of tasks that can be marked, with their texts
// beside them.
func (f *planFlags) completeTask(cmd *cobra.Command, done bool, word string) ([]string, cobra.ShellCompDirective) {
	plans, err := f.plans(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	r, err := plans.Show(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completions(r.CompleteTask(done, word), word)
}

func newPlanFinish(s Streams, f *planFlags) *cobra.Command {
	var req planning.PlanFinish
	cmd := &cobra.Command{
		Use:   "finish",
		Short: "Say that the plan is complete, when all tasks are done",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) { return p.Finish(cmd.Context(), req) })
		},
	}
	addVersion(cmd, &req.ExpectedVersion)
	return cmd
}

func newPlanNew(s Streams, f *planFlags) *cobra.Command {
	var req planning.PlanNew
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Begin a new plan; the old one is kept",
		Long: `Begin a new plan. In Jujutsu this is a new change after this one; in git the old text
stays in the history of the plan's ref; a file is kept beside it with a number. While
tasks are open this is refused, unless you say --force.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) { return p.New(cmd.Context(), req) })
		},
	}
	cmd.Flags().BoolVar(&req.Force, "force", false, "though tasks are open")
	addVersion(cmd, &req.ExpectedVersion)
	return cmd
}

func newPlanAdopt(s Streams, f *planFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "adopt NAME",
		Short: "Go on with another plan of the project",
		Long: `Go on with a plan that 'sectile plan list' names: in git that of another branch, such
as one that was renamed; a file that was kept takes its old place. In Jujutsu a plan stays
with its change, and the error says how to go there. An unfinished plan is not written
over.`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			plans, err := f.plans(cmd)
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			list, _ := plans.List(cmd.Context())
			var names []replies.Completion
			for i := range list {
				if !list[i].Current && strings.HasPrefix(list[i].Name, word) {
					names = append(names, replies.Completion{Selector: list[i].Name, Description: list[i].Label()})
				}
			}
			return completions(names, word)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) { return p.Adopt(cmd.Context(), args[0]) })
		},
	}
}
