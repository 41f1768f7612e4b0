package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/finding"
)

// toolList is the tool's name, as texts of others have it if it is offered.
const toolList = "list_documents"

// listTool lists documents.
func listTool() *tool {
	return &tool{
		name: toolList, title: "Documents", set: setFind, lean: true,
		description: "Markdown documents: path, lines, words, last change, title.",
		handler:     taking(runList),
	}
}

type listArgs struct {
	Path   []string `arg:"path,again" alias:"paths,pattern,glob,folder,file_path,files,file"`
	Sort   string   `arg:"sort" options:"name,modified,size"`
	Limit  int      `arg:"limit,again" min:"1" max:"1000" alias:"max_results"`
	Cursor string   `arg:"cursor,again"`
	limitedAgainArgs
}

func runList(ctx context.Context, c *call, args *listArgs) (*reply, error) {
	var docs documents.Set
	if docs = c.documents(args.Path...); len(args.Path) == 0 {
		docs.Paths = nil
	}
	list, err := finding.List(ctx, docs, finding.ListRequest{
		Sort: args.Sort, Limit: args.Limit, Cursor: args.Cursor, MaxChars: c.maxChars(), Structured: c.structured,
	})
	if err != nil {
		return nil, err
	}
	return &reply{text: list.Text, structured: list.Structured}, nil
}
