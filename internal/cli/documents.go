package cli

import (
	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/app"
)

// documentFlags are the flags of every command that reads documents.
type documentFlags struct {
	json     bool
	color    string
	maxBytes int64
}

// add adds the flags to cmd.
func (f *documentFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print JSON, one object a line, errors too")
	flags.StringVar(&f.color, "color", "auto", "colour the output: auto, always or never")
	flags.Int64Var(&f.maxBytes, "max-bytes", 64<<20, "refuse documents larger than this, in bytes")
}

// documents returns the documents that the arguments name.
func (f *documentFlags) documents(paths []string, s Streams) (app.Documents, error) {
	d := app.Documents{Paths: paths, Stdin: s.In, MaxBytes: f.maxBytes}
	if f.maxBytes <= 0 {
		return d, usage("--max-bytes must be greater than 0")
	}
	return d, nil
}

// completeMarkdown completes the names of Markdown files and of folders.
func completeMarkdown(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"md", "markdown", "mdx"}, cobra.ShellCompDirectiveFilterFileExt
}

// isMany reports whether paths may stand for more than one document, so that
// lines must say which one they are about.
func isMany(paths []string) bool {
	return len(paths) != 1 || app.IsMany(paths[0])
}
