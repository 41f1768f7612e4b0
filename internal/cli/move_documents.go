package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/replies"
)

// The commands about whole documents.

// documentVoice is how their errors call arguments.
var documentVoice = flagsOf(replies.Links, replies.ExpectedVersion).with(voice{ //nolint:gochecknoglobals // a constant
	replies.ToPath: "NEW", replies.Content: "--content, --content-file and standard input",
})

// documentVerb makes, moves or deletes a document.
type documentVerb = func(context.Context, documents.Set, editing.DocumentRequest) (*editing.EditReply, error)

// documentCommand adds to a command what runs a verb for the document that its first argument
// names; prepare reads the rest.
func documentCommand(cmd *cobra.Command, s Streams, verb documentVerb, req *editing.DocumentRequest, prepare func(f *editFlags, args []string) error) *cobra.Command {
	var flags editFlags
	cmd.ValidArgsFunction = completeMarkdown
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return flags.print(s, documentVoice, func() (*editing.EditReply, error) {
			docs, err := flags.documents(args[:1], s)
			if err == nil {
				err = docs.CheckClimb(args...)
			}
			if err == nil {
				req.EditOptions = flags.options
				err = prepare(&flags, args)
			}
			if err != nil {
				return nil, replies.Unwritten(err)
			}
			return verb(cmd.Context(), docs, *req)
		})
	}
	flags.add(cmd)
	for _, unused := range []string{"allow-restructure", "text-files"} {
		_ = cmd.Flags().MarkHidden(unused)
	}
	return cmd
}

// newNew returns the command that makes a document.
func newNew(s Streams) *cobra.Command {
	var (
		req           editing.DocumentRequest
		content, file string
		given         func(flag string) bool
	)
	cmd := documentCommand(&cobra.Command{
		Use:   "new FILE",
		Short: "Make a document, and the folders on the way to it",
		Long: `Make a Markdown file with a text, from --content, --content-file or standard input, and
the folders on the way to it. A file that is there is left as it is, and the command fails.`,
		Example: `  sectile new docs/guide/install.md --content '# Install'
  sectile new notes.md < draft.txt`,
		Args: cobra.ExactArgs(1),
	}, s, editing.CreateDocument, &req, func(f *editFlags, _ []string) (err error) {
		req.Content, err = f.content("append", &content, file, given, s)
		if err == nil && req.Content == nil && !isInputTerminal(s) {
			req.Content = new(string)
		}
		return err
	})
	set := cmd.Flags()
	given = set.Changed
	set.StringVar(&content, "content", "", "the text")
	set.StringVar(&file, "content-file", "", "read the text from this file; - is standard input")
	return cmd
}

// newMv returns the command that moves a document.
func newMv(s Streams) *cobra.Command {
	var req editing.DocumentRequest
	cmd := documentCommand(&cobra.Command{
		Use:   "mv OLD NEW",
		Short: "Move or rename a document or folder, with all links of it and to it",
		Long: `Give a document another path, and make the folders on the way there; NEW may be a
folder. A folder moves with all documents in it, but for protected ones and those in
folders that ignore files name; files that are no documents stay. Its own links, and those
in all documents of the project that lead to it, are changed in the same change, each in
the style that it has, and it is proved that all lead where they led; otherwise nothing is
written. With --links leave they stay as they are. Documents that 'sectile list' leaves out
are not looked at for links.`,
		Example: `  sectile mv guide.md docs/guide.md
  sectile mv docs/old.md archive/ --dry-run
  sectile mv docs/guide docs/manual`,
		Args: cobra.ExactArgs(2),
	}, s, editing.MoveDocument, &req, func(_ *editFlags, args []string) error {
		req.To = args[1]
		return nil
	})
	addDocumentGuards(cmd, &req, "update (the default) changes links of it and to it; leave leaves them", editing.LinkChoices())
	return cmd
}

// newRm returns the command that deletes a document.
func newRm(s Streams) *cobra.Command {
	var req editing.DocumentRequest
	cmd := documentCommand(&cobra.Command{
		Use:   "rm FILE",
		Short: "Delete a document to which no link leads",
		Long: `Delete a document. While links of other documents in the project lead to it, the command
fails and names them; --links leave deletes it all the same. Documents that 'sectile list'
leaves out are not looked at. 'sectile undo' brings it back.`,
		Example: `  sectile rm docs/old.md
  sectile rm docs/old.md --links leave`,
		Args: cobra.ExactArgs(1),
	}, s, editing.DeleteDocument, &req, func(*editFlags, []string) error { return nil })
	addDocumentGuards(cmd, &req, "leave: delete it though links lead there", editing.LinkChoices()[1:])
	return cmd
}

// addDocumentGuards adds the flags that say what becomes of links, and which document is meant.
func addDocumentGuards(cmd *cobra.Command, req *editing.DocumentRequest, links string, choices []string) {
	set := cmd.Flags()
	set.StringVar(&req.Links, "links", "", links)
	_ = cmd.RegisterFlagCompletionFunc("links", cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
	set.StringVar(&req.ExpectedVersion, "expected-version", "", "the version of the file that was read; another one is a conflict")
}
