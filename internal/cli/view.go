package cli

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/undoing"
)

func newView(s Streams, servers Servers) *cobra.Command {
	var (
		o doctor.ServerOptions
		h doctor.HTTPOptions

		own []string // patterns of headings
	)
	cmd := &cobra.Command{
		Use:   "view [ROOT]",
		Short: "Show documents in a browser, and what agents do with them",
		Long: `Show the documents below a folder, that of the project unless one is named, on a page
in a browser: read and search them, watch what agents read and change as it happens,
see all of them as a map, and the plan with its progress.

Open the address that is printed. It holds a key that is good once, and lets in no
other browser; what the browser has then reads this page and nothing else. The page
only shows, and can't write anything, unless it may undo changes: --view-writes.
"sectile mcp --http" has the same page at "/".`,
		Example: `  sectile view
  sectile view docs --view-writes
  sectile view --editor 'vscode://file{path}:{line}'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if servers.View == nil {
				return errNoServer()
			}
			if len(own) > 0 {
				var err error
				if o.Headings, err = doctor.Headings(cmd.Context(), own); err != nil {
					return err
				}
			}
			if o.Roots = args; len(args) == 0 {
				o.Roots = []string{documents.Project()}
			}
			o.Version, o.RuleMemory, o.Journal, o.ReadOnly = version(), true, undoing.Dir(), !h.ViewWrites
			if o.ReadOnly {
				if err := servers.keepFromWriting(); err != nil {
					return err
				}
			}
			return runUntilSignal(cmd.Context(), s, func(ctx context.Context) error {
				return servers.View(ctx, o, h, s.Out, s.Err)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&h.Address, "http", "127.0.0.1:0", "serve at HOST:PORT; port 0 is any that is free")
	flags.BoolVar(&h.AllowRemote, "allow-remote", false, "allow an address that other machines can reach")
	addPage(flags, &h)
	addWalk(flags, &o.Walk)
	addHeadings(flags, &own)
	flags.BoolVar(&o.AllowBroadRoot, "allow-broad-root", false, "allow the root of the file system, and the home folder")
	return cmd
}

// addPage adds the flags of the page for people.
func addPage(flags *pflag.FlagSet, h *doctor.HTTPOptions) {
	flags.BoolVar(&h.ViewWrites, "view-writes", false, "let the page take changes back")
	flags.StringVar(&h.Editor, "editor", "", "link documents on the page to this address, such as 'vscode://file{path}:{line}'")
}
