package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/finding"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/terminal"
)

// searchVoice is how errors of 'search' call its arguments.
var searchVoice = flagsOf(replies.Cursor, replies.MaxChars, replies.Limit) //nolint:gochecknoglobals // a constant

func newSearch(s Streams) *cobra.Command {
	var (
		doc         documentFlags
		req         finding.SearchRequest
		engine      finding.Elsewhere
		text, regex bool
	)
	cmd := &cobra.Command{
		Use:   "search QUERY [DOCUMENT...]",
		Short: "Find sections by words, by a text or by a regular expression",
		Long: `Find the sections of documents that have the words of a query, the best first. Without
a document, all of the project are searched.

  install proxy    words in any order; other forms of English words match too
  "behind a proxy" these words side by side
  inst* -windows   words that begin so; no section that has the word
  title:install    a word in the section's own heading
  path:docs/**     documents whose path matches

With --text, find lines that have the text, and with --regex those that match a regular
expression (RE2), by the sections that they stand in. Small letters match capital ones too,
unless the query has a capital letter.

The line of a section can be read from: its path, lines, address and hash, and its titles.
If nothing is found, the exit code is 1.

Where one machine isn't enough, words are looked for by the engine that --backend or your own
configuration names, once 'sectile search push' has fed it.`,
		Example: `  sectile search 'install proxy'
  sectile search --text 'max_chars' docs README.md
  sectile search --regex 'port \d+' --in code -C 2 docs
  sectile search -l 'title:install'`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeSearch,
		RunE: func(cmd *cobra.Command, args []string) error {
			docs, err := doc.documents(args[1:], s)
			if err != nil {
				return err
			}
			if text && regex {
				return usage("--text and --regex exclude each other; choose one")
			}
			req.Query, req.JSON, req.ErrorsApart, req.Elsewhere = args[0], doc.json, true, &engine
			given := cmd.Flags().Changed("limit")
			switch {
			case text:
				req.Match = finding.MatchText
			case regex:
				req.Match = finding.MatchRegex
			case req.IgnoreCase:
				return usage("--ignore-case is for --text and --regex; words match in any case")
			}
			if given && req.Limit == 0 || !given && req.Match != "" {
				req.Limit = -1
			}
			reply, err := finding.Search(cmd.Context(), docs, req)
			if err != nil {
				return searchVoice.spell(err)
			}
			if _, err := s.Out.Write(terminal.Shown(s.Out, string(reply.Text))); err != nil {
				return err
			}
			if err := tellFailed(s, reply.Failed, doc.json); err != nil || reply.Found > 0 {
				return err
			}
			return errFailed
		},
	}
	doc.add(cmd)
	doc.addWalk(cmd)
	doc.parts = true
	cmd.Flags().BoolVarP(&text, "text", "F", false, "find lines with this text")
	cmd.Flags().BoolVarP(&regex, "regex", "e", false, "find lines that match this regular expression")
	searchFlags(cmd, &req, &engine)
	cmd.AddCommand(newSearchPush(s))
	return cmd
}

// searchFlags adds the flags that fill a request.
func searchFlags(cmd *cobra.Command, req *finding.SearchRequest, engine *finding.Elsewhere) {
	flags := cmd.Flags()
	flags.BoolVarP(&req.IgnoreCase, "ignore-case", "i", false, "with --text and --regex, match capital letters by small ones always")
	flags.StringVar(&req.In, "in", "all", "look in: "+strings.Join(finding.Places(), ", "))
	flags.IntVarP(&req.Limit, "limit", "m", finding.DefaultLimit, "show so many sections, 0 for all; with --text and --regex all are shown unless this is given")
	flags.BoolVarP(&req.Names, "files-with-matches", "l", false, "print the paths of the documents alone")
	flags.IntVarP(&req.Context, "context", "C", 0, "show so many lines before and after each line")
	flags.IntVar(&req.MaxChars, "max-chars", 0, "print at most so many characters, at least 500; 0 prints all")
	flags.StringVar(&req.Cursor, "cursor", "", "go on where an output ended")
	flags.StringVar(&engine.Address, "backend", "", "the address of the index that is asked, https://HOST:PORT/INDEX")
	_ = cmd.RegisterFlagCompletionFunc("in", cobra.FixedCompletions(finding.Places(), cobra.ShellCompDirectiveNoFileComp))
}

// completeSearch completes documents after the query.
func completeSearch(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeMarkdown(cmd, args, word)
}
