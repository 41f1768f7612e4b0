package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/undoing"
)

// A call that writes takes back first what was interrupted, whatever becomes of the call itself: it
// may be refused with "nothing was written". Whatever it answers, a text of its own behind tells which
// files that has changed; structured content has it as taken_back.

// tellTakenBack is the middleware for that.
func (s *server) tellTakenBack(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != "tools/call" {
			return next(ctx, method, req)
		}
		ctx, back := undoing.Watching(ctx)
		result, err := next(ctx, method, req)
		r, ok := result.(*mcp.CallToolResult)
		if err != nil || !ok || r == nil {
			return result, err
		}
		text := back.Text(s.workspace)
		if text == "" {
			return r, nil
		}
		r.Content = append(r.Content, &mcp.TextContent{Text: text})
		if object, ok := r.StructuredContent.(json.RawMessage); ok {
			r.StructuredContent = withTakenBack(object, text)
		}
		return r, nil
	}
}

// withTakenBack returns an object of JSON with the text; what is no object stays as it is.
func withTakenBack(object json.RawMessage, text string) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(object, &fields) != nil || fields == nil {
		return object
	}
	fields["taken_back"] = replies.JSON(text)
	return replies.JSON(fields)
}
