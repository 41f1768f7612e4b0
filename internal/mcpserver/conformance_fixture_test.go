package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sectile/sectile/internal/doctor"
	"github.com/sectile/sectile/internal/documents"
)

// The conformance suite asks for tools, resources and prompts by names of its own, and
// for content that none of ours has. The fixture is the server as users have it, made
// by the same constructor and behind the same guards, and has them beside its own.

// fixtureTool is a tool that the suite asks for.
type fixtureTool struct {
	name   string
	schema string // of its arguments; empty for none
	handle mcp.ToolHandler
}

// fixtureSchema has what the suite wants to find again in the list: keywords of JSON
// Schema that our own tools have no use for.
const fixtureSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},` +
	`"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]}}`

// The contents of all kinds.
func fixtureText(s string) mcp.Content { return &mcp.TextContent{Text: s} }

func fixtureImage() mcp.Content {
	return &mcp.ImageContent{Data: []byte("pixels"), MIMEType: "image/png"}
}

func fixtureAudio() mcp.Content {
	return &mcp.AudioContent{Data: []byte("sound"), MIMEType: "audio/wav"}
}

func fixtureEmbedded(uri string) mcp.Content {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "embedded"}}
}

// answers returns a handler that always answers the same.
func answers(content ...mcp.Content) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	}
}

// fixtureTools are the tools that the suite asks for, as far as they are about what
// the server does.
func fixtureTools() []fixtureTool {
	return []fixtureTool{
		{"test_simple_text", "", answers(fixtureText("simple"))},
		{"test_image_content", "", answers(fixtureImage())},
		{"test_audio_content", "", answers(fixtureAudio())},
		{"test_embedded_resource", "", answers(fixtureEmbedded("test://embedded"))},
		{"test_multiple_content_types", "", answers(fixtureText("mixed"), fixtureImage(), fixtureEmbedded("test://mixed"))},
		{"test_error_handling", "", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("it fails, as it should")
		}},
		{"test_tool_with_progress", "", reportsProgress},
		{"test_streaming_elicitation", "", reportsProgress},
		{"test_logging_tool", "", answers(fixtureText("nothing was logged"))},
		{"test_missing_capability", "", wantsCapability},
		{"json_schema_2020_12_tool", fixtureSchema, answers(fixtureText("ok"))},
		{
			"test_x_mcp_header", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`,
			answers(fixtureText("ok")),
		},
	}
}

// reportsProgress tells three times how far it is, if it is asked to.
func reportsProgress(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i := range 3 {
		p := &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3}
		if p.ProgressToken == nil {
			break
		}
		if err := req.Session.NotifyProgress(ctx, p); err != nil {
			return nil, err
		}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{fixtureText("done")}}, nil
}

// wantsCapability refuses every client, for none of the suite's says that it has what
// is wanted.
func wantsCapability(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return nil, &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling is wanted",
		Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
	}
}

// startFixture returns the fixture for the folder.
func startFixture(t *testing.T, root string) *server {
	t.Helper()
	o := doctor.ServerOptions{Roots: []string{root}, Shared: true, Version: "test"}
	workspace, err := documents.OpenWorkspace(o.Documents())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = workspace.Close() })
	// The server knows the names; what they answer, which no tool of ours does, the
	// library is told below.
	var more []*tool
	for _, f := range fixtureTools() {
		more = append(more, &tool{name: f.name, title: f.name, description: "For the suite."})
	}
	s, err := newServer(o, workspace, discard(), more...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fixtureTools() {
		schema := f.schema
		if schema == "" {
			schema = `{"type":"object"}`
		}
		s.mcp.AddTool(&mcp.Tool{Name: f.name, Description: "For the suite.", InputSchema: json.RawMessage(schema)}, f.handle)
	}
	addFixtureResources(s.mcp)
	addFixturePrompts(s.mcp)
	return s
}

// addFixtureResources adds the resources that the suite asks for.
func addFixtureResources(s *mcp.Server) {
	read := func(c mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			found := c
			found.URI = req.Params.URI
			if found.Text == "" && found.Blob == nil {
				found.Text = "about " + strings.Split(found.URI, "/")[3]
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&found}}, nil
		}
	}
	s.AddResource(&mcp.Resource{Name: "text", URI: "test://static-text", MIMEType: "text/plain"},
		read(mcp.ResourceContents{MIMEType: "text/plain", Text: "static"}))
	s.AddResource(&mcp.Resource{Name: "binary", URI: "test://static-binary", MIMEType: "image/png"},
		read(mcp.ResourceContents{MIMEType: "image/png", Blob: []byte("pixels")}))
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", URITemplate: "test://template/{id}/data", MIMEType: "text/plain"},
		read(mcp.ResourceContents{MIMEType: "text/plain"}))
}

// addFixturePrompts adds the prompts that the suite asks for.
func addFixturePrompts(s *mcp.Server) {
	says := func(content func(args map[string]string) []mcp.Content) mcp.PromptHandler {
		return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			r := &mcp.GetPromptResult{}
			for _, c := range content(req.Params.Arguments) {
				r.Messages = append(r.Messages, &mcp.PromptMessage{Role: "user", Content: c})
			}
			return r, nil
		}
	}
	s.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "For the suite."}, says(func(map[string]string) []mcp.Content {
		return []mcp.Content{fixtureText("simple")}
	}))
	s.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_arguments", Description: "For the suite.",
		Arguments: []*mcp.PromptArgument{{Name: "arg1", Required: true}, {Name: "arg2", Required: true}},
	}, says(func(args map[string]string) []mcp.Content {
		return []mcp.Content{fixtureText(fmt.Sprintf("%s and %s", args["arg1"], args["arg2"]))}
	}))
	s.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_embedded_resource", Description: "For the suite.",
		Arguments: []*mcp.PromptArgument{{Name: "resourceUri", Required: true}},
	}, says(func(args map[string]string) []mcp.Content {
		return []mcp.Content{fixtureEmbedded(args["resourceUri"])}
	}))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "For the suite."}, says(func(map[string]string) []mcp.Content {
		return []mcp.Content{fixtureImage()}
	}))
	// What completes are paths and headings; the suite asks about a prompt of its own.
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if c, ok := req.(*mcp.CompleteRequest); ok && c.Params.Ref.Name == "test_prompt_with_arguments" {
				return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{"tested"}}}, nil
			}
			return next(ctx, method, req)
		}
	})
}
