package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/sent"
)

func newReplace(s Streams) *cobra.Command {
	var (
		flags replaceFlags
		req   editing.EditFileRequest
	)
	cmd := &cobra.Command{
		Use:   "replace FILE OLD NEW",
		Short: "Replace exact text in files, or make several edits at once",
		Long: `Replace a text that is in a file exactly once, or in one section of it; with
--all, wherever it is. Nothing is matched loosely, but for line endings: a line end
in OLD is found as LF and as CRLF, and what is written takes the file's.

If FILE is a folder or a pattern, replace all places in all documents that have it,
or none: --expect says how many that must be, or --expected-version, which the output
without either names. On a terminal that asks first.

With --edits, make several edits, all or none: a JSON array of objects, each with
old_string and new_string (and heading, replace_all), or with heading and action
(and content, scope) as in 'edit'; occurrence and expected_hash belong to a heading, and
path may name another document, a folder or a pattern (with expected_count).
Addresses and hashes mean the file as it is before the first edit.

With --dry-run, the difference is printed and nothing is written; what was found
goes to standard error. 'patch -p1' applies it in the working directory, or to a
file that is not below it in the file's own folder.`,
		Example: `  sectile replace README.md colour color --all
  sectile replace README.md 'make test' 'go test ./...' --in '## Development'
  sectile replace docs 'make test' 'go test ./...' --expect 12
  sectile replace tasks.md -- '- [ ] write it' '- [x] write it'
  sectile replace README.md --old-file old.txt --new-file new.txt
  sectile replace README.md --edits edits.json --expected-version 2b74a10f9625b591`,
		Args:              cobra.RangeArgs(1, 3),
		ValidArgsFunction: completeReplace,
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.given = cmd.Flags().Changed
			req.EditOptions, req.Confirm = flags.options, confirmOn(s)
			return flags.print(s, replaceVoice, func() (*editing.EditReply, error) {
				docs, err := flags.documents(args[:1], s)
				if err == nil {
					err = flags.texts(&req, args[1:], s)
				}
				if err != nil {
					return nil, replies.Unwritten(err)
				}
				return editing.EditFile(cmd.Context(), docs, req)
			})
		},
	}
	flags.add(cmd)
	set := cmd.Flags()
	set.BoolVar(&req.ReplaceAll, "all", false, "replace the text wherever it is")
	set.StringVar(&req.Heading, "in", "", "look for the text in the section with this address")
	set.IntVarP(&req.Occurrence, "occurrence", "n", 0, "choose among several equal headings of --in, from 1")
	set.StringVar(&req.ExpectedHash, "expected-hash", "", "the hash or body_hash of the section in --in; another one is a conflict")
	set.StringVar(&req.ExpectedVersion, "expected-version", "", "the version of the file that was read; another one is a conflict")
	set.IntVar(&req.ExpectedCount, "expect", 0, "replace so many places, all that there are in all documents; another number is a conflict")
	set.StringVar(&flags.oldFile, "old-file", "", "read the old text from this file; - is standard input")
	set.StringVar(&flags.newFile, "new-file", "", "read the new text from this file; - is standard input")
	set.StringVar(&flags.edits, "edits", "", "read a JSON array of edits from this file; - is standard input")
	_ = cmd.RegisterFlagCompletionFunc("in", completeIn)
	_ = cmd.RegisterFlagCompletionFunc("edits", cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt))
	return cmd
}

// replaceFlags are the flags that say where the texts are.
type replaceFlags struct {
	editFlags
	oldFile, newFile, edits string
	given                   func(flag string) bool
}

// texts adds to the request the texts that the arguments hold, or the files that the
// flags name.
func (f *replaceFlags) texts(req *editing.EditFileRequest, args []string, s Streams) (err error) {
	fromFiles := map[string]**string{"old-file": &req.OldString, "new-file": &req.NewString}
	stdins := 0
	for flag, path := range map[string]string{"old-file": f.oldFile, "new-file": f.newFile, "edits": f.edits} {
		if f.given(flag) && path == documents.Stdin {
			stdins++
		}
	}
	if stdins > 1 {
		return usage("standard input can be one of the texts alone; put the other one into a file")
	}
	for _, text := range []struct {
		flag, path string
	}{{"old-file", f.oldFile}, {"new-file", f.newFile}} {
		to := fromFiles[text.flag]
		switch {
		case f.given(text.flag):
			if *to, err = f.text(text.path, s); err != nil {
				return err
			}
		case len(args) > 0 && !f.given("edits"):
			*to, args = &args[0], args[1:]
		}
	}
	if len(args) > 0 {
		return usage(fmt.Sprintf(
			"%q is one argument too many; the texts come from the arguments, from --old-file and --new-file, or from --edits", args[0]))
	}
	if !f.given("edits") {
		return missingText(req)
	}
	text, err := f.text(f.edits, s)
	if err != nil {
		return err
	}
	req.Edits, err = sent.ParseEdits(*text)
	return err
}

// missingText refuses a request without one of the two texts.
func missingText(req *editing.EditFileRequest) error {
	var message string
	switch noOld, noNew := req.OldString == nil, req.NewString == nil; {
	case noOld && noNew:
		message = "OLD and NEW are missing; give the text to replace and the new one, or --edits"
	case noOld:
		message = "OLD is missing; give the text to replace, or --old-file"
	case noNew:
		message = "NEW is missing; give the new text, or --new-file; an empty one, '', deletes the old one"
	default:
		return nil
	}
	return usage(message)
}

// completeReplace completes a document.
func completeReplace(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeMarkdown(cmd, args, word)
}

// completeIn completes addresses in the document that stands before the flag.
func completeIn(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeAddress(cmd, args[:1], word)
}
