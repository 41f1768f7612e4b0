package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/terminal"
)

// noPager is the flag of the commands whose output may be long.
const noPager = "no-pager"

// addNoPager adds the flag. A command that has it pages.
func addNoPager(flags *pflag.FlagSet) {
	flags.Bool(noPager, false, "print to a terminal without a pager, however long the output is")
}

// pagerOf returns the pager for a command's output, nil if it goes to none.
func pagerOf(cmd *cobra.Command, s Streams) *terminal.Pager {
	flag := cmd.Flags().Lookup(noPager)
	if flag == nil || flag.Value.String() == "true" || wantsJSON(cmd, nil, nil) {
		return nil
	}
	if watch := cmd.Flags().Lookup("watch"); watch != nil && watch.Value.String() == "true" {
		return nil
	}
	return terminal.NewPager(s.Out)
}

// printHelp prints what a command's help is, as the library does, for the width of the
// terminal.
func printHelp(cmd *cobra.Command, _ []string) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	text := strings.TrimSpace(about) + "\n\n" + cmd.UsageString()
	_, _ = io.WriteString(cmd.OutOrStdout(), terminal.Help(text, terminal.Width(cmd.OutOrStdout()))) // there is nowhere else to tell
}

// printParts prints the parts of a reply as they come, errors in between. It
// returns errFailed if a document failed.
func printParts(ctx context.Context, s Streams, docs documents.Set, request func(emit func(documents.Part) error) error) error {
	p := terminal.NewProgress(s.Out, s.Err)
	go p.Run(ctx, func(ctx context.Context) int { return documents.Count(ctx, docs) })
	defer p.Stop()
	failed := 0
	err := request(func(part documents.Part) error {
		failed += part.Failed
		return p.Print(part.Files, func() error { return printPart(s, part) })
	})
	if err == nil && failed > 0 {
		return errFailed
	}
	return err
}

// printPart prints a part of a reply and its errors.
func printPart(s Streams, part documents.Part) error {
	for _, e := range part.Errors {
		printError(s.Err, e)
	}
	if len(part.Text) == 0 {
		return nil
	}
	_, err := s.Out.Write(part.Text)
	return err
}

// withProgress answers a request whose result comes in pieces that end anywhere: the bar is
// there until the first of them.
func withProgress(ctx context.Context, s Streams, docs documents.Set, request func(docs documents.Set, out, errs io.Writer) error) error {
	p := terminal.NewProgress(s.Out, s.Err)
	counted := docs
	docs.Progress = p.Tell
	go p.Run(ctx, func(ctx context.Context) int { return documents.Count(ctx, counted) })
	defer p.Stop()
	return request(docs, p.Printing(s.Out), p.Printing(s.Err))
}

// printReply prints a reply that comes in one piece.
func printReply(s Streams, request func() ([]byte, error)) error {
	text, err := request()
	if len(text) > 0 {
		if _, writeErr := s.Out.Write(text); writeErr != nil {
			return writeErr
		}
	}
	return err
}
