package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/sectile/sectile/internal/linking"
	"github.com/sectile/sectile/internal/replies"
)

// The toolset links: where links lead, and what leads to a section.

func linksTools() []*tool {
	return []*tool{
		{
			name: "list_links", title: "Links", set: setLinks,
			description: "Links of a document with the file:line they lead to; in: those of all documents that lead to a path or path#anchor.",
			handler:     taking(runLinks),
		},
	}
}

type linksArgs struct {
	Path      string `arg:"path" doc:"default all" alias:"file_path,file,filename"`
	Direction string `arg:"direction" options:"out,in"`
	Broken    bool   `arg:"broken" doc:"only links that lead nowhere"`
	Cursor    string `arg:"cursor"`
	limitedArgs
}

func runLinks(ctx context.Context, c *call, args *linksArgs) (*reply, error) {
	docs := c.documents(args.Path)
	req := linking.Request{Broken: args.Broken, Cursor: args.Cursor, Structured: c.structured, Tells: true}
	switch {
	case args.Direction == "in" && args.Path == "":
		return nil, &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Text("path is missing; name the document, or document#anchor, that links lead to")}
	case args.Direction == "in":
		req.To, req.Everywhere = args.Path, true
	case args.Path == "":
		req.Everywhere = true
	}
	const head = 200 // characters of the summary
	req.MaxChars = max(c.maxChars()-head, replies.MinChars/2)
	r := &reply{}
	var failed *replies.Error
	res, err := linking.Links(ctx, docs, &req, func(text []byte) error {
		r.text = append(r.text, text...)
		return nil
	}, func(e *replies.Error) error {
		failed = e
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case failed != nil && (!req.Everywhere || res.Documents == 0 && res.Failed == 1):
		return nil, failed
	}
	r.text = append([]byte(res.Summary(&req)+"\n"), r.text...)
	if c.structured {
		r.structured = linksJSON(res)
	}
	return r, nil
}

// linksData is a page of links in JSON.
type linksData struct {
	Documents int               `json:"documents"`
	Links     int               `json:"links"`
	Broken    int               `json:"broken"`
	Unknown   int               `json:"unknown"`
	Failed    int               `json:"unreadable,omitempty"`
	Unread    []string          `json:"unreadable_files,omitempty"` // the first of them
	Items     []json.RawMessage `json:"items"`
	Cursor    string            `json:"next_cursor,omitempty"`
}

// linksJSON returns the links of a reply in JSON.
func linksJSON(res *linking.Result) []byte {
	data := linksData{Documents: res.Documents, Links: res.Links, Broken: res.Broken, Unknown: res.Unknown, Failed: res.Failed, Items: []json.RawMessage{}, Cursor: res.Next}
	data.Items = append(data.Items, res.Items...)
	for _, e := range res.Unread {
		data.Unread = append(data.Unread, e.Path)
	}
	return replies.JSON(data)
}
