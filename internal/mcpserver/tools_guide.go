package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/app"
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
			args: []argument{
				{name: "category", kind: textArg, required: true, help: "name of a category or collection", aliases: []string{"name", "category_name", "collection"}},
				{
					name: "pattern", kind: textArg, help: "path or glob in it, such as intro, *.md, api/**; without it, what the category serves by default",
					aliases: []string{"glob", "path", "file_path", "document"},
				},
			},
			run: runCategory, failure: categoryFailure,
		},
		{
			name: toolCategories, title: "List of categories", set: setGuide, lean: true, whole: true,
			description: "Categories and collections of the project's guidance, with descriptions and numbers of files; one with on_request needs a pattern. Long lists come in pages.",
			args: []argument{
				{name: "cursor", kind: textArg, help: "next_cursor of the page before"},
				maxCharsArg(),
			},
			run: runCategories,
		},
	}
}

func runCategory(ctx context.Context, c *call) (*reply, error) {
	content, err := c.guides.Content(ctx, c.work, c.text("category"), c.text("pattern"))
	if err != nil {
		return nil, err
	}
	text := content.JSON()
	return &reply{text: text, structured: text}, nil
}

// categoryFailure is the reply to a call of get_category_content that failed,
// whatever the reason.
func categoryFailure(err error) *reply {
	text := app.AsGuideError(err).JSON()
	return &reply{text: text, structured: text, failed: true}
}

func runCategories(ctx context.Context, c *call) (*reply, error) {
	list, err := c.guides.List(ctx)
	if err != nil {
		return nil, err
	}
	text, err := list.Page(c.text("cursor"), c.maxChars())
	if err != nil {
		return nil, err
	}
	return &reply{text: text, structured: text}, nil
}
