package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/guiding"
	"github.com/sectile/sectile/internal/reading"
	"github.com/sectile/sectile/internal/replies"
)

// maxCompletions is the largest number of values that the protocol allows.
const maxCompletions = 100

// complete returns how an argument of a resource or prompt may go on.
func (s *server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var (
		values []string
		more   bool
		typed  = req.Params.Argument.Value
	)
	switch ref := req.Params.Ref; {
	case ref.Type == "ref/resource" && ref.URI == docTemplate && req.Params.Argument.Name == "path":
		values, more = s.completeDocument(ctx, typed)
	case ref.Type == "ref/resource" && ref.URI == guiding.GuideTemplate && s.servesGuides():
		values, more = s.completeGuide(ctx, req.Params)
	case ref.Type == "ref/prompt" && ref.Name == promptReview && req.Params.Argument.Name == "file_path":
		values, more = s.workspace.Paths(ctx, typed, maxCompletions)
		// It stands as it is in the prompt, and so what acts unseen isn't offered, as of sections.
		values = slices.DeleteFunc(values, func(path string) bool { return replies.Safe(path) != path })
	case ref.Type == "ref/prompt" && ref.Name == promptReview && req.Params.Argument.Name == "section":
		if req.Params.Context != nil {
			work := s.workspace.Begin(ctx, leaver(ctx))
			defer work.End()
			values, more = reading.Addresses(s.workspace, work, req.Params.Context.Arguments["file_path"], typed, maxCompletions)
		}
	case ref.Type == "ref/resource" && ref.URI == docTemplate, ref.Type == "ref/prompt" && ref.Name == promptReview:
		// An argument that can be anything.
	default:
		return nil, invalidParams("there is nothing to complete by this name")
	}
	if values == nil {
		values = []string{} // null is no list
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, HasMore: more}}, nil
}

// completeDocument completes the path of a document, and after # the anchors of
// its headings.
func (s *server) completeDocument(ctx context.Context, typed string) (values []string, more bool) {
	path, anchor, found := strings.Cut(typed, "#")
	if !found {
		values, more = s.workspace.Paths(ctx, guiding.Decoded(path), maxCompletions)
		for i, v := range values {
			values[i] = guiding.TemplateValue(v)
		}
		return values, more
	}
	work := s.workspace.Begin(ctx, leaver(ctx))
	defer work.End()
	anchors, more := s.workspace.Anchors(work, guiding.Decoded(path), guiding.Decoded(anchor), maxCompletions)
	for i, a := range anchors {
		anchors[i] = path + "#" + guiding.TemplateValue(a)
	}
	return anchors, more
}

// completeGuide completes the name of a category, and the path in the one that is
// named.
func (s *server) completeGuide(ctx context.Context, p *mcp.CompleteParams) (values []string, more bool) {
	switch p.Argument.Name {
	case "name":
		return s.guides.CompleteName(ctx, p.Argument.Value, maxCompletions)
	case "path":
		if p.Context != nil {
			work := s.workspace.Begin(ctx, leaver(ctx))
			defer work.End()
			return s.guides.CompletePath(ctx, work, p.Context.Arguments["name"], p.Argument.Value, maxCompletions)
		}
	}
	return nil, false
}
