package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/finding"
	"github.com/sectile/sectile/internal/terminal"
)

func newList(s Streams) *cobra.Command {
	var (
		doc documentFlags
		req finding.ListRequest
	)
	cmd := &cobra.Command{
		Use:   "list [DOCUMENT...]",
		Short: "List documents: path, lines, words, time of the last change and title",
		Long: `List documents, a line each: path, lines, words, when it was changed (UTC; - for
standard input), and the title in its front matter or, if it has none that can be read,
its first heading. Without a document, all of the project are listed.`,
		Example: `  sectile list
  sectile list --sort modified --limit 10 docs
  sectile list --json 'docs/**/*.md'`,
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			docs, err := doc.documents(args, s)
			if err != nil {
				return err
			}
			docs.Guide = nil // it lists files
			req.ErrorsApart = true
			if req.JSON = doc.json; req.Limit == 0 {
				req.Limit = -1
			}
			reply, err := finding.List(cmd.Context(), docs, req)
			if err != nil {
				return searchVoice.spell(err)
			}
			if _, err := s.Out.Write(terminal.Shown(s.Out, string(reply.Text))); err != nil {
				return err
			}
			return tellFailed(s, reply.Failed, doc.json)
		},
	}
	doc.add(cmd)
	doc.addWalk(cmd)
	flags := cmd.Flags()
	flags.StringVar(&req.Sort, "sort", "name", "the order: "+strings.Join(finding.Sorts(), ", "))
	flags.IntVarP(&req.Limit, "limit", "m", 0, "list so many documents; 0 lists all")
	flags.StringVar(&req.Cursor, "cursor", "", "go on where a list ended")
	_ = cmd.RegisterFlagCompletionFunc("sort", cobra.FixedCompletions(finding.Sorts(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
