package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/selecting"
	"github.com/sectile/sectile/internal/terminal"
)

func newSelect(s Streams) *cobra.Command {
	var (
		doc documentFlags
		req selecting.SelectRequest
	)
	cmd := &cobra.Command{
		Use:   "select SELECTOR [DOCUMENT...]",
		Short: "Show what a selector or another address chooses of documents",
		Long: `Show what a selector chooses of documents: the source text, byte for byte. Before
each of several parts stands a line with its selector. What is no selector is looked
for as another address, of which all that it fits is shown.

  h2.1                 the second H2 with what is below it
  h2                   all of them; h2.0,2-3 the first, third and fourth
  h2.1/code.0          the first code block in it; also para, list, table, quote,
                       html, frontmatter, list.0/item.1, table.0/row.2
  readme::h2.1         in one of several documents
  h2.1?head=20         its first 20 lines; also tail=20
  Install, '#install'  a heading, an anchor; 'Install/code[sh]', 'task[open]',
                       'table["Price"]', @frontmatter.title: a part of any document

Indexes begin with 0, as 'sectile index' shows them. Of several documents the number
of matches comes last; in a pipe or a file it goes to standard error. Without a document, read the
one that is piped into standard input.`,
		Example: `  sectile select h2.1 README.md
  sectile select h2.1/code docs/guide.md
  sectile select readme::h1.0 README.md CHANGELOG.md
  git show HEAD:README.md | sectile select h2.0`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeSelect,
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := len(args) - 1; n > 0 && isFileName(args[0]) && isFile(args[0]) && args[n] != documents.Stdin {
				if _, err := os.Stat(args[n]); err == nil {
					return usage(fmt.Sprintf("%q is a file, and the selector comes before the documents", args[0]))
				}
				args = append([]string{args[n]}, args[:n]...) // the other way round
			}
			if n := len(args) - 1; n == 1 {
				if file, _, part := partOf(args[1]); part != "" { // of a part of it
					args = []string{part + "/" + args[0], file}
				}
			}
			paths, err := withPiped(args[1:], s.In)
			if err != nil {
				return err
			}
			docs, err := doc.documents(paths, s)
			if err != nil {
				return err
			}
			var totals bytes.Buffer
			req.Selector, req.JSON, req.Time, req.Totals = args[0], doc.json, time.Now(), &totals
			ctx := cmd.Context()
			err = withProgress(ctx, s, docs, func(docs documents.Set, out, errs io.Writer) error {
				return failed(selecting.Select(ctx, docs, req, terminal.Seen(s.Out, out), errs))
			})
			printTotals(s, totals.Bytes())
			return err
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&req.Full, "full", false, "show all, whatever head and tail in the selector say")
	flags.BoolVar(&doc.json, "json", false, "print JSON, one object for all matches and errors")
	flags.Int64Var(&doc.maxBytes, "max-bytes", 64<<20, "refuse documents larger than this, in bytes")
	doc.memory.add(cmd)
	doc.addWalk(cmd)
	addNoPager(flags)
	return cmd
}

// printTotals prints a line that is no text of a document: below it, dim, for whoever looks
// at both, and otherwise to standard error.
func printTotals(s Streams, line []byte) {
	switch shade, err := terminal.Style("auto", s.Out); {
	case err != nil || len(line) == 0:
	case terminal.Is(s.Out):
		_, _ = fmt.Fprintf(s.Out, "\n%s%s%s", shade.Range.Before, line, shade.Range.After) // all that counts is told
	default:
		_, _ = s.Err.Write(line)
	}
}
