package cli

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/runes"
	"github.com/sectile/sectile/internal/terminal"
)

const readLong = `Read parts of a document. Without an address, show a short document itself, and of a
longer one a map: its sections with their selectors, lines and words.

An address is the text of a heading, with its marks or without ('## Install'); a
selector with an index (h2.1, h2.1/code.0); an anchor (#install); a line (L120);
a path ('Guide > Install'); @preamble, @frontmatter or @document. Behind a slash, or
alone, stand parts of one: 'Install/code[sh]', 'task[open]', 'para["It is"]',
'table.0["Apple", "Price"]', 'link[broken]', 'image.0', 'def["label"]'; and keys,
@frontmatter.title. ?head=5 and ?tail=5 behind an address show so many lines of it.
docs/addresses.md tells all of them. A place as it is printed, README.md:5-16, stands for
its lines, a link, README.md#install, for what it leads to, and README.md::ADDRESS for
both in one. guide://category/NAME/PATH is a document of the guides of the project, as
agents get it.

The text comes as it is, below a line with its place, selector, hash and titles. In a
pipe or a file that line goes to standard error: 'sectile read F A > x' is the section.
With --max-chars, what does not fit is left out by structure, and lines below the first
one say which lines and how to go on. A line that is longer than that comes in parts.`

func newRead(s Streams) *cobra.Command {
	var (
		doc   documentFlags
		req   reading.ReadRequest
		lines string
		plain bool
	)
	cmd := &cobra.Command{
		Use:   "read DOCUMENT [ADDRESS...]",
		Short: "Read parts of a document",
		Long:  readLong,
		Example: `  sectile read README.md
  sectile read README.md Install '## Usage'
  sectile read README.md 'Install/code[sh]' 'table.0["Apple", "Price"]'
  sectile read --lines 120-180 README.md
  sectile read --max-chars 4000 README.md h2.3`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeAddress,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, lines = apart(args, lines)
			doc.memory.anchors = mayBeAnchors(args[1:])
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
			if plain && req.JSON {
				return usage("--plain and --json exclude each other; choose one")
			}
			if plain && len(args) == 1 && lines == "" && !req.Map && !req.Complete {
				req.Heading = "@document"
			}
			if len(args) == 2 {
				req.Heading, req.Headings = args[1], nil
				if strings.TrimSpace(req.Heading) == "" {
					return usage("the address is empty; leave it out for a map")
				}
			}
			reply, err := reading.Read(docs, req)
			if err != nil {
				return documentFirst(orFile(readVoice.spell(err), req.Heading), args)
			}
			if err := printRead(s, reply, doc.color, plain); err != nil {
				return err
			}
			if reply.Failed > 0 {
				return errFailed
			}
			return nil
		},
	}
	doc.add(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&lines, "lines", "l", "", "read these lines, counted from 1: 120-180, 120- or 120")
	flags.IntVar(&req.StartChar, "start-char", 0, "read the rest of the one line in --lines from this character, counted from 1")
	flags.BoolVar(&req.Map, "map", false, "show the sections, with their hashes, of the document, the one address or the lines")
	flags.BoolVar(&plain, "plain", false, "print the text alone; without an address, all of it")
	flags.BoolVar(&req.Complete, "complete", false, "read a whole plan file, with a receipt")
	flags.StringSliceVar(&req.PlanFolders, "plans", []string{"plans"}, "the folders that hold plan files, anywhere: plans, or docs/plans")
	flags.IntVarP(&req.Occurrence, "occurrence", "n", 0, "choose among several equal headings, from 1")
	flags.IntVar(&req.MaxChars, "max-chars", 0, "print at most so many characters, at least 500; 0 prints all")
	return cmd
}

// orFile says of an address that nothing has that it is a file, or a part of one.
func orFile(e *replies.Error, heading string) error {
	file, _, _ := partOf(heading)
	switch {
	case e.Code != "heading_not_found":
	case isFile(heading):
		e.Message = e.Message.Then("; %s is a file, and 'read' takes one document", replies.Safe(heading))
	case file != "":
		e.Message = e.Message.Then("; %s is a part of a document by itself: sectile read %s", replies.Safe(heading), replies.Safe(runes.ShellQuoted(heading)))
	}
	return e
}

// printRead prints a reply. What isn't text of the document is dim on a terminal, and goes
// to standard error where the output is no terminal, so that the output is the text alone;
// with plain it goes nowhere, unless it says what failed. A reply without such text is what
// was asked for.
func printRead(s Streams, r *reading.ReadReply, color string, plain bool) error {
	shade, err := terminal.Style(color, s.Out)
	if err != nil {
		return err
	}
	for isText, piece := range r.Pieces() {
		ending := len(bytes.Trim(piece, "\n")) == 0 // after text whose last line has none
		switch out := s.Out; {
		case isText || !r.HasText() || ending && !plain:
			_, err = out.Write(terminal.Shown(s.Out, string(piece)))
		case plain && r.Failed == 0:
		case plain || !terminal.Is(out):
			_, err = s.Err.Write(piece)
		default:
			_, err = fmt.Fprintf(out, "%s%s%s", shade.Range.Before, piece, shade.Range.After)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	if c.Map {
		args = append(args, "--map")
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
	args = append(args, runes.ShellQuoted(path))
	for _, h := range c.Headings {
		args = append(args, runes.ShellQuoted(h))
	}
	return strings.Join(args, " ")
}
