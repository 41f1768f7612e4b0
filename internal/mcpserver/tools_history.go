package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/comparing"
	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/undoing"
)

// The toolset history: what was changed, and taking it back.

const (
	toolChanges = "list_changes"
	toolUndo    = "undo_change"
	toolDiff    = "diff_sections"
)

func historyTools() []*tool {
	return []*tool{
		{
			name: toolChanges, title: "Changes", set: setHistory,
			description: "What sectile has changed, newest first, with ids; with id, the diff of one.",
			handler:     taking(runListChanges),
		},
		{
			name: toolUndo, title: "Undo a change", set: setHistory, writes: true,
			description: "Take back a change, whole or in paths. Sections changed since stay; conflict if they are the same. Undo an undo to redo.",
			handler:     taking(runUndoChange),
		},
		{
			name: toolDiff, title: "What differs", set: setHistory,
			description: "What differs in a document or folder, section by section. against: a revision of git or Jujutsu, another path, or the id of a change (what was before it).",
			handler:     taking(runDiffSections),
		},
	}
}

type diffSectionsArgs struct {
	Path    string      `arg:"path,required,again" alias:"file_path,file,filename"`
	Against string      `arg:"against,required" alias:"revision,rev,since"`
	Heading headingText `arg:"heading"`
	Diff    bool        `arg:"diff"`
	Stat    bool        `arg:"stat"`
	Cursor  string      `arg:"cursor"`
	limitedAgainArgs
}

func runDiffSections(ctx context.Context, c *call, args *diffSectionsArgs) (*reply, error) {
	docs := c.documents(args.Path)
	req := comparing.Request{
		New: args.Path, Revision: args.Against, Section: string(args.Heading), Patch: args.Diff, Stat: args.Stat, Cursor: args.Cursor, ReadOnly: c.readOnly,
		MaxChars: c.maxChars(), Structured: c.structured,
	}
	switch kind := docs.Look(args.Against); {
	case kind == documents.AFile, c.workspace.IsMany(args.Against),
		kind == documents.Unseen && documents.IsMarkdown(args.Against): // the name of a document that is refused
		req.Old = args.Against
	case c.history.IsID(ctx, docs, args.Against):
		was, err := c.history.Since(ctx, docs, args.Against)
		if err != nil {
			return nil, err
		}
		req.Past = &comparing.Past{Shown: was.Shown}
		for _, w := range was.Texts {
			req.Past.Texts = append(req.Past.Texts, comparing.PastText(w))
		}
	}
	r, err := comparing.Compare(ctx, docs, req)
	if err != nil {
		return nil, err
	}
	return &reply{text: r.Text, structured: r.Structured}, nil
}

type listChangesArgs struct {
	Path  string `arg:"path" doc:"default all" alias:"file_path,file,filename"`
	ID    string `arg:"id"`
	Limit int    `arg:"limit"`
	limitedArgs
}

func runListChanges(ctx context.Context, c *call, args *listChangesArgs) (*reply, error) {
	var paths []string
	if args.Path != "" {
		paths = []string{args.Path}
	}
	return undone(c.history.List(ctx, c.documents(paths...), undoing.ListRequest{
		ID: args.ID, Limit: args.Limit, MaxChars: c.maxChars(), Structured: c.structured,
	}))
}

type undoChangeArgs struct {
	ID     string   `arg:"id,required"`
	Paths  []string `arg:"paths" doc:"default all"`
	DryRun dryRun   `arg:"dry_run"`
	limitedAgainArgs
}

func runUndoChange(ctx context.Context, c *call, args *undoChangeArgs) (*reply, error) {
	return undone(c.history.Undo(ctx, c.documents(), undoing.UndoRequest{
		ID: args.ID, Paths: args.Paths, DryRun: bool(args.DryRun), MaxChars: c.maxChars(), Structured: c.structured,
	}))
}

// undone is the reply of a tool of the history.
func undone(r *undoing.Reply, err error) (*reply, error) {
	if err != nil {
		return nil, err
	}
	return &reply{text: r.Text, structured: r.Structured}, nil
}
