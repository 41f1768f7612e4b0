package cli

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/selecting"
	"github.com/sectile/sectile/internal/terminal"
)

func newIndex(s Streams) *cobra.Command {
	var (
		doc documentFlags
		req selecting.IndexRequest
	)
	cmd := &cobra.Command{
		Use:   "index [DOCUMENT...]",
		Short: "Show an inventory of documents: selectors of headings, numbers of blocks",
		Long: `Show an inventory of documents: a line for each heading with the selector that
'sectile select' takes, and behind a rule the numbers of code blocks, paragraphs,
lists, tables and quotes. With several documents, a line with namespace and path
comes before each.

Without a document, read the one that is piped into standard input.`,
		Example: `  sectile index README.md
  sectile index --lines --words docs/guide.md
  git show HEAD:README.md | sectile index`,
		ValidArgsFunction: completeMarkdown,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := withPiped(args, s.In)
			if err != nil {
				return err
			}
			docs, err := doc.documents(args, s)
			if err != nil {
				return err
			}
			if req.Style, err = terminal.Style(doc.color, s.Out); err != nil {
				return err
			}
			req.JSON, req.Time = doc.json, time.Now()
			ctx := cmd.Context()
			return withProgress(ctx, s, docs, func(docs documents.Set, out, errs io.Writer) error {
				return failed(selecting.Index(ctx, docs, req, out, errs))
			})
		},
	}
	doc.add(cmd)
	doc.addWalk(cmd)
	flags := cmd.Flags()
	addIndexFlags(cmd, &req)
	flags.Lookup("json").Usage = "print JSON, one object for all documents and errors"
	return cmd
}

// addIndexFlags adds the flags of an inventory that it has under both names of
// the program.
func addIndexFlags(cmd *cobra.Command, req *selecting.IndexRequest) {
	cmd.Flags().BoolVar(&req.Lines, "lines", false, "show the first and last line of each section, as in h2.0:5-20")
	cmd.Flags().BoolVar(&req.Words, "words", false, "show the number of words of each section, without marks, as in h2.0:120w")
}

// failed returns the error that stands for exit code 1 in place of one that has
// been told.
func failed(err error) error {
	if errors.Is(err, selecting.ErrIncomplete) {
		return errFailed
	}
	return err
}

// withPiped returns the documents that a command names, or if it names none, the
// one that is piped into standard input.
func withPiped(args []string, in io.Reader) ([]string, error) {
	switch {
	case len(args) > 0:
		return args, nil
	case isPiped(in):
		return []string{documents.Stdin}, nil
	}
	return nil, usage("name a document, or pipe one into standard input")
}

// isPiped reports whether someone sends a document through standard input: it is
// a pipe, a socket or a file, neither a terminal nor /dev/null.
func isPiped(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return in != nil
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}
