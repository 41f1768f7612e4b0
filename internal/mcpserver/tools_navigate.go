package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/toolargs"
)

// The toolset navigate: where the sections of a document are, and their text.

// The tools that texts of others name, if they are offered.
const (
	toolTree        = "markdown_tree"
	toolSections    = "markdown_list_sections"
	toolReadSection = "markdown_read_section"
)

func navigateTools() []*tool {
	return []*tool{
		{
			name: toolTree, title: "Outline", set: setNavigate, core: true, whole: true,
			description: "Headings of a Markdown document, or of each in a folder or pattern in pages, with their lines (from 1, inclusive). " +
				"depth_limited: deeper levels did not fit, but for some of the next.",
			handler: taking(runTree),
		},
		{
			name: toolSections, title: "Sections", set: setNavigate, whole: true,
			description: "Sections in order: name, level, lines; of a folder or pattern too. Long lists come in pages.",
			handler:     taking(runSections),
		},
		{
			name: "markdown_section_bounds", title: "Bounds", set: setNavigate, whole: true,
			description: "First and last line of one section.",
			voice:       sectionVoice, handler: taking(runBounds),
		},
		{
			name: toolReadSection, title: "Read a section", set: setNavigate, remembers: true,
			description: "Exact text of a section, below a head with lines, hash and the call that continues if it did not fit.",
			voice:       sectionVoice, handler: taking(runReadSection),
		},
	}
}

// sectionName names a section.
type sectionName string

func (sectionName) Declare(a *toolargs.Argument) {
	a.Help = "heading, selector h2.1, #anchor, L120 or 'A > B'"
	a.Aliases = []string{"section_heading", "section_query", "heading", "section"}
}

type treeArgs struct {
	fileArgs
	Format       string `arg:"format" doc:"json or ascii"`
	Pattern      string `arg:"pattern" doc:"headings with this text, and ancestors" alias:"section_name_pattern"`
	MaxDepth     int    `arg:"max_depth" doc:"0 = all" alias:"depth"`
	KeepChildren bool   `arg:"keep_children" doc:"below a match"`
	Raw          bool   `arg:"raw" doc:"names with markup"`
	Cursor       string `arg:"cursor,again"`
	limitedArgs
}

func runTree(ctx context.Context, c *call, args *treeArgs) (*reply, error) {
	req := reading.TreeRequest{
		Format: args.Format, Pattern: args.Pattern, MaxDepth: args.MaxDepth, KeepChildren: args.KeepChildren, Raw: args.Raw,
		MaxChars: c.maxChars(), Single: true, Offered: c.offers,
	}
	docs := c.documents(args.FilePath)
	if page, err := docs.Page(ctx, args.Cursor); err != nil || page != nil {
		return c.paged(err, func() ([]byte, error) { return reading.TreePage(ctx, docs, page, req) })
	}
	return c.named(args.FilePath, "", true, func(path, part string) (*reply, error) {
		return inJSON(func(emit func(documents.Part) error) error {
			docs := c.documents(path)
			docs.Part = part
			return reading.Tree(ctx, docs, req, emit)
		})
	})
}

type sectionsArgs struct {
	fileArgs
	HeadingLevel string   `arg:"heading_level" doc:"H1 to H6, or ALL"`
	Pattern      string   `arg:"pattern,again" doc:"text in the heading" alias:"section_name_pattern"`
	Raw          bool     `arg:"raw"`
	With         []string `arg:"with" doc:"words,hash,tasks,links,code,attributes,tags,fields"`
	Status       string   `arg:"status"`
	MaxSections  int      `arg:"max_sections" alias:"limit"`
	Cursor       string   `arg:"cursor" doc:"next_cursor of the page before"`
	limitedAgainArgs
}

func runSections(ctx context.Context, c *call, args *sectionsArgs) (*reply, error) {
	req := reading.SectionsRequest{
		JSON: true, Level: args.HeadingLevel, Pattern: args.Pattern, Raw: args.Raw,
		With: args.With, Status: args.Status, Max: args.MaxSections, Cursor: args.Cursor, MaxChars: c.maxChars(), Single: true,
	}
	docs := c.documents(args.FilePath)
	if c.workspace.IsMany(args.FilePath) {
		page, err := docs.Page(ctx, args.Cursor)
		return c.paged(err, func() ([]byte, error) { return reading.SectionsPage(ctx, docs, page, req) })
	}
	return c.named(args.FilePath, "", true, func(path, part string) (*reply, error) {
		return inJSON(func(emit func(documents.Part) error) error {
			docs := c.documents(path)
			docs.Part = part
			return reading.Sections(ctx, docs, req, emit)
		})
	})
}

// paged returns a page about documents, unless there is an error.
func (c *call) paged(err error, render func() ([]byte, error)) (*reply, error) {
	if err != nil {
		return nil, err
	}
	text, err := render()
	if err != nil {
		return nil, err
	}
	return &reply{text: text, structured: text}, nil
}

// inJSON collects a reply whose text is JSON.
func inJSON(request func(emit func(documents.Part) error) error) (*reply, error) {
	r := &reply{}
	err := request(func(part documents.Part) error {
		r.text = append(r.text, part.Text...)
		for _, e := range part.Errors {
			return e
		}
		return nil
	})
	r.structured = r.text
	return r, err
}

type boundsArgs struct {
	fileArgs
	SectionName sectionName `arg:"section_name,required,again"`
	Occurrence  int         `arg:"occurrence"`
}

func runBounds(_ context.Context, c *call, args *boundsArgs) (*reply, error) {
	return c.named(args.FilePath, string(args.SectionName), true, func(path, heading string) (*reply, error) {
		text, err := reading.Bounds(c.documents(path), reading.BoundsRequest{
			Heading: heading, Occurrence: args.Occurrence, Single: true, MaxChars: defaultMaxChars,
		})
		if err != nil {
			return nil, err
		}
		return &reply{text: text, structured: text}, nil
	})
}

type readSectionArgs struct {
	fileArgs
	SectionName         sectionName `arg:"section_name"`
	IncludeSubsections  bool        `arg:"include_subsections" default:"true"`
	MaxSubsectionLevels int         `arg:"max_subsection_levels" doc:"0 = all" alias:"max_depth,depth"`
	Occurrence          int         `arg:"occurrence" doc:"which of equal headings, from 1"`
	StartLine           *int        `arg:"start_line" doc:"lines instead of a section" alias:"offset"`
	EndLine             *int        `arg:"end_line"`
	StartChar           int         `arg:"start_char" doc:"within one long line"`
	limitedAgainArgs
}

func runReadSection(_ context.Context, c *call, args *readSectionArgs) (*reply, error) {
	req := reading.ReadRequest{
		Heading: string(args.SectionName), Occurrence: args.Occurrence,
		BodyOnly: !args.IncludeSubsections, MaxLevels: args.MaxSubsectionLevels,
		StartLine: lineNumber(args.StartLine), EndLine: lineNumber(args.EndLine), StartChar: args.StartChar,
		MaxChars: c.maxChars(), Call: reading.ReadSectionCall, Structured: c.structured,
	}
	message := replies.Say("say which part to read: section_name, or start_line and end_line")
	if c.offers(toolTree) {
		message = message.Then("; %s shows the sections", replies.Call{Verb: replies.Tree})
	}
	req.NoPart = &replies.Error{Code: replies.CodeInvalidArgument, Path: args.FilePath, Message: message}
	return c.read(args.FilePath, req)
}
