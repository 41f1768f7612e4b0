package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/app"
)

// The toolset edit, its tools that write.

func editTools() []*tool {
	return []*tool{
		{
			name: toolEditSection, title: "Edit a section", set: setEdit, lean: true, core: true, writes: true, remembers: true,
			description: "Change one section or block of a Markdown file and nothing beside it; for some words in it, replace text instead. " +
				"replace: the body (and the heading, if content begins with one of its level). " +
				"insert_before, insert_after: content begins with a heading. append, prepend: to the body. " +
				"remove: with its subsections. rename: content is the new title. " +
				"A heading text or path needs no hash; a selector, line or occurrence needs expected_hash, the hash or body_hash of your read. " +
				"conflict: it has changed since, nothing was written; redo your change on the current text in the reply. " +
				"structure_changed: content would alter what is around, as an open code fence does.",
			args: []argument{
				pathArg(),
				{name: "heading", kind: textArg, required: true, help: "'## Install', 'A > B', #anchor, h2.1, h2.1/code.0, L120, @preamble", aliases: headingAliases},
				{name: "action", kind: textArg, required: true, options: app.EditActions()},
				{name: "content", kind: textArg, help: "Markdown", aliases: []string{"text", "new_content", "new_text"}},
				{name: "scope", kind: textArg, options: app.EditScopes(), help: "body: without subsections"},
				{name: "occurrence", kind: integerArg, help: "which of equal headings, from 1"},
				{name: "expected_hash", kind: textArg, guard: "the hash", help: "of what you read", aliases: []string{"hash"}},
				{name: "allow_restructure", kind: booleanArg, help: "allow changes to what is around"},
				{name: "dry_run", kind: booleanArg, guard: "true or false", help: "only show the diff"},
			},
			run: runEditSection,
		},
		{
			name: toolEditFile, title: "Edit a file", set: setEdit, lean: true, core: true, writes: true, remembers: true,
			description: "Replace exact text in a Markdown file, or make several edits at once, all or none. " +
				"old_string must be there exactly once, in the file or below heading: copy it from a read, nothing is matched loosely. " +
				"edits, instead of old_string and new_string: in order, each a text or an action on a section " +
				"(heading, action, content); headings and hashes mean the file before the first. " +
				"Of two insert_after on one heading, the second ends up first. " +
				"expected_version, the version of your read: conflict if the file has changed since; with it, selectors and lines need no hash. " +
				"After a conflict, read again.",
			args: []argument{
				pathArg(),
				{name: "old_string", kind: textArg, aliases: oldAliases},
				{name: "new_string", kind: textArg, help: "may be empty", aliases: newAliases},
				{name: "replace_all", kind: booleanArg, aliases: []string{"all"}},
				{name: "heading", kind: textArg, help: "search this section alone", aliases: headingAliases},
				{name: "occurrence", kind: integerArg},
				{name: "expected_hash", kind: textArg, guard: "the hash", aliases: []string{"hash"}},
				{name: "edits", kind: objectsArg, help: "each old_string and new_string, or heading and action", fields: editArgs()},
				{name: "expected_version", kind: textArg, guard: "the version", aliases: []string{"version"}},
				{name: "allow_restructure", kind: booleanArg},
				{name: "dry_run", kind: booleanArg, guard: "true or false"},
			},
			run: runEditFile,
		},
	}
}

var (
	headingAliases = []string{"section", "section_name", "section_heading", "address"}
	oldAliases     = []string{"old", "old_text"}
	newAliases     = []string{"new", "new_text"}
)

// pathArg is the argument that names the file, in this toolset.
func pathArg() argument {
	return argument{name: "path", kind: textArg, required: true, aliases: []string{"file_path", "file", "filename"}}
}

// editArgs are the arguments of an edit in a list. What is wrong in one of them is
// told together with what fails in the others.
func editArgs() []argument {
	return []argument{
		{name: "old_string", kind: textArg, aliases: oldAliases},
		{name: "new_string", kind: textArg, aliases: newAliases},
		{name: "replace_all", kind: booleanArg, aliases: []string{"all"}},
		{name: "heading", kind: textArg, aliases: headingAliases},
		{name: "action", kind: textArg, options: app.EditActions(), lenient: true},
		{name: "content", kind: textArg, aliases: []string{"text", "new_content"}},
		{name: "scope", kind: textArg, options: app.EditScopes(), lenient: true},
		{name: "occurrence", kind: integerArg},
		{name: "expected_hash", kind: textArg, guard: "the hash", aliases: []string{"hash"}},
	}
}

// given returns the text of an argument, nil if it is absent.
func (a arguments) given(name string) *string {
	if !a.has(name) {
		return nil
	}
	text := a.text(name)
	return &text
}

// editOptions are what both tools say of a change and its reply.
func (c *call) editOptions() app.EditOptions {
	return app.EditOptions{
		AllowRestructure: c.boolean("allow_restructure", false), DryRun: c.boolean("dry_run", false),
		MaxChars: c.maxChars(), Structured: c.structured,
	}
}

func runEditSection(ctx context.Context, c *call) (*reply, error) {
	return edited(app.EditSection(ctx, c.documents(c.text("path")), app.EditSectionRequest{
		Heading: c.text("heading"), Action: c.text("action"), Content: c.given("content"), Scope: c.text("scope"),
		Occurrence: c.integer("occurrence"), ExpectedHash: c.text("expected_hash"), EditOptions: c.editOptions(),
	}))
}

func runEditFile(ctx context.Context, c *call) (*reply, error) {
	req := app.EditFileRequest{
		EditItem: app.EditItem{
			OldString: c.given("old_string"), NewString: c.given("new_string"),
			ReplaceAll: c.boolean("replace_all", false), Heading: c.text("heading"),
			Occurrence: c.integer("occurrence"), ExpectedHash: c.text("expected_hash"),
		},
		ExpectedVersion: c.text("expected_version"), EditOptions: c.editOptions(),
	}
	if c.has("edits") {
		req.Edits = []app.EditItem{}
		for _, item := range c.objects("edits") {
			req.Edits = append(req.Edits, app.EditItem{
				OldString: item.given("old_string"), NewString: item.given("new_string"),
				ReplaceAll: item.boolean("replace_all", false), Heading: item.text("heading"),
				Action: item.text("action"), Content: item.given("content"), Scope: item.text("scope"),
				Occurrence: item.integer("occurrence"), ExpectedHash: item.text("expected_hash"),
			})
		}
	}
	return edited(app.EditFile(ctx, c.documents(c.text("path")), req))
}

// edited is the reply of a tool that writes.
func edited(r *app.EditReply, err error) (*reply, error) {
	if err != nil {
		return nil, err
	}
	return &reply{text: r.Text(), structured: r.JSON}, nil
}
