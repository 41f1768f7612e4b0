package cli

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/planning"
)

func newPlanGoal(s Streams, f *planFlags) *cobra.Command {
	var goal planning.PlanGoal
	cmd := &cobra.Command{
		Use:   "goal [TYPE(SCOPE)[!]: TITLE]",
		Short: "Set the goal: the first line of the plan",
		Long: `Set the goal, which is the first line of the plan; the rest stays as it is.

The type is one of feat, fix, refactor, build, chore, docs, lint, infra and spec. The
scope is the part of the project that it is about, in lower case. A ! says that it
breaks something for those who use it. The line goes into quotes; or give its parts as
flags.

A text that is no plan is not written over, unless you say --replace.`,
		Example: `  sectile plan goal 'feat(reader): read archives'
  sectile plan goal 'refactor(api)!: one way to open a file'
  sectile plan goal --type fix --scope reader --title 'no crash on empty files'`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			parts := false
			for _, name := range []string{"type", "scope", "breaking", "title"} {
				parts = parts || cmd.Flags().Changed(name)
			}
			if parts == (len(args) > 0) {
				return usage("give the goal as one line in quotes, 'TYPE(SCOPE): TITLE', or as --type, --scope and --title")
			}
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) {
				if len(args) > 0 {
					line, err := p.ReadGoal(cmd.Context(), args[0])
					if err != nil {
						return nil, err
					}
					goal.Type, goal.Scope, goal.Breaking, goal.Title = line.Type, line.Scope, line.Breaking, line.Title
				}
				return p.SetGoal(cmd.Context(), goal)
			})
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&goal.Type, "type", "", "what kind of change it is")
	set.StringVar(&goal.Scope, "scope", "", "the part of the project that it is about")
	set.BoolVar(&goal.Breaking, "breaking", false, "it breaks something for those who use it")
	set.StringVar(&goal.Title, "title", "", "the goal in at most 120 characters")
	set.BoolVar(&goal.ReplaceExisting, "replace", false, "write over a text that is no plan")
	types := []string{"feat", "fix", "refactor", "build", "chore", "docs", "lint", "infra", "spec"}
	_ = cmd.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(types, cobra.ShellCompDirectiveNoFileComp))
	addVersion(cmd, &goal.ExpectedVersion)
	return cmd
}

// detailFlags are the flags of 'plan detail'.
type detailFlags struct {
	content, file, version string
	constraints            []string
}

func newPlanDetail(s Streams, f *planFlags) *cobra.Command {
	var flags detailFlags
	cmd := &cobra.Command{
		Use:   "detail",
		Short: "Set the description and the constraints",
		Long: `Set the description, from --content, --file or standard input. Constraints say what
must not happen; they begin with Do not, Never, Avoid, Decide against, Must not,
Cannot or Forbidden. Those that are given take the place of all that there are;
--constraint '' takes them out; without the flag they stay. With --constraint alone
the description stays, and standard input is read only for --file -.`,
		Example: `  sectile plan detail --file why.md
  sectile plan detail --content 'Archives are read as folders.' --constraint 'Never: unpack to disk'
  sectile plan detail --constraint 'Avoid: a second parser' --constraint 'Must not: block the reader'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			description, err := flags.description(cmd, s)
			if err != nil {
				return err
			}
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) {
				req := planning.PlanDetail{Constraints: flags.list(cmd), ExpectedVersion: flags.version}
				if req.Keep = description == nil; !req.Keep {
					req.Description = *description
				}
				return p.SetDetail(cmd.Context(), req)
			})
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&flags.content, "content", "", "the description")
	set.StringVar(&flags.file, "file", "", "read the description from this file; - is standard input")
	set.StringArrayVar(&flags.constraints, "constraint", nil, "a constraint, 'Key: value'; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("constraint", cobra.FixedCompletions(
		[]string{"Do not: ", "Never: ", "Avoid: ", "Decide against: ", "Must not: ", "Cannot: ", "Forbidden: "},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	addVersion(cmd, &flags.version)
	return cmd
}

// description returns the new description, nil for keeping the one that there is.
func (d *detailFlags) description(cmd *cobra.Command, s Streams) (*string, error) {
	given := cmd.Flags().Changed
	switch {
	case given("content") && given("file"):
		return nil, usage("--content and --file exclude each other; choose one")
	case given("content"):
		return &d.content, nil
	case given("file"):
		text, err := readText(s, d.file)
		return &text, err
	}
	if given("constraint") {
		return nil, nil // standard input may be a pipe that nobody closes, or a loop's list
	}
	if !isInputTerminal(s) {
		if text, err := readText(s, documents.Stdin); err != nil || text != "" {
			return &text, err
		}
	}
	return nil, usage("the description is missing; give it with --content, --file or standard input")
}

// list returns the constraints as a request has them, nil for none given.
func (d *detailFlags) list(cmd *cobra.Command) any {
	if !cmd.Flags().Changed("constraint") {
		return nil
	}
	list := []any{}
	for _, c := range d.constraints {
		if c != "" || len(d.constraints) > 1 {
			list = append(list, c)
		}
	}
	return list
}

func newPlanSet(s Streams, f *planFlags) *cobra.Command {
	var (
		version string
		empty   bool
		mends   []string
	)
	cmd := &cobra.Command{
		Use:   "set [FILE|-]",
		Short: "Set the tasks, from a checklist",
		Long: `Set the tasks from a checklist in a file or standard input: "- [ ] text" or "1. text" a
line, subtasks indented below theirs. A task that stays where it was, among those of its
text, keeps its mark, and so does one that is sent with its id and text, unless the list
has a box for it. JSON is taken too: [[done, text, [subtasks]], …], or
[{"text": …, "done": …, "subtasks": […]}, …].

A checklist without a task is refused. With --clear all tasks are removed, and no input
is read.

A text that is no plan from some line on is mended with --lines NUMBER=TEXT, which
may be given several times: the line of that number becomes the text, or goes if there
is none. It needs --expected-version, for lines move, and reads no input.`,
		Example: `  sectile plan set tasks.md
  printf '%s\n' '- parse' '  - header' '- test' | sectile plan set
  sectile plan set --clear
  sectile plan set --lines '7=- [ ]: parse' --expected-version 0c63d2a752911a90`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case empty && len(args) > 0:
				return usage("--clear and a file exclude each other; choose one")
			case mends != nil && (empty || len(args) > 0):
				return usage("--lines and other tasks exclude each other; choose one")
			case mends != nil:
				lines, err := numberedLines(mends)
				if err != nil {
					return err
				}
				return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) {
					return p.SetPlan(cmd.Context(), planning.PlanTasks{Lines: lines, ExpectedVersion: version})
				})
			}
			var tasks any = []any{}
			if !empty {
				var err error
				if tasks, err = readTasks(s, args); err != nil {
					return err
				}
			}
			return f.change(cmd, s, func(p *planning.Plans) (*planning.PlanReply, error) {
				return p.SetPlan(cmd.Context(), planning.PlanTasks{Tasks: tasks, ExpectedVersion: version})
			})
		},
	}
	cmd.Flags().BoolVar(&empty, "clear", false, "remove all tasks")
	cmd.Flags().StringArrayVar(&mends, "lines", nil, "NUMBER=TEXT: mend this line of the stored text; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("lines", cobra.NoFileCompletions)
	addVersion(cmd, &version)
	return cmd
}

// numberedLines returns lines by their numbers, from NUMBER=TEXT each.
func numberedLines(list []string) (map[int]string, error) {
	lines := make(map[int]string, len(list))
	for _, entry := range list {
		number, text, ok := strings.Cut(entry, "=")
		n, err := strconv.Atoi(number)
		if _, twice := lines[n]; !ok || err != nil || twice {
			return nil, usage("--lines " + strconv.Quote(entry) + " is no NUMBER=TEXT of a line that isn't named yet")
		}
		lines[n] = text
	}
	return lines, nil
}

// readTasks returns the checklist or the JSON in a file, or in standard input.
func readTasks(s Streams, args []string) (any, error) {
	path := documents.Stdin
	if len(args) > 0 {
		path = args[0]
	}
	text, err := readText(s, path)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(strings.TrimSpace(text), "[") && json.Valid([]byte(text)) {
		return json.RawMessage(text), nil
	}
	return text, nil
}
