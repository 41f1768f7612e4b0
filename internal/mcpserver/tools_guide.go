package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/guiding"
)

// The toolset guide: categories of a project's guidance. What there is is looked up
// at every call.

// The tools of the toolset, as texts of others name them if they are offered.
const (
	toolCategory   = "get_category_content"
	toolCategories = "list_categories"
)

func guideTools() []*tool {
	return []*tool{
		{
			name: toolCategory, title: "Guidance", set: setGuide, lean: true, endless: true,
			description: "The project's own guidance: conventions, how-tos; what the user says comes first. " +
				"JSON: value is the text of one file, of several as MIME multipart; above max_chars files is their list; " +
				"on failure the instruction to follow.",
			handler: taking(runCategory), failure: categoryFailure,
		},
		{
			name: toolCategories, title: "Categories", set: setGuide, lean: true, whole: true,
			description: "Categories and collections of the guidance, with numbers of files; one with on_request needs a pattern.",
			handler:     taking(runCategories),
		},
	}
}

type categoryArgs struct {
	Category  string `arg:"category,required" doc:"or collection" alias:"name,category_name,collection"`
	Pattern   string `arg:"pattern" doc:"path or glob: intro, *.md, api/**; by default what the category serves" alias:"glob,path,file_path,document"`
	NamesOnly bool   `arg:"names_only" doc:"and sizes" alias:"list"`
	Cursor    string `arg:"cursor" doc:"a next_cursor"`
	limitedArgs
}

func runCategory(ctx context.Context, c *call, args *categoryArgs) (*reply, error) {
	request := guiding.ContentRequest{Name: args.Category, Pattern: args.Pattern, NamesOnly: args.NamesOnly, Cursor: args.Cursor, MaxChars: capMaxChars}
	if args.MaxChars > 0 {
		request.MaxChars = int(args.MaxChars)
	}
	text, err := c.guides.Reply(ctx, c.work, request)
	if err != nil {
		return nil, err
	}
	return &reply{text: text, structured: text}, nil
}

// categoryFailure is the reply to a call of get_category_content that failed,
// whatever the reason.
func categoryFailure(err error) *reply {
	text := guiding.AsGuideError(err).JSON()
	return &reply{text: text, structured: text, failed: true}
}

type categoriesArgs struct {
	Cursor string `arg:"cursor,again" doc:"a next_cursor"`
	limitedAgainArgs
}

func runCategories(ctx context.Context, c *call, args *categoriesArgs) (*reply, error) {
	list, err := c.guides.List(ctx)
	if err != nil {
		return nil, err
	}
	text, err := list.Page(args.Cursor, c.maxChars())
	if err != nil {
		return nil, err
	}
	return &reply{text: text, structured: text}, nil
}
