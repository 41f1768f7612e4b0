package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A reply is a text, and the library encodes that once and then looks through it again for
// each value around it that encodes itself: content, result, message. A plainResult is
// encoded once.

// plainResult is the result of a call of a tool that holds nothing but texts. What the
// embedded one does stays, but for how it encodes itself: there are two ways to, at the
// same depth, so that neither is one of this type.
type plainResult struct {
	*mcp.CallToolResult `json:"-"`
	json.RawMessage     `json:"-"` // it encodes itself, too

	Content           []plainText `json:"content"`
	StructuredContent any         `json:"structuredContent,omitempty"`
	IsError           bool        `json:"isError,omitempty"`
	ResultType        string      `json:"resultType,omitempty"`
}

// plainText is a text of a result.
type plainText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// plainResults is the middleware that makes results of tools plain.
func plainResults(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if r, ok := result.(*mcp.CallToolResult); ok && r != nil && err == nil {
			return plain(r), nil
		}
		return result, err
	}
}

// plain returns a result that is encoded to the same values in less time, or the result
// itself if it holds more than texts.
func plain(r *mcp.CallToolResult) mcp.Result {
	if len(r.Meta) > 0 || r.InputRequests != nil || r.NeedsInput() || r.RequestState != "" {
		return r
	}
	p := &plainResult{CallToolResult: r, Content: make([]plainText, len(r.Content)), StructuredContent: r.StructuredContent, IsError: r.IsError}
	for i, c := range r.Content {
		text, ok := c.(*mcp.TextContent)
		if !ok || text.Meta != nil || text.Annotations != nil {
			return r
		}
		p.Content[i] = plainText{"text", text.Text}
	}
	// Only the library can read the type of a result, which it has set itself.
	rest := *r
	rest.Content, rest.StructuredContent = nil, nil
	encoded, err := json.Marshal(&rest)
	if err != nil || json.Unmarshal(encoded, &struct {
		ResultType *string `json:"resultType"`
	}{&p.ResultType}) != nil {
		return r
	}
	return p
}
