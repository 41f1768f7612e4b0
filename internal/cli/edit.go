package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/terminal"
)

func newEdit(s Streams) *cobra.Command {
	var (
		flags         editFlags
		req           editing.EditSectionRequest
		content, file string
		rows          string
	)
	cmd := &cobra.Command{
		Use:   "edit FILE ADDRESS ACTION",
		Short: "Change one section of a file, or of many",
		Long: `Change one part of a Markdown file, and nothing beside it.
If FILE is a folder or a pattern, change it in all documents that have it, or in none:
--expect says how many parts that must be, or --expected-version, which the output
without either names. On a terminal that asks first.

The address is as in 'read'; docs/addresses.md tells what tasks, cells, columns and
keys of front matter take. The actions:

  replace        the body; the heading too, if the text begins with one of its level
  insert_before  a section before it; the text begins with a heading of its level
  insert_after   a section after it and its subsections; of the same level or deeper
  remove         the section with its subsections
  append         text at the end of its own body
  prepend        text right below its heading
  rename, set    the text of its heading; a task (done, open) or a key (JSON or a text)

The text comes from --content, --content-file or standard input; --rows makes a table
of data, or appends rows to one (ADDRESS is the table then). An address that
counts (h2.1, L120, --occurrence) needs --expected-hash: the hash of what was read.
What would change the blocks around the section is refused.

With --dry-run, the difference is printed and nothing is written; what was found
goes to standard error. 'patch -p1' applies it in the working directory, or to a
file that is not below it in the file's own folder.`,
		Example: `  sectile edit README.md '## Install' append --content 'Run make.'
  sectile edit README.md 'Guide > Usage' replace --content-file usage.md
  sectile edit README.md h2.3 remove --expected-hash cb8871446cb48fd5
  sectile edit README.md Usage rename --content 'How to use it' --dry-run | patch -p1
  sectile edit 'docs/**/*.md' @frontmatter.draft set --content false --expect 20`,
		Args:              partArgs(3),
		ValidArgsFunction: completeEdit(sent.Actions()),
		RunE: func(cmd *cobra.Command, args []string) error {
			args = withPart(args, 3)
			req.Heading, req.Action = args[1], strings.ReplaceAll(args[2], "-", "_")
			req.EditOptions, req.Confirm = flags.options, confirmOn(s)
			return documentFirst(flags.print(s, editVoice, func() (*editing.EditReply, error) {
				docs, err := flags.documents(args[:1], s)
				if err == nil {
					req.Content, req.Rows, err = flags.contentOrRows(docs, req.Action, &content, file, rows, cmd.Flags().Changed, s)
				}
				if err != nil {
					return nil, replies.Unwritten(err)
				}
				return editing.EditSection(cmd.Context(), docs, req)
			}), args)
		},
	}
	flags.add(cmd)
	set := cmd.Flags()
	set.StringVar(&content, "content", "", "the new text, or the new title")
	set.StringVar(&file, "content-file", "", "read the new text from this file; - is standard input")
	set.StringVar(&rows, "rows", "", "make a table of this file, or more rows of one: CSV, or lists in JSON; - is standard input")
	set.StringVar(&req.Scope, "scope", "", "body: without the subsections; section: with them, and append comes behind them")
	set.BoolVar(&req.CreateMissing, "create-missing", false, "for append: make the headings of a path that isn't there yet")
	addGuards(cmd, &req.Links, &req.Occurrence, &req.ExpectedHash, &req.ExpectedVersion)
	set.IntVar(&req.ExpectedCount, "expect", 0, "change so many parts, all that the address stands for in all documents; another number is a conflict")
	set.BoolVar(&req.UnlessPresent, "unless-present", false, "append nothing where it is already: to a list of front matter, or to a part that has a block with the text")
	set.BoolVar(&req.Renumber, "renumber", false, "let the numbers of an ordered list go on where items come or go")
	_ = cmd.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions(sent.Scopes(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// addGuards adds the flags that say which part is meant, and what becomes of links to it.
func addGuards(cmd *cobra.Command, links *string, occurrence *int, hash, version *string) {
	set := cmd.Flags()
	set.StringVar(links, "links", "", "links that lead to a heading with a new name: update changes them too, leave leaves them")
	_ = cmd.RegisterFlagCompletionFunc("links", cobra.FixedCompletions(editing.LinkChoices(), cobra.ShellCompDirectiveNoFileComp))
	set.IntVarP(occurrence, "occurrence", "n", 0, "choose among several equal headings, from 1")
	set.StringVar(hash, "expected-hash", "", "the hash or body_hash of what was read; another one is a conflict")
	set.StringVar(version, "expected-version", "", "the version of the file that was read; another one is a conflict")
}

// newRename returns the command that renames a heading.
func newRename(s Streams) *cobra.Command {
	var (
		flags editFlags
		req   editing.EditSectionRequest
	)
	cmd := &cobra.Command{
		Use:   "rename DOCUMENT ADDRESS TITLE",
		Short: "Rename a heading, and keep the links that lead to it",
		Long: `Give a heading another text, as 'sectile edit DOCUMENT ADDRESS rename' does.

If links lead to the heading, or to one whose anchor changes with it, as that of the
second of two equal headings does, --links says what becomes of them: update changes
their destinations too, in all documents of the project, and proves that every link leads
where it led; leave leaves them. Without it the change is refused. Documents that
'sectile list' leaves out are not looked at.`,
		Example: `  sectile rename README.md Usage 'How to use it'
  sectile rename README.md '#usage' 'How to use it' --links update --dry-run`,
		Args:              partArgs(3),
		ValidArgsFunction: completeEdit(sent.Actions()),
		RunE: func(cmd *cobra.Command, args []string) error {
			args = withPart(args, 3)
			req.Heading, req.Action, req.Content, req.EditOptions = args[1], "rename", &args[2], flags.options
			return documentFirst(flags.print(s, editVoice, func() (*editing.EditReply, error) {
				docs, err := flags.documents(args[:1], s)
				if err != nil {
					return nil, replies.Unwritten(err)
				}
				return editing.EditSection(cmd.Context(), docs, req)
			}), args)
		},
	}
	flags.add(cmd)
	addGuards(cmd, &req.Links, &req.Occurrence, &req.ExpectedHash, &req.ExpectedVersion)
	return cmd
}

// contentOrRows returns the new text, or the rows of a table for documents; nil for what there
// is none of.
func (f *editFlags) contentOrRows(docs documents.Set, action string, content *string, file, rows string, given func(flag string) bool, s Streams) (*string, [][]string, error) {
	switch {
	case !given("rows"):
		text, err := f.content(action, content, file, given, s)
		return text, nil, err
	case given("content") || given("content-file"):
		return nil, nil, usage("--rows and --content or --content-file exclude each other; choose one")
	}
	all, err := sent.ReadRows(documents.Set{Paths: []string{rows}, Stdin: s.In, MaxBytes: f.maxBytes, Work: docs.Work})
	return nil, all, err
}

// content returns the new text, nil for none: what the flags say, or what comes from
// standard input.
func (f *editFlags) content(action string, content *string, file string, given func(flag string) bool, s Streams) (*string, error) {
	switch {
	case given("content") && given("content-file"):
		return nil, usage("--content and --content-file exclude each other; choose one")
	case given("content"):
		return content, nil
	case given("content-file"):
		return f.text(file, s)
	case !editing.TakesText(action) || isInputTerminal(s):
		return nil, nil
	}
	text, err := f.text(documents.Stdin, s)
	// Whoever has nothing to say has an empty standard input too.
	if err != nil || *text == "" {
		return nil, err
	}
	return text, nil
}

// editFlags are the flags of the commands that change documents.
type editFlags struct {
	options  editing.EditOptions
	json     bool
	maxBytes int64
	memory   memoryFlag
}

// add adds the flags to cmd.
func (f *editFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.options.DryRun, "dry-run", false, "write nothing, print the difference")
	flags.BoolVar(&f.options.Diff, "diff", false, "print the difference too")
	flags.BoolVar(&f.options.AllowRestructure, "allow-restructure", false, "allow headings that don't fit and changes to the blocks around")
	flags.BoolVar(&f.options.TextFiles, "text-files", false, "also change UTF-8 files that are no Markdown, as text")
	flags.BoolVar(&f.json, "json", false, "print JSON, errors too")
	flags.Int64Var(&f.maxBytes, "max-bytes", 64<<20, "refuse documents larger than this, in bytes")
	f.memory.add(cmd)
	f.memory.anchors = true
}

// documents returns the document that is changed.
func (f *editFlags) documents(paths []string, s Streams) (documents.Set, error) {
	return (&documentFlags{maxBytes: f.maxBytes, memory: f.memory}).documents(paths, s)
}

// text returns the text of a file, or of standard input.
func (f *editFlags) text(path string, s Streams) (*string, error) {
	docs, err := f.documents([]string{path}, s)
	if err != nil {
		return nil, err
	}
	text, err := sent.ReadText(docs)
	return &text, err
}

// print prints the reply to a change. Of a dry run the difference goes to standard
// output, for patch, and what was found to standard error. Errors are told in the
// words of the command line.
func (f *editFlags) print(s Streams, v voice, request func() (*editing.EditReply, error)) error {
	return printReply(s, func() ([]byte, error) {
		reply, err := request()
		switch {
		case err != nil:
			return nil, v.spell(err)
		case f.json:
			return reply.JSON, unexpected(reply, v)
		case f.options.DryRun:
			_, _ = s.Err.Write(reply.Head) // there is nowhere else to tell
			return terminal.Difference(s.Out, reply.Diff), nil
		}
		text := reply.Text()
		head := text[:len(text)-len(reply.Diff)]
		return append(terminal.Shown(s.Out, string(head)), terminal.Difference(s.Out, reply.Diff)...), unexpected(reply, v)
	})
}

// unexpected returns the error for a change of many documents that was not made, for nobody
// has said what it must come to; nil for any other.
func unexpected(reply *editing.EditReply, v voice) error {
	if reply.Expects.IsEmpty() {
		return nil
	}
	return v.spell(&replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("nothing was written; %s", reply.Expects)})
}

// confirmOn returns what asks on a terminal whether a change of many documents shall be made,
// nil if nobody is there.
func confirmOn(s Streams) func(*editing.EditReply) bool {
	if !isInputTerminal(s) || !terminal.Is(s.Err) {
		return nil
	}
	return func(preview *editing.EditReply) bool {
		_, _ = s.Err.Write(terminal.Shown(s.Err, string(preview.Head)+"Make the change? [y/N] ")) // there is nowhere else to ask
		var answer string
		_, _ = fmt.Fscanln(s.In, &answer) // nothing is no
		return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
	}
}

// isInputTerminal reports whether standard input is somebody at a keyboard.
func isInputTerminal(s Streams) bool {
	in, ok := s.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

// completeEdit returns what completes a document, addresses in it, and actions.
func completeEdit(actions []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) < 2 {
			return completeAddress(cmd, args, word)
		}
		if len(args) > 2 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return actions, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
