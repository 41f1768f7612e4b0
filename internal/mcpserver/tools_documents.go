package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/editing"
	"github.com/sectile/sectile/internal/toolargs"
)

// The toolset documents: whole ones.

const (
	toolCreateDocument = "create_document"
	toolMoveDocument   = "move_document"
	toolDeleteDocument = "delete_document"
)

func documentTools() []*tool {
	return []*tool{
		{
			name: toolCreateDocument, title: "Create a document", set: setDocuments, lean: true, writes: true, remembers: true,
			description: "Make a Markdown file, with the folders on the way. One that is there is refused.",
			handler:     taking(runCreateDocument),
		},
		{
			name: toolMoveDocument, title: "Move a document", set: setDocuments, writes: true, remembers: true,
			description: "Move or rename a Markdown file, or a folder with its documents. Their links, and those of all documents to them, are changed to lead where they led.",
			handler:     taking(runMoveDocument),
		},
		{
			name: toolDeleteDocument, title: "Delete a document", set: setDocuments, writes: true, remembers: true,
			description: "Delete a Markdown file. Refused while links lead there, unless links is leave.",
			handler:     taking(runDeleteDocument),
		},
	}
}

type createDocumentArgs struct {
	pathArgs
	Content *string `arg:"content,required" alias:"text"`
	DryRun  dryRun  `arg:"dry_run"`
	limitedUnlistedArgs
}

type moveDocumentArgs struct {
	Path            string          `arg:"path,required" alias:"file_path,file,filename,from"`
	ToPath          string          `arg:"to_path,required" alias:"to,new_path"`
	ExpectedVersion expectedVersion `arg:"expected_version"`
	Links           moveLinks       `arg:"links,lenient"`
	DryRun          dryRun          `arg:"dry_run"`
	limitedUnlistedArgs
}

type deleteDocumentArgs struct {
	pathArgs
	ExpectedVersion expectedVersion `arg:"expected_version"`
	Links           string          `arg:"links"`
	DryRun          dryRun          `arg:"dry_run"`
	limitedUnlistedArgs
}

type moveLinks string

func (moveLinks) Declare(a *toolargs.Argument) { a.Options = editing.LinkChoices() }

func runCreateDocument(ctx context.Context, c *call, args *createDocumentArgs) (*reply, error) {
	return c.edited(editing.CreateDocument(ctx, c.documents(args.Path), editing.DocumentRequest{
		Content: args.Content, EditOptions: c.editOptions(false, args.DryRun, false),
	}))
}

func runMoveDocument(ctx context.Context, c *call, args *moveDocumentArgs) (*reply, error) {
	return c.edited(editing.MoveDocument(ctx, c.documents(args.Path), editing.DocumentRequest{
		To: args.ToPath, ExpectedVersion: string(args.ExpectedVersion), Links: string(args.Links), EditOptions: c.editOptions(false, args.DryRun, false),
	}))
}

func runDeleteDocument(ctx context.Context, c *call, args *deleteDocumentArgs) (*reply, error) {
	return c.edited(editing.DeleteDocument(ctx, c.documents(args.Path), editing.DocumentRequest{
		ExpectedVersion: string(args.ExpectedVersion), Links: args.Links, EditOptions: c.editOptions(false, args.DryRun, false),
	}))
}
