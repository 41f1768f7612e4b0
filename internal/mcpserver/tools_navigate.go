package mcpserver

import (
	"context"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
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
			name: toolTree, title: "Outline of a document", set: setNavigate, lean: true, core: true, whole: true,
			description: "Outline of a Markdown document: headings with line ranges (from 1, inclusive). Start here, then read sections. " +
				"depth_limited: deeper levels did not fit.",
			args: []argument{
				fileArg(),
				{name: "format", kind: textArg, help: "json or ascii"},
				{name: "pattern", kind: textArg, help: "keep headings with this text and their ancestors"},
				{name: "max_depth", kind: integerArg, help: "deepest level; 0 = all", aliases: []string{"depth"}},
				{name: "keep_children", kind: booleanArg, help: "keep what is below a match"},
				{name: "raw", kind: booleanArg, help: "names with markup"},
				maxCharsArg(),
			},
			run: runTree,
		},
		{
			name: toolSections, title: "List of sections", set: setNavigate, whole: true,
			description: "Sections of a document in order: name, level, lines. Long lists come in pages.",
			args: []argument{
				fileArg(),
				{name: "heading_level", kind: textArg, help: "H1 to H6, or ALL"},
				{name: "pattern", kind: textArg, help: "text in the heading"},
				{name: "raw", kind: booleanArg},
				{name: "max_sections", kind: integerArg, aliases: []string{"limit"}},
				{name: "cursor", kind: textArg, help: "next_cursor of the page before"},
				maxCharsArg(),
			},
			run: runSections,
		},
		{
			name: "markdown_section_bounds", title: "Bounds of a section", set: setNavigate, whole: true,
			description: "First and last line of one section.",
			args: []argument{
				fileArg(), sectionArg(true),
				{name: "occurrence", kind: integerArg},
			},
			voice: sectionVoice, run: runBounds,
		},
		{
			name: toolReadSection, title: "Read a section", set: setNavigate, remembers: true,
			description: "Exact text of a section, below a head with lines, hash and the call that continues if it did not fit.",
			args: []argument{
				fileArg(), sectionArg(false),
				{name: "include_subsections", kind: booleanArg, def: "true"},
				{name: "max_subsection_levels", kind: integerArg, help: "0 = all"},
				{name: "occurrence", kind: integerArg, help: "which of equal headings, from 1"},
				{name: "start_line", kind: integerArg, help: "lines instead of a section"},
				{name: "end_line", kind: integerArg},
				{name: "start_char", kind: integerArg, help: "within one long line"},
				maxCharsArg(),
			},
			voice: sectionVoice, run: runReadSection,
		},
	}
}

// sectionArg is the argument that names a section.
func sectionArg(required bool) argument {
	return argument{
		name: "section_name", kind: textArg, required: required,
		help:    "heading, selector h2.1, #anchor, L120 or 'A > B'",
		aliases: []string{"section_heading", "section_name_pattern", "section_query", "heading", "section"},
	}
}

func runTree(ctx context.Context, c *call) (*reply, error) {
	req := reading.TreeRequest{
		Format: c.text("format"), Pattern: c.text("pattern"), MaxDepth: c.integer("max_depth"),
		KeepChildren: c.boolean("keep_children", false), Raw: c.boolean("raw", false),
		MaxChars: c.maxChars(), Single: true, Offered: c.offers,
	}
	return inJSON(func(emit func(documents.Part) error) error {
		return reading.Tree(ctx, c.documents(c.text("file_path")), req, emit)
	})
}

func runSections(ctx context.Context, c *call) (*reply, error) {
	req := reading.SectionsRequest{
		JSON: true, Level: c.text("heading_level"), Pattern: c.text("pattern"), Raw: c.boolean("raw", false),
		Max: c.integer("max_sections"), Cursor: c.text("cursor"), MaxChars: c.maxChars(), Single: true,
	}
	return inJSON(func(emit func(documents.Part) error) error {
		return reading.Sections(ctx, c.documents(c.text("file_path")), req, emit)
	})
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

func runBounds(_ context.Context, c *call) (*reply, error) {
	text, err := reading.Bounds(c.documents(c.text("file_path")), reading.BoundsRequest{
		Heading: c.text("section_name"), Occurrence: c.integer("occurrence"), Single: true, MaxChars: defaultMaxChars,
	})
	if err != nil {
		return nil, err
	}
	return &reply{text: text, structured: text}, nil
}

func runReadSection(_ context.Context, c *call) (*reply, error) {
	req := reading.ReadRequest{
		Heading: c.text("section_name"), Occurrence: c.integer("occurrence"),
		BodyOnly: !c.boolean("include_subsections", true), MaxLevels: c.integer("max_subsection_levels"),
		StartLine: c.integer("start_line"), EndLine: c.integer("end_line"), StartChar: c.integer("start_char"),
		MaxChars: c.maxChars(), Call: reading.ReadSectionCall, Structured: c.structured,
	}
	if req.Heading == "" && req.StartLine == 0 && req.EndLine == 0 {
		message := replies.Say("say which part to read: section_name, or start_line and end_line")
		if c.offers(toolTree) {
			message = message.Then("; %s shows the sections", replies.Call{Verb: replies.Tree})
		}
		return nil, &replies.Error{Code: codeInvalidArgument, Path: c.text("file_path"), Message: message}
	}
	r, err := reading.Read(c.documents(c.text("file_path")), req)
	if err != nil {
		return nil, err
	}
	return &reply{text: r.Text, mark: r.Mark, structured: r.Structured}, nil
}
