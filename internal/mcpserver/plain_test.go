package mcpserver

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPlainResults: what is encoded in less time has the same values, and what holds more than
// texts is left to the library.
func TestPlainResults(t *testing.T) {
	text := func(s string) mcp.Content { return &mcp.TextContent{Text: s} }
	failed := &mcp.CallToolResult{Content: []mcp.Content{text("no")}, IsError: true}
	for _, tt := range []struct {
		name   string
		result *mcp.CallToolResult
		plain  bool
	}{
		{"empty", &mcp.CallToolResult{Content: []mcp.Content{}}, true},
		{"texts", &mcp.CallToolResult{Content: []mcp.Content{text("a <b> & \"c\"\n\u2028é"), text("")}}, true},
		{"a failure", failed, true},
		{"complete", complete(failed), true},
		{"structured", complete(&mcp.CallToolResult{Content: []mcp.Content{text("{}")}, StructuredContent: json.RawMessage(`{"a": [1, "<"]}`)}), true},
		{"meta", &mcp.CallToolResult{Meta: mcp.Meta{"a": 1}, Content: []mcp.Content{text("a")}}, false},
		{"annotated", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a", Annotations: &mcp.Annotations{Priority: 1}}}}, false},
		{"an image", &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: []byte("a"), MIMEType: "image/png"}}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := plain(tt.result)
			if _, ok := got.(*plainResult); ok != tt.plain {
				t.Fatalf("%T", got)
			}
			values := func(v any) any {
				var buf bytes.Buffer
				if err := json.NewEncoder(&buf).Encode(v); err != nil {
					t.Fatal(err)
				}
				var all any
				if err := json.Unmarshal(buf.Bytes(), &all); err != nil {
					t.Fatal(err)
				}
				return all
			}
			if diff := cmp.Diff(values(tt.result), values(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
