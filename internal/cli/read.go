package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
)

func newRead(s Streams) *cobra.Command {
	var (
		doc   documentFlags
		req   reading.ReadRequest
		lines string
	)
	cmd := &cobra.Command{
		Use:   "read DOCUMENT [ADDRESS...]",
		Short: "Read parts of a document",
		Long: `Read parts of a document. Without an address, show a map: the sections with their
selectors, lines and words, and a short document itself.

An address is the text of a heading, with its marks or without ('## Install'); a
selector with an index (h2.1, h2.1/code.0); an anchor (#install); a line (L120);
a path ('Guide > Install'); @preamble, @frontmatter or @document.

The text comes as it is, after a head that says what it is. With --max-chars, what
does not fit is left out by structure, and the head says which lines and how to go
on. A line that is longer than that comes in parts.`,
		Example: `  sectile read README.md
  sectile read README.md Install '## Usage'
  sectile read --lines 120-180 README.md
  sectile read --max-chars 4000 README.md h2.3`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeAddress,
		RunE: func(cmd *cobra.Command, args []string) error {
			docs, err := doc.documents(args[:1], s)
			if err != nil {
				return err
			}
			if lines == "" && cmd.Flags().Changed("lines") {
				return usage("--lines is empty; write 120-180, 120- or 120, or leave it out")
			}
			if req.StartLine, req.EndLine, err = parseLines(lines); err != nil {
				return err
			}
			req.JSON, req.Call = doc.json, readCommand
			req.Heading, req.Headings = "", args[1:]
			if len(args) == 2 {
				req.Heading, req.Headings = args[1], nil
				if strings.TrimSpace(req.Heading) == "" {
					return usage("the address is empty; leave it out for a map")
				}
			}
			failed := 0
			err = printReply(s, func() ([]byte, error) {
				reply, err := reading.Read(docs, req)
				if err != nil {
					return nil, readVoice.spell(err)
				}
				failed = reply.Failed
				return reply.Text, nil
			})
			if err == nil && failed > 0 {
				return errFailed
			}
			return err
		},
	}
	doc.add(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&lines, "lines", "l", "", "read these lines, counted from 1: 120-180, 120- or 120")
	flags.IntVar(&req.StartChar, "start-char", 0, "read the rest of the one line in --lines from this character, counted from 1")
	flags.BoolVar(&req.Complete, "complete", false, "read a whole plan file, with a receipt")
	flags.StringSliceVar(&req.PlanFolders, "plans", []string{"plans"}, "the folders that hold plan files, anywhere: plans, or docs/plans")
	flags.IntVarP(&req.Occurrence, "occurrence", "n", 0, "choose among several equal headings, from 1")
	flags.IntVar(&req.MaxChars, "max-chars", 0, "print at most so many characters, at least 500; 0 prints all")
	return cmd
}

// parseLines reads "first-last", "first-" or "first".
func parseLines(s string) (first, last int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	from, to, isRange := strings.Cut(s, "-")
	first, err = strconv.Atoi(from)
	last = first
	if err == nil && isRange {
		if last = 0; to != "" {
			last, err = strconv.Atoi(to)
		}
	}
	if err != nil || first < 1 || last < 0 || isRange && to != "" && last == 0 {
		return 0, 0, usage(fmt.Sprintf("--lines is 120-180, 120- or 120, not %q", s))
	}
	return first, last, nil
}

// readCommand spells a request for what was left out as a command.
func readCommand(c reading.Continuation) string {
	args := []string{"sectile", "read"}
	if c.MaxChars > 0 {
		args = append(args, fmt.Sprint("--max-chars ", c.MaxChars))
	}
	if c.Headings == nil {
		args = append(args, fmt.Sprintf("--lines %d-%d", c.StartLine, c.EndLine))
	}
	if c.StartChar > 0 {
		args = append(args, fmt.Sprint("--start-char ", c.StartChar))
	}
	path := c.Path
	if strings.HasPrefix(path, "-") && path != documents.Stdin {
		path = "./" + path
	}
	args = append(args, shellQuoted(path))
	for _, h := range c.Headings {
		args = append(args, shellQuoted(h))
	}
	return strings.Join(args, " ")
}

// shellQuoted quotes an argument for a POSIX shell, if it needs that.
func shellQuoted(s string) string {
	plain := s != ""
	for _, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("._/-:+@%,", c) {
			plain = false
		}
	}
	if plain {
		return s
	}
	if strings.ContainsFunc(s, unicode.IsControl) { // it must stay on one line
		return "$'" + strings.Trim(strings.ReplaceAll(strconv.QuoteToASCII(s), "'", `\'`), `"`) + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
