package mcpserver

import (
	"context"
	"math"
	"strings"

	"github.com/sectile/sectile/internal/documents"
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
			description: "Read Markdown before you edit it. With path alone: a short file's text, or a longer one's sections (selector, lines, words). " +
				"With heading, headings or lines, one of them: exact text, below path:lines, selector and the #hash that edits ask for, " +
				"and the call that continues if it did not fit.",
			handler: taking(runReadFile),
		},
	}
}

type readFileArgs struct {
	pathArgs
	Heading    *headingText `arg:"heading" doc:"heading, 'A > B', #anchor, selector h2.1, L120, @preamble"`
	Headings   []string     `arg:"headings" alias:"sections"`
	Occurrence int          `arg:"occurrence" doc:"which of equal headings, from 1"`
	Map        bool         `arg:"map" doc:"sections with hashes"`
	Mode       string       `arg:"mode" options:"complete" doc:"whole file, plan files only"`
	StartLine  *int         `arg:"start_line" alias:"offset"`
	EndLine    *int         `arg:"end_line"`
	Limit      int          `arg:"limit,hidden" min:"1"` // lines from StartLine on
	Lines      string       `arg:"lines,hidden"`         // as a reply has them: 13-16
	StartChar  int          `arg:"start_char" doc:"within one long line"`
	limitedArgs
}

func runReadFile(_ context.Context, c *call, args *readFileArgs) (*reply, error) {
	first, last := lineNumber(args.StartLine), lineNumber(args.EndLine)
	if args.Limit > 0 && last == 0 {
		first = max(first, 1)
		last = first + min(args.Limit, math.MaxInt-first) - 1
	}
	if args.Lines != "" && args.StartLine == nil && args.EndLine == nil {
		lines, ok := replies.ParseLineRange(args.Lines)
		if !ok {
			return nil, &replies.Error{Code: replies.CodeInvalidArgument, Path: args.Path, Message: replies.Say(
				"lines %q are none; give start_line and end_line", replies.Clip(args.Lines, replies.MaxShown))}
		}
		first, last = lines.First, lines.Last
	}
	req := reading.ReadRequest{
		Headings: args.Headings, Occurrence: args.Occurrence, Map: args.Map, Complete: args.Mode == modeComplete, PlanFolders: c.plans,
		StartLine: first, EndLine: last, StartChar: args.StartChar,
		MaxChars: c.maxChars(), Structured: c.structured,
	}
	empty := ""
	if args.Heading != nil {
		if req.Heading = string(*args.Heading); strings.TrimSpace(req.Heading) == "" {
			empty = "heading"
		}
	}
	if empty == "" && args.Headings != nil && len(args.Headings) == 0 {
		empty = "headings"
	}
	if empty != "" {
		return nil, &replies.Error{
			Code: replies.CodeInvalidArgument, Path: args.Path, Message: replies.Text(empty + " is empty; leave it out for the map of the file, or name a section"),
		}
	}
	return c.read(args.Path, req)
}

// lineNumber returns the number of a line, 0 for none; for 0, which no line has, one that is
// refused.
func lineNumber(given *int) int {
	switch {
	case given == nil:
		return 0
	case *given == 0:
		return -1
	}
	return *given
}

// read answers a request to read a part of a document that a client named, also by a place
// as replies have it, path:13-16, if there is no document of that name.
func (c *call) read(name string, req reading.ReadRequest) (*reply, error) {
	r, err := c.readNamed(name, req)
	missing := errorCode(err)
	if err == nil || missing != replies.CodeFileNotFound && !c.isGuide(name) || req.NamesPart() {
		return r, err
	}
	file, lines, ok := replies.CutPlace(name)
	if !ok {
		return r, err
	}
	req.StartLine, req.EndLine = lines.First, lines.Last
	if r, again := c.readNamed(file, req); errorCode(again) != missing {
		return r, again
	}
	return r, err
}

// readNamed is read without places.
func (c *call) readNamed(name string, req reading.ReadRequest) (*reply, error) {
	req.Loosely = true
	read := func(docs documents.Set, heading string) (*reply, error) {
		req.Heading = heading
		r, err := reading.Read(docs, req)
		if err != nil {
			return nil, err
		}
		return &reply{text: r.Text, mark: r.Mark, structured: r.Structured}, nil
	}
	if c.isGuide(name) {
		return c.guideNamed(name, req.Heading, read)
	}
	return c.named(name, req.Heading, true, func(path, heading string) (*reply, error) { return read(c.documents(path), heading) })
}
