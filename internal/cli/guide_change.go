package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/replies"
)

// changeFlags are the flags of the commands that change the configuration.
type changeFlags struct {
	user, asJSON             bool
	rename, dir, description string
	patterns, entries        []string
}

// add adds the flags that say what a category or collection is like.
func (c *changeFlags) add(cmd *cobra.Command, f *guideFlags) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.dir, "dir", "", "the folder of a category, relative to the project's root")
	flags.StringArrayVar(&c.patterns, "pattern", nil, "files of the category that count, in quotes; may be given several times")
	flags.StringArrayVar(&c.entries, "entry", nil, "what a collection has: CATEGORY, CATEGORY/PATTERN or another COLLECTION; may be given several times")
	flags.StringVar(&c.description, "description", "", "what it is for, at most 500 characters")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.RegisterFlagCompletionFunc("pattern", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("entry", f.complete(guiding.CompleteGuideEntry))
}

// addCommon adds the flags of all changes.
func (c *changeFlags) addCommon(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.user, "user", false, "change the user's own file instead of the project's")
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print JSON, errors too")
}

// complete completes the names that are in the file that is to be changed.
func (c *changeFlags) complete(f *guideFlags) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		return f.complete(guiding.CompleteGuideChange(c.user))(cmd, args, word)
	}
}

// change returns what the flags ask for.
func (c *changeFlags) change(cmd *cobra.Command, name string) *guiding.GuideChange {
	given := cmd.Flags().Changed
	change := &guiding.GuideChange{Name: name, User: c.user}
	text := func(flag string, value *string) *string {
		if !given(flag) {
			return nil
		}
		return value
	}
	change.Rename, change.Dir, change.Description = text("rename", &c.rename), text("dir", &c.dir), text("description", &c.description)
	if given("pattern") {
		change.Patterns = list(c.patterns)
	}
	if given("entry") {
		change.Entries = list(c.entries)
	}
	return change
}

// list returns the values of a flag that may be given several times. A single empty
// one is an empty list.
func list(values []string) *[]string {
	if len(values) == 1 && values[0] == "" {
		values = []string{}
	}
	return &values
}

// change makes a change and tells what it did and where: "added" and "to".
func (f *guideFlags) change(cmd *cobra.Command, s Streams, asJSON bool, did, where string, change func(*guiding.Guides) (*guiding.GuideChanged, error)) error {
	return f.print(cmd, s, asJSON, func(g *guiding.Guides) ([]byte, error) {
		done, err := change(g)
		switch {
		case err != nil:
			return nil, withNothingWritten(g.Failure(err))
		case asJSON:
			return done.JSON(did), nil
		}
		return done.Line(did, where), nil
	})
}

// withNothingWritten adds to the error of a change that nothing was written.
func withNothingWritten(failed error) error {
	if _, ok := failed.(*replies.Error); !ok { //nolint:errorlint // what it wraps doesn't count
		return failed
	}
	return replies.Unwritten(failed)
}

func newGuideAdd(s Streams, f *guideFlags) *cobra.Command {
	var flags changeFlags
	cmd := &cobra.Command{
		Use:   "add NAME (--dir DIR | --entry ENTRY)",
		Short: "Add a category or a collection",
		Long: `Add a category, which has a folder, or a collection, which has entries. A name is
made of letters, digits, - and _. The file of the configuration is made if it is not
there; in one that is, everything else stays as it is, comments too.

A category without a pattern gives only what is asked for with one. The variables of
its templates, vars, are written into the file by hand.

Where there is no project, the error is no_session: 'sectile guide init' makes the file
in the working directory, and --user adds to the user's own.`,
		Example: `  sectile guide add docs --dir docs --pattern '**/*.md' --description 'How it works'
  sectile guide add start --entry project/README.md --entry docs
  sectile guide add mine --user --dir ~/notes --pattern '*.md'`,
		Args:              takes(1, "NAME"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, entry := cmd.Flags().Changed("dir"), cmd.Flags().Changed("entry")
			switch {
			case dir == entry:
				return usage("a category has a --dir and a collection has --entry; give one of the two")
			case entry && cmd.Flags().Changed("pattern"):
				return usage("a collection has no --pattern; put it behind an entry, as --entry CATEGORY/PATTERN")
			}
			return f.change(cmd, s, flags.asJSON, "added", "to", func(g *guiding.Guides) (*guiding.GuideChanged, error) {
				return g.Add(cmd.Context(), flags.change(cmd, args[0]))
			})
		},
	}
	flags.add(cmd, f)
	flags.addCommon(cmd)
	return cmd
}

func newGuideChange(s Streams, f *guideFlags) *cobra.Command {
	var flags changeFlags
	cmd := &cobra.Command{
		Use:   "change NAME",
		Short: "Change a category or a collection",
		Long: `Change a category or a collection. What no flag is given for stays; a list that is
given takes the place of the old one, and an empty --description or --pattern takes it
out. A new name is written into the collections of the file too. Everything else in
the file stays as it is, comments too; one behind what is taken out goes with it. The
variables of templates, vars, are changed in the file by hand.`,
		Example: `  sectile guide change docs --pattern '*.md' --pattern 'api/**'
  sectile guide change docs --rename manual
  sectile guide change docs --description ''`,
		Args:              takes(1, "NAME"),
		ValidArgsFunction: flags.complete(f),
		RunE: func(cmd *cobra.Command, args []string) error {
			change := flags.change(cmd, args[0])
			if change.Rename == nil && change.Dir == nil && change.Description == nil && change.Patterns == nil && change.Entries == nil {
				return usage("nothing to change is given; give --rename, --dir, --pattern, --entry or --description")
			}
			return f.change(cmd, s, flags.asJSON, "changed", "in", func(g *guiding.Guides) (*guiding.GuideChanged, error) {
				return g.Change(cmd.Context(), change)
			})
		},
	}
	flags.add(cmd, f)
	cmd.Flags().StringVar(&flags.rename, "rename", "", "its new name")
	_ = cmd.RegisterFlagCompletionFunc("rename", cobra.NoFileCompletions)
	flags.addCommon(cmd)
	return cmd
}

func newGuideRemove(s Streams, f *guideFlags) *cobra.Command {
	var flags changeFlags
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a category or a collection",
		Long: `Remove a category or a collection from the configuration. The documents stay where
they are. Comments inside of what is removed, and behind it on its lines, go with it,
those above it stay. What a collection names is not removed.`,
		Args:              takes(1, "NAME"),
		ValidArgsFunction: flags.complete(f),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.change(cmd, s, flags.asJSON, "removed", "from", func(g *guiding.Guides) (*guiding.GuideChanged, error) {
				return g.Remove(cmd.Context(), args[0], flags.user)
			})
		},
	}
	flags.addCommon(cmd)
	return cmd
}
