package mcpserver

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/transport"
)

// class is the class of a request by its method and the name in its parameters.
func (s *server) class(method, name string) transport.Class {
	switch {
	case method == "prompts/get" && name == promptPlan:
		return transport.ClassPlan
	case method != "tools/call":
		return transport.ClassRead
	}
	t := s.tool(name)
	switch {
	case t != nil && t.writes:
		return transport.ClassEdit
	case t != nil && t.set == setPlan:
		return transport.ClassPlan
	}
	return transport.ClassRead
}

// classOf is the class of a request.
func (s *server) classOf(method string, req mcp.Request) transport.Class {
	switch req := req.(type) {
	case *mcp.CallToolRequest:
		return s.class(method, req.Params.Name)
	case *mcp.GetPromptRequest:
		return s.class(method, req.Params.Name)
	}
	return transport.ClassRead
}
