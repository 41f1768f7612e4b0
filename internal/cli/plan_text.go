package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/planning"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

func newPlanMessage(s Streams, f *planFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "message",
		Short:   "Print the plan as the message of a commit",
		Example: `  sectile plan message | git commit -F -`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
				text, err := p.Message(cmd.Context())
				switch {
				case err != nil:
					return nil, err
				case f.json:
					return planning.PlanTextJSON("message", text), nil
				}
				return terminal.Shown(s.Out, text), nil
			})
		},
	}
}

// addPreset adds the flag that says what form a text has.
func (f *planFlags) addPreset(cmd *cobra.Command, preset *string) {
	cmd.Flags().StringVar(preset, "preset", "", "the form of the text, such as MARKDOWN_TASKS (default: what is configured)")
	_ = cmd.RegisterFlagCompletionFunc("preset", func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		plans, err := f.plans(cmd)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var found []replies.Completion
		forms, _ := plans.Forms(cmd.Context())
		for _, form := range forms {
			found = append(found, replies.Completion{Selector: form})
		}
		return completions(found, word)
	})
}

func newPlanValidate(s Streams, f *planFlags) *cobra.Command {
	var preset string
	cmd := &cobra.Command{
		Use:   "validate FILE|-",
		Short: "Check a text: is it a plan, and is all of it right?",
		Long: `Check whether a text is a plan and whether all of it is right, with the line of each
error. The exit code is 1 if it is not valid. Nothing is written.`,
		Example: `  sectile plan validate .sectile/plan.md
  git log -1 --format=%B | sectile plan validate -
  sectile plan validate tasks.md --preset MARKDOWN_TASKS --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readText(s, args[0])
			if err != nil {
				return err
			}
			return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
				r, err := p.Inspect(cmd.Context(), text, preset)
				if err != nil {
					return nil, err
				}
				if !r.Valid() {
					err = errFailed
				}
				if f.json {
					return r.ReportJSON(), err
				}
				return r.Report(planName(args[0])), err
			})
		},
	}
	f.addPreset(cmd, &preset)
	return cmd
}

// planName is how a text is called in a report.
func planName(path string) string {
	if path == documents.Stdin {
		return "stdin"
	}
	return path
}

func newPlanFormat(s Streams, f *planFlags) *cobra.Command {
	var (
		preset string
		write  bool
	)
	cmd := &cobra.Command{
		Use:   "fmt FILE|-",
		Short: "Print a plan in its canonical form, or write it so",
		Long: `Print a plan in the form that it is written in: one blank line between its parts, two
spaces for each level of tasks. No word is changed and none is lost. With --write the
file is written instead, if it differs. A text that is no plan is refused with the
line.`,
		Example: `  sectile plan fmt draft.md
  sectile plan fmt tasks.md --preset MARKDOWN_TASKS --write`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if write {
				if args[0] == documents.Stdin {
					return usage("standard input can't be written; leave --write out, or name a file")
				}
				return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
					return f.formatFile(cmd, p, args[0], preset)
				})
			}
			text, err := readText(s, args[0])
			if err != nil {
				return err
			}
			return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
				made, err := p.Format(cmd.Context(), text, preset)
				switch {
				case err != nil:
					return nil, err
				case f.json:
					return planning.PlanTextJSON("text", made), nil
				}
				return terminal.Shown(s.Out, made), nil
			})
		},
	}
	f.addPreset(cmd, &preset)
	cmd.Flags().BoolVar(&write, "write", false, "write the file instead of printing it")
	return cmd
}

// formatFile formats the plan in a file and tells what was done.
func (f *planFlags) formatFile(cmd *cobra.Command, p *planning.Plans, path, preset string) ([]byte, error) {
	changed, err := p.FormatFile(cmd.Context(), path, preset)
	switch {
	case err != nil:
		return nil, err
	case f.json:
		return fmt.Appendf(nil, "{\"changed\":%t}\n", changed), nil
	case changed:
		return planning.FileLine("formatted", path), nil
	}
	return planning.FileLine("nothing to format in", path), nil
}

func newPlanExport(s Streams, f *planFlags) *cobra.Command {
	var (
		asHTML bool
		out    string
	)
	cmd := &cobra.Command{
		Use:   "export (--html | --json)",
		Short: "Write the plan as a page to look at",
		Long: `Write the plan as one page of HTML, with its stage, progress and tasks. It needs
nothing beside it, no script and no network, has a light and a dark look, and prints
well. With --json, write what 'sectile plan show --json' prints.

The page goes to standard output, or with -o into a file, which is written whole or
not at all. A link is not followed, it is refused; so is a document that is there, and
any other file that is neither a page nor JSON.`,
		Example: `  sectile plan export --html -o plan.html
  sectile plan export --html --store file > plan.html`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case asHTML == f.json:
				return usage("say what to export: --html or --json")
			case cmd.Flags().Changed("output") && out == "":
				return usage("--output is empty; name a file")
			}
			return f.print(cmd, s, func(p *planning.Plans) ([]byte, error) {
				text, err := f.export(cmd, p)
				if err != nil || out == "" || out == documents.Stdin {
					return text, err
				}
				if err := planning.WriteText(cmd.Context(), out, text); err != nil {
					return nil, err
				}
				return planning.FileLine("wrote", out), nil
			})
		},
	}
	cmd.Flags().BoolVar(&asHTML, "html", false, "one page of HTML")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write into this file instead of standard output")
	return cmd
}

// export renders the plan as it is asked for.
func (f *planFlags) export(cmd *cobra.Command, p *planning.Plans) ([]byte, error) {
	if !f.json {
		return p.ExportHTML(cmd.Context())
	}
	r, err := p.Show(cmd.Context())
	if err != nil {
		return nil, err
	}
	r.Voice = planVoice
	return append(r.JSON(), '\n'), nil
}
