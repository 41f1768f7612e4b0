package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/linking"
)

// documentFlags are the flags of every command that reads documents.
type documentFlags struct {
	json     bool
	color    string
	maxBytes int64
	memory   memoryFlag
	walk     documents.WalkOptions
	parts    bool // an argument may name a section of one document, docs/a.md#install
}

// add adds the flags to cmd.
func (f *documentFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print JSON, one object a line, errors too")
	flags.StringVar(&f.color, "color", "auto", "colour the output: auto, always or never")
	flags.Int64Var(&f.maxBytes, "max-bytes", 64<<20, "refuse documents larger than this, in bytes")
	f.memory.add(cmd)
	addNoPager(flags)
}

// addWalk adds the flags of a command whose arguments may be folders and patterns.
func (f *documentFlags) addWalk(cmd *cobra.Command) {
	addWalk(cmd.Flags(), &f.walk)
}

// addWalk adds the flags for what folders and patterns leave out.
func addWalk(flags *pflag.FlagSet, walk *documents.WalkOptions) {
	flags.BoolVar(&walk.NoIgnore, "no-ignore", false, "in folders, don't leave out what .gitignore and .ignore name")
	flags.BoolVar(&walk.Hidden, "hidden", false, "in folders, enter also those whose names begin with a dot")
}

// memoryFlag is the budget of memory of a command.
type memoryFlag struct {
	bytes   int64
	own     []string               // patterns of headings
	anchors bool                   // what is asked for may depend on the dialect of anchors, which takes time to read
	context func() context.Context // of the command, when it runs
}

// add adds the flag to cmd.
func (f *memoryFlag) add(cmd *cobra.Command) {
	addMaxMemory(cmd.Flags(), &f.bytes)
	addHeadings(cmd.Flags(), &f.own)
	f.context = cmd.Context
}

// addMaxMemory adds the flag for a budget of memory.
func addMaxMemory(flags *pflag.FlagSet, bytes *int64) {
	flags.Int64Var(bytes, "max-memory", documents.DefaultMaxMemory, "refuse documents that would make the program take more memory than this, in bytes")
}

// addHeadings adds the flag for markers of headings that are the user's own.
func addHeadings(flags *pflag.FlagSet, own *[]string) {
	flags.StringArrayVar(own, "headings", nil, `a line alone that matches is a heading, such as '2:\*\*(?<title>.+)\*\*'; may be given several times (default: headings in your configuration)`)
}

// checkMaxMemory says what is wrong with a budget, "" if nothing is.
func checkMaxMemory(bytes int64) string {
	if bytes < documents.MinMaxMemory {
		return fmt.Sprintf("--max-memory must be at least %d", documents.MinMaxMemory)
	}
	return ""
}

// mayBeAnchors reports whether there may be an anchor among addresses.
func mayBeAnchors(addresses []string) bool {
	return slices.ContainsFunc(addresses, func(a string) bool { return strings.Contains(a, "#") })
}

// work begins the one request of a command, which ends with the process.
func (f *memoryFlag) work() (*documents.Work, error) {
	if message := checkMaxMemory(f.bytes); message != "" {
		return nil, usage(message)
	}
	own, err := doctor.Headings(f.context(), f.own)
	if err != nil {
		return nil, err
	}
	memory, dialect := documents.NewMemory(f.bytes), doctor.UsualDialect
	if f.anchors {
		if dialect, err = doctor.Dialect(f.context(), ""); err != nil {
			return nil, err
		}
	}
	memory.Read(dialect, own)
	memory.Rule()
	debug.SetGCPercent(400) // the budget bounds it, and most commands end before it is much
	return memory.Begin(f.context(), nil), nil
}

// documents returns the documents that the arguments name.
func (f *documentFlags) documents(paths []string, s Streams) (documents.Set, error) {
	d := documents.Set{Paths: paths, Stdin: s.In, MaxBytes: f.maxBytes, Walk: f.walk, Broken: linking.Broken, Guide: guideText}
	if f.maxBytes <= 0 {
		return d, usage("--max-bytes must be greater than 0")
	}
	if len(paths) == 1 && f.parts {
		if file, _, part := partOf(paths[0]); part != "" {
			d.Paths, d.Part = []string{file}, part
			f.memory.anchors = f.memory.anchors || part[0] == '#'
		}
	}
	err := d.CheckClimb(d.Paths...)
	if err == nil {
		d.Work, err = f.memory.work()
	}
	return d, err
}

// guideText returns what agents get of a document of the guides of the project that the working
// directory lies in.
func guideText(work *documents.Work, uri string) ([]byte, error) {
	d, err := guiding.NewGuides(guiding.GuideOptions{}).Document(work.Context(), work, uri)
	if err != nil {
		return nil, err
	}
	return d.Text, nil
}

// completeMarkdown completes the names of Markdown files and of folders.
func completeMarkdown(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"md", "markdown", "mdx"}, cobra.ShellCompDirectiveFilterFileExt
}

// isMany reports whether paths may stand for more than one document, so that
// lines must say which one they are about.
func isMany(paths []string) bool {
	return len(paths) != 1 || documents.IsMany(paths[0])
}
