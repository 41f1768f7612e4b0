package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/runes"
)

// unknownTool refuses calls of tools that are not offered with the names of those
// that are: a model that was told of more tools than there are can go on.
func (s *server) unknownTool(next mcp.MethodHandler) mcp.MethodHandler {
	names := make([]string, len(s.tools))
	offered := map[string]bool{}
	for i, t := range s.tools {
		names[i] = t.name
		offered[t.name] = true
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && !offered[call.Params.Name] {
			return nil, invalidParams(fmt.Sprintf("unknown tool %q; the tools are %s",
				runes.Clip(call.Params.Name, 60), strings.Join(names, ", ")))
		}
		return next(ctx, method, req)
	}
}
