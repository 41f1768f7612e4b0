package cli

import (
	"bytes"
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/programs"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

// clearScreen clears a terminal and what has scrolled out of it.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// minEvery is the shortest time between two looks at a plan: each may start a
// process.
const minEvery = 50 * time.Millisecond

func newPlanShow(s Streams, f *planFlags) *cobra.Command {
	var (
		color string
		watch bool
		every time.Duration
	)
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show the plan: how far it is, and its tasks",
		Long: `Show the plan: its goal, where it is kept, how far it is and what comes next, then the
description, the constraints, and the tasks with their boxes and positions. On a
terminal, lines are broken at its width.

With --watch, the plan is looked at again every second (--every) until you interrupt
with Ctrl-C, and shown anew when its version has changed; looking changes nothing. On
a terminal the screen is cleared first; elsewhere each new state is printed once, with
--json as a line.`,
		Example: `  sectile plan show
  sectile plan show --watch --every 5s
  sectile plan show --json | jq -r '.tasks[] | select(.done | not) | .id'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			style, err := terminal.Style(color, s.Out)
			switch {
			case err != nil:
				return err
			case every < minEvery:
				return usage("--every must be at least " + minEvery.String())
			}
			render := func(r *planning.PlanReply) []byte {
				r.Voice = planVoice
				if f.json {
					return append(r.JSON(), '\n')
				}
				return r.Terminal(planning.PlanLook{Style: style, Width: terminal.Width(s.Out)})
			}
			return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
				r, err := p.Show(cmd.Context())
				switch {
				case err != nil:
					return nil, err
				case !watch:
					return render(r), nil
				}
				w := planWatch{s: s, flags: f, plans: p, every: every, render: render}
				return nil, w.follow(cmd, r)
			})
		},
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "show the plan anew whenever it changes, until interrupted")
	cmd.Flags().DurationVar(&every, "every", time.Second, "the time between two looks at the plan with --watch")
	cmd.Flags().StringVar(&color, "color", "auto", "colour the output: auto, always or never")
	addNoPager(cmd.Flags())
	_ = cmd.RegisterFlagCompletionFunc("every", cobra.NoFileCompletions)
	return cmd
}

// planWatch follows the changes of a plan.
type planWatch struct {
	s      Streams
	flags  *planFlags
	plans  *planning.Plans
	every  time.Duration
	render func(*planning.PlanReply) []byte
}

// follow shows the plan and then each new state of it, until the context ends, which
// is no error. What can't be read for a while is told once.
func (w *planWatch) follow(cmd *cobra.Command, r *planning.PlanReply) error {
	ctx := cmd.Context()
	wipe := terminal.Is(w.s.Out) && !w.flags.json
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	shown, told := "", ""
	for first := true; ; first = false {
		if r != nil && (first || r.Version != shown || told != "" && wipe) {
			if err := w.show(r, wipe, first); err != nil {
				return err
			}
			shown = r.Version
		}
		if r != nil {
			told = ""
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		var err error
		if r, err = w.plans.Show(programs.Within(ctx, programsTime)); err != nil {
			r = nil
			if told, err = w.tell(cmd, err, told); err != nil {
				return err
			}
		}
	}
}

// show prints a state.
func (w *planWatch) show(r *planning.PlanReply, wipe, first bool) error {
	var text bytes.Buffer
	switch {
	case wipe:
		text.WriteString(clearScreen)
	case !first && !w.flags.json:
		text.WriteString("\n")
	}
	text.Write(w.render(r))
	_, err := w.s.Out.Write(text.Bytes())
	return err
}

// tell prints an error, unless it was told before, and returns it as it was told.
func (w *planWatch) tell(cmd *cobra.Command, err error, told string) (string, error) {
	if interrupted(cmd.Context()) || err.Error() == told {
		return told, nil
	}
	text, failed := w.flags.failure(cmd, err)
	if len(text) > 0 {
		_, failed = w.s.Out.Write(text)
		return err.Error(), failed
	}
	printError(w.s.Err, replies.AsError(failed))
	return err.Error(), nil
}

// interrupted reports whether the context has ended.
func interrupted(ctx context.Context) bool { return ctx.Err() != nil }

func newPlanList(s Streams, f *planFlags) *cobra.Command {
	var color string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the plans that the project has",
		Long: `List the plans that the project has, the current one first and with a star, and how
to go on with each of the others. In Jujutsu these are the unfinished plans of up to
500 changes nearby, none of them immutable, that have a constraint or a task, for a goal
alone looks like any other description; in git those of all branches and worktrees;
without version control the file and those that 'sectile plan new' has kept. Where
--store or plan.store names one of these stores, no plan of another is listed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			style, err := terminal.Style(color, s.Out)
			if err != nil {
				return err
			}
			return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
				list, err := p.List(cmd.Context())
				switch {
				case err != nil:
					return nil, err
				case f.json:
					return planning.PlanListJSON(list), nil
				}
				return terminal.Wrapped(s.Out, planning.PlanListText(list, style)), nil
			})
		},
	}
	cmd.Flags().StringVar(&color, "color", "auto", "colour the output: auto, always or never")
	return cmd
}
