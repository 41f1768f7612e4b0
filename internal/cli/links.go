package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

func newLinks(s Streams) *cobra.Command {
	var (
		doc documentFlags
		req linking.Request
	)
	cmd := &cobra.Command{
		Use:   "links [DOCUMENT...]",
		Short: "List links and where they lead, or check them",
		Long: `List the links of documents and what they lead to, a line each: path and line,
destination, and the file and line that it leads to. A folder stands for its Markdown
files; without a document, all of the project are read.

A link is broken if there is no such file, or no such anchor in it. What can't be judged
from the documents is unknown and never broken: what a site may make of something else,
what lies outside of the project. Links with a scheme are external and are listed with
--external alone; nothing is fetched. The keys links.dialect and links.root of the
configuration say how anchors are made and what '/' stands for.

With --broken, the exit code is 1 if a link is broken or fits several documents.`,
		Example: `  sectile links --broken docs README.md
  sectile links --to 'docs/guide.md#install' docs
  sectile links --graph mermaid docs
  sectile links --format github`,
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{documents.Project()}
			}
			doc.memory.anchors = true
			docs, err := doc.documents(args, s)
			if err == nil {
				err = docs.CheckClimb(req.To)
			}
			if err != nil {
				return err
			}
			docs.Guide = nil // what its links lead to is beside the file that it was made from
			if req.JSON = doc.json; req.JSON || req.Graph == "json" {
				terminal.PrintsJSON(s.Out)
			}
			res, err := linking.Links(cmd.Context(), docs, &req, func(text []byte) error {
				_, err := s.Out.Write(terminal.Shown(s.Out, string(text)))
				return err
			}, func(e *replies.Error) error {
				tell(s, e, doc.json)
				return nil
			})
			if err != nil {
				return err
			}
			if !req.JSON && req.Graph == "" {
				if _, err := fmt.Fprintln(s.Err, res.Summary(&req)); err != nil {
					return err
				}
			}
			if (req.Broken || req.Format != "") && res.Broken > 0 || res.Failed > 0 {
				return errFailed
			}
			return nil
		},
	}
	doc.add(cmd)
	doc.addWalk(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&req.Broken, "broken", false, "list links that lead nowhere; exit 1 if there is one")
	flags.StringVar(&req.To, "to", "", "list links that lead to this document, to FILE#ANCHOR, or to FILE:LINES")
	flags.StringVar(&req.Graph, "graph", "", "print what links to what: "+strings.Join(linking.Graphs(), ", "))
	flags.BoolVar(&req.Orphans, "orphans", false, "list documents to which no other one links, but for README and index, which stand for their folder")
	flags.BoolVar(&req.External, "external", false, "list links that lead out of the documents")
	flags.StringVar(&req.Format, "format", "", "github: broken links as annotations for its checks, as --broken lists them")
	_ = cmd.RegisterFlagCompletionFunc("graph", cobra.FixedCompletions(linking.Graphs(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
