package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/replies"
)

// newMove returns the command that changes the structure of a document.
func newMove(s Streams) *cobra.Command {
	var (
		flags editFlags
		req   editing.MoveSectionRequest
		place movePlace
	)
	cmd := &cobra.Command{
		Use:   "move FILE ADDRESS [ACTION]",
		Short: "Move a section, change its level, or put its subsections in order",
		Long: `Change where a section of a Markdown file stands, and nothing else. A section is moved
with its subsections, and no text of it changes. The actions:

  move      beside another section (--before, --after) or below it (--into, as its last
            subsection, or its first with --first); its level becomes that of the place
  promote   one level up, with its subsections
  demote    one level down
  dissolve  the heading goes; its text stays in the section above, its subsections
            take its level
  reorder   its subsections, in the order of --order, or by title; the address
            @document means the sections of the highest level

Without an action, the section is moved. With --to-path it moves to another document,
beside or below a section there or to its end, and takes along the definitions that it
uses; --create makes that document, and --leave-link leaves the heading with a link. All
links in the project that lead to it, and its own, lead where they led afterwards, or the
move is refused; --links leave leaves them. Documents that 'sectile list' leaves out are not
looked at.

What would come to stand in another section
by the change, or become part of another block, is refused.

In one document, if links lead to a heading whose anchor changes, as those of equal
headings do when they change places, --links says what becomes of them, as in 'rename'.`,
		Example: `  sectile move README.md Usage --after Install
  sectile move README.md 'Guide > Notes' --into Appendix --first --dry-run
  sectile move README.md Usage --to-path docs/usage.md --create --leave-link
  sectile move README.md Usage promote
  sectile move README.md Commands reorder
  sectile move README.md Guide reorder --order Install --order Usage --order Notes`,
		Args:              cobra.RangeArgs(2, 3),
		ValidArgsFunction: completeEdit(editing.MoveActions()),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Heading, req.Action, req.EditOptions = args[1], "move", flags.options
			if len(args) > 2 {
				req.Action = args[2]
			}
			return documentFirst(flags.print(s, moveVoice, func() (*editing.EditReply, error) {
				docs, err := flags.documents(args[:1], s)
				if err == nil {
					req.To, req.Where, err = place.chosen(cmd.Flags().Changed)
				}
				err = cmp.Or(err, docs.CheckClimb(req.ToPath))
				if err != nil {
					return nil, replies.Unwritten(err)
				}
				return editing.MoveSection(cmd.Context(), docs, req)
			}), args)
		},
	}
	flags.add(cmd)
	set := cmd.Flags()
	for _, unused := range []string{"allow-restructure", "text-files"} {
		_ = set.MarkHidden(unused)
	}
	set.StringVar(&place.before, "before", "", "move it before this section")
	set.StringVar(&place.after, "after", "", "move it after this section and its subsections")
	set.StringVar(&place.into, "into", "", "move it below this section, as its last subsection")
	set.BoolVar(&place.first, "first", false, "with --into: as its first subsection")
	set.BoolVar(&req.KeepLevels, "keep-levels", false, "keep the levels of the headings; refused where they don't fit")
	set.StringArrayVar(&req.Order, "order", nil, "for reorder: the heading of a subsection, once for each of them, in their new order")
	set.StringVar(&req.ToPath, "to-path", "", "move it to this document")
	set.BoolVar(&req.Create, "create", false, "with --to-path: make the document, and its folders")
	set.BoolVar(&req.LeaveLink, "leave-link", false, "with --to-path: leave the heading, with a link below it")
	_ = cmd.MarkFlagFilename("to-path", "md", "markdown", "mdx")
	addGuards(cmd, &req.Links, &req.Occurrence, &req.ExpectedHash, &req.ExpectedVersion)
	for _, flag := range []string{"before", "after", "into", "order"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			return completeAddress(cmd, args[:min(len(args), 1)], word)
		})
	}
	return cmd
}

// movePlace are the flags that say where a section goes.
type movePlace struct {
	before, after, into string
	first               bool
}

// chosen returns the section that is named, and the place as seen from it; nothing if no
// flag was given.
func (p *movePlace) chosen(given func(flag string) bool) (to, where string, err error) {
	for _, choice := range [][3]string{{"before", p.before, "before"}, {"after", p.after, "after"}, {"into", p.into, "last"}} {
		switch {
		case !given(choice[0]):
		case where != "":
			return "", "", usage("--before, --after and --into exclude each other; choose one")
		default:
			to, where = choice[1], choice[2]
		}
	}
	switch {
	case !p.first:
	case where != "last":
		return "", "", usage("--first belongs to --into; leave it out")
	default:
		where = "first"
	}
	return to, where, nil
}
