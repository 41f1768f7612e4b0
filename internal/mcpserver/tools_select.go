package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/sectile/sectile/internal/documents"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/selecting"
)

// The toolset select: inventories of documents, and content by selector. The
// replies are those of the command line.

func selectTools() []*tool {
	return []*tool{
		{
			name: "mdsel_index", title: "Inventory", set: setSelect,
			description: "Selectors of all headings of Markdown files (h2.1 Title), by which sections and blocks are read, " +
				"and, after ---, how many blocks of each kind.",
			handler: taking(runIndex),
		},
		{
			name: "mdsel_select", title: "Content by selector", set: setSelect, remembers: true,
			description: "Source text by any address, or selector: h2.1 is a section, h2.1/code.0 a block in it, h2.0,2-3 several, h2 all; " +
				"types: h1-h6 para list item code table row quote html frontmatter; ?head=N ?tail=N lines; readme::h2.1 in one file. " +
				"Counts from 0.",
			handler: taking(runSelect),
		},
	}
}

// filesArgs name documents.
type filesArgs struct {
	Files  []string `arg:"files,required" alias:"file_path,path,paths,file,file_paths"`
	Cursor string   `arg:"cursor"`
}

// maxPage is the number of documents of a page of folders and patterns.
const maxPage = 50

// of returns the documents of a call, and what says how to go on behind the first n of them, nil
// if they are to be told of together.
func (args *filesArgs) of(ctx context.Context, c *call) (docs documents.Set, more func(n int) string, err error) {
	if len(args.Files) == 0 {
		return docs, nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("files is empty; name at least one document")}
	}
	docs = c.documents(args.Files...)
	page, err := docs.Page(ctx, args.Cursor)
	if err != nil || page == nil {
		return docs, nil, err
	}
	docs.Paths = page.Paths[:min(len(page.Paths), maxPage)]
	return docs, page.More, nil
}

type indexArgs struct {
	filesArgs
	limitedArgs
}

func runIndex(ctx context.Context, c *call, args *indexArgs) (*reply, error) {
	docs, more, err := args.of(ctx, c)
	if err != nil {
		return nil, err
	}
	return asPrinted(c, func(out, structured io.Writer) error {
		req := selecting.IndexRequest{
			Literal: true, MaxChars: c.maxChars(), Time: time.Now(), Offered: c.offers, More: more, Structured: structured,
		}
		return selecting.Index(ctx, docs, req, out, out)
	})
}

type selectArgs struct {
	Selector string `arg:"selector,required"`
	filesArgs
	Full bool `arg:"full" doc:"whole, up to 40000 characters"`
	limitedAgainArgs
}

func runSelect(ctx context.Context, c *call, args *selectArgs) (*reply, error) {
	docs, more, err := args.of(ctx, c)
	if err != nil {
		return nil, err
	}
	most := c.maxChars()
	if args.Full {
		most = capMaxChars
	}
	r, err := asPrinted(c, func(out, structured io.Writer) error {
		return selecting.Select(ctx, docs, selecting.SelectRequest{
			Selector: args.Selector, Full: args.Full, Literal: true, MaxChars: most,
			Time: time.Now(), Offered: c.offers, More: more, Later: args.Cursor != "", Structured: structured,
		}, out, out)
	})
	if err != nil {
		return nil, err
	}
	r.beside = most - c.maxChars()
	return r, nil
}

// asPrinted returns what a command prints; and in JSON too, if structured content
// is wanted and short enough, for JSON is never cut.
func asPrinted(c *call, request func(out, structured io.Writer) error) (*reply, error) {
	var (
		out, object bytes.Buffer
		structured  io.Writer
	)
	if c.structured {
		structured = &object
	}
	err := request(&out, structured)
	if err != nil && !errors.Is(err, selecting.ErrIncomplete) {
		return nil, err
	}
	// What could be done is no error, whatever else failed: the text tells.
	r := &reply{text: out.Bytes(), failed: errors.Is(err, selecting.ErrNothing)}
	if object.Len() > 0 {
		r.structured = object.Bytes()
	}
	return r, nil
}
