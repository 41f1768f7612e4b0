package mcpserver

import (
	"context"
	"strings"

	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
)

// The toolset edit, the tool that reads what the others change.

// The tools of the toolset, as texts of others name them if they are offered.
const (
	toolReadFile    = "read_file"
	toolEditSection = "edit_section"
	toolEditFile    = "edit_file"
)

// modeComplete is the mode of read_file that reads plan files whole.
const modeComplete = "complete"

func readFileTools() []*tool {
	return []*tool{
		{
			name: toolReadFile, title: "Read a file by section", set: setEdit, lean: true, core: true, endless: true, remembers: true,
			description: "Read Markdown before you edit it. With path alone: its sections with selectors, lines and words, and the text of a short file. " +
				"With heading, headings or lines, one of them: exact text, below a head with the hash and body_hash that edits ask for, " +
				"what is unread in the file, and the call that continues if it did not fit.",
			args: []argument{
				pathArg(),
				{name: "heading", kind: textArg, help: "heading, 'A > B', #anchor, selector h2.1, L120, @preamble", aliases: headingAliases},
				{name: "headings", kind: textsArg, aliases: []string{"sections"}},
				{name: "occurrence", kind: integerArg, help: "which of equal headings, from 1"},
				{name: "mode", kind: textArg, options: []string{modeComplete}, help: "whole file, plan files only"},
				{name: "start_line", kind: integerArg},
				{name: "end_line", kind: integerArg},
				{name: "start_char", kind: integerArg, help: "within one long line"},
				maxCharsArg(),
			},
			run: runReadFile,
		},
	}
}

func runReadFile(_ context.Context, c *call) (*reply, error) {
	req := reading.ReadRequest{
		Heading: c.text("heading"), Headings: c.texts("headings"), Occurrence: c.integer("occurrence"),
		Complete: c.text("mode") == modeComplete, PlanFolders: c.plans,
		StartLine: c.integer("start_line"), EndLine: c.integer("end_line"), StartChar: c.integer("start_char"),
		MaxChars: c.maxChars(), Structured: c.structured,
	}
	empty := ""
	switch {
	case c.has("heading") && strings.TrimSpace(req.Heading) == "":
		empty = "heading"
	case c.has("headings") && len(req.Headings) == 0:
		empty = "headings"
	}
	if empty != "" {
		return nil, &replies.Error{
			Code: codeInvalidArgument, Path: c.text("path"), Message: replies.Text(empty + " is empty; leave it out for the map of the file, or name a section"),
		}
	}
	r, err := reading.Read(c.documents(c.text("path")), req)
	if err != nil {
		return nil, err
	}
	return &reply{text: r.Text, mark: r.Mark, structured: r.Structured}, nil
}
