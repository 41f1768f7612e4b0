package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/sectile/sectile/internal/app"
)

// The toolset select: inventories of documents, and content by selector. The
// replies are those of the command line.

func selectTools() []*tool {
	return []*tool{
		{
			name: "mdsel_index", title: "Inventory of documents", set: setSelect,
			description: "Selectors of all headings of Markdown files (h2.1 Title) and, after ---, how many blocks of each kind. " +
				"Use them in mdsel_select.",
			args: []argument{filesArg(), maxCharsArg()},
			run:  runIndex,
		},
		{
			name: "mdsel_select", title: "Content by selector", set: setSelect, core: true,
			description: "Source text by selector: h2.1 is a section, h2.1/code.0 a block in it, h2.0,2-3 several, h2 all; " +
				"types: h1-h6 para list item code table row quote html frontmatter; ?head=N ?tail=N lines; readme::h2.1 names one of several files. " +
				"Counts from 0.",
			args: []argument{
				{name: "selector", kind: textArg, required: true},
				filesArg(),
				{name: "full", kind: booleanArg, help: "whole, up to 40000 characters"},
				maxCharsArg(),
			},
			run: runSelect,
		},
	}
}

// filesArg is the argument that names documents.
func filesArg() argument {
	return argument{name: "files", kind: textsArg, required: true, aliases: []string{"file_path", "path", "paths", "file", "file_paths"}}
}

// files returns the documents that the call names.
func (c *call) files() (app.Documents, error) {
	paths := c.texts("files")
	if len(paths) == 0 {
		return app.Documents{}, &app.Error{Code: codeInvalidArgument, Message: "files is empty; name at least one document"}
	}
	return c.documents(paths...), nil
}

func runIndex(ctx context.Context, c *call) (*reply, error) {
	req := app.IndexRequest{Literal: true, MaxChars: c.maxChars(), Time: time.Now()}
	docs, err := c.files()
	if err != nil {
		return nil, err
	}
	return asPrinted(c, func(out, errs *bytes.Buffer) error {
		return app.Index(ctx, docs, req, out, errs)
	}, func(out, errs *bytes.Buffer) error {
		req.JSON = true
		return app.Index(ctx, docs, req, out, errs)
	})
}

func runSelect(ctx context.Context, c *call) (*reply, error) {
	req := app.SelectRequest{
		Selector: c.text("selector"), Full: c.boolean("full", false), Literal: true, MaxChars: c.maxChars(), Time: time.Now(),
	}
	if req.Full {
		req.MaxChars = capMaxChars
	}
	docs, err := c.files()
	if err != nil {
		return nil, err
	}
	return asPrinted(c, func(out, errs *bytes.Buffer) error {
		return app.Select(ctx, docs, req, out, errs)
	}, func(out, errs *bytes.Buffer) error {
		req.JSON = true
		return app.Select(ctx, docs, req, out, errs)
	})
}

// asPrinted returns what a command prints, errors behind what could be done; and
// in JSON too, if structured content is wanted.
func asPrinted(c *call, text, inJSON func(out, errs *bytes.Buffer) error) (*reply, error) {
	var out, errs bytes.Buffer
	err := text(&out, &errs)
	if err != nil && !errors.Is(err, app.ErrIncomplete) {
		return nil, err
	}
	out.Write(errs.Bytes())
	// What could be done is no error, whatever else failed: the text tells.
	r := &reply{text: out.Bytes(), failed: errors.Is(err, app.ErrNothing)}
	if !c.structured {
		return r, nil
	}
	var object, none bytes.Buffer
	if err := inJSON(&object, &none); err != nil && !errors.Is(err, app.ErrIncomplete) {
		return nil, err
	}
	// JSON is not cut: what is too long for a reply stays with its text.
	if text := bytes.TrimSuffix(object.Bytes(), []byte("\n")); utf8.RuneCount(text) <= c.maxChars() {
		r.structured = text
	}
	return r, nil
}
