package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/finding"
)

// The toolset find: which documents and sections there are to read.

// toolSearch is the tool's name, as texts of others have it if it is offered.
const toolSearch = "search_sections"

func findTools() []*tool {
	return []*tool{
		{
			name: toolSearch, title: "Search", set: setFind, lean: true, core: true,
			description: "Find sections in all Markdown documents. words: ranked, other forms match; \"a phrase\", inst*, -word, title:word, path:docs/**. " +
				"text, regex: every line that has it (smart case). A hit: path:lines, selector, #hash for reads and edits; the lines found.",
			handler: taking(runSearch),
		},
		listTool(),
	}
}

type searchArgs struct {
	Query  string   `arg:"query,required" alias:"q,pattern,search"`
	Match  string   `arg:"match" options:"words,text,regex"`
	Path   []string `arg:"path" doc:"documents, folders, patterns; default all" alias:"paths,glob,folder,file_path,files,file"`
	In     string   `arg:"in" options:"all,headings,body,code"`
	Limit  int      `arg:"limit" min:"1" max:"1000" doc:"default 10" alias:"max_results,head_limit"`
	Cursor string   `arg:"cursor"`
	limitedArgs
}

func runSearch(ctx context.Context, c *call, args *searchArgs) (*reply, error) {
	var docs documents.Set
	if docs = c.documents(args.Path...); len(args.Path) == 0 {
		docs.Paths = nil
	}
	search := func(docs documents.Set) (*reply, error) {
		found, err := finding.Search(ctx, docs, finding.SearchRequest{
			Query: args.Query, Match: args.Match, In: args.In, Limit: args.Limit, Cursor: args.Cursor,
			MaxChars: c.maxChars(), Structured: c.structured, Elsewhere: c.elsewhere,
		})
		if err != nil {
			return nil, err
		}
		return &reply{text: found.Text, structured: found.Structured}, nil
	}
	if len(args.Path) != 1 || c.workspace.IsMany(args.Path[0]) {
		return search(docs)
	}
	return c.named(args.Path[0], "", false, func(path, part string) (*reply, error) { // a document, or a part of one
		docs := c.documents(path)
		docs.Part = part
		return search(docs)
	})
}
