package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/sent"
	"github.com/sectile/sectile/internal/toolargs"
)

// The toolset edit, its tools that write.

func editTools() []*tool {
	return []*tool{
		{
			name: toolEditSection, title: "Edit a section", set: setEdit, lean: true, core: true, writes: true, remembers: true,
			description: "Change one part of a Markdown file; for some words in it, replace text instead. " +
				"replace: the body (and the heading, if content begins with one). " +
				"insert_before, insert_after: content begins with a heading. append, prepend: to the body. " +
				"remove: with its subsections. rename: content is the title. " +
				"set: a task to done or open, a key to JSON. " +
				"A selector, line or occurrence needs expected_hash, that of your read. " +
				"path may be a folder or pattern: all documents with the part; give expected_count of all, or get a preview. " +
				"conflict: it has changed; redo it on the text in the reply. " +
				"structure_changed: content would alter what is around.",
			handler: taking(runEditSection),
		},
		{
			name: toolEditFile, title: "Edit a file", set: setEdit, lean: true, core: true, writes: true, remembers: true,
			description: "Replace exact text in Markdown, or make several edits at once, all or none. " +
				"old_string must be there exactly once, in the file or below heading: copy it from a read. " +
				"edits, instead: in order, each a text or an action on a section (heading, action, content), of path or its own; " +
				"headings and hashes mean the file before the first. " +
				"In a folder or pattern, all places: give expected_count of all, or get a preview with its expected_version. " +
				"expected_version, of your read: conflict if it has changed; with it, selectors and lines need no hash.",
			handler: taking(runEditFile),
		},
	}
}

// pathArgs are taken by every tool of this toolset: the file.
type pathArgs struct {
	Path string `arg:"path,required" alias:"file_path,file,filename"`
}

// Texts that several tools take.
type (
	headingText     string // names a section or block
	oldText         string
	newText         string
	editAction      string
	editScope       string
	expectedHash    string
	expectedVersion string
	dryRun          bool
)

func (headingText) Declare(a *toolargs.Argument) {
	a.Aliases = []string{"section", "section_name", "section_heading", "address"}
}

func (oldText) Declare(a *toolargs.Argument) { a.Aliases = []string{"old", "old_text", "old_str"} }

func (newText) Declare(a *toolargs.Argument)    { a.Aliases = []string{"new", "new_text", "new_str"} }
func (editAction) Declare(a *toolargs.Argument) { a.Options = sent.Actions() }
func (editScope) Declare(a *toolargs.Argument)  { a.Options = sent.Scopes() }

func (expectedHash) Declare(a *toolargs.Argument) { a.Guard, a.Aliases = "the hash", []string{"hash"} }

func (expectedVersion) Declare(a *toolargs.Argument) {
	a.Guard, a.Aliases = "the version", []string{"version"}
}

func (dryRun) Declare(a *toolargs.Argument) { a.Guard = "true or false" }

type editSectionArgs struct {
	pathArgs
	Heading          headingText     `arg:"heading,required" doc:"'## Install', 'A > B', #anchor, h2.1, h2.1/code.0, L120, @frontmatter.key, task[open], table.0[\"A\",\"B\"]"`
	Action           editAction      `arg:"action,required,lenient"`
	Content          *string         `arg:"content" doc:"Markdown" alias:"text,new_content,new_text"`
	Rows             rowsJSON        `arg:"rows"`
	Scope            editScope       `arg:"scope" doc:"body: no subsections; section: append last"`
	Occurrence       int             `arg:"occurrence" doc:"of equal ones, from 1"`
	ExpectedHash     expectedHash    `arg:"expected_hash" doc:"of what you read"`
	ExpectedVersion  expectedVersion `arg:"expected_version" doc:"of the file"`
	ExpectedCount    int             `arg:"expected_count" guard:"the number" min:"1"`
	UnlessPresent    bool            `arg:"unless_present"`
	Renumber         bool            `arg:"renumber"`
	AllowRestructure bool            `arg:"allow_restructure" doc:"allow changes around"`
	CreateMissing    bool            `arg:"create_missing" doc:"append: make headings"`
	Links            string          `arg:"links" doc:"update or leave"`
	DryRun           dryRun          `arg:"dry_run" doc:"show a diff"`
	Diff             bool            `arg:"diff"`
	limitedUnlistedArgs
}

// rowsJSON are the rows of a table.
type rowsJSON struct{ toolargs.JSON }

func (*rowsJSON) Declare(a *toolargs.Argument) {
	a.Shape, a.Sample = `"type":"array"`, `[["Name", "Price"], ["Apple", 1]]`
	a.Help = "lists of cells"
}

func runEditSection(ctx context.Context, c *call, args *editSectionArgs) (*reply, error) {
	var rows [][]string
	if args.Rows.Value != nil {
		var err error
		if rows, err = sent.RowsOf(c.work, args.Rows.Value); err != nil {
			return nil, err
		}
	}
	return c.named(args.Path, string(args.Heading), false, func(path, heading string) (*reply, error) {
		return c.edited(editing.EditSection(ctx, c.documents(path), editing.EditSectionRequest{
			Heading: heading, Action: string(args.Action), Content: args.Content, Rows: rows, Scope: string(args.Scope),
			Occurrence: args.Occurrence, ExpectedHash: string(args.ExpectedHash), ExpectedVersion: string(args.ExpectedVersion),
			ExpectedCount: args.ExpectedCount, UnlessPresent: args.UnlessPresent, Renumber: args.Renumber, CreateMissing: args.CreateMissing, Links: args.Links,
			EditOptions: c.editOptions(args.AllowRestructure, args.DryRun, args.Diff),
		}))
	})
}

type editFileArgs struct {
	pathArgs
	OldString        *oldText        `arg:"old_string"`
	NewString        *newText        `arg:"new_string" doc:"or empty"`
	ReplaceAll       bool            `arg:"replace_all" alias:"all"`
	Heading          headingText     `arg:"heading" doc:"search this section alone"`
	Occurrence       int             `arg:"occurrence"`
	ExpectedHash     expectedHash    `arg:"expected_hash"`
	Edits            []editArgs      `arg:"edits"`
	ExpectedVersion  expectedVersion `arg:"expected_version"`
	ExpectedCount    int             `arg:"expected_count" guard:"the number" min:"1"`
	AllowRestructure bool            `arg:"allow_restructure"`
	DryRun           dryRun          `arg:"dry_run"`
	Diff             bool            `arg:"diff"`
	limitedUnlistedArgs
}

// editArgs are an edit in a list. What is wrong in one of them is told together with what
// fails in the others.
type editArgs struct {
	Path         string       `arg:"path" alias:"file_path,file,filename"`
	OldString    *oldText     `arg:"old_string"`
	NewString    *newText     `arg:"new_string"`
	ReplaceAll   bool         `arg:"replace_all" alias:"all"`
	Heading      headingText  `arg:"heading"`
	Action       editAction   `arg:"action,lenient"`
	Content      *string      `arg:"content" alias:"text,new_content"`
	Scope        editScope    `arg:"scope,lenient"`
	Occurrence   int          `arg:"occurrence"`
	ExpectedHash expectedHash `arg:"expected_hash"`
}

// item returns the edit.
func (args *editArgs) item() sent.Edit {
	return sent.Edit{
		Path: args.Path, OldString: (*string)(args.OldString), NewString: (*string)(args.NewString),
		ReplaceAll: args.ReplaceAll, Heading: string(args.Heading),
		Action: string(args.Action), Content: args.Content, Scope: string(args.Scope),
		Occurrence: args.Occurrence, ExpectedHash: string(args.ExpectedHash),
	}
}

func runEditFile(ctx context.Context, c *call, args *editFileArgs) (*reply, error) {
	one := editArgs{
		OldString: args.OldString, NewString: args.NewString, ReplaceAll: args.ReplaceAll, Heading: args.Heading,
		Occurrence: args.Occurrence, ExpectedHash: args.ExpectedHash,
	}
	req := editing.EditFileRequest{
		Edit: one.item(), ExpectedVersion: string(args.ExpectedVersion), EditOptions: c.editOptions(args.AllowRestructure, args.DryRun, args.Diff),
	}
	req.ExpectedCount = args.ExpectedCount
	if args.Edits != nil {
		req.Edits = []sent.Edit{}
		for i := range args.Edits {
			req.Edits = append(req.Edits, args.Edits[i].item())
		}
	}
	return c.named(args.Path, req.Heading, false, func(path, heading string) (*reply, error) {
		req.Heading = heading
		return c.edited(editing.EditFile(ctx, c.documents(path), req))
	})
}

// editOptions are what both tools say of a change and its reply.
func (c *call) editOptions(restructure bool, dry dryRun, diff bool) editing.EditOptions {
	return editing.EditOptions{
		AllowRestructure: restructure, DryRun: bool(dry), Diff: diff, MaxChars: c.maxChars(), Structured: c.structured,
	}
}

// edited is the reply of a tool that writes.
func (c *call) edited(r *editing.EditReply, err error) (*reply, error) {
	if err != nil {
		return nil, err
	}
	return &reply{text: r.In(toolVoice), structured: r.JSON}, nil
}
