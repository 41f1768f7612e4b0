package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/terminal"
)

func newPlan(s Streams) *cobra.Command {
	var flags planFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Plans, from a goal to finished tasks: read, write and tick them",
		Long: `A plan is one text: a goal in its first line, a description, constraints, and a tree
of tasks. It has the form of a commit's message, and is kept where the work is: in the
description of the Jujutsu change, else in a git ref of its own (no branch and no file
is touched), else in the file .sectile/plan.md. Agents work on it with the tools of
'sectile mcp'; these commands are for people, and for programs with --json.

A plan that was changed has another version. With --expected-version, a command
refuses to write over any other than that one.`,
		Example: `  sectile plan goal 'feat(reader): read archives'
  sectile plan detail --content 'Why, what and how.' --constraint 'Never: unpack to disk'
  sectile plan set tasks.md
  sectile plan show --watch
  sectile plan mark 1.2
  sectile plan finish`,
		Args: noOther,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	set := cmd.PersistentFlags()
	set.SortFlags = false
	set.StringVar(&flags.root, "root", "", "the folder that the project is looked for from, upwards (default: the working directory)")
	set.StringVar(&flags.store, "store", "", "where the plan is kept: "+strings.Join(planning.Stores(), ", "))
	set.BoolVar(&flags.json, "json", false, "print JSON, errors too")
	_ = cmd.MarkPersistentFlagDirname("root")
	_ = cmd.RegisterFlagCompletionFunc("store", cobra.FixedCompletions(planning.Stores(), cobra.ShellCompDirectiveNoFileComp))
	cmd.AddCommand(newPlanShow(s, &flags), newPlanList(s, &flags))
	cmd.AddCommand(newPlanGoal(s, &flags), newPlanDetail(s, &flags), newPlanSet(s, &flags))
	cmd.AddCommand(newPlanNext(s, &flags), newPlanClaim(s, &flags), newPlanMark(s, &flags), newPlanNote(s, &flags))
	cmd.AddCommand(newPlanFinish(s, &flags), newPlanNew(s, &flags), newPlanAdopt(s, &flags))
	cmd.AddCommand(newPlanMessage(s, &flags), newPlanValidate(s, &flags), newPlanFormat(s, &flags), newPlanExport(s, &flags))
	return cmd
}

// planFlags are the flags of all commands about plans.
type planFlags struct {
	root, store string
	json        bool
}

// plans returns the plans of the project.
func (f *planFlags) plans(cmd *cobra.Command) (*planning.Plans, error) {
	if err := checkStart(cmd, f.root); err != nil {
		return nil, err
	}
	return planning.NewPlans(planning.PlanOptions{Start: f.root, Store: f.store}), nil
}

// print prints the reply to a request about plans, and its errors in the words of the
// command line. With --json an error is what the tools reply with.
func (f *planFlags) print(cmd *cobra.Command, s Streams, request func(*planning.Plans) ([]byte, error)) error {
	plans, err := f.plans(cmd)
	if err != nil {
		return err
	}
	text, err := request(plans)
	if err != nil && !errors.Is(err, errFailed) {
		text, err = f.failure(cmd, err)
	}
	if len(text) > 0 {
		if _, writeErr := s.Out.Write(text); writeErr != nil {
			return writeErr
		}
	}
	return err
}

// failure returns an error as it is printed: on standard output, or in the words of
// the command line on standard error.
func (f *planFlags) failure(cmd *cobra.Command, err error) ([]byte, error) {
	var typed *planning.PlanError
	var reply *replies.Error
	ours, isError := err.(*replies.Error) //nolint:errorlint // what it wraps knows less
	switch {
	case cmd.Context().Err() != nil && errors.Is(err, cmd.Context().Err()):
		return nil, err
	case f.json && errors.As(err, &typed) && !replies.AsError(typed).Usage():
		return append(planning.AsPlanError(err).JSON(planVoice), '\n'), errFailed
	case isError:
		return nil, ours.In(planVoice)
	case errors.As(err, &typed), errors.As(err, &reply):
		return nil, planVoice.spell(err)
	}
	return nil, err
}

// change makes a change of the plan, and prints what was done.
func (f *planFlags) change(cmd *cobra.Command, s Streams, change func(*planning.Plans) (*planning.PlanReply, error)) error {
	return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
		r, err := change(p)
		if err != nil {
			return nil, err
		}
		r.Voice = planVoice
		if f.json {
			return append(r.JSON(), '\n'), nil
		}
		printNotes(s, r.WrittenNotes())
		return terminal.Wrapped(s.Out, r.Brief()), nil
	})
}

// addVersion adds the flag that says which version a command may write over.
func addVersion(cmd *cobra.Command, version *string) {
	cmd.Flags().StringVar(version, "expected-version", "", "refuse if the plan has another version by now")
	_ = cmd.RegisterFlagCompletionFunc("expected-version", cobra.NoFileCompletions)
}

// readText returns the text of a file, or of standard input.
func readText(s Streams, path string) (string, error) {
	if path == documents.Stdin && isInputTerminal(s) {
		return "", usage("standard input is a keyboard; name a file, or send the text through a pipe")
	}
	text, err := sent.ReadText(documents.Set{Paths: []string{path}, Stdin: s.In, MaxBytes: maxPlanBytes})
	if e, ok := errors.AsType[*replies.Error](err); ok && e.Code == replies.CodeFileTooLarge {
		err = &replies.Error{Code: e.Code, Path: e.Path, Err: err, Message: replies.Text("larger than the limit of 1 MiB; make it shorter; a long text can stay in a file that the plan names")}
	}
	return text, err
}

// maxPlanBytes is more than the longest plan has: 100,000 characters.
const maxPlanBytes = 1 << 20
