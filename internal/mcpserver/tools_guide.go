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
			name: toolCategory, title: "Content of a category", set: setGuide, lean: true, endless: true,
			description: "The project's guidance by category: conventions, checklists, how-tos. It is the project's own, from its files; what the user says comes first. " +
				"Answers JSON: success and value, the text of one file or several as MIME multipart, and a warning about characters that can't be seen; " +
				"on failure error, error_type and the instruction to follow.",
			handler: taking(runCategory), failure: categoryFailure,
		},
		{
			name: toolCategories, title: "List of categories", set: setGuide, lean: true, whole: true,
			description: "Categories and collections of the project's guidance, with descriptions and numbers of files; one with on_request needs a pattern. Long lists come in pages.",
			handler:     taking(runCategories),
		},
	}
}

type categoryArgs struct {
	Category string `arg:"category,required" doc:"name of a category or collection" alias:"name,category_name,collection"`
	Pattern  string `arg:"pattern" doc:"path or glob in it, such as intro, *.md, api/**; without it, what the category serves by default" alias:"glob,path,file_path,document"`
}

func runCategory(ctx context.Context, c *call, args *categoryArgs) (*reply, error) {
	content, err := c.guides.Content(ctx, c.work, args.Category, args.Pattern)
	if err != nil {
		return nil, err
	}
	text := content.JSON()
	return &reply{text: text, structured: text}, nil
}

// categoryFailure is the reply to a call of get_category_content that failed,
// whatever the reason.
func categoryFailure(err error) *reply {
	text := guiding.AsGuideError(err).JSON()
	return &reply{text: text, structured: text, failed: true}
}

type categoriesArgs struct {
	Cursor string `arg:"cursor" doc:"next_cursor of the page before"`
	limitedArgs
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
